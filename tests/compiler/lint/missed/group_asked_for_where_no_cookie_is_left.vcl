# Who has a cookie is passed before.

sub vcl_recv {
    if (req.url ~ "^/(catalog|cms)/") {
        unset req.http.Cookie;
    } else {
        return (pass);
    }
    if (req.http.Cookie ~ "customer_group") { #! FL011
        set req.http.X-Group = "b2b";
    }
}
