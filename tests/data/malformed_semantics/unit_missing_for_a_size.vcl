vcl 4.1;
backend origin none;

import std;

sub vcl_recv {
    std.cache_req_body(1000);                   ### V306 "the size 1000 has no unit"
}
