# The host was in small letters by then.

import std;
sub vcl_recv {
    set req.http.host = std.tolower(req.http.host);
    if (req.http.host == "Shop.example.com") { #! TY008
        return (pass);
    }
}
