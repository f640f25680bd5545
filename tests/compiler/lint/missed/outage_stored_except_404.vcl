# Missing pages were left out. Everything else was taken for a page.

sub vcl_backend_response {
    if (beresp.status != 404) {
        set beresp.ttl = 1d; #! CS009
    }
}
