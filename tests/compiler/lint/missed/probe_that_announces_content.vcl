# The probe posted to a health check. A probe sends no content, so the origin waited for it.

probe posted {
    .request = #! BE009
        "POST /health HTTP/1.1"
        "Host: shop.example"
        "Content-Length: 2"
        "Connection: close";
}

backend shop {
    .host = "192.0.2.11";
    .probe = posted;
}

sub vcl_recv {
    set req.backend_hint = shop;
}
