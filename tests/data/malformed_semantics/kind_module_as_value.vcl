vcl 4.1;
backend origin none;

import std;

sub vcl_recv {
    set req.http.X = std;                       ### V323 "std is a module"
}
