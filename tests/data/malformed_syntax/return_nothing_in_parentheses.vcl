vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.restarts > 0) {
        return (pass);
    }
    return ();      ### V235 ')' is not an action
}

sub vcl_deliver {
    unset resp.http.Server;
}
