# The host of the shop is written as in its logo.

import std;

sub vcl_recv {
    set req.http.Host = std.tolower(regsub(req.http.Host, ":[0-9]+$", ""));
    if (req.http.Host == "MyShop.example") { #! TY008
        return (pass);
    }
}

#### without the fault

import std;

sub vcl_recv {
    set req.http.Host = std.tolower(regsub(req.http.Host, ":[0-9]+$", ""));
    if (req.http.Host == "myshop.example") {
        return (pass);
    }
}
