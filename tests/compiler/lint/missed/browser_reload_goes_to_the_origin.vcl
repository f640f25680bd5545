# Each reload of a browser, and each request of a crawler, reached the origin.

sub vcl_recv {
    if (req.http.Cache-Control ~ "no-cache" || req.http.Pragma ~ "no-cache") {
        return (pass); #! SEC019
    }
}

#### without the fault

# A logged-in author sees what the origin has. That is no wish of anybody: others have no such cookie.

sub vcl_recv {
    if (req.http.Cookie ~ "author_session=") {
        return (pass);
    }
    if (req.url ~ "^/(admin|cart)") {
        return (pass);
    }
}
