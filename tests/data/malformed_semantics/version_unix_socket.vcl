vcl 4.0;
backend origin none;

backend app {
    .path = "/run/app.sock";                    ### V311 "needs vcl 4.1"
}
sub vcl_recv {
    set req.backend_hint = app;
}
