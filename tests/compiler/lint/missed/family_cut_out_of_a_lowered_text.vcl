# The name was cut out of a text in small letters.

import std;
sub vcl_recv {
    set req.http.X-Browser = std.tolower(req.http.User-Agent);
    if (req.http.X-Browser ~ "firefox/[0-9]+") {
        set req.http.X-Family = regsub(req.http.X-Browser, ".*(firefox).*", "\1"); #! CK001
    } else {
        set req.http.X-Family = "other";
    }
    unset req.http.X-Browser;
    if (req.http.X-Family == "Firefox") { #! TY008
        return (pass);
    }
}

#### without the fault

import std;
sub vcl_recv {
    set req.http.X-Browser = std.tolower(req.http.User-Agent);
    if (req.http.X-Browser ~ "firefox/[0-9]+") {
        set req.http.X-Family = regsub(req.http.X-Browser, ".*(firefox).*", "\1"); #! CK001
    } else {
        set req.http.X-Family = "other";
    }
    unset req.http.X-Browser;
    if (req.http.X-Family == "firefox") {
        return (pass);
    }
}
