# The jar lost the cookie before it was asked for it.

import cookie;
sub vcl_recv {
    cookie.parse(req.http.Cookie);
    cookie.delete("member");
    if (cookie.isset("member")) { #! FL011
        return (pass);
    }
}

#### without the fault

import cookie;
sub vcl_recv {
    cookie.parse(req.http.Cookie);
    if (cookie.isset("member")) {
        return (pass);
    }
    cookie.delete("member");
}
