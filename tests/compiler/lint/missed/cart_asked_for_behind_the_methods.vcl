# All methods but two had left, so the branch for these two took every cookie.

sub vcl_recv {
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    if (req.method == "GET" || req.method == "HEAD") { #! FL003
        unset req.http.Cookie;
    }
    if (req.http.Cookie ~ "cart=[0-9]") { #! FL011
        return (pass);
    }
}

#### without the fault

sub vcl_recv {
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    if (req.url ~ "^/static/") {
        unset req.http.Cookie;
    }
    if (req.http.Cookie ~ "cart=[0-9]") {
        return (pass);
    }
}
