vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.ttl = 5KB;                          ### V306 "KB is not a unit of duration"
}
