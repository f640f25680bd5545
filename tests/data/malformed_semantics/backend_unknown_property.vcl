vcl 4.1;
backend origin none;

backend app {
    .host = "192.0.2.1";
    .timeout = 5s;                              ### V503 "no property .timeout"
}
sub vcl_recv {
    set req.backend_hint = app;
}
