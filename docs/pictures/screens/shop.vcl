vcl 4.1;

backend shop { .host = "shop.example.com"; }

sub vcl_recv {
    if (req.method == "PURGE") { return (purge); }
    if (req.url ~ "\.(css|js|png)$") {
        unset req.http.Cookie;
        return (hash);
    }
}

sub vcl_backend_response {
    set beresp.ttl = 1h;
    return (deliver);
}
