vcl 4.1;

backend default ,      ### V233 expected the body of the backend, found ','
    .host = "127.0.0.1";
    .port = "80";
}
