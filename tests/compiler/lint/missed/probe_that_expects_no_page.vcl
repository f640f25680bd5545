# The health page was gone, so the probe was told to expect that. Each broken release was healthy, too.

backend shop {
    .host = "192.0.2.11";
    .probe = {
        .url = "/health.php";
        .expected_response = 404; #! BE009
    }
}

sub vcl_recv {
    set req.backend_hint = shop;
}

#### without the fault

# The origin asks everybody for a password, and so shows that it works.

backend shop {
    .host = "192.0.2.11";
    .probe = {
        .url = "/status";
        .expected_response = 401;
        .interval = 10s;
        .timeout = 12s;
        .window = 5;
        .threshold = 3;
    }
}

sub vcl_recv {
    set req.backend_hint = shop;
}
