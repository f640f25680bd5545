# Removing an empty field is right; a look-up for it is not.

sub vcl_recv {
    if (req.http.Cookie == "") { #! TY001
        return (hash); #! CS003 CS005
    }
}

#### without the fault

sub vcl_recv {
    if (req.http.Cookie == "") {
        unset req.http.Cookie;
    }
}
