vcl 4.1;

# vernis test --vmod-path DIR examples/module, where DIR has libvmod_canary.so and canary.toml

test "most visitors get the stable release" {
    request("/a", client = "192.0.2.1");
    expect(miss && backend == "stable" && bereq.http.X-Release == "stable");
}

test "some visitors get the next release" {
    request("/a", client = "192.0.2.42");
    expect(miss && backend == "next" && bereq.http.X-Release == "next");
}

test "a visitor keeps its release" {
    request("/a", client = "192.0.2.42");
    request("/b", client = "192.0.2.42");
    expect(backend == "next");
}

test "each release has its own pages" {
    request("/a", client = "192.0.2.42");
    request("/a", client = "192.0.2.1");
    expect(miss && backend == "stable");
    request("/a", client = "192.0.2.42");
    expect(hit);
}

test "visitors of one release share its pages" {
    request("/a", client = "192.0.2.1");
    request("/a", client = "192.0.2.2");
    expect(hit);
}

test "a visitor cannot choose its release" {
    request("/a", client = "192.0.2.1", header = "X-Release: next");
    expect(bereq.http.X-Release == "stable");
}

test "the next release is sick: its visitors do not get pages of the other" {
    health(backend = "next", healthy = false);
    request("/a", client = "192.0.2.42");
    expect(resp.status == 503);
}
