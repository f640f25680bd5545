# The other way round.

import std;

sub vcl_recv {
    set req.http.X-Country = std.toupper(req.http.X-Country-Code); #! CK001
    if (req.http.X-Country == "de") { #! TY008
        return (pass);
    }
}

#### without the fault

import std;

sub vcl_recv {
    set req.http.X-Country = std.toupper(req.http.X-Country-Code); #! CK001
    if (req.http.X-Country == "DE") {
        return (pass);
    }
}
