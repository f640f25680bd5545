vcl 4.1;
backend origin none;

import std;

sub vcl_recv {
    std.collect(req.url);                       ### V301 "STRING is not HEADER"
}
