vcl 4.1;

backend default { .host = "127.0.0.1"; }

if (req.url) { return (pass); }      ### V221 if is outside a sub
