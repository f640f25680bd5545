# The test is in a sub that runs after the removal.

sub members {
    if (req.http.Cookie ~ "session=") { #! FL011
        return (pass);
    }
}
sub vcl_recv {
    unset req.http.Cookie;
    call members;
}

#### without the fault

sub members {
    if (req.http.Cookie ~ "session=") {
        return (pass);
    }
}
sub vcl_recv {
    call members;
    unset req.http.Cookie;
}
