vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.restarts > 0) {
        return (pass);
    }
    set req.http.X = "a\"b";      ### V111 the string ends at this quote
}

sub vcl_deliver {
    unset resp.http.Server;
}
