# https://github.com/jonbaldie/varnish/issues/49
# A page of an account was treated as a static file, because its query ended like one.

sub vcl_recv {
    if (req.url ~ "\.(css|js|png)$") { #! CS013
        unset req.http.Cookie;
    }
}
