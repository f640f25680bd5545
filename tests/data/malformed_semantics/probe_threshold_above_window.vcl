vcl 4.1;
backend origin none;

probe alive {
    .window = 4;
    .threshold = 5;                             ### V507 "more than the window 4"
}
backend app {
    .host = "192.0.2.1";
    .probe = alive;
}
sub vcl_recv {
    set req.backend_hint = app;
}
