# The key was prepared in vcl_recv, where nobody thought of the border between its parts.

import cookie;

sub vcl_recv {
    cookie.parse(req.http.Cookie);
    set req.http.X-Variant = cookie.get("lang") + cookie.get("currency"); #! CK014
    unset req.http.Cookie;
}

sub vcl_hash {
    hash_data(req.http.X-Variant);
}

#### without the fault

# The class of devices is one of two words that do not begin alike, so that it needs no separator.

sub vcl_recv {
    if (req.http.User-Agent ~ "Mobile") {
        set req.http.X-Device = "phone";
    } else {
        set req.http.X-Device = "desktop";
    }
}

sub vcl_hash {
    hash_data(req.http.X-Device + req.http.X-Country);
}
