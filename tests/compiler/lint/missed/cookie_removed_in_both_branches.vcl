# Both branches remove the cookie before the test.

sub vcl_recv {
    if (req.url ~ "^/blog/") {
        set req.http.X-Area = "blog";
        unset req.http.Cookie;
    } else {
        unset req.http.Cookie;
    }
    if (req.http.Cookie ~ "session=") { #! FL011
        return (pass);
    }
}

#### without the fault

sub vcl_recv {
    if (req.url ~ "^/blog/") {
        set req.http.X-Area = "blog";
        unset req.http.Cookie;
    }
    if (req.http.Cookie ~ "session=") {
        return (pass);
    }
}
