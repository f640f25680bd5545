vcl 4.1;
backend origin none;

sub vcl_recv {
    unset req.http;                             ### V302 "req.http needs the name of a header field"
}
