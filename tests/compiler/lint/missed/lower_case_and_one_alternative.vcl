# One of the crawlers is never recognised.

import std;

sub vcl_recv {
    set req.http.X-Agent = std.tolower(req.http.User-Agent); #! CK001
    if (req.http.X-Agent ~ "(bingbot|Googlebot|yandex)") { #! TY008
        return (pass);
    }
}

#### without the fault

import std;

sub vcl_recv {
    set req.http.X-Agent = std.tolower(req.http.User-Agent); #! CK001
    if (req.http.X-Agent ~ "(bingbot|googlebot|yandex)") {
        return (pass);
    }
}
