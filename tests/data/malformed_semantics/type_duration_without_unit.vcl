vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.ttl = 5;                            ### V301 "INT is not DURATION"
}
