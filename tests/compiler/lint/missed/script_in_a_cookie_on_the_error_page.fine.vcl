# The same without a way for markup: the type of the page is plain text.

import cookie;

sub vcl_backend_error {
    cookie.parse(bereq.http.Cookie);
    set beresp.http.Content-Type = "text/plain";
    set beresp.body = "Sorry, " + cookie.get("name");
    return (deliver);
}
