vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.restarts > 0) {
        return (pass);
    }
    return hash;      ### V235 the action of return needs parentheses
}

sub vcl_deliver {
    unset resp.http.Server;
}
