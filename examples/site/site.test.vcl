vcl 4.1;

# vernis test examples/site

# ---- keys ----

test "names of the host that mean the same site share pages" {
    request("/a", header = "Host: WWW.Example.com:80");
    request("/a", header = "Host: example.com");
    expect(hit);
}

test "what analytics add to a URL is not part of the page" {
    request("/a?utm_source=mail&id=1&gclid=x");
    expect(bereq.url == "/a?id=1");
    request("/a?id=1");
    expect(hit);
    request("/a?id=1&gclid=");
    expect(hit);
    request("/a?id=1&gclid=x");
    expect(hit);
}

test "an empty query is no query" {
    request("/a?");
    expect(bereq.url == "/a");
}

test "the order of parameters makes no other page" {
    request("/a?b=2&a=1");
    expect(bereq.url == "/a?a=1&b=2");
    request("/a?a=1&b=2");
    expect(hit);
}

test "variants of the origin's own stay apart, too" {
    answer(header = "Vary: Accept-Language");
    request("/a", header = "Accept-Language: de");
    request("/a", header = "Accept-Language: fr");
    expect(miss);
    request("/a", header = "Accept-Language: de", header = "User-Agent: iPhone");
    expect(miss);
    request("/a", header = "Accept-Language: de");
    expect(hit);
}

test "devices get pages of their own, and one purge finds all" {
    request("/a", header = "User-Agent: iPhone");
    expect(bereq.http.X-Device == "mobile");
    request("/a", header = "User-Agent: iPad");
    expect(miss && bereq.http.X-Device == "tablet");
    request("/a", header = "User-Agent: Android 14");
    expect(hit && resp.http.X-Device == "tablet");
    request("/a", header = "User-Agent: a search bot");
    expect(miss && bereq.http.X-Device == "bot");
    request("/a", header = "User-Agent: iPhone");
    expect(hit && resp.http.X-Device == "mobile");
    request("/a", method = "PURGE", client = "192.0.2.7");
    expect(purge && resp.status == 200 && resp.body ~ "<h1>Purged</h1>");
    request("/a", header = "User-Agent: iPhone");
    expect(miss);
}

test "a device that a client claims is not believed" {
    request("/a", header = "X-Device: tablet");
    expect(bereq.http.X-Device == "desktop");
    request("/app.js", header = "X-Device: tablet");
    expect(!bereq.http.X-Device);
}

test "fields that only proxies may set are not believed" {
    request("/a", header = "Proxy: http://x", header = "X-Forwarded-Proto-Trusted: https");
    expect(!bereq.http.Proxy && !bereq.http.X-Forwarded-Proto-Trusted && bereq.http.X-Cache-Id);
}

test "an Android telephone is no tablet" {
    request("/a", header = "User-Agent: Android 14 Mobile");
    expect(bereq.http.X-Device == "mobile");
}

test "languages are variants of one page" {
    request("/a", header = "Cookie: lang=de; _ga=1");
    expect(miss && bereq.http.X-Lang == "de" && !bereq.http.Cookie);
    request("/a");
    expect(miss && bereq.http.X-Lang == "en");
    request("/a", header = "Cookie: lang=de");
    expect(hit);
}

# ---- people ----

test "cookies of analytics change nothing" {
    request("/a", header = "Cookie: _ga=1; consent=yes");
    expect(miss && !bereq.http.Cookie);
}

test "a session is somebody's" {
    request("/a", header = "Cookie: _ga=1; session=x");
    expect(pass && bereq.http.Cookie == "session=x" && resp.http.X-Cache == "PASS");
    request("/a", header = "Cookie: _ga=1;   cart=3; x=y; ");
    expect(pass && bereq.http.Cookie == "cart=3");
}

test "a page that sets a cookie is not shared" {
    answer(header = "Set-Cookie: session=x", header = "Cache-Control: max-age=60");
    request("/a");
    expect(beresp.uncacheable && beresp.ttl == 120s);
    request("/a");
    expect(hit_for_miss && miss);
}

