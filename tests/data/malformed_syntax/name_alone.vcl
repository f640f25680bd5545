vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.restarts > 0) {
        return (pass);
    }
    req.http.Cookie;      ### V209 a name alone is not a statement
}

sub vcl_deliver {
    unset resp.http.Server;
}
