# https://github.com/varnishcache/varnish-cache/issues/2865
# A page was passed for days because of one answer.

sub vcl_backend_response {
    if (beresp.http.Set-Cookie) {
        return (pass(7d)); #! CS007
    }
}
