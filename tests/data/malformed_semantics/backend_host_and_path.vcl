vcl 4.1;
backend origin none;

backend app {
    .host = "192.0.2.1";
    .path = "/run/app.sock";                    ### V506 "both a .host and a .path"
}
sub vcl_recv {
    set req.backend_hint = app;
}
