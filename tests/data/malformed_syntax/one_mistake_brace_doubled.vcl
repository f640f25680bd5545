vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.restarts > 0) {
        return (pass);
    }
    if (req.url ~ "^/a" &&
            req.method == "GET") { {      ### V205 never closed
        return (pipe);
    }
}

sub vcl_deliver { }
