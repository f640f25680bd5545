# The page "we are back soon" was stored for ten minutes, and was served long after the origin was back.

sub vcl_backend_error {
    set beresp.http.Content-Type = "text/html; charset=utf-8";
    set beresp.body = "<p>We are back soon.</p>";
    set beresp.ttl = 10m; #! CS009
    return (deliver);
}
