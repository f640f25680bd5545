# The jar is always empty.

import cookie;

sub vcl_recv {
    unset req.http.Cookie;
    cookie.parse(req.http.Cookie); #! FL011
    if (cookie.isset("session")) {
        return (pass);
    }
}

#### without the fault

import cookie;

sub vcl_recv {
    cookie.parse(req.http.Cookie);
    if (cookie.isset("session")) {
        return (pass);
    }
    unset req.http.Cookie;
}