test "a page that says that it is private is not shared" {
    answer(header = "Cache-Control: Private, max-age=60");
    request("/a");
    expect(beresp.uncacheable && beresp.ttl == 120s);
    request("/a");
    expect(hit_for_miss && miss);
}

test "credentials go to the origin" {
    request("/a", header = "Authorization: Basic eDp5");
    expect(pass);
}

test "an asset is the same for everybody" {
    answer(header = "Set-Cookie: a=1");
    request("/app.js", header = "Cookie: session=x", header = "Authorization: Basic eDp5");
    expect(miss && beresp.ttl == 7d && !bereq.http.Cookie && !resp.http.Set-Cookie);
    expect(!bereq.http.Authorization && resp.http.X-Cache == "MISS");
    expect(resp.http.Cache-Control == "public, max-age=604800");
    request("/app.js");
    expect(hit && resp.http.X-Cache-Hits == "1" && resp.http.X-Cache == "HIT");
    request("/app.js?v=2", header = "Cookie: lang=de");
    expect(miss && !bereq.http.X-Lang);
}

test "a missing asset is forgotten soon" {
    answer(status = 404);
    request("/app.js");
    expect(resp.status == 404 && beresp.ttl == 30s && beresp.grace == 0s);
}

test "the account is never stored" {
    request("/account/orders");
    expect(pass);
    request("/accounting");
    expect(miss);
}

test "the admin area is for the offices" {
    request("/admin");
    expect(synth && resp.status == 403 && resp.body ~ "<h1>Forbidden</h1>");
    request("/admin", client = "198.51.100.7");
    expect(pass);
}

test "staff can force a fresh page" {
    request("/a");
    request(
        "/a",
        header = "Cache-Control: no-cache",
        header = "X-Refresh: yes",
        client = "198.51.100.7"
    );
    expect(miss && !bereq.http.X-Refresh);
    request(
        "/a",
        header = "Cache-Control: no-cache",
        header = "X-Refresh: yes",
        client = "192.0.2.1"
    );
    expect(hit);
}

# ---- what nobody legitimate sends ----

test "probes for other people's software end here" {
    request("/.git/config");
    expect(synth && resp.status == 404 && fetches == 0 && resp.body ~ "<h1>Not found</h1>");
    expect(resp.body ~ "^<!DOCTYPE html><html><head><title>404 Not found</title></head><body>");
    expect(resp.body ~ "</body></html>$" && resp.http.Content-Type == "text/html; charset=utf-8");
    request("/a/%2e%2e/b");
    expect(resp.status == 400 && fetches == 0 && resp.body ~ "<h1>Bad request</h1>");
}

test "unknown methods are refused, known ones reach the origin" {
    request("/a", method = "BREW");
    expect(resp.status == 405 && resp.body ~ "<h1>Method not allowed</h1>");
    expect(resp.http.Allow == "GET, HEAD, POST, PUT, DELETE, OPTIONS, PATCH");
    request("/a", method = "POST", body = "x=1");
    expect(pass && bereq.method == "POST");
    request("/a", method = "PUT", body = "x=1");
    expect(pass && bereq.method == "PUT");
    request("/a", method = "DELETE");
    expect(pass && bereq.method == "DELETE");
    request("/a", method = "OPTIONS");
    expect(pass && bereq.method == "OPTIONS");
    request("/a", method = "PATCH", body = "x=1");
    expect(pass && bereq.method == "PATCH");
    request("/a", method = "HEAD");
    expect(miss && resp.status == 200);
}

test "strangers cannot purge" {
    request("/a", method = "PURGE", client = "203.0.113.1");
    expect(synth && resp.status == 405);
    expect(resp.body ~ "<h1>Purging is not allowed from 203.0.113.1</h1>");
    request("/a", method = "PURGE", client = "127.0.0.66");
    expect(synth && resp.status == 405);
}

