# The substitution keeps the small letters.

import std;

sub vcl_recv {
    set req.http.X-Agent = std.tolower(req.http.User-Agent); #! CK001
    set req.http.X-Agent = regsub(req.http.X-Agent, "/.*", "");
    if (req.http.X-Agent == "Lynx") { #! TY008
        return (pass);
    }
}

#### without the fault

import std;

sub vcl_recv {
    set req.http.X-Agent = std.tolower(req.http.User-Agent); #! CK001
    set req.http.X-Agent = regsub(req.http.X-Agent, "/.*", "/Lynx");
    if (req.http.X-Agent ~ "Lynx") {
        return (pass);
    }
}
