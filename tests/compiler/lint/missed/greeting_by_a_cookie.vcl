# The name comes from a cookie.

import cookie;
sub vcl_synth {
    cookie.parse(req.http.Cookie);
    synthetic("<p>Hello " + cookie.get("name") + "</p>"); #! SEC008
    return (deliver);
}
