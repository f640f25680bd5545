# The page "we are back soon" was stored for ten minutes, and was served long after the origin was back.

sub vcl_backend_error {
    set beresp.http.Content-Type = "text/html; charset=utf-8";
    set beresp.body = "<p>We are back soon.</p>";
    set beresp.ttl = 10m; #! CS009
    return (deliver);
}

#### without the fault

# Ten seconds keep the origin from being asked by everybody at once. A redirect may be stored longer.

sub vcl_backend_error {
    if (bereq.url == "/moved") {
        set beresp.status = 301;
        set beresp.http.Location = "/here";
        set beresp.ttl = 1h;
        return (deliver);
    }
    set beresp.http.Content-Type = "text/html; charset=utf-8";
    set beresp.body = "<p>We are back soon.</p>";
    set beresp.ttl = 10s;
    return (deliver);
}
