vcl 4.1;

backend default { .host = "127.0.0.1"; }

backend b;      ### V233 expected the body of the backend, found ';'
