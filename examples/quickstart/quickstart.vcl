# The policy of the five-minute walk in README.md: a small site behind Vernis, hits made visible.
# `make run` serves a copy of it, build/run/policy.vcl, in front of its demo origin.
vcl 4.1;

import std;

backend origin {
    .host = "127.0.0.1";
    .port = "8081"; # the demo origin: make run puts the port it got here
    .connect_timeout = 1s;
    .first_byte_timeout = 10s;
}

# Clients that may remove stored responses.
acl purgers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    # The order of query arguments does not matter to this site: one stored response for all orders.
    set req.url = std.querysort(req.url);

    if (req.method == "PURGE") {
        if (!client.ip ~ purgers) {
            return (synth(403, "Not from there"));
        }
        return (purge);
    }

    # Private pages go to the origin each time.
    if (req.url ~ "^/private(/|$)") {
        return (pass);
    }

    # Nothing else here depends on cookies. With one in the request, the built-in policy would not use the cache.
    unset req.http.Cookie;
}

sub vcl_backend_response {
    # A failing refresh keeps the old response.
    if (beresp.status >= 500 && bereq.is_bgfetch) {
        return (abandon);
    }
    # Static files may stay for a day even when the origin does not say so. Only the path tells: what is behind a
    # `?` comes from the client.
    if (beresp.status == 200 && bereq.url ~ "^[^?]*\.(css|js|png|svg|woff2)(\?|$)") {
        set beresp.ttl = 1d;
    }
    # A response past its time may still be used for two minutes while a new one is fetched.
    set beresp.grace = 2m;
}

sub vcl_deliver {
    if (obj.hits > 0) {
        set resp.http.X-Cache = "hit " + obj.hits;
    } else {
        set resp.http.X-Cache = "miss";
    }
}
