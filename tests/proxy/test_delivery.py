"""HTTP/1.1 between client and proxy: framing, keep-alive, pipelining, conditions, ranges, request bodies."""

from __future__ import annotations

import socket
import threading

from proxy.origin import Client, Origin, Reply, Request, fetch
from proxy.serve import serve

BACKEND = 'vcl 4.1; backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}\n'
PAGE = {"Cache-Control": "max-age=60"}


def policy(origin: Origin, text: str = "") -> str:
    return BACKEND.format(port=origin.port) + text


def page(request: Request) -> Reply:
    return Reply(body=b"page " + request.url.encode(), headers=PAGE)


def test_one_connection_carries_many_requests() -> None:
    with Origin(page) as origin, serve(policy(origin)) as port, Client(port) as c:
        for i in range(20):
            r = c.request(f"/{i % 5}")
            assert (r.status, r.body) == (200, b"page /%d" % (i % 5))
        assert len(origin.requests) == 5            # each page was fetched once


def test_pipelined_requests_are_answered_in_order() -> None:
    with Origin(page) as origin, serve(policy(origin)) as port, Client(port) as c:
        c.send(b"".join(b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n" % i for i in range(10)))
        assert [c.response().body for _ in range(10)] == [b"page /%d" % i for i in range(10)]


def test_a_head_may_arrive_in_pieces() -> None:
    with Origin(page) as origin, serve(policy(origin)) as port, Client(port) as c:
        for byte in b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n":
            c.send(bytes([byte]))
        assert c.response().body == b"page /slow"


def test_head_has_the_length_of_get_and_no_body() -> None:
    with Origin(page) as origin, serve(policy(origin)) as port, Client(port) as c:
        r = c.request("/x", "HEAD")
        assert (r.status, r.get("Content-Length"), r.body) == (200, "7", b"")
        assert origin.requests[0].method == "GET"   # a miss fetches the whole response, for later requests
        assert c.request("/x").body == b"page /x"   # responses still match requests
        assert len(origin.requests) == 1


def test_http_1_0_clients_get_no_chunks_and_a_closed_connection() -> None:
    def chunked(_: Request) -> Reply:
        return Reply(raw=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
    with Origin(chunked) as origin, serve(policy(origin)) as port, Client(port) as c:
        c.send(b"GET / HTTP/1.0\r\nHost: a\r\n\r\n")
        r = c.response()
        assert r.body == b"hello" and r.get("Transfer-Encoding") is None
        assert c.closed()


def test_connection_close_is_followed_and_sent() -> None:
    with Origin(page) as origin, serve(policy(origin)) as port, Client(port) as c:
        r = c.request("/", headers={"Connection": "close"})
        assert r.get("Connection") == "close" and c.closed()


def test_a_chunked_response_is_stored_with_its_length() -> None:
    def chunked(_: Request) -> Reply:
        return Reply(raw=b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n"
                     b"3;ext=1\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n")
    with Origin(chunked) as origin, serve(policy(origin)) as port, Client(port) as c:
        assert c.request("/").body == b"abc0123456789"
        hit = c.request("/")
        assert (hit.body, hit.get("Content-Length")) == (b"abc0123456789", "13")
        assert hit.get("Trailer") is None


def test_a_matching_etag_gives_304() -> None:
    def tagged(_: Request) -> Reply:
        return Reply(body=b"body", headers=PAGE | {"ETag": '"v1"', "Last-Modified": "Sat, 01 Aug 2026 10:00:00 GMT"})
    with Origin(tagged) as origin, serve(policy(origin)) as port, Client(port) as c:
        assert c.request("/").status == 200
        r = c.request("/", headers={"If-None-Match": '"other", W/"v1"'})
        assert (r.status, r.body, r.get("ETag")) == (304, b"", '"v1"')
        assert c.request("/", headers={"If-None-Match": '"v2"'}).status == 200
        assert c.request("/", headers={"If-Modified-Since": "Sat, 01 Aug 2026 10:00:00 GMT"}).status == 304
        assert c.request("/", headers={"If-Modified-Since": "Sat, 01 Aug 2026 09:59:59 GMT"}).status == 200


def test_ranges_of_a_stored_response() -> None:
    def tagged(_: Request) -> Reply:
        return Reply(body=b"0123456789", headers=PAGE | {"ETag": '"v1"'})
    with Origin(tagged) as origin, serve(policy(origin)) as port, Client(port) as c:
        c.request("/")
        r = c.request("/", headers={"Range": "bytes=2-4"})
        assert (r.status, r.body, r.get("Content-Range")) == (206, b"234", "bytes 2-4/10")
        assert c.request("/", headers={"Range": "bytes=-3"}).body == b"789"
        assert c.request("/", headers={"Range": "bytes=5-"}).body == b"56789"
        r = c.request("/", headers={"Range": "bytes=10-"})
        assert (r.status, r.get("Content-Range")) == (416, "bytes */10")
        assert c.request("/", headers={"Range": "bytes=1-2", "If-Range": '"v0"'}).status == 200
        assert c.request("/", headers={"Range": "bytes=1-2", "If-Range": '"v1"'}).body == b"12"
        assert c.request("/", headers={"Range": "lines=1-2"}).status == 200


def test_a_range_waits_only_for_its_own_bytes() -> None:
    gate = threading.Event()
    body = bytes(range(250)) * 100
    def slow(_: Request) -> Reply:
        return Reply(pieces=[b"HTTP/1.1 200 OK\r\nContent-Length: 25000\r\nCache-Control: max-age=60\r\n\r\n" + body[:10000],
                             lambda: b"" if gate.wait(30) else None, body[10000:]])
    with Origin(slow) as origin, serve(policy(origin)) as port, Client(port) as c:
        for _ in "12":                              # the second client reads from the first one's fetch
            r = c.request("/", headers={"Range": "bytes=9000-9999"})
            assert (r.status, r.body, r.get("Content-Range")) == (206, body[9000:10000], "bytes 9000-9999/25000")
        c.send(b"GET / HTTP/1.1\r\nHost: example.com\r\nRange: bytes=-100\r\n\r\n")
        assert c.head().status == 206               # its bytes have not arrived yet
        gate.set()
        assert c.stream.read(100) == body[-100:]
        assert len(origin.requests) == 1


def test_a_slow_reader_gets_a_whole_large_body() -> None:
    body = bytes(range(256)) * 40_000               # 10 MB, more than any socket buffer
    def large(_: Request) -> Reply:
        return Reply(body=body, headers=PAGE)
    with Origin(large) as origin, serve(policy(origin)) as port, Client(port) as c:
        c.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        for _ in range(2):                          # during the fetch, then from the store
            assert c.request("/large").body == body


def test_request_bodies_are_forwarded() -> None:
    def echo(r: Request) -> Reply:
        return Reply(body=r.method.encode() + b":" + r.body, headers={"X-Framing": r.headers.get("transfer-encoding", "length")})
    with Origin(echo) as origin, serve(policy(origin)) as port, Client(port) as c:
        assert c.request("/", "POST", body=b"abc").body == b"POST:abc"
        big = b"z" * 300_000
        assert c.request("/", "PUT", body=big).body == b"PUT:" + big
        c.send(b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nwxyz\r\n2\r\n!!\r\n0\r\n\r\n"
               b"GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
        r = c.response()
        assert (r.body, r.get("X-Framing")) == (b"POST:wxyz!!", "chunked")
        assert c.response().body == b"GET:"         # the request pipelined after the chunked body


def test_expect_continue_is_answered_when_the_body_is_needed() -> None:
    def echo(r: Request) -> Reply:
        return Reply(body=r.body)
    with Origin(echo) as origin, serve(policy(origin)) as port, Client(port) as c:
        c.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        assert c.head().status == 100
        c.send(b"abc")
        assert c.response().body == b"abc"


def test_expect_continue_is_not_answered_before_a_synthetic_response() -> None:
    with Origin(page) as origin, serve(policy(origin, "sub vcl_recv { return (synth(403)); }")) as port, Client(port) as c:
        c.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        assert c.head().status == 403               # without a 100 before it


def test_expect_continue_without_content_is_answered() -> None:
    with Origin(page) as origin, serve(policy(origin, "sub vcl_recv { if (req.url == \"/synth\") { return (synth(403)); } }")) as port, \
            Client(port) as c:
        for method, length, url, status in [("GET", "", "/a", 200), ("GET", "", "/a", 200), ("POST", "Content-Length: 0\r\n", "/b", 200),
                                            ("HEAD", "", "/a", 200), ("GET", "", "/synth", 403)]:
            c.send(f"{method} {url} HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n{length}\r\n".encode())
            assert c.head().status == 100
            assert c.response(method).status == status      # and the connection stays open
        assert all("expect" not in r.headers for r in origin.requests)
        c.send(b"GET /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue, x\r\n\r\n")
        assert c.head().status == 417
    with Origin(page) as origin, serve(policy(origin)) as port, Client(port) as c:
        c.send(b"GET /a HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\n\r\n")
        assert c.response().status == 200                   # RFC 9110, 10.1.1: HTTP/1.0 ignores the expectation


def test_an_unread_body_does_not_become_a_request() -> None:
    with Origin(page) as origin, serve(policy(origin, "sub vcl_recv { if (req.method == \"POST\") { return (synth(403)); } }")) \
            as port, Client(port) as c:
        inner = b"GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
        c.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(inner) + inner)
        assert c.response().status == 403
        assert c.request("/after").body == b"page /after"
        assert origin.count("/smuggled") == 0


def test_hop_by_hop_fields_are_not_forwarded() -> None:
    def hop(_: Request) -> Reply:
        return Reply(body=b"x", headers=PAGE | {"Connection": "X-Origin-Only, keep-alive", "X-Origin-Only": "1", "Keep-Alive": "5"})
    with Origin(hop) as origin, serve(policy(origin)) as port, Client(port) as c:
        r = c.request("/", headers={"Connection": "X-Client-Only", "X-Client-Only": "1", "TE": "trailers", "X-Kept": "1"})
        assert r.get("X-Origin-Only") is None and r.get("Keep-Alive") is None
        sent = origin.requests[0].headers
        assert "x-client-only" not in sent and "te" not in sent and sent["x-kept"] == "1"


def test_an_absolute_target_sets_the_host() -> None:
    with Origin(page) as origin, serve(policy(origin)) as port, Client(port) as c:
        c.send(b"GET http://real.example/a HTTP/1.1\r\nHost: fake.example\r\n\r\n")
        assert c.response().body == b"page /a"
        assert origin.requests[0].headers["host"] == "real.example"
        c.send(b"GET http://real.example HTTP/1.1\r\nHost: fake.example\r\n\r\n")
        assert c.response().body == b"page /"


def test_the_client_address_is_sent_to_the_origin() -> None:
    with Origin(page) as origin, serve(policy(origin)) as port:
        fetch(port, "/", headers={"X-Forwarded-For": "198.51.100.7"})
        assert origin.requests[0].headers["x-forwarded-for"] == "198.51.100.7, 127.0.0.1"

