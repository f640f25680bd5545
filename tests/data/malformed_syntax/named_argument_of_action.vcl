vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.restarts > 0) {
        return (pass);
    }
    return (synth(status = 404));      ### V241 no names
}

sub vcl_deliver {
    unset resp.http.Server;
}
