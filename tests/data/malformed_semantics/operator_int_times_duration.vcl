vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.ttl = 2 * 5s;                       ### V303 "INT * DURATION"
}
