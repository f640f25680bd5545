# The error page was a redirect.

sub vcl_backend_error {
    set beresp.status = 302;
    set beresp.http.Location = regsub(bereq.url, "^/r/", ""); #! SEC020
    return (deliver);
}
