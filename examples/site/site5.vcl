vcl 5.0;

# site.vcl in version 5.0. Four differences, all of requests that browsers do not send: parameters of analytics go whatever
# their case, with a value or without, and no other parameter loses a part of its name; parameters of one name keep their order;
# of two cookies `lang`, the first counts; directives of Cache-Control are compared as a whole, in any case.
#
# Try:  vernis load site examples/site/site5.vcl && vernis use site

import std;
import directors;

# ---- origins ---------------------------------------------------------------------------------------------------------

probe health {
    .url = "/health";
    .expected_response = 200;
    .interval = 2s;
    .timeout = 1s;
    .window = 6;
    .threshold = 4;
    .initial = 4;
}

backend web1 {
    .host = "127.0.0.1";
    .port = "8081";
    .connect_timeout = 1s;
    .first_byte_timeout = 20s;
    .between_bytes_timeout = 10s;
    .max_connections = 200;
    .probe = health;
}

backend web2 {
    .host = "127.0.0.1";
    .port = "8082";
    .connect_timeout = 1s;
    .first_byte_timeout = 20s;
    .between_bytes_timeout = 10s;
    .max_connections = 200;
    .probe = health;
}

# Pages that take long to make have an origin definition of their own, with patience.
backend slow {
    .host = "127.0.0.1";
    .port = "8081";
    .first_byte_timeout = 120s;
    .between_bytes_timeout = 60s;
}

acl purgers { "localhost"; "127.0.0.0"/8; ! "127.0.0.66"; "192.0.2.0"/24; "2001:db8::7"; "::1"; }

acl offices { "127.0.0.0"/8; "198.51.100.0"/24; }

set ASSETS [
    "css", "js", "mjs", "map", "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "woff",
    "woff2", "ttf", "eot", "mp4", "webm", "pdf", "zip"
];

sub vcl_init {
    new web = directors.round_robin();
    web.add_backend(web1);
    web.add_backend(web2);
}

# ---- requests --------------------------------------------------------------------------------------------------------

sub normalise {
    # www.example.com:80 and example.com are one site
    set req.http.Host = regsub(req.http.Host ?? "", ":[0-9]+$", "").lower();
    set req.http.Host = regsub(req.http.Host, "^www\.", "");
    # fragments never reach servers from browsers; broken crawlers send them
    if (let page = req.url.before("#")) { set req.url = page; }
    # parameters that only analytics read; a different order of the others is not a different page
    req.url.query.remove("utm_*", "gclid", "fbclid", "msclkid", "mc_cid", "mc_eid", "_ga", "yclid");
    req.url.query.sort();
}

sub refuse_nonsense {
    # probes for other people's software, and paths that are never public
    if (req.url ~ "(?i)^/(wp-config|\.git|\.env|\.svn|cgi-bin|phpmyadmin|vendor/phpunit)") {
        return (synth(404, "Not found"));
    }
    if (req.url ~ "(?i)(\.\./|%2e%2e|%00)") { return (synth(400, "Bad request")); }
    # a header of proxies that some frameworks believe (httpoxy)
    unset req.http.Proxy;
    # nobody outside may claim what only we set
    unset req.http.X-Device;
    unset req.http.X-Forwarded-Proto-Trusted;
}

sub tell_devices_apart {
    switch (req.http.User-Agent) {
        case ~ "(?i)(ipad|tablet|kindle|silk|playbook)": { set req.http.X-Device = "tablet"; }
        case ~ "(?i)(mobile|iphone|ipod|blackberry|opera mini|windows phone)": {
            set req.http.X-Device = "mobile";
        }
        case ~ "(?i)android": { set req.http.X-Device = "tablet"; }
        case ~ "(?i)(bot|crawl|spider|slurp)": { set req.http.X-Device = "bot"; }
        default: { set req.http.X-Device = "desktop"; }
    }
}

sub vcl_recv {
    call refuse_nonsense;
    call normalise;

    set req.backend_hint = web.backend();
    if (req.url starts ["/reports/", "/export/"]) { set req.backend_hint = slow; }

    if (req.method == "PURGE") {
        if (client.ip !~ purgers) {
            return (synth(405, "Purging is not allowed from " + text(client.ip)));
        }
        return (purge);
    }

    # A page that load balancers ask, answered without an origin.
    if (req.url == "/cache-health") {
        if (std.healthy(req.backend_hint)) { return (synth(200, "Healthy")); }
        return (synth(503, "No healthy origin"));
    }

    # WebSockets and the like.
    if (req.http.Upgrade ~ "(?i)websocket") { return (pipe); }

    # Only these methods have a meaning here.
    switch (req.method) {
        case "GET", "HEAD": {}
        case "POST", "PUT", "DELETE", "OPTIONS", "PATCH": { return (pass); }
        default: { return (synth(405, "Method not allowed")); }
    }

    # The private parts: never stored, whoever asks.
    if (req.url ~ "^/(admin|account|checkout|api/private)(/|$|\?)") {
        if (req.url starts "/admin" && client.ip !~ offices) { return (synth(403, "Forbidden")); }
        return (pass);
    }

    # Static assets are the same for everybody: cookies, devices and credentials do not matter.
    if (req.url.ext.lower() in ASSETS) {
        unset req.http.Cookie;
        unset req.http.Authorization;
        return (hash);
    }

    call tell_devices_apart;
    # Cookies decide whether an answer may be shared. Those of analytics and of consent banners change nothing in the page;
    # what is left after they are gone belongs to the application.
    req.cookie.keep("session", "cart", "preview", "lang");

    # Staff may force a fresh copy with their browser's reload key.
    if (req.cache_control.has("no-cache") && client.ip ~ offices && req.http.X-Refresh == "yes") {
        set req.hash_always_miss = true;
    }
    # The reload keys of all others do not reach the cache, which may heed them (RFC 9111).
    unset req.http.Cache-Control;

    # A healthy origin keeps stale content short; an ill one makes it last.
    if (std.healthy(req.backend_hint)) { set req.grace = 10s; }

    # These cookies mean a person: sessions, carts, previews. A language choice is part of the key instead.
    if (req.cookie.has("session", "cart", "preview")) { return (pass); }
    set req.http.X-Lang = "en";
    if (req.cookie["lang"] ~ "^[a-z]{2}" as lang) { set req.http.X-Lang = lang[0]; }
    unset req.http.Cookie;
    if (req.http.Authorization is set) { return (pass); }
    return (hash);
}

