vcl 4.1;
backend origin none;

backend app {
    .host = "192.0.2.1";
    .proxy_header = 3;                          ### V507 ".proxy_header is 3"
}
sub vcl_recv {
    set req.backend_hint = app;
}
