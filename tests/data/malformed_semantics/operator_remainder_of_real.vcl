vcl 4.1;
backend origin none;

import std;

sub vcl_recv {
    std.log(5.0 % 3);                           ### V303 "REAL % INT"
}
