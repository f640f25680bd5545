vcl 4.1;

backend default { .host = "127.0.0.1"; }

set req.url = "/";      ### V221 set is outside a sub
