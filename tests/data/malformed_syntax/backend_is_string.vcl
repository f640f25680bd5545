vcl 4.1;

backend default { .host = "127.0.0.1"; }

backend b "127.0.0.1";      ### V233 expected the body of the backend, found '"127.0.0.1"'
