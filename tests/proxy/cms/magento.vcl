# A policy with the behaviour that Magento's own one has: the same pages cached and passed, the same purges, in
# our words. tests/proxy/test_cms_policies.py walks through it, and through Magento's own (make cms).
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
    .first_byte_timeout = 600s;
    .probe = {
        .url = "/health_check.php";
        .interval = 5s;
        .window = 10;
        .threshold = 5;
    }
}

acl purge {
    "127.0.0.1";
}

# Magento sends the pattern of the tags whose pages have changed.
sub remove_by_tags {
    if (client.ip !~ purge) {
        return (synth(405, "Method not allowed"));
    }
    if (!req.http.X-Magento-Tags-Pattern && !req.http.X-Pool) {
        return (synth(400, "X-Magento-Tags-Pattern or X-Pool header required"));
    }
    if (req.http.X-Magento-Tags-Pattern) {
        ban("obj.http.X-Magento-Tags ~ " + req.http.X-Magento-Tags-Pattern);
    }
    if (req.http.X-Pool) {
        ban("obj.http.X-Pool ~ " + req.http.X-Pool);
    }
    return (synth(200, "Purged"));
}

sub vcl_recv {
    set req.http.grace = "none";
    if (req.restarts > 0) {
        set req.hash_always_miss = true;
    }
    set req.url = std.querysort(req.url);
    if (req.method == "PURGE") {
        call remove_by_tags;
    }
    if (req.method !~ "^(GET|HEAD|PUT|POST|PATCH|TRACE|OPTIONS|DELETE)$") {
        return (pipe);
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    # Pages of one customer, the probe, and files that the web server sends as fast by itself.
    if (req.url ~ "/customer|/checkout|^/(pub/)?(health_check\.php$|media/|static/)") {
        return (pass);
    }
    if (req.url ~ "/graphql" && !req.http.X-Magento-Cache-Id && req.http.Authorization ~ "^Bearer") {
        return (pass);
    }
    # Parameters that only the browser's scripts read.
    set req.url = regsuball(req.url, "([?&])(utm_[a-z]+|gclid|fbclid|mc_[a-z]+)=[^&]*", "\1");
    set req.url = regsuball(req.url, "&&+", "&");
    set req.url = regsub(regsub(req.url, "\?&", "?"), "[?&]+$", "");
    std.collect(req.http.Cookie);
    return (hash);
}

sub vcl_hash {
    # The cookie names the group of customers and the currency.
    if (req.http.Cookie ~ "X-Magento-Vary=" && (req.url !~ "/graphql" || !req.http.X-Magento-Cache-Id)) {
        hash_data(regsub(req.http.Cookie, "^.*?X-Magento-Vary=([^;]+).*$", "\1"));
    }
    hash_data("ssl " + req.http.X-Forwarded-Proto);
    if (req.url ~ "/graphql") {
        hash_data("store " + req.http.Store + ", currency " + req.http.Content-Currency);
        hash_data("group " + req.http.X-Magento-Cache-Id);
        if (req.http.X-Magento-Cache-Id && req.http.Authorization ~ "^Bearer") {
            hash_data("logged in");
        }
    }
}

sub uncacheable {
    set beresp.uncacheable = true;
    set beresp.ttl = 120s;
    return (deliver);
}

sub vcl_backend_response {
    if (beresp.status == 403 || beresp.status == 404 || beresp.status >= 500) {
        call uncacheable;
    }
    set beresp.grace = 3d;
    set beresp.do_esi = beresp.http.Content-Type ~ "text";
    set beresp.do_gzip = beresp.http.Content-Type ~ "text|javascript|json|css";
    if (beresp.http.Cache-Control ~ "private|no-cache|no-store" || beresp.ttl <= 0s) {
        call uncacheable;
    }
    # The page belongs to a group that the request did not name.
    if (beresp.http.Set-Cookie ~ "X-Magento-Vary=" && bereq.http.Cookie !~ "X-Magento-Vary=") {
        call uncacheable;
    }
    if (bereq.url ~ "/graphql" && bereq.http.X-Magento-Cache-Id
        && bereq.http.X-Magento-Cache-Id != beresp.http.X-Magento-Cache-Id) {
        call uncacheable;
    }
    unset beresp.http.Set-Cookie;
    return (deliver);
}

sub vcl_hit {
    if (obj.ttl >= 0s) {
        return (deliver);
    }
    if (!std.healthy(req.backend_hint)) {
        set req.http.grace = "unlimited (unhealthy server)";
        return (deliver);
    }
    if (obj.ttl + 300s > 0s) {
        set req.http.grace = "normal (healthy server)";
        return (deliver);
    }
    return (restart);
}

sub vcl_deliver {
    if (obj.uncacheable) {
        set resp.http.X-Magento-Cache-Debug = "UNCACHEABLE";
    } else if (obj.hits > 0) {
        set resp.http.X-Magento-Cache-Debug = "HIT";
        set resp.http.Grace = req.http.grace;
    } else {
        set resp.http.X-Magento-Cache-Debug = "MISS";
    }
    # Browsers must ask again: only Magento knows when a page changes.
    if (resp.http.Cache-Control !~ "private" && req.url !~ "^/(pub/)?(media|static)/") {
        set resp.http.Cache-Control = "no-store, no-cache, must-revalidate, max-age=0";
    }
    unset resp.http.X-Magento-Tags;
}
