# The name of the browser stood in the page.

sub vcl_backend_error {
    set beresp.http.Content-Type = "text/html";
    set beresp.body = {"<html><body>Sorry, "} + bereq.http.User-Agent + {"</body></html>"}; #! SEC008
    return (deliver);
}
