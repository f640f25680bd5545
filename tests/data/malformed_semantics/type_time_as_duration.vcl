vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.grace = now;                        ### V301 "TIME is not DURATION"
}
