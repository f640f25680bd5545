vcl 4.1;

backend default { .host = "127.0.0.1"; }

set req.url = "/";      ### V221 set is outside a sub
if (req.restarts > 0) {
    return (pass);
}

sub vcl_deliver { }

unset req.http.A;      ### V221 unset is outside a sub
