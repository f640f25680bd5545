# Responses without the field were stored.

sub vcl_backend_response {
    if (beresp.http.ETag == "") { #! TY001
        set beresp.uncacheable = true;
    }
}
