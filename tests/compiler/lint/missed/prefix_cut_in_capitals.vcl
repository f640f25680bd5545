# The substitution never finds its text.

import std;

sub vcl_recv {
    set req.http.X-Path = std.tolower(req.url);
    set req.http.X-Short = regsub(req.http.X-Path, "^/Shop/", "/"); #! TY008
}

#### without the fault

import std;

sub vcl_recv {
    set req.http.X-Path = std.tolower(req.url);
    set req.http.X-Short = regsub(req.http.X-Path, "^/shop/", "/");
}
