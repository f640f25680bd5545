# Only one of two branches sets the field.

sub vcl_recv {
    if (req.url ~ "^/a/") {
        set req.http.X-Area = regsub(req.url, "^/a/.*", "");
    }
    if (req.http.X-Area == "") { #! TY001
        return (pass);
    }
}

#### without the fault

sub vcl_recv {
    set req.http.X-Area = regsub(req.url, "^/a/.*", "");
    if (req.http.X-Area == "") {
        return (pass);
    }
}
