vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.restarts > 0) {
        return (pass);
    }
    if (req.esi == !req.is_hitmiss) { }      ### V220 '!' negates a whole comparison only
}

sub vcl_deliver {
    unset resp.http.Server;
}
