# Only two cookies were kept, and the session was asked for behind that.

import cookie;
sub vcl_recv {
    cookie.parse(req.http.Cookie);
    cookie.keep("lang,theme");
    set req.http.Cookie = cookie.get_string();
    if (req.http.Cookie ~ "PHPSESSID=") { #! FL011
        return (pass);
    }
}

#### without the fault

import cookie;
sub vcl_recv {
    cookie.parse(req.http.Cookie);
    cookie.keep("lang,theme,PHPSESSID");
    set req.http.Cookie = cookie.get_string();
    if (req.http.Cookie ~ "PHPSESSID=") {
        return (pass);
    }
}
