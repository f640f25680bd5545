# https://github.com/pkhamre/wp-varnish/issues/35
# The included policy gave all files a long lifetime, those with an error too.

sub vcl_backend_response {
    if (bereq.url ~ "^[^?]*\.(png|js|css)$") {
        set beresp.ttl = 7d; #! CS009
    }
}
