# The test behind the lifetime only took the grace away.

sub vcl_backend_response {
    set beresp.ttl = 2h; #! CS009
    if (beresp.status >= 500) {
        set beresp.grace = 0s;
    }
}
