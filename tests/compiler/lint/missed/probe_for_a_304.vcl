# The probe was to cost the origin nothing, and expected 304. The backend was sick for ever.

probe cheap {
    .url = "/index.html";
    .expected_response = 304; #! BE009
}

backend shop {
    .host = "192.0.2.11";
    .probe = cheap;
}

sub vcl_recv {
    set req.backend_hint = shop;
}

#### without the fault

# This probe sends the condition that a 304 answers.

probe cheap {
    .request =
        "GET /index.html HTTP/1.1"
        "Host: shop.example"
        "If-None-Match: *"
        "Connection: close";
    .expected_response = 304;
}

backend shop {
    .host = "192.0.2.11";
    .probe = cheap;
}

sub vcl_recv {
    set req.backend_hint = shop;
}
