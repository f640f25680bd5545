vcl 4.1;
backend origin none;

import std;

sub vcl_recv {
    set req.http.X = std.log("x");              ### V319 "std.log returns no value"
}
