# One good answer in sixty-four kept a server in use that failed for five minutes.

probe patient {
    .url = "/alive";
    .interval = 5s;
    .window = 64; #! BE009
    .threshold = 1;
}

backend shop {
    .host = "192.0.2.11";
    .probe = patient;
}

sub vcl_recv {
    set req.backend_hint = shop;
}
