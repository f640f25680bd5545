"""Cache-Status, Via, hop-by-hop fields and interim responses; and the parts of RFC 9111 that apply to 4.x
policies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from proxy.daemon import Daemon
from proxy.origin import Client, Handler, Origin, Reply, Request, fetch

RFC = ("-p", "feature=+rfc9111", "-p", "default_ttl=0", "-p", "default_keep=3600")
HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nConnection: x-hop\r\nX-Hop: 1\r\n\r\n"
FINAL = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nCache-Control: max-age=100\r\n\r\nhi"
FRESH = {"Cache-Control": "max-age=100"}

Start = Callable[..., Daemon]


@contextmanager
def serving(start_daemon: Start, handler: Handler, *args: str, vcl: str = "") -> Iterator[tuple[Daemon, Origin]]:
    with Origin(handler) as origin:
        yield start_daemon(f'vcl 4.1; backend b {{ .host = "127.0.0.1"; .port = "{origin.port}"; }} {vcl}', args), origin


# ---- Cache-Status (RFC 9211) and Via ----


def test_cache_status_shows_how_the_response_was_made(start_daemon: Start) -> None:
    def handler(request: Request) -> Reply:
        if "if-none-match" in request.headers:
            return Reply(304, headers={"ETag": '"1"'})
        return Reply(headers={"/fresh": FRESH, "/none": {}, "/vary": FRESH | {"Vary": "Foo"},
                              "/old": {"Cache-Control": "max-age=0", "ETag": '"1"'}}[request.url])

    with serving(start_daemon, handler, *RFC, "-i", "edge-1") as (d, origin):
        def status(url: str, **named: object) -> str | None:
            return fetch(d.port_cached, url, **named).get("Cache-Status")

        assert status("/fresh") == "edge-1; fwd=uri-miss; fwd-status=200; stored"
        assert re.fullmatch(r"edge-1; hit; ttl=9\d", status("/fresh") or "")
        assert status("/fresh", headers={"Cache-Control": "no-cache"}) == "edge-1; fwd=request; fwd-status=200; stored"
        assert status("/none") == "edge-1; fwd=uri-miss; fwd-status=200"
        assert status("/fresh", method="POST") == "edge-1; fwd=method; fwd-status=200"
        status("/vary", headers={"Foo": "1"})
        assert status("/vary", headers={"Foo": "2"}) == "edge-1; fwd=vary-miss; fwd-status=200; stored"
        status("/old")
        assert status("/old") == "edge-1; fwd=stale; fwd-status=200; stored"


@pytest.mark.parametrize(("name", "shown"), [
    ("edge.example.com", "edge.example.com"), ("7th", '"7th"'), ("a b", '"a b"'), ('a"b', '"ab"'),
    ("long" * 16, "long" * 16), ("long" * 16 + "x", '"' + "long" * 16 + '"')])
def test_cache_status_has_the_name_as_a_token_or_a_string(start_daemon: Start, name: str, shown: str) -> None:
    with serving(start_daemon, lambda request: Reply(headers=FRESH), *RFC, "-i", name) as (d, origin):
        answers = [fetch(d.port_cached, "/") for _ in range(4)]
        miss, *hits = [r.get("Cache-Status") for r in answers]
        assert miss == f"{shown}; fwd=uri-miss; fwd-status=200; stored"
        assert all(re.fullmatch(re.escape(shown) + "; hit; ttl=[0-9]+", hit or "") for hit in hits), hits


def test_via_names_the_proxy_in_both_directions(start_daemon: Start) -> None:
    with serving(start_daemon, lambda request: Reply(headers=FRESH), *RFC) as (d, origin):
        r = fetch(d.port_cached, "/", headers={"Via": "1.0 first", "Cache-Control": "max-age=3"})
        assert r.get("Via") == origin.seen("/")[0].headers["via"].removeprefix("1.0 first, ") != ""
        # sent on to the next cache (RFC 9111, 5.2)
        assert origin.seen("/")[0].headers["cache-control"] == "max-age=3"


# ---- hop-by-hop fields ---- The public suite sends these fields only where they have no effect.

HOP = {"Keep-Alive": "timeout=5", "Proxy-Connection": "close", "Proxy-Authenticate": "Basic", "TE": "gzip", "Upgrade": "h2c",
       "Trailer": "Foo", "X-Named": "1"}


@pytest.mark.parametrize("feature", ["+rfc9111", "-rfc9111"])
def test_hop_by_hop_fields_are_neither_forwarded_nor_stored(start_daemon: Start, feature: str) -> None:
    def handler(request: Request) -> Reply:
        return Reply(headers=FRESH | HOP | {"Connection": "X-Named, keep-alive", "X-Kept": "1"})

    with serving(start_daemon, handler, "-p", f"feature={feature}") as (d, origin):
        for _ in range(2):
            r = fetch(d.port_cached, "/", headers=HOP | {"Connection": "X-Named, close"})
            assert [n for n in HOP if r.get(n) is not None] == [] and r.get("X-Kept") == "1"
        assert origin.count("/") == 1
        assert set(origin.seen("/")[0].headers) & {n.lower() for n in HOP} == set()


# ---- interim responses ----


def heads(client: Client) -> list[int]:
    statuses = [client.head().status]
    while statuses[-1] < 200:
        statuses.append(client.head().status)
    return statuses


@pytest.mark.parametrize("feature", ["+rfc9111", "-rfc9111"])
def test_interim_responses_are_forwarded_and_not_stored(start_daemon: Start, feature: str) -> None:
    def handler(request: Request) -> Reply:
        return Reply(pieces=[b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 102 Processing\r\n\r\n", HINTS, FINAL])

    with serving(start_daemon, handler, "-p", f"feature={feature}") as (d, origin):
        with Client(d.port_cached) as c:
            c.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert c.head().status == 102
            hints = c.head()
            assert (hints.status, hints.headers) == (103, [("Link", "</a.css>")])
            final = c.response()
            assert (final.status, final.body, final.get("Link")) == (200, b"hi", None)
            c.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert heads(c) == [200]
        assert origin.count("/") == 1


def test_no_interim_response_for_http_1_0(start_daemon: Start) -> None:
    with serving(start_daemon, lambda request: Reply(pieces=[HINTS, FINAL])) as (d, origin), Client(d.port_cached) as c:
        c.send(b"GET / HTTP/1.0\r\nHost: a\r\n\r\n")
        assert heads(c) == [200]


def test_a_flood_of_interim_responses_is_limited(start_daemon: Start) -> None:
    """The proxy forwards INTERIM_MAX responses of up to INTERIM_BYTES_MAX. The others do not affect the
    request."""
    large = b"HTTP/1.1 103 Early Hints\r\nLink: " + b"x" * 7000 + b"\r\n\r\n"
    with serving(start_daemon, lambda request: Reply(pieces=[large * 3 + HINTS * 100, FINAL])) as (d, origin), Client(d.port_cached) as c:
        c.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        statuses = heads(c)
        assert statuses == [103] * 8 + [200]


def test_a_client_that_leaves_gets_no_interim_response(start_daemon: Start) -> None:
    """The fetch continues without the request."""
    import threading
    left = threading.Event()

    def wait() -> bytes:
        assert left.wait(20)
        return HINTS

    with serving(start_daemon, lambda request: Reply(pieces=[HINTS, wait, FINAL])) as (d, origin):
        with Client(d.port_cached) as c:
            c.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert c.head().status == 103
        left.set()
        assert fetch(d.port_cached, "/").body == b"hi"
        assert d.state == "running"


# ---- 4.x policies ----


@pytest.mark.parametrize("status", [303, 308])
def test_redirects_with_a_stated_lifetime_are_stored(start_daemon: Start, status: int) -> None:
    with serving(start_daemon, lambda request: Reply(status, headers=FRESH if request.url == "/stated" else {})) as (d, origin):
        for url, asked in (("/stated", 1), ("/not", 2)):
            assert [fetch(d.port_cached, url).status for _ in range(2)] == [status] * 2
            assert origin.count(url) == asked


def test_targeted_fields_take_precedence_unless_turned_off(start_daemon: Start) -> None:
    def handler(request: Request) -> Reply:
        return Reply(headers={"Cache-Control": "no-store", "CDN-Cache-Control": "max-age=100"})

    vcl = "sub vcl_backend_response { set beresp.http.X-Targeted = beresp.targeted; }"
    with serving(start_daemon, handler, vcl=vcl) as (d, origin):
        assert [fetch(d.port_cached, "/").get("X-Targeted") for _ in range(2)] == ["true"] * 2
        assert origin.count("/") == 1
        d.ok("param.set targeted_control off")
        assert [fetch(d.port_cached, "/off").get("X-Targeted") for _ in range(2)] == ["false"] * 2
        assert origin.count("/off") == 2


def test_4_x_policies_behave_as_in_varnish(start_daemon: Start) -> None:
    """Without the bit: grace regardless of the origin, no invalidation, requests with cookies pass, and
    directives of clients have no effect."""
    def handler(request: Request) -> Reply:
        return Reply(headers={"Cache-Control": "max-age=500, must-revalidate", "Age": "3"})

    vcl = "sub vcl_deliver { set resp.http.X-Rfc = server.rfc9111; }"
    with serving(start_daemon, handler, vcl=vcl) as (d, origin):
        assert fetch(d.port_cached, "/").get("X-Rfc") == "false"
        assert fetch(d.port_cached, "/", method="POST").get("Cache-Status") is None
        assert fetch(d.port_cached, "/", headers={"Cache-Control": "no-cache"}).status == 200
        assert origin.count("/") == 2
        fetch(d.port_cached, "/", headers={"Cookie": "a=b"})
        assert origin.count("/") == 3
        d.ok("param.set feature +rfc9111")
        assert fetch(d.port_cached, "/", headers={"Cookie": "a=b"}).get("X-Rfc") == "true"
        assert origin.count("/") == 3


# ---- parameters ----


def test_lifetimes_that_the_origin_does_not_state(start_daemon: Start) -> None:
    """heuristic_freshness, its maximum, and negative_ttl, as Cache-Status shows them on a hit."""
    def handler(request: Request) -> Reply:
        if request.url.startswith("/gone"):
            return Reply(410)
        return Reply(headers={"Date": "Tue, 14 Nov 2023 22:13:20 GMT", "Last-Modified": "Tue, 14 Nov 2023 21:13:20 GMT"})

    with serving(start_daemon, handler, *RFC) as (d, origin):
        def left(url: str) -> int:
            fetch(d.port_cached, url)
            status = fetch(d.port_cached, url).get("Cache-Status")
            return int(status.rpartition("ttl=")[2]) if status and "hit" in status else -1

        assert 355 <= left("/a") < 360 and 5 <= left("/gone/a") < 10
        d.ok("param.set heuristic_freshness 50")
        assert 1790 <= left("/b") < 1800
        d.ok("param.set heuristic_freshness_max 100")
        assert 90 <= left("/c") < 100
        d.ok("param.set heuristic_freshness 0")
        d.ok("param.set negative_ttl 0")
        assert left("/d") == left("/gone/d") == -1


# ---- HEAD (RFC 9111, 4.3.5) ----


HEADS = {    # changes in the response to HEAD, and the number of GET fetches afterwards
    "/same": ({}, 1), "/other": ({"X-Other": "1"}, 1), "/weak": ({"ETag": 'W/"1"'}, 1), "/coded": ({"ETag": '"2"', "Content-Length": "3"}, 1),
    "/tag": ({"ETag": '"2"'}, 2), "/date": ({"Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"}, 2), "/length": ({"Content-Length": "3"}, 2),
    "/404": ({}, 2), "/vary": ({"ETag": '"2"'}, 1),
    "/private": ({"ETag": '"2"', "Cache-Control": "private"}, 1), "/cookie": ({"ETag": '"2"', "Set-Cookie": "a=1"}, 1),
    "/split": ({"ETag": '"2"', "Policy": "private"}, 1),
}
HEAD_POLICY = """import header;
sub vcl_recv { if (req.method == "HEAD") { return (pass); } }
sub vcl_backend_response { if (beresp.http.Policy) { header.append(beresp.http.Cache-Control, beresp.http.Policy); } }"""


def test_a_passed_head_shows_that_the_stored_response_is_outdated(start_daemon: Start) -> None:
    def handler(request: Request) -> Reply:
        fields = FRESH | {"ETag": '"1"', "Content-Length": "2", "Vary": "Foo"}
        if request.url == "/coded":
            fields["Content-Encoding"] = "x-mine"
        if request.method == "HEAD":
            return Reply(headers=fields | HEADS[request.url][0])
        return Reply(404 if request.url == "/404" else 200, b"hi", fields)

    with serving(start_daemon, handler, *RFC, vcl=HEAD_POLICY) as (d, origin):
        for url, (_, fetched) in HEADS.items():
            for method in ("GET", "HEAD", "GET", "GET"):
                foo = "2" if (url, method) == ("/vary", "HEAD") else "1"
                fetch(d.port_cached, url, method=method, headers={"Foo": foo})
            assert ["GET", "HEAD", *["GET"] * (fetched - 1)] == [q.method for q in origin.seen(url)], url
