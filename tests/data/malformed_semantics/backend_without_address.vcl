vcl 4.1;
backend origin none;

backend app {                                   ### V506 "neither a .host nor a .path"
    .port = "80";
}
sub vcl_recv {
    set req.backend_hint = app;
}
