vcl 4.1;
backend origin none;

probe alive {
    .window = 65;                               ### V507 ".window is 65"
    .threshold = 3;
}
backend app {
    .host = "192.0.2.1";
    .probe = alive;
}
sub vcl_recv {
    set req.backend_hint = app;
}
