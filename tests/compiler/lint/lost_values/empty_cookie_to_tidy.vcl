# Removing an empty field is right; a look-up for it is not.

sub vcl_recv {
    if (req.http.Cookie == "") { #! TY001
        return (hash);
    }
}

#### without the fault

sub vcl_recv {
    if (req.http.Cookie == "") {
        unset req.http.Cookie;
    }
}
