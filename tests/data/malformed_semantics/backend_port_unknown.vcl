vcl 4.1;
backend origin none;

backend app {
    .host = "192.0.2.1";
    .port = "no-such-service";                  ### V507 "not a port"
}
sub vcl_recv {
    set req.backend_hint = app;
}
