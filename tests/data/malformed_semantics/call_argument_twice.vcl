vcl 4.1;
backend origin none;

import std;

sub vcl_recv {
    set req.ttl = std.duration("5s", s = "6s"); ### V315 "s is given twice"
}
