vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.restarts > 0) {
        return (pass);
    }
    backend b { .host = "127.0.0.1"; }      ### V222 backend is inside a sub
    set req.url = ;      ### V223 missing
}

sub vcl_deliver {
    unset resp.http.Server;
}
