# No version was ever found: the letters that the class takes are gone.

import std;

sub vcl_recv {
    set req.http.X-Agent = std.tolower(req.http.User-Agent); #! CK001
    if (req.http.X-Agent ~ "build/[A-Z]") { #! TY008
        return (pass);
    }
}

#### without the fault

import std;

sub vcl_recv {
    set req.http.X-Agent = std.tolower(req.http.User-Agent); #! CK001
    if (req.http.X-Agent ~ "build/[A-Za-z]") {
        return (pass);
    }
}
