"""Every hook and every return action, as clients and origins see them."""

from __future__ import annotations

import pytest

from proxy.origin import Client, Origin, Reply, Request, fetch
from proxy.serve import serve
from proxy.test_delivery import PAGE, page, policy
from support.ports import refusing_port


def test_synth_responds_without_an_origin() -> None:
    text = 'sub vcl_recv { return (synth(418, "Short and stout")); }'
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        r = c.request("/")
        assert (r.status, r.reason, r.get("Retry-After")) == (418, "Short and stout", "5")
        assert b"418 Short and stout" in r.body and not origin.requests


def test_the_policy_sets_the_body_of_synth() -> None:
    text = 'sub vcl_recv { return (synth(200)); } sub vcl_synth { set resp.body = "one"; synthetic("two" + req.url); return (deliver); }'
    with Origin(page) as origin, serve(policy(origin, text)) as port:
        r = fetch(port, "/x")
        assert (r.status, r.reason) == (200, "OK") and r.body.endswith(b"two/x")


def test_restart_keeps_changes() -> None:
    text = """
    sub vcl_recv { if (req.restarts == 0) { set req.url = "/second"; set req.http.X-Was = "first"; return (restart); } }
    sub vcl_deliver { set resp.http.X-Restarts = req.restarts; set resp.http.X-Was = req.http.X-Was; }"""
    with Origin(page) as origin, serve(policy(origin, text)) as port:
        r = fetch(port, "/first")
        assert (r.body, r.get("X-Restarts"), r.get("X-Was")) == (b"page /second", "1", "first")


def test_restarts_are_limited() -> None:
    with Origin(page) as origin, serve(policy(origin, "sub vcl_recv { return (restart); }")) as port:
        assert fetch(port, "/").status == 503


def test_restart_from_deliver_hit_and_miss() -> None:
    text = """
    sub vcl_hit { if (req.restarts == 0) { set req.http.X-From = "hit"; return (restart); } }
    sub vcl_miss { if (req.restarts == 0 && req.url == "/m") { set req.http.X-From = "miss"; return (restart); } }
    sub vcl_deliver { if (req.restarts == 0 && req.url == "/d") { set req.http.X-From = "deliver"; return (restart); }
                      set resp.http.X-From = req.http.X-From; }"""
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        assert c.request("/m").get("X-From") == "miss"
        assert c.request("/m").get("X-From") == "hit"
        assert c.request("/d").get("X-From") == "deliver"
        assert origin.count("/m") == 1 and origin.count("/d") == 1


def test_pass_fetches_each_time_and_keeps_the_method() -> None:
    with Origin(page) as origin, serve(policy(origin, "sub vcl_recv { return (pass); }")) as port, Client(port) as c:
        assert c.request("/").body == c.request("/").body == b"page /"
        assert c.request("/", "HEAD").status == 200
        assert [r.method for r in origin.requests] == ["GET", "GET", "HEAD"]


def test_pass_from_hit_and_miss() -> None:
    text = "sub vcl_hit { return (pass); } sub vcl_miss { if (req.url == \"/m\") { return (pass); } }"
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        for _ in range(2):
            c.request("/m")
            c.request("/h")
        assert origin.count("/m") == 2      # it was not stored
        assert origin.count("/h") == 2      # stored, but passed


def test_purge_removes_the_stored_response() -> None:
    text = 'sub vcl_recv { if (req.method == "PURGE") { return (purge); } }'
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        c.request("/a")
        c.request("/b")
        r = c.request("/a", "PURGE")
        assert (r.status, r.reason) == (200, "Purged")
        c.request("/a")
        c.request("/b")
        assert (origin.count("/a"), origin.count("/b")) == (2, 1)


def test_vcl_hash_sets_the_cache_key() -> None:
    text = 'sub vcl_hash { hash_data(regsub(req.url, "\\?.*", "")); return (lookup); }'
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        assert c.request("/a?x=1").body == c.request("/a?x=2").body == b"page /a?x=1"


def test_vcl_deliver_changes_one_response_only() -> None:
    text = 'sub vcl_deliver { if (obj.hits > 0) { set resp.http.X-Hit = "yes"; unset resp.http.X-Gone; } }'
    def answer(_: Request) -> Reply:
        return Reply(body=b"x", headers=PAGE | {"X-Gone": "1"})
    with Origin(answer) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        assert c.request("/").get("X-Hit") is None
        hit = c.request("/")
        assert (hit.get("X-Hit"), hit.get("X-Gone")) == ("yes", None)


def test_retry_sends_a_changed_request() -> None:
    text = """
    sub vcl_backend_response { if (beresp.status == 500 && bereq.retries < 2) { set bereq.url = "/better"; return (retry); } }"""
    def answer(r: Request) -> Reply:
        return page(r) if r.url == "/better" else Reply(500)
    with Origin(answer) as origin, serve(policy(origin, text)) as port:
        assert fetch(port, "/bad").body == b"page /better"
        assert [r.url for r in origin.requests] == ["/bad", "/better"]


