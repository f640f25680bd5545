# The probe was written during an outage, with the status that the origin had then.

probe alive {
    .url = "/alive";
    .expected_response = 503; #! BE009
}

backend shop {
    .host = "192.0.2.11";
    .probe = alive;
}

sub vcl_recv {
    set req.backend_hint = shop;
}
