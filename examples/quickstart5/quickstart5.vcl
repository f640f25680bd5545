# quickstart.vcl in version 5.0. One difference: arguments of one name keep their order, which may matter.
vcl 5.0;

backend origin {
    .host = "127.0.0.1";
    .port = "8081";
    .connect_timeout = 1s;
    .first_byte_timeout = 10s;
}

# Clients that may remove stored responses.
acl purgers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    req.url.query.sort();
    if (req.method == "PURGE") {
        if (client.ip !~ purgers) {
            return (synth(403, "Not from there"));
        }
        return (purge);
    }
    if (req.url == "/private" || req.url starts "/private/") {
        return (pass);
    }
    # Nothing else here depends on cookies.
    unset req.http.Cookie;
}

sub vcl_backend_response {
    # A failing refresh keeps the old response.
    if (beresp.status >= 500 && bereq.is_bgfetch) {
        return (abandon);
    }
    if (beresp.status == 200 && bereq.url.path ends [".css", ".js", ".png", ".svg", ".woff2"]) {
        set beresp.ttl = 1d;
    }
    set beresp.grace = 2m;
}

sub vcl_deliver {
    set resp.http.X-Cache = "miss";
    if (obj.hits > 0) {
        set resp.http.X-Cache = "hit " + obj.hits;
    }
}
