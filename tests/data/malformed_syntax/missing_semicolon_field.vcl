vcl 4.1;

backend default { .host = "127.0.0.1"; }

backend b {
    .host = "127.0.0.1"      ### V202 missing ';'
    .port = "80";
    .connect_timeout = 5s      ### V202 missing ';' after '5s'
}
