vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.restarts > 0) {
        return (pass);
    }
    set req.ttl = .5s;      ### V223 does not begin
}

sub vcl_deliver {
    unset resp.http.Server;
}
