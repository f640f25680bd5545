vcl 4.1;
backend origin none;

sub vcl_recv {
    return;                                     ### V408 "vcl_recv returns without an action"
}
