vcl 4.1;
backend origin none;

import std;

sub vcl_recv {
    set req.ttl = std.duration(s = "5s", 1s);   ### V314 "without a name"
}
