# quickstart.vcl in version 5.0. Two differences: arguments of one name keep their order, which may matter, and an empty
# query goes.
vcl 5.0;

backend origin {
    .host = "127.0.0.1";
    .port = "8081"; # the demo origin
    .connect_timeout = 1s;
    .first_byte_timeout = 10s;
}

# Clients that may remove stored responses.
acl purgers { "127.0.0.1"; "::1"; }

sub vcl_recv {
    # The order of query arguments does not matter to this site: one stored response for all orders.
    req.url.query.sort();

    if (req.method == "PURGE") {
        if (client.ip !~ purgers) { return (synth(403, "Not from there")); }
        return (purge);
    }

    # Private pages go to the origin each time.
    if (req.url == "/private" || req.url starts "/private/") { return (pass); }

    # Nothing else here depends on cookies. With one in the request, the built-in policy would not use the cache.
    unset req.http.Cookie;
}

sub vcl_backend_response {
    # A failing refresh keeps the old response.
    if (beresp.status >= 500 && bereq.is_bgfetch) { return (abandon); }
    # Static files may stay for a day even when the origin does not say so.
    if (beresp.status == 200 && bereq.url.path ends [".css", ".js", ".png", ".svg", ".woff2"]) {
        set beresp.ttl = 1d;
    }
    # A response past its time may still be used for two minutes while a new one is fetched.
    set beresp.grace = 2m;
}

sub vcl_deliver {
    switch (obj.hits) {
        case 0: { set resp.http.X-Cache = "miss"; }
        default: { set resp.http.X-Cache = "hit " + obj.hits; }
    }
}
