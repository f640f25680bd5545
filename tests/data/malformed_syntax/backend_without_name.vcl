vcl 4.1;

backend default { .host = "127.0.0.1"; }

backend { .host = "127.0.0.1"; }      ### V234 no name
