# https://github.com/uselagoon/lagoon/issues/682
# The name of the origin was looked up once, and a new container had another address.

backend shop {
    .host = "web.shop.example"; #! BE003
    .first_byte_timeout = 9s;
    .max_connections = 99;
}

sub vcl_recv {
    set req.backend_hint = shop;
}
