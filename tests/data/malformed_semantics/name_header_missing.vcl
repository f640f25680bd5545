vcl 4.1;
backend origin none;

sub vcl_recv {
    unset req.http;                             ### V302 "a name is missing"
}
