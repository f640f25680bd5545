# Requests without the field were let through.

sub vcl_recv {
    if (req.http.X-Token != "") { #! TY001
        return (pass);
    }
}

#### without the fault

sub vcl_recv {
    if (req.http.X-Token && req.http.X-Token != "") {
        return (pass);
    }
}
