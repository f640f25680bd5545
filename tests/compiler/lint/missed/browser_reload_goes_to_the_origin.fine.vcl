# A logged-in author sees what the origin has. That is no wish of anybody: others have no such cookie.

sub vcl_recv {
    if (req.http.Cookie ~ "author_session=") {
        return (pass);
    }
    if (req.url ~ "^/(admin|cart)") {
        return (pass);
    }
}
