vcl 4.1;

backend default { .host = "127.0.0.1"; }

/* the old rules      ### V104 never closed
sub vcl_recv { }
