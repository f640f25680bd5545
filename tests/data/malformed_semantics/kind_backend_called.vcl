vcl 4.1;
backend origin none;

sub vcl_recv {
    call origin;                                ### V323 "origin is a backend, not a sub"
}
