vcl 4.1;
backend origin none;

import std;

sub vcl_recv {
    std.log("a", "b");                          ### V313 "at most 1 argument"
}
