# The wider range comes first.

sub vcl_backend_response {
    if (beresp.status >= 400) {
        set beresp.ttl = 10s;
    } elseif (beresp.status >= 500) { #! FL002
        return (abandon);
    }
}
