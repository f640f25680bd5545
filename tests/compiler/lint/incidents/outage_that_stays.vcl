# https://github.com/varnishcache/varnish-cache/issues/3024
# An error was stored with the lifetime of a page.

sub vcl_backend_response {
    set beresp.ttl = 1h; #! CS009
}
