vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.http.A ~ "a|b"true ||      ### V218 missing operator between
        req.http.B == "b") {
        return (pass);
    }
}
