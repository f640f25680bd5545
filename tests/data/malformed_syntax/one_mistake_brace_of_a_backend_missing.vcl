vcl 4.1;

backend default      ### V213 missing '{' after 'default'
    .host = "127.0.0.1";
    .port = "80";
}
