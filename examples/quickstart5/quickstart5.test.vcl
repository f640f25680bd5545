vcl 4.1;

# vernis test examples/quickstart5

test "a page is stored for all visitors, with cookies or without" {
    answer(header = "Cache-Control: max-age=60", body = "hello");
    request("/", header = "Cookie: session=1");
    expect(miss && resp.status == 200 && resp.http.X-Cache == "miss");
    expect(!bereq.http.Cookie);
    request("/", header = "Cookie: session=2");
    expect(hit && resp.http.X-Cache == "hit 1");
}

test "the order of query arguments makes no difference" {
    request("/list?b=2&a=1");
    request("/list?a=1&b=2");
    expect(hit);
}

test "private pages go to the origin each time" {
    request("/private/a");
    expect(pass);
    request("/private/a");
    expect(pass && fetches == 1);
}

test "a path that only begins like the private one is stored" {
    request("/privateer");
    expect(miss);
}

test "static files stay for a day" {
    answer(header = "Cache-Control: max-age=60");
    request("/a.css?v=1");
    expect(beresp.ttl == 1d);
    advance(23h);
    request("/a.css?v=1");
    expect(hit && fetches == 0);
}

test "an old page is served while a new one is fetched" {
    answer(header = "Cache-Control: max-age=60", body = "old", times = 1);
    answer(header = "Cache-Control: max-age=60", body = "new");
    request("/");
    advance(170s);
    request("/");
    expect(hit && resp.body == "old" && fetches == 1);
    request("/");
    expect(hit && resp.body == "new");
}

test "a failing refresh keeps the old page" {
    answer(header = "Cache-Control: max-age=60", body = "old", times = 1);
    answer(status = 500, body = "broken");
    request("/");
    advance(61s);
    request("/");
    expect(hit && resp.body == "old" && fetches == 1);
    request("/");
    expect(hit && resp.body == "old");
}

test "two minutes later the visitor waits for the new page" {
    answer(header = "Cache-Control: max-age=60", body = "old", times = 1);
    answer(header = "Cache-Control: max-age=60", body = "new");
    request("/");
    advance(181s);
    request("/");
    expect(miss && resp.body == "new");
}

test "strangers cannot purge" {
    request("/", method = "PURGE");
    expect(synth && resp.status == 403 && resp.body ~ "<p>Not from there</p>");
}

test "the operator can purge" {
    request("/");
    request("/", method = "PURGE", client = "127.0.0.1");
    expect(purge && resp.status == 200);
    request("/");
    expect(miss);
}
