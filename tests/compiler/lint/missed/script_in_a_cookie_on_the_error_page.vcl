# The page of an outage greeted visitors by their cookie, which another site of the domain had set.

import cookie;

sub vcl_backend_error {
    cookie.parse(bereq.http.Cookie);
    set beresp.http.Content-Type = "text/html; charset=utf-8";
    set beresp.body = "<p>Sorry, " + cookie.get("name") + "</p>"; #! SEC008
    return (deliver);
}

#### without the fault

# The same without a way for markup: the type of the page is plain text.

import cookie;

sub vcl_backend_error {
    cookie.parse(bereq.http.Cookie);
    set beresp.http.Content-Type = "text/plain";
    set beresp.body = "Sorry, " + cookie.get("name");
    return (deliver);
}
