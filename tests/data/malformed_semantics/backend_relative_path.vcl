vcl 4.1;
backend origin none;

backend app {
    .path = "run/app.sock";                     ### V506 "not an absolute path"
}
sub vcl_recv {
    set req.backend_hint = app;
}
