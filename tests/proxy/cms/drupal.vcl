# A policy with the behaviour that policies for Drupal with its module Purge have, in our words.
# tests/proxy/test_cms_policies.py walks through it, and through public ones (make cms).
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
    .first_byte_timeout = 300s;
}

acl purge {
    "127.0.0.1";
}

sub vcl_recv {
    if (req.method == "PURGE") {
        if (client.ip !~ purge) {
            return (synth(405, "Not allowed"));
        }
        return (purge);
    }
    # The module Purge sends the tags of what has changed.
    if (req.method == "BAN") {
        if (client.ip !~ purge) {
            return (synth(403, "Not allowed"));
        }
        if (!req.http.Cache-Tags) {
            return (synth(403, "Cache-Tags header missing"));
        }
        ban("obj.http.Cache-Tags ~ " + req.http.Cache-Tags);
        return (synth(200, "Ban added"));
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    if (req.url ~ "^/(status|update)\.php$|^/admin(/|$)|^/flag/|/(ajax|ahah)/") {
        return (pass);
    }
    if (req.url ~ "^[^?]*\.(css|js|png|gif|jpe?g|ico|pdf|txt)(\?|$)") {
        unset req.http.Cookie;
    }
    # Only the cookies of a session, and the one that editors get after a change, are for Drupal.
    if (req.http.Cookie ~ "(^|; ?)(S?SESS[a-z0-9]+|NO_CACHE)=") {
        return (pass);
    }
    unset req.http.Cookie;
}

sub vcl_backend_response {
    if (beresp.status == 404 || beresp.status == 301 || beresp.status == 500) {
        set beresp.ttl = 10m;
    }
    if (bereq.url ~ "^[^?]*\.(css|js|png|gif|jpe?g|ico|pdf|txt)(\?|$)") {
        unset beresp.http.Set-Cookie;
    }
    set beresp.grace = 6h;
}

sub vcl_deliver {
    if (obj.hits > 0) {
        set resp.http.X-Varnish-Cache = "HIT";
    } else {
        set resp.http.X-Varnish-Cache = "MISS";
    }
}
