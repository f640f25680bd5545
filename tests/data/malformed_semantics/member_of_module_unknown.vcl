vcl 4.1;
backend origin none;

import std;

sub vcl_recv {
    std.tolowr(req.url);                        ### V322 "no function tolowr"
}
