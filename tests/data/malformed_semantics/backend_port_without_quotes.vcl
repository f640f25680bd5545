vcl 4.1;
backend origin none;

backend app {
    .host = "192.0.2.1";
    .port = 8080;                               ### V505 ".port is text"
}
sub vcl_recv {
    set req.backend_hint = app;
}
