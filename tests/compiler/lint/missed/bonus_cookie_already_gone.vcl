# The bonus page was stored: a line above had removed all cookies.

sub tidy_cookies {
    set req.http.Cookie = regsuball(req.http.Cookie, "(^|; )(_ga|_gid|_fbp|loyalty_[a-z]+)=[^;]*", ""); #! FL011
}
sub vcl_recv {
    unset req.http.Cookie;
    call tidy_cookies;
    if (req.url ~ "^/shop/") {
        if (req.http.Cookie ~ "loyalty_id=") {
            return (pass);
        }
    }
}
