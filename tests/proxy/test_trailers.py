"""Trailer fields of responses: with feature rfc9111, clients that accept trailers get them. Nothing else
changes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from proxy.daemon import Daemon
from proxy.origin import Client, Origin, Reply, Request, Response
from proxy.serve import serving

POLICY = '''vcl 4.1; backend b { .host = "127.0.0.1"; .port = "%d"; }
sub vcl_recv { if (req.url ~ "^/pass") { return (pass); } }
sub vcl_backend_response {
    if (bereq.url == "/gzip") { set beresp.do_gzip = true; }
    if (bereq.url == "/whole") { set beresp.do_stream = false; }
}'''
RFC = ("-p", "feature=+rfc9111", "-p", "loops=1", "-p", "default_keep=1h")
HEAD = (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nCache-Control: max-age=%d\r\nETag: \"1\"\r\nTrailer: X-Sum, Content-Length\r\n"
        b"Trailer: Server-Timing\r\n\r\n")
CHUNKS = b"5\r\nhello\r\n6\r\n world\r\n"
END = b"0\r\nX-Sum: 7\r\nContent-Length: 1\r\nset-cookie: a=b\r\nServer-Timing:  db;dur=2 \r\nX-Late: 1\r\n\r\n"
GOT = [("X-Sum", "7"), ("Server-Timing", "db;dur=2"), ("X-Late", "1")]


@dataclass(slots=True)
class Script:
    go_on: threading.Event = field(default_factory=threading.Event)

    def __call__(self, request: Request) -> Reply:
        if "if-none-match" in request.headers:
            return Reply(304, headers={"ETag": '"1"', "Cache-Control": "max-age=1000"})
        head = HEAD % (0 if request.url == "/stale" else 1000)
        match request.url:
            case "/slow":
                return Reply(pieces=[head + CHUNKS, lambda: END if self.go_on.wait(20) else None])
            case "/none":
                return Reply(raw=head + CHUNKS + b"0\r\n\r\n")
            case "/many":
                return Reply(raw=head + CHUNKS + b"0\r\n" + b"".join(b"X-%d: 1\r\n" % i for i in range(33)) + b"\r\n")
            case "/length":
                return Reply(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\nTrailer: X-Sum\r\nCache-Control: max-age=9\r\n\r\nhello world")
            case "/bytes":
                return Reply(pieces=[head + CHUNKS, *(END[i:i + 1] for i in range(len(END)))])
            case "/too-long":
                return Reply(raw=head + CHUNKS + b"0\r\nX-A: " + b"a" * 8192 + b"\r\n\r\n")
        return Reply(raw=head + CHUNKS + END)


@dataclass(slots=True)
class World:
    daemon: Daemon
    origin: Origin
    script: Script

    def get(self, url: str, te: str | None = "trailers", **fields: str) -> tuple[Response, list[tuple[str, str]]]:
        """The response and its trailers. Checks that the connection continues."""
        with Client(self.daemon.port_cached) as c:
            got = ask(c, url, te, **fields)
            assert ask(c, "/plain", None)[0].body == b"hello world"
        return got


def ask(c: Client, url: str, te: str | None, method: str = "GET", proto: str = "HTTP/1.1",
        **fields: str) -> tuple[Response, list[tuple[str, str]]]:
    named = ({} if te is None else {"TE": te, "Connection": "TE"}) | {n.replace("_", "-"): v for n, v in fields.items()}
    c.send(f"{method} {url} {proto}\r\nHost: a\r\n".encode() + b"".join(f"{n}: {v}\r\n".encode() for n, v in named.items()) + b"\r\n")
    r = c.head()
    return (r, trailers(c, r)) if method == "GET" else (r, [])


def trailers(c: Client, r: Response) -> list[tuple[str, str]]:
    if "chunked" not in (r.get("Transfer-Encoding") or ""):
        r.body = c._body(r)
        return []
    while (size := int(c.stream.readline(), 16)) > 0:
        r.body += c._exactly(size)
        assert c.stream.readline() == b"\r\n"
    found = []
    while (line := c.stream.readline()) != b"\r\n":
        assert line.endswith(b"\r\n")
        found.append(tuple(line.decode().rstrip("\r\n").split(": ", 1)))
    return found        # type: ignore[return-value]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    script = Script()
    with Origin(script) as origin, serving(POLICY % origin.port, RFC) as daemon:
        assert daemon.port_cached
        yield World(daemon, origin, script)


@pytest.mark.parametrize("url", ["/hit", "/whole", "/bytes", "/pass"])
def test_clients_that_accept_trailers_get_the_allowed_ones(world: World, url: str) -> None:
    for _ in "12":
        r, got = world.get(url)
        assert (r.status, r.body, got) == (200, b"hello world", GOT)
        assert r.get("Trailer") in ("X-Sum, Server-Timing", "X-Sum, Server-Timing, X-Late") and r.get("Content-Length") is None
    assert world.origin.count(url) == (2 if url == "/pass" else 1)


@pytest.mark.parametrize("te", [None, "gzip", ""])
def test_other_clients_get_the_same_content_without_trailers(world: World, te: str | None) -> None:
    world.get("/hit")
    r, got = world.get("/hit", te)
    assert (r.body, got, r.get("Trailer"), r.get("Content-Length")) == (b"hello world", [], None, "11")


def test_trailers_follow_a_body_that_is_still_arriving(world: World) -> None:
    with Client(world.daemon.port_cached) as c:
        c.send(b"GET /slow HTTP/1.1\r\nHost: a\r\nTE: trailers\r\n\r\n")
        r = c.head()
        assert r.get("Trailer") == "X-Sum, Server-Timing"
        world.script.go_on.set()
        assert trailers(c, r) == GOT and r.body == b"hello world"


@pytest.mark.parametrize("url", ["/none", "/many", "/length", "/gzip"])
def test_a_response_known_to_have_no_trailers_announces_none(world: World, url: str) -> None:
    for _ in "12":
        r, got = world.get(url)
        assert (r.body, got) == (b"hello world", [])
    assert r.get("Trailer") is None


def test_ranges_head_and_304_have_no_trailers(world: World) -> None:
    world.get("/hit")
    r, got = world.get("/hit", Range="bytes=0-3")
    assert (r.status, r.body, got, r.get("Trailer")) == (206, b"hell", [], None)
    r, got = world.get("/hit", Range="bytes=0-0,4-5")
    assert (r.status, got, r.get("Trailer")) == (206, [], None)
    with Client(world.daemon.port_cached) as c:
        r, _ = ask(c, "/hit", "trailers", "HEAD")
        assert (r.status, r.get("Trailer")) == (200, None)
    with Client(world.daemon.port_cached) as c:
        r, _ = ask(c, "/hit", "trailers", proto="HTTP/1.0")
        assert (r.body, r.get("Trailer"), r.get("Transfer-Encoding")) == (b"hello world", None, None)


def test_a_304_keeps_stored_trailers(world: World) -> None:
    assert world.get("/stale")[1] == GOT
    for _ in "12":
        r, got = world.get("/stale")
        assert (r.body, got) == (b"hello world", GOT)
    assert [("if-none-match" in q.headers) for q in world.origin.seen("/stale")] == [False, True]


def test_too_long_trailers_fail_the_response(world: World) -> None:
    with Client(world.daemon.port_cached) as c:
        try:
            assert ask(c, "/too-long", "trailers")[0].status == 503
        except (EOFError, ValueError):
            pass                        # detected after the head was sent: the response is cut
    world.get("/hit")
    assert world.origin.count("/too-long") == 1


def test_te_trailers_is_forwarded_on_a_pass_only(world: World) -> None:
    for url in ("/pass-te", "/te"):
        world.get(url)
        world.get(url + "2", "gzip")
    asked = {url: world.origin.seen(url)[0].headers.get("te") for url in ("/pass-te", "/te", "/pass-te2", "/te2")}
    assert asked == {"/pass-te": "trailers", "/te": None, "/pass-te2": None, "/te2": None}


def test_trailers_of_a_request_are_dropped(world: World) -> None:
    with Client(world.daemon.port_cached) as c:
        c.send(b"POST /pass-up HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: X-Up\r\n\r\n3\r\nabc\r\n0\r\nX-Up: 1\r\n\r\n")
        r = c.head()
        trailers(c, r)
        assert ask(c, "/plain", None)[0].status == 200
    # The scripted origin does not read trailers. Connections of other tests were reset.
    assert [error for error in world.origin.errors if "ConnectionResetError" not in error and "BrokenPipeError" not in error] == []
    seen = world.origin.seen("/pass-up")[0]
    assert seen.body == b"abc" and "trailer" not in seen.headers and "x-up" not in seen.headers


def test_without_the_feature_trailers_are_dropped() -> None:
    with Origin(Script()) as origin, serving(POLICY % origin.port) as daemon:
        world = World(daemon, origin, Script())
        for _ in "12":
            r, got = world.get("/hit")
            assert (r.body, got, r.get("Trailer")) == (b"hello world", [], None)
