vcl 4.1;

backend default ,      ### V233 stands where the body
    .host = "127.0.0.1";
    .port = "80";
}
