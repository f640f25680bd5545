# One poll decides: the first failure makes the backend sick, the first success healthy.

probe strict {
    .url = "/alive";
    .interval = 2s;
    .window = 1;
    .threshold = 1;
}

backend shop {
    .host = "192.0.2.11";
    .probe = strict;
}

sub vcl_recv {
    set req.backend_hint = shop;
}
