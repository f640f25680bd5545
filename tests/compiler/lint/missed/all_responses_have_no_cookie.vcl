# Responses without the field did not get the lifetime.

sub vcl_backend_response {
    if (beresp.http.Set-Cookie == "" && beresp.status == 200) { #! TY001
        set beresp.ttl = 30s;
    }
}

#### without the fault

sub vcl_backend_response {
    if (!beresp.http.Set-Cookie && beresp.status == 200) {
        set beresp.ttl = 30s;
    }
}
