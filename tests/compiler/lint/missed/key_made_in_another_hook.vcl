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
