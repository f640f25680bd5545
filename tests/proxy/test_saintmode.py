"""Backends that are sick for some objects, tested through the whole proxy."""

from __future__ import annotations

import json

from proxy.daemon import wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serve

RULES = """vcl 4.1;
import directors;
import saintmode;
backend one {{ .host = "127.0.0.1"; .port = "{one}"; }}
backend two {{ .host = "127.0.0.1"; .port = "{two}"; }}
sub vcl_init {{
    new first = saintmode.saintmode(one, 2);
    new second = saintmode.saintmode(two, 0);
    new both = directors.fallback();
    both.add_backend(first.backend());
    both.add_backend(second.backend());
}}
sub vcl_recv {{
    if (req.url == "/status") {{ return (synth(200)); }}
    set req.backend_hint = both.backend();
    return (pass);
}}
sub vcl_backend_response {{
    if (beresp.http.X-For) {{ saintmode.denylist(std.duration(beresp.http.X-For, 100s)); return (retry); }}
}}
sub vcl_deliver {{ set resp.http.Count = first.denylist_count(); set resp.http.Fit = first.is_healthy(); }}
sub vcl_synth {{ set resp.body = saintmode.status(); return (deliver); }}
""".replace("import saintmode", "import saintmode; import std")


def test_a_bad_response_makes_its_backend_sick_for_that_object() -> None:
    def bad(r: Request) -> Reply:
        return Reply(body=b"one", headers={} if r.url == "/good" else {"X-For": "0.05s" if r.url == "/short" else "100s"})

    def good(r: Request) -> Reply:
        return Reply(body=b"two")
    with Origin(bad) as one, Origin(good) as two, serve(RULES.format(one=one.port, two=two.port)) as port, Client(port) as c:
        seen = [(c.request(url), url) for url in ("/a", "/a", "/good", "/b", "/good")]
        assert [r.body for r, _ in seen] == [b"two", b"two", b"one", b"two", b"two"]
        assert [r.get("Count") for r, _ in seen] == ["1", "1", "1", "2", "2"]
        # finally, it is sick for all objects
        assert [r.get("Fit") for r, _ in seen] == ["false", "false", "true", "false", "false"]
        assert [one.count(url) for url in ("/a", "/good", "/b")] == [1, 1, 1]
        assert json.loads(c.request("/status").body)["saintmode"] == [
            {"name": "first", "backend": "one", "count": "2", "threshold": "2"},
            {"name": "second", "backend": "two", "count": "0", "threshold": "0"}]


def test_a_backend_recovers_after_the_given_time() -> None:
    def once(r: Request) -> Reply:
        return Reply(body=b"one", headers={"X-For": "0.05s"} if len(one.requests) == 1 else {})

    def good(r: Request) -> Reply:
        return Reply(body=b"two")
    with Origin(once) as one, Origin(good) as two, serve(RULES.format(one=one.port, two=two.port)) as port, Client(port) as c:
        assert c.request("/a").body == b"two"
        wait_until(lambda: c.request("/a").body == b"one", "the backend recovers")
        assert c.request("/status").body.count(b'"count": "0"') == 2
