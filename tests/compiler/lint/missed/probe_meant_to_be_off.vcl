# Zero was meant to switch the probe off.

backend app {
    .host = "192.0.2.1";
    .probe = { .url = "/health"; .window = 4; .threshold = 0; } #! BE009
}

sub vcl_recv {
    set req.backend_hint = app;
}
