# https://github.com/varnishcache/varnish-cache/issues/2531
# The log told a lifetime, and the object was never used again.

sub vcl_backend_response {
    if (beresp.http.Set-Cookie) {
        set beresp.uncacheable = true;
        set beresp.ttl = 7d; #! CS008
    }
}