sub vcl_pipe {
    if (let upgrade = req.http.Upgrade) {
        set bereq.http.Upgrade = upgrade;
        set bereq.http.Connection = "upgrade";
    }
}

sub vcl_purge { return (synth(200, "Purged")); }

# ---- responses of the origin -----------------------------------------------------------------------------------------

sub vcl_backend_fetch {
    set bereq.http.X-Cache-Id = bereq.xid;
    unset bereq.http.X-Refresh;
}

sub vcl_backend_response {
    # An origin that fails: try the other one once, then keep quiet about it for a moment.
    if (beresp.status >= 500 && bereq.method == "GET") {
        if (bereq.is_bgfetch) { return (abandon); }
        if (bereq.retries < 1) { return (retry); }
        set beresp.uncacheable = true;
        set beresp.ttl = 1s;
        return (deliver);
    }

    switch (beresp.status) {
        # Clients request missing pages often. Remembering them for a short time is enough.
        case 404, 410: {
            set beresp.ttl = 30s;
            set beresp.grace = 0s;
        }
        case 301, 308: { set beresp.ttl = 1h; }
    }

    if (bereq.url.ext.lower() in ASSETS) {
        unset beresp.http.Set-Cookie;
        if (beresp.status == 200) {
            set beresp.ttl = 7d;
            set beresp.http.Cache-Control = "public, max-age=604800";
        }
    }

    # Pages differ by device and language; assets, which took the short way, have neither header. As variants of one key, and not
    # as keys of their own, a purge finds all of them.
    if (bereq.http.X-Device is set) { beresp.http.Vary.add("X-Device", "X-Lang"); }

    # The feed is asked for by machines, all the time.
    if (bereq.url in ["/feed", "/feed.xml"] && beresp.status == 200) { set beresp.ttl = 5m; }

    # A page that sets a cookie is somebody's. So is one that says so.
    if (beresp.http.Set-Cookie is set || beresp.cache_control.has("private", "no-store")) {
        set beresp.uncacheable = true;
        set beresp.ttl = 120s;
        return (deliver);
    }

    # Everything that may be kept may be served for a day while the origin is ill.
    if (beresp.ttl > 0s && beresp.status < 400) {
        set beresp.grace = 24h;
        set beresp.keep = 1h;
    }
    set beresp.http.X-Origin-Name = beresp.backend.name;
}

sub vcl_backend_error {
    set beresp.http.Content-Type = "text/html; charset=utf-8";
    set beresp.http.Retry-After = "5";
    synthetic({"<!DOCTYPE html>
<html><head><title>Back soon</title></head>
<body><h1>We will be back in a moment</h1><p>Request "} + bereq.xid + {"</p></body></html>
"});
    return (deliver);
}

# ---- responses to clients --------------------------------------------------------------------------------------------

sub vcl_deliver {
    if (obj.hits > 0) {
        set resp.http.X-Cache = "HIT";
        set resp.http.X-Cache-Hits = obj.hits;
    } else if (obj.uncacheable) {
        set resp.http.X-Cache = "PASS";
    } else {
        set resp.http.X-Cache = "MISS";
    }
    if (let device = req.http.X-Device) {
        set resp.http.X-Device = device;
        # shared caches behind us can't know our device classes
        set resp.http.Vary = "User-Agent, Cookie";
    }
    unset resp.http.X-Powered-By;
    unset resp.http.Via;
    unset resp.http.X-Origin-Name;
    set resp.http.X-Content-Type-Options = "nosniff";
}

sub vcl_synth {
    set resp.http.Content-Type = "text/html; charset=utf-8";
    if (resp.status == 405) {
        set resp.http.Allow = "GET, HEAD, POST, PUT, DELETE, OPTIONS, PATCH";
    }
    set resp.body = "<!DOCTYPE html><html><head><title>"
        + resp.status
        + " "
        + resp.reason
        + "</title></head><body><h1>"
        + resp.reason
        + {"</h1></body></html>
"};
    return (deliver);
}
