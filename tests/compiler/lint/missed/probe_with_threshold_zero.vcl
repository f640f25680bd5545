# "No result is needed": the backend was meant to be healthy always, and was sick after each deployment.

probe never {
    .url = "/";
    .window = 8;
    .threshold = 0; #! BE009
}

backend shop {
    .host = "192.0.2.11";
    .probe = never;
}

sub vcl_recv {
    set req.backend_hint = shop;
}
