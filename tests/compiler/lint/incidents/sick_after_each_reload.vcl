# https://github.com/varnishcache/varnish-cache/issues/2195
# After a load of a policy its origins were sick until the probe had tried them often enough.

probe alive {
    .url = "/health";
    .window = 8;
    .threshold = 6;
    .initial = 0; #! BE002
}

backend shop {
    .host = "192.0.2.50";
    .first_byte_timeout = 9s;
    .max_connections = 99;
    .probe = alive;
}

sub vcl_recv {
    set req.backend_hint = shop;
}
