# The default is only for clients that send an empty field.

sub vcl_recv {
    if (req.http.X-Language == "") { #! TY001
        set req.http.X-Language = "en";
    }
}

#### without the fault

sub vcl_recv {
    if (!req.http.X-Language) {
        set req.http.X-Language = "en";
    }
}
