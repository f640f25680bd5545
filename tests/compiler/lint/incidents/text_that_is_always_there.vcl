# https://github.com/varnishcache/varnish-cache/issues/2846
# A text without anything in it was still true.

sub vcl_recv {
    if (regsub(req.http.Cookie, "session=[^;]*", "")) { #! TY001
        return (pass);
    }
}