test "a websocket is a tunnel" {
    request("/chat", header = "Upgrade: websocket", header = "Connection: upgrade");
    expect(pipe && bereq.http.Upgrade == "websocket" && bereq.http.Connection == "upgrade");
}

# ---- origins ----

test "pages are spread over two origins" {
    request("/a");
    expect(backend == "web1");
    request("/b");
    expect(backend == "web2");
    request("/reports/1");
    expect(backend == "slow");
}

test "an origin that fails is given up for the other one" {
    answer(status = 500, backend = "web1");
    answer(backend = "web2", body = "fine");
    request("/a");
    expect(resp.status == 200 && resp.body == "fine" && fetches == 2);
}

test "when both fail, the failure is kept for a second" {
    answer(status = 503);
    request("/a");
    expect(resp.status == 503 && beresp.uncacheable && beresp.ttl == 1s && fetches == 2);
}

test "an old page is served for ten seconds, and for a day while the origins are ill" {
    answer(header = "Cache-Control: max-age=60", body = "old", times = 1);
    answer(header = "Cache-Control: max-age=60", body = "new");
    request("/a");
    expect(beresp.grace == 24h && beresp.keep == 1h);
    health("web1", false);
    health("web2", false);
    advance(12h);
    request("/a");
    expect(hit && resp.body == "old");
    health("web1", true);
    health("web2", true);
    request("/a");
    expect(miss && resp.body == "new");
}

test "a healthy origin makes a page last ten seconds longer" {
    answer(header = "Cache-Control: max-age=60", body = "old", times = 1);
    answer(header = "Cache-Control: max-age=60", body = "new");
    request("/a");
    advance(75s);
    request("/a");
    expect(miss && resp.body == "new");
}

test "an error of the client is not kept for a day" {
    answer(status = 400, header = "Cache-Control: max-age=60");
    request("/a");
    expect(beresp.grace <= 10s && beresp.keep == 0s);
}

test "a failing refresh does not replace the old page" {
    answer(header = "Cache-Control: max-age=60", body = "old", times = 1);
    answer(status = 500);
    request("/a");
    advance(65s);
    request("/a");
    expect(hit && resp.body == "old" && fetches == 1);
    request("/a");
    expect(hit && resp.body == "old");
}

test "no origin at all: a page that says so" {
    answer(fails = "refuses");
    request("/a");
    expect(resp.status == 503 && resp.http.Retry-After == "5" && resp.body ~ "back in a moment");
    expect(resp.http.Content-Type == "text/html; charset=utf-8");
}

test "moved and missing pages, and the feed, have times of their own" {
    answer(url = "/moved", status = 301, header = "Location: /a");
    answer(url = "/moved-for-good", status = 308, header = "Location: /a");
    answer(url = "/gone", status = 410);
    answer(url = "/feed.xml");
    request("/moved");
    expect(beresp.ttl == 1h);
    request("/moved-for-good");
    expect(beresp.ttl == 1h);
    request("/gone");
    expect(beresp.ttl == 30s);
    request("/feed.xml");
    expect(beresp.ttl == 5m);
}

test "load balancers ask the cache itself" {
    request("/cache-health");
    expect(synth && resp.status == 200 && fetches == 0 && resp.body ~ "<h1>Healthy</h1>");
    health("web1", false);
    health("web2", false);
    request("/cache-health");
    expect(synth && resp.status == 503 && resp.body ~ "<h1>No healthy origin</h1>");
}

test "answers say nothing about the inside" {
    answer(header = "X-Powered-By: PHP");
    request("/a");
    expect(!resp.http.X-Powered-By && !resp.http.Via && !resp.http.X-Origin-Name);
    expect(resp.http.X-Content-Type-Options == "nosniff" && resp.http.Vary == "User-Agent, Cookie");
}
