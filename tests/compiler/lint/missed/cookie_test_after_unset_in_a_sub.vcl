# The tidying sub ran before the test.

sub tidy {
    unset req.http.Cookie;
}
sub vcl_recv {
    call tidy;
    if (req.http.Cookie ~ "session=") { #! FL011
        return (pass);
    }
}

#### without the fault

sub tidy {
    unset req.http.Cookie;
}
sub vcl_recv {
    if (req.http.Cookie ~ "session=") {
        return (pass);
    }
    call tidy;
}
