vcl 4.1;
backend origin none;

probe alive {
    .url = "/ping";
    .request = "GET / HTTP/1.1" "Host: a";      ### V506 "not both"
}
backend app {
    .host = "192.0.2.1";
    .probe = alive;
}
sub vcl_recv {
    set req.backend_hint = app;
}
