vcl 4.1;
backend origin none;

backend app {
    .host = "192.0.2.1";
    .probe = alive;                             ### V508 "no probe alive"
}
sub vcl_recv {
    set req.backend_hint = app;
}
