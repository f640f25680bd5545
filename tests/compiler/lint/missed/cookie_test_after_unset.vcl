# Members got the public page: their cookie was gone before the test for it.

sub vcl_recv {
    unset req.http.Cookie;
    if (req.http.Cookie ~ "session=") { #! FL011
        return (pass);
    }
}

#### without the fault

sub vcl_recv {
    if (req.http.Cookie ~ "session=") {
        return (pass);
    }
    unset req.http.Cookie;
}
