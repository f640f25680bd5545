vcl 4.1;
backend origin none;

backend app {
    .host = "192.0.2.1";
    .connect_timeout = 5;                       ### V505 ".connect_timeout is a duration"
}
sub vcl_recv {
    set req.backend_hint = app;
}
