vcl 4.1;
backend origin none;

sub vcl_recv {
    set req.ttl = 5sec;                         ### V306 "sec is not a unit"
}
