vcl 4.1;
backend origin none;

backend app {
    .host = "192.0.2.1";
    .host = "192.0.2.2";                        ### V504 ".host is given twice"
}
sub vcl_recv {
    set req.backend_hint = app;
}
