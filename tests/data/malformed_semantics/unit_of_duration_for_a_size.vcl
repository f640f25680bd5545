vcl 4.1;
backend origin none;

import std;

sub vcl_recv {
    std.cache_req_body(5s);                     ### V306 "s is not a unit of size"
}
