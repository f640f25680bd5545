# The policy of the pictures of the dashboard: a shop with two web servers and one for static files.
vcl 4.1;

import directors;

probe health { .url = "/health"; .interval = 1s; .window = 8; .threshold = 6; }
backend web1 { .host = "127.0.0.1"; .port = "@web1@"; .probe = health; }
backend web2 { .host = "127.0.0.1"; .port = "@web2@"; .probe = health; }
backend static { .host = "127.0.0.1"; .port = "@static@"; }

sub vcl_init {
    new web = directors.round_robin();
    web.add_backend(web1);
    web.add_backend(web2);
}

sub vcl_recv {
    set req.backend_hint = web.backend();
    if (req.url ~ "^/(css|js|img)/") {
        set req.backend_hint = static;
        unset req.http.Cookie;
    }
    if (req.url ~ "^/api/") {
        return (pass);
    }
}

sub vcl_backend_response {
    if (bereq.url ~ "^/img/") {
        set beresp.ttl = 1h;
    }
    if (beresp.status >= 500) {
        set beresp.ttl = 1s;
    }
}
