vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (req.restarts > 0) {
        return (pass);
    } }
    else {      ### V208 cannot begin a declaration
        set req.url = "/";
    }
    set req.http.A = "a";
    if (req.url) {
        return (pass);
    }
}

sub vcl_deliver { }
