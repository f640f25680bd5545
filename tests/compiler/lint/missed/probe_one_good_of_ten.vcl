# A server that lost nine of ten connections was healthy.

probe lenient {
    .url = "/alive";
    .interval = 2s;
    .window = 10;
    .threshold = 1; #! BE009
}

backend shop {
    .host = "192.0.2.11";
    .probe = lenient;
}

sub vcl_recv {
    set req.backend_hint = shop;
}

#### without the fault

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
