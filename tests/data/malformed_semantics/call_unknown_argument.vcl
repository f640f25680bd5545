vcl 4.1;
backend origin none;

import std;

sub vcl_recv {
    set req.ttl = std.duration("5s", fallbak = 1s);    ### V314 "no parameter fallbak"
}
