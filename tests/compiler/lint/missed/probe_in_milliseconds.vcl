# 1000ms lost three digits. No poll ever had its answer in time.

probe alive {
    .url = "/alive";
    .timeout = 1ms; #! BE009
    .interval = 5s;
}

backend shop {
    .host = "192.0.2.11";
    .probe = alive;
}

sub vcl_recv {
    set req.backend_hint = shop;
}
