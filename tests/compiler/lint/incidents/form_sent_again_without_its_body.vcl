# https://github.com/varnishcache/varnish-cache/issues/1927
# The second try of a request went out without the body.

sub vcl_backend_response {
    if (beresp.status == 502 && bereq.retries < 1) {
        return (retry); #! CS014
    }
}
