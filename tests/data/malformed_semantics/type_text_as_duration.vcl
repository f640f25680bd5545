vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.ttl = req.http.X-TTL;               ### V301 "STRING is not DURATION"
}
