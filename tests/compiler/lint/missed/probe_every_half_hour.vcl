# The probe wrote too many lines into the log of the origin. Its interval then was half an hour.

probe quiet {
    .url = "/alive";
    .interval = 30m; #! BE009
    .window = 3;
    .threshold = 2;
}

backend shop {
    .host = "192.0.2.11";
    .probe = quiet;
}

sub vcl_recv {
    set req.backend_hint = shop;
}
