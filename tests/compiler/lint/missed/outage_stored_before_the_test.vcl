# The test behind the lifetime only took the grace away.

sub vcl_backend_response {
    set beresp.ttl = 2h; #! CS009
    if (beresp.status >= 500) {
        set beresp.grace = 0s;
    }
}

#### without the fault

# The test behind the lifetime takes it back.

sub vcl_backend_response {
    set beresp.ttl = 2h;
    if (beresp.status >= 500) {
        set beresp.ttl = 5s;
    }
}
