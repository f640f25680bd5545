vcl 4.1;
backend origin none;

sub vcl_recv {
    set origin = "x";                           ### V323 "cannot be set"
}
