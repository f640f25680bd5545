# Every lifetime was made an hour longer, also that of responses that had none.

sub vcl_backend_response {
    set beresp.ttl = beresp.ttl + 1h; #! CS009
}
