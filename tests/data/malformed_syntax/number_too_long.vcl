vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.restarts > 0) {
        return (pass);
    }
    set req.http.X = 1234567890123456;      ### V106 too many digits
}

sub vcl_deliver {
    unset resp.http.Server;
}
