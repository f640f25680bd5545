# Requests with a password were meant to pass.

sub vcl_recv {
    unset req.http.Authorization;
    if (req.http.Authorization) { #! FL011
        return (pass);
    }
}

#### without the fault

sub vcl_recv {
    if (req.http.Authorization) {
        return (pass);
    }
    unset req.http.Authorization;
}
