vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.ttl = 10s / 2s;                     ### V303 "DURATION / DURATION"
}