def test_abandon_gives_503() -> None:
    with Origin(page) as origin, serve(policy(origin, "sub vcl_backend_response { return (abandon); }")) as port, Client(port) as c:
        assert (c.request("/").status, c.request("/").status) == (503, 503)


def test_error_from_fetch_and_response() -> None:
    text = """
    sub vcl_backend_fetch { if (bereq.url == "/plain") { return (error); } if (bereq.url == "/404") { return (error(404)); } }
    sub vcl_backend_response { if (bereq.url == "/own") { return (error(410, "Gone for good")); } }"""
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        r = c.request("/plain")
        assert (r.status, r.reason) == (503, "Backend fetch failed")
        r = c.request("/404")
        assert (r.status, r.reason) == (404, "Not Found")
        r = c.request("/own")
        assert (r.status, r.reason) == (410, "Gone for good")


def test_vcl_backend_error_makes_the_page_without_an_origin() -> None:
    with refusing_port() as port_of_nobody:
        text = f'vcl 4.1; backend default {{ .host = "127.0.0.1"; .port = "{port_of_nobody}"; }} ' \
               'sub vcl_backend_error { set beresp.status = 502; set beresp.body = "away"; return (deliver); }'
        with serve(text) as port:
            r = fetch(port, "/")
        assert (r.status, r.body) == (502, b"away")


def test_fail_on_the_client_side_closes_the_connection() -> None:
    with Origin(page) as origin, serve(policy(origin, "sub vcl_deliver { return (fail); }")) as port, Client(port) as c:
        r = c.request("/")
        assert (r.status, r.reason, r.get("Connection")) == (503, "VCL failed", "close") and c.closed()


def test_fail_in_synth_sends_an_empty_response() -> None:
    text = "sub vcl_recv { return (synth(200)); } sub vcl_synth { return (fail); }"
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        assert c.request("/").status == 500 and c.closed()


def test_fail_on_the_origin_side() -> None:
    with Origin(page) as origin, serve(policy(origin, "sub vcl_backend_fetch { return (fail); }")) as port:
        r = fetch(port, "/")
        assert (r.status, r.reason) == (503, "Service Unavailable")


def test_pipe_copies_bytes_both_ways() -> None:
    def upgraded(r: Request) -> Reply:
        return Reply(pieces=[b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n", b"hello from origin\n",
                             lambda: None])
    text = """
    sub vcl_recv { return (pipe); }
    sub vcl_pipe { set bereq.http.Upgrade = req.http.Upgrade; set bereq.http.Connection = "upgrade"; }"""
    with Origin(upgraded) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        c.send(b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n")
        assert c.head().status == 101
        assert c.stream.readline() == b"hello from origin\n"
        assert c.closed()
        assert origin.requests[0].headers["upgrade"] == "echo"


def test_unknown_methods_are_piped_by_the_builtin_policy() -> None:
    def answer(r: Request) -> Reply:
        return Reply(body=r.method.encode(), close=True)
    with Origin(answer) as origin, serve(policy(origin)) as port, Client(port) as c:
        assert c.request("/", "FROBNICATE").body == b"FROBNICATE"


def test_missing_host_is_refused_by_the_builtin_policy() -> None:
    with Origin(page) as origin, serve(policy(origin)) as port, Client(port) as c:
        assert c.request("/", host=None).status == 400


def test_cached_request_bodies_can_be_sent_twice() -> None:
    text = """
    import std;
    sub vcl_recv { std.cache_req_body(10KB); return (pass); }
    sub vcl_backend_response { if (bereq.retries == 0) { return (retry); } }"""
    def echo(r: Request) -> Reply:
        return Reply(body=r.body)
    with Origin(echo) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        assert c.request("/", "POST", body=b"precious").body == b"precious"
        assert [r.body for r in origin.requests] == [b"precious", b"precious"]
        with pytest.raises((EOFError, ConnectionError)):     # as in Varnish: closed without a response
            c.request("/", "POST", body=b"x" * 20_000)


def test_subs_that_would_overflow_the_stack_fail() -> None:
    """A chain of a hundred subs, the limit. Each of them joins a hundred parts."""
    parts = " + ".join('req.http.A + "x"' for _ in range(60))
    subs = [f"sub s{i} {{ set req.http.X = {parts}; {f'call s{i + 1};' if i < 98 else ''} }}" for i in reversed(range(99))]
    text = "\n".join(subs) + """
        sub vcl_recv { if (req.url == "/deep") { call s0; } return (synth(200)); }"""
    with serve("vcl 4.1; backend default none;\n" + text) as port:
        assert fetch(port, "/deep").status == 503
        assert fetch(port, "/").status == 200
