vcl 4.1;
backend origin none;

import std;

sub vcl_recv {
    std.cache_req_body(99999PB);                ### V305 "99999PB is larger than any size"
}
