# The backend was healthy as long as it failed.

backend app {
    .host = "192.0.2.1";
    .probe = {
        .request = "GET /status HTTP/1.1" "Host: app.example" "Connection: close";
        .expected_response = 500; #! BE009
        .interval = 5s;
    }
}

sub vcl_recv {
    set req.backend_hint = app;
}
