vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.restarts > 0) {
        return (pass);
    }
    while (req.restarts < 2) { set req.url = "/"; }      ### V239 no while
}

sub vcl_deliver {
    unset resp.http.Server;
}
