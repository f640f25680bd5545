# https://github.com/varnishcache/varnish-cache/issues/1998
# A substitution took the whole URL, and the client got an error that named something else.

sub vcl_recv {
    set req.url = regsub(req.url, "^/+", ""); #! TY006
}
