vcl 4.0;
backend origin none;

import std;

sub vcl_recv {
    std.log(local.socket);                      ### V311 "4.1 only"
}
