# Germany was served from abroad.

import std;
backend de { .host = "192.0.2.2"; }
sub vcl_recv {
    set req.http.X-Geo = std.toupper(req.http.CF-IPCountry);
    if (req.http.X-Geo == "de") { #! TY008
        set req.backend_hint = de;
    }
}
sub vcl_hash { hash_data(req.http.X-Geo); }

#### without the fault

import std;
backend de { .host = "192.0.2.2"; }
sub vcl_recv {
    set req.http.X-Geo = std.toupper(req.http.CF-IPCountry);
    if (req.http.X-Geo == "DE") {
        set req.backend_hint = de;
    }
}
sub vcl_hash { hash_data(req.http.X-Geo); }
