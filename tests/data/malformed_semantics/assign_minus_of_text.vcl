vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.url -= "x";                         ### V320 "-="
}
