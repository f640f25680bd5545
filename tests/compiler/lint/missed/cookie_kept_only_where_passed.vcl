# The admin pages are passed, all others lose the cookie, and then it is tested.

sub vcl_recv {
    if (req.url ~ "^/admin/") {
        return (pass);
    }
    if (req.url !~ "^/admin/") { #! FL003
        unset req.http.Cookie;
    }
    if (req.http.Cookie ~ "session=") { #! FL011
        return (pass);
    }
}

#### without the fault

sub vcl_recv {
    if (req.url ~ "^/admin/") {
        return (pass);
    }
    if (req.url !~ "^/shop/") {
        unset req.http.Cookie;
    }
    if (req.http.Cookie ~ "session=") {
        return (pass);
    }
}
