# Writers saw the public page: the field was emptied first.

sub vcl_recv {
    set req.http.Cookie = "";
    if (req.http.Cookie ~ "wordpress_logged_in") { #! FL011
        return (pass);
    }
    unset req.http.Cookie;
}

#### without the fault

sub vcl_recv {
    if (req.http.Cookie ~ "wordpress_logged_in") {
        return (pass);
    }
    unset req.http.Cookie;
}
