vcl 4.1;

# vernis test examples/https

test "a visitor without HTTPS is sent there" {
    request("/a?b=1", header = "Host: site.example");
    expect(
        resp.status == 301 && resp.http.Location == "https://site.example/a?b=1" && fetches == 0
    );
}

test "a visitor with HTTPS gets the page" {
    request("/a?b=1", tls = "version: TLSv1.3");
    expect(resp.status == 200 && miss);
}

test "other answers of the daemon are no redirects" {
    request("/", method = "PRI", tls = "version: TLSv1.3");
    expect(resp.status == 405 && !resp.http.Location);
}
