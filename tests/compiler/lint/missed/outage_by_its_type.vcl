# The error page is HTML, too.

sub vcl_backend_response {
    if (beresp.http.Content-Type ~ "^text/html") {
        set beresp.ttl = 10m; #! CS009
    }
    if (beresp.status == 404) {
        set beresp.ttl = 10s;
    }
}

#### without the fault

sub vcl_backend_response {
    if (beresp.http.Content-Type ~ "^text/html" && beresp.status < 400) {
        set beresp.ttl = 10m;
    }
    if (beresp.status == 404) {
        set beresp.ttl = 10s;
    }
}
