# https://github.com/varnishcache/varnish-cache/issues/1878
# The parser for includes read every answer, pictures too.

sub vcl_backend_response {
    set beresp.do_esi = true; #! CS016
}
