# Who has no cookie got in.

import cookie;
sub vcl_recv {
    cookie.parse(req.http.Cookie);
    if (cookie.get("sid") == "") { #! TY001
        return (synth(401));
    }
    return (pass);
}

#### without the fault

import cookie;
sub vcl_recv {
    cookie.parse(req.http.Cookie);
    if (!cookie.get("sid")) {
        return (synth(401));
    }
    return (pass);
}
