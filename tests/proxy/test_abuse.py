"""Misbehaving clients, origins and policies: each gets an error of its own, and other users do not notice."""

from __future__ import annotations

import re
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from proxy import daemon
from proxy.daemon import START_S, Daemon, wait_until
from proxy.origin import Client, Handler, Origin, Reply, Request, fetch
from proxy.serve import SANITIZED, SANITIZER_ENV, serve, serving
from proxy.test_delivery import PAGE, page, policy

PASS = "sub vcl_recv { return (pass); }"


def everything(c: Client) -> bytes:
    """All bytes until the proxy closes the connection."""
    data = b""
    try:
        while piece := c.sock.recv(65536):
            data += piece
    except ConnectionResetError:
        pass
    return data


def statuses(data: bytes) -> list[bytes]:
    return re.findall(rb"HTTP/1\.1 (\d{3}) ", data)


# ---- one response per request ----


def test_a_policy_that_turns_head_into_get_sends_no_body() -> None:
    text = 'sub vcl_recv { if (req.restarts == 0) { set req.method = "GET"; return (restart); } return (pass); }'
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        assert c.request("/a", "HEAD").status == 200
        assert origin.requests[0].method == "GET"
        assert c.request("/b").body == b"page /b"       # responses still match requests


def test_a_policy_that_turns_get_into_head_still_answers_a_get() -> None:
    text = 'sub vcl_recv { if (req.restarts == 0) { set req.method = "HEAD"; return (restart); } return (pass); }'
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        assert c.request("/a").body == b""              # Content-Length is 0
        assert c.request("/b").status == 200


@pytest.mark.parametrize("status", [204, 304, 1204])
def test_a_synthetic_response_of_a_status_without_content_has_no_body(status: int) -> None:
    text = 'sub vcl_recv { return (synth(%d)); } sub vcl_synth { synthetic("forbidden here"); return (deliver); }' % status
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        for _ in range(2):
            r = c.request("/")
            assert r.status == status % 1000
            assert r.get("Transfer-Encoding") is None


@pytest.mark.parametrize("where", ["vcl_deliver", "vcl_synth"])
def test_an_interim_status_set_by_the_policy_is_an_error(where: str) -> None:
    text = "sub vcl_recv { if (req.url == \"/s\") { return (synth(200)); } } sub %s { set resp.status = 102; return (deliver); }" % where
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        assert c.request("/s" if where == "vcl_synth" else "/").status == 503


def test_bytes_after_a_response_of_the_origin_are_not_the_next_response() -> None:
    def double(_: Request) -> Reply:
        return Reply(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" + b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
    with Origin(double) as origin, serve(policy(origin, PASS)) as port, Client(port) as c:
        assert [c.request("/").body for _ in range(5)] == [b"ok"] * 5


def test_content_after_a_head_response_is_not_the_next_response() -> None:
    def babbling(_: Request) -> Reply:
        return Reply(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
    with Origin(babbling) as origin, serve(policy(origin, PASS)) as port, Client(port) as c:
        for _ in range(3):
            assert c.request("/", "HEAD").get("Content-Length") == "4"
        assert c.request("/").body == b"evil"


@pytest.mark.parametrize("head", [
    b"204 No Content\r\nTransfer-Encoding: chunked", b"204 No Content\r\nTransfer-Encoding: chunked\r\nContent-Length: 5",
    b"304 Not Modified\r\nTransfer-Encoding: chunked"])
def test_content_announced_by_a_response_without_content_is_not_the_next_response(head: bytes) -> None:
    """The content comes when the connection could be in use again."""
    def later() -> bytes:
        time.sleep(0.02)
        return b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"

    def answer(r: Request) -> Reply:
        return Reply(pieces=[b"HTTP/1.1 " + head + b"\r\n\r\n", later]) if r.url == "/none" else page(r)
    with Origin(answer) as origin, serve(policy(origin, PASS)) as port, Client(port) as c:
        for _ in range(10):
            r = c.request("/none", headers={"If-None-Match": '"a"'})
            assert (r.status, r.get("Content-Length"), r.get("Transfer-Encoding")) == (int(head[:3]), None, None)
            assert c.request("/").body == b"page /"


def test_a_response_before_the_end_of_the_request_body_closes_the_origin_connection() -> None:
    """The origin would read the next bytes on that connection as the rest of the body."""
    listen = socket.create_server(("127.0.0.1", 0))
    second: list[bytes] = []

    def origin() -> None:
        a, _ = listen.accept()
        a.recv(100)                     # not the whole body
        a.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        a.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
        a.shutdown(socket.SHUT_RD)
        b, _ = listen.accept()          # a new connection
        second.append(b.recv(65536))
        b.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

    threading.Thread(target=origin, daemon=True).start()
    text = 'vcl 4.1; backend default { .host = "127.0.0.1"; .port = "%d"; }\n%s' % (listen.getsockname()[1], PASS)
    with serve(text, ("-p", "send_timeout=1")) as port:
        with Client(port) as c:
            c.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n")
            try:
                c.send(b"x" * 8_000_000)
            except (ConnectionResetError, BrokenPipeError):
                pass
        assert fetch(port, "/next").body == b"ok"
        assert second[0].startswith(b"GET /next ")
    listen.close()


def test_pipelined_garbage_affects_later_requests_only() -> None:
    with Origin(page) as origin, serve(policy(origin)) as port, Client(port) as c:
        c.send(b"GET /good HTTP/1.1\r\nHost: a\r\n\r\n\x00\x01garbage\r\n\r\nGET /never HTTP/1.1\r\nHost: a\r\n\r\n")
        assert statuses(everything(c)) == [b"200", b"400"]
        assert origin.count("/never") == 0


@pytest.mark.parametrize("framing", [b"Content-Length: %d\r\n" % (4 << 20), b"Transfer-Encoding: chunked\r\n"])
def test_an_unread_body_never_becomes_a_request(framing: bytes) -> None:
    smuggled = b"GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
    text = "sub vcl_recv { return (synth(403)); }"
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        c.send(b"POST / HTTP/1.1\r\nHost: a\r\n" + framing + b"\r\n")
        try:
            for _ in range(2000):
                c.send(smuggled if b"Length" in framing else b"%x\r\n%s\r\n" % (len(smuggled), smuggled))
            c.sock.shutdown(socket.SHUT_WR)
        except (ConnectionResetError, BrokenPipeError):
            pass
        assert statuses(everything(c)) == [b"403"]


def test_a_small_unread_body_keeps_the_connection() -> None:
    with Origin(page) as origin, serve(policy(origin, "sub vcl_recv { return (synth(403)); }")) as port, Client(port) as c:
        for _ in range(3):
            assert c.request("/", "POST", body=b"b" * 50_000).status == 403


def test_no_100_is_sent_for_a_body_that_is_not_read() -> None:
    with Origin(page) as origin, serve(policy(origin, "sub vcl_recv { return (synth(403)); }")) as port, Client(port) as c:
        c.send(b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n")
        # without a 100; closed, because the body may or may not follow
        assert statuses(everything(c)) == [b"403"]


# ---- what a policy may write ----


@pytest.mark.parametrize("text", [
    'sub vcl_deliver { set resp.http.X = regsub(req.url, ".*", {"a\r\nInjected: yes"}); }',
    'sub vcl_deliver { set resp.reason = {"OK\r\nInjected: yes"}; }',
    'sub vcl_recv { return (synth(200, {"OK\r\nInjected: yes"})); }',
    'sub vcl_backend_response { set beresp.http.X = {"a\r\nInjected: yes"}; }',
    'sub vcl_backend_response { return (error(200, {"OK\r\nInjected: yes"})); }',
    'sub vcl_backend_fetch { set bereq.http.X = {"a\r\nInjected: yes"}; }',
    'sub vcl_backend_fetch { set bereq.url = {"/ HTTP/1.1\r\nInjected: yes"}; }',
    'sub vcl_recv { set req.http.X = {"a\r\nInjected: yes"}; }',
    'sub vcl_recv { set req.method = {"GET / HTTP/1.1\r\nInjected: yes"}; return (pass); }',
])
def test_a_line_end_in_a_value_of_the_policy_is_an_error(text: str) -> None:
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        r = c.request("/")
        assert r.status in (500, 503) and r.get("Injected") is None
        assert not any("injected" in seen.headers for seen in origin.requests)


# ---- time ----


@contextmanager
def impatient(text: str = "", origin_says: Handler = page) -> Iterator[tuple[int, Origin]]:
    with Origin(origin_says) as origin:
        with serve(policy(origin, text), ("-p", "timeout_req=0.3", "-p", "timeout_idle=0.3", "-p", "idle_send_timeout=0.5", "-p", "linger_time=1")) as port:
            yield port, origin


def test_a_slow_head_is_answered_with_408() -> None:
    with impatient() as (port, _), Client(port) as c:
        stop = time.monotonic() + START_S
        try:
            c.send(b"GET / HTTP/1.1\r\n")
            while time.monotonic() < stop:
                c.send(b"X")
                time.sleep(0.02)
        except OSError:
            pass
        assert time.monotonic() < stop
    with impatient() as (port, _), Client(port) as c:
        c.send(b"GET / HTTP/1.1\r\nX")
        assert statuses(everything(c)) == [b"408"]


def test_an_idle_connection_is_closed_without_a_response() -> None:
    with impatient() as (port, _), Client(port) as c:
        assert c.request("/").status == 200
        assert everything(c) == b""


def test_a_stalled_request_body_times_out() -> None:
    with impatient(PASS) as (port, _), Client(port) as c:
        c.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345")
        assert statuses(everything(c)) == [b"503"]


def test_a_client_that_does_not_read_is_disconnected() -> None:
    large = lambda _: Reply(body=b"x" * 50_000_000, headers=PAGE)     # noqa: E731
    with impatient(PASS, large) as (port, origin), Client(port) as c:
        c.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        wait_until(lambda: origin.errors, "the origin's connection is cut: its response has no reader")
        with pytest.raises((EOFError, ConnectionResetError)):
            c.response()


def test_a_slow_reader_gets_a_whole_chunked_response() -> None:
    """If a chunk was sent in part because the socket was full, and the rest then fits at once, sending must
    continue."""
    piece = b"8000\r\n" + b"x" * 0x8000 + b"\r\n"
    chunked = lambda _: Reply(pieces=[b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"] + [piece] * 300 + [b"0\r\n\r\n"])  # noqa: E731
    with Origin(chunked) as origin, serve(policy(origin)) as port, Client(port) as c:
        c.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        c.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        time.sleep(0.3)                 # until the proxy's socket buffer is full
        assert len(c.response().body) == 300 * 0x8000


# ---- amounts ----


@pytest.mark.parametrize(("feature", "answers"), [("-answer_large_heads", []), ("+answer_large_heads", [b"414", b"431"])])
def test_a_head_that_is_too_large_ends_the_connection(feature: str, answers: list[bytes]) -> None:
    with Origin(page) as origin, serve(policy(origin), ("-p", f"feature={feature}")) as port:
        with Client(port) as c:
            c.send(b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n")
            assert c.response().status == 200
            c.send(b"GET /" + b"a" * 33_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n")
            assert statuses(everything(c)) == answers[:1]
        with Client(port) as c:
            c.send(b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X-Y: %s\r\n" % (b"z" * 1000) * 60 + b"\r\n")
            assert statuses(everything(c)) == answers[1:]


def test_a_response_without_storage_closes_the_connection() -> None:
    """Without a reset, which could destroy the response before it."""
    text = """sub vcl_recv { if (req.url == "/synth") { return (synth(200)); } }
        sub vcl_backend_response { set beresp.storage = storage.Transient; }"""
    large = lambda _: Reply(body=b"x" * 1_048_336, headers=PAGE)     # noqa: E731
    with Origin(large) as origin, serve(policy(origin, text), ("-s", "Transient=malloc,1m", "-p", "nuke_limit=0")) as port, Client(port) as c:
        c.send(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n" + b"GET /synth HTTP/1.1\r\nHost: a\r\n\r\n")
        assert len(c.response().body) == 1_048_336
        assert c.sock.recv(1) == b""


def test_limits_may_change_during_a_connection() -> None:
    """A receive buffer keeps its original size."""
    with Origin(page) as origin, serving(policy(origin)) as d, Client(d.port) as c:
        c.request("/")
        for size in ("64k", "4k", "128k", "32k"):
            head = b"GET /%s HTTP/1.1\r\nHost: a\r\n" % size.encode()
            c.send(head)
            d.ok(f"param.set http_req_size {size}")
            d.ok("param.set http_max_hdr " + ("64" if size != "4k" else "32"))
            fields = b"".join(b"F%d: %s\r\n" % (i, b"v" * 100) for i in range(20))
            c.send(fields + b"\r\n")
            assert c.response().body == b"page /%s" % size.encode()
            with Client(d.port_cached) as other:
                other.send(b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1000\r\n" + b"x" * 0x1000 + b"\r\n")
                d.ok("param.set http_req_size 2k")
                other.send(b"1000\r\n%s\r\n" % (b"x" * 0x1000) * 30 + b"0\r\n\r\n")
                assert other.response().status == 200


def test_transit_buffer_limits_the_body_of_a_hit_for_miss_response() -> None:
    """hit-for-miss affects later requests. It is not a reason to store this body."""
    sent = [0]
    def endless(_: Request) -> Reply:
        def piece() -> bytes:
            sent[0] += 1
            return b"10000\r\n" + b"x" * 65536 + b"\r\n"
        pieces: list[object] = [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"] + [piece] * 2000
        return Reply(pieces=pieces)     # type: ignore[arg-type]
    text = "sub vcl_backend_response { set beresp.uncacheable = true; set beresp.ttl = 120s; return (deliver); }"
    with Origin(endless) as origin, serve(policy(origin, text), ("-p", "transit_buffer=256k")) as port, Client(port) as c:
        c.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert c.head().status == 200
        settled = 0
        while settled != sent[0]:       # until the proxy stops reading from the origin
            settled = sent[0]
            time.sleep(0.5)
        assert settled < 400            # 25 MB: socket buffers, and transit_buffer


def test_a_body_larger_than_the_cache_is_passed_through() -> None:
    large = lambda r: Reply(body=b"x" * 3_000_000, headers=PAGE) if r.url == "/large" else page(r)    # noqa: E731
    with Origin(large) as origin, serve(policy(origin), ("-s", "malloc,1m")) as port, Client(port) as c:
        assert c.request("/small").body == b"page /small"
        for _ in range(2):
            assert len(c.request("/large").body) == 3_000_000
        assert origin.count("/large") == 2
        assert c.request("/small").body == b"page /small"
        assert origin.count("/small") == 1              # it evicted nothing


def test_a_request_body_kept_for_a_retry_may_be_larger_than_the_workspace() -> None:
    def second_time(r: Request) -> Reply:
        return Reply(body=b"%d" % len(r.body))
    text = """import std; sub vcl_recv { std.cache_req_body(500KB); }
        sub vcl_backend_response { if (bereq.retries == 0) { return (retry); } }"""
    with Origin(second_time) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        assert c.request("/", "POST", body=b"x" * 400_000).body == b"400000"
        c.send(b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + b"4000\r\n%s\r\n" % (b"x" * 0x4000) * 20 + b"0\r\n\r\n")
        assert c.response().body == b"%d" % (0x4000 * 20)
        assert len(origin.requests) == 4
        with pytest.raises((EOFError, ConnectionError)):     # as in Varnish: closed without a response
            c.request("/", "POST", body=b"x" * 600_000)


def test_restarts_and_retries_are_limited() -> None:
    text = """sub vcl_deliver { return (restart); } sub vcl_backend_response { return (retry); }"""
    with Origin(page) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        for _ in range(3):
            assert c.request("/").status == 503
        assert c.request("/").status == 503


def test_many_pipelined_requests_need_no_deep_stack() -> None:
    n = 20_000
    with Origin(page) as origin, serve(policy(origin)) as port, Client(port, timeout=60) as c:
        c.request("/")
        threading.Thread(target=c.send, args=(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * n,), daemon=True).start()
        for _ in range(n):
            assert c.response().body == b"page /"


def test_x_forwarded_for_is_one_field_with_one_more_address() -> None:
    with Origin(page) as origin, serve(policy(origin, PASS)) as port, Client(port) as c:
        c.send(b"GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\nx-forwarded-for: 192.0.2.2\r\n\r\n")
        c.response()
        assert origin.requests[0].headers["x-forwarded-for"] == "192.0.2.1, 192.0.2.2, 127.0.0.1"


# ---- hosts ----


@pytest.mark.parametrize("target, host, seen", [
    (b"http://other.example/p?q", b"a", ("/p?q", "other.example")),
    (b"HTTP://OTHER.example:81?q", b"a", ("/?q", "other.example:81")),
    (b"http://other.example", b"a", ("/", "other.example")),
    (b"https://other.example/p", b"a", ("/p", "other.example")),
    (b"hTTpS://other.example:443", b"a", ("/", "other.example:443")),
])
def test_the_authority_of_an_absolute_target_is_the_host(target: bytes, host: bytes, seen: tuple[str, str]) -> None:
    with Origin(page) as origin, serve(policy(origin, PASS)) as port, Client(port) as c:
        c.send(b"GET %s HTTP/1.1\r\nHost: %s\r\n\r\n" % (target, host))
        assert c.response().status == 200
        assert (origin.requests[0].url, origin.requests[0].headers["host"].lower()) == seen


def test_a_rule_on_host_sees_the_host_of_every_target() -> None:
    rule = 'sub vcl_recv { if (req.http.host == "admin") { return (synth(403)); } return (synth(200)); }'
    with Origin(page) as origin, serve(policy(origin, rule)) as port:
        def status(target: bytes, method: bytes = b"GET") -> int:
            with Client(port) as c:
                c.send(b"%s %s HTTP/1.1\r\nHost: public\r\n\r\n" % (method, target))
                return c.response().status
        assert [status(b"http://admin/x"), status(b"https://admin/x"), status(b"https://admin", b"OPTIONS")] == [403] * 3
        assert [status(scheme + b"://admin/x") for scheme in (b"ftp", b"ws", b"wss", b"file", b"gopher", b"httpss", b"h")] == [400] * 7
        assert [status(b"https://" + host + b"/x") for host in (b"u@admin", b"u:p@admin", b"", b"public@")] == [400] * 4
        assert [status(b"/x"), status(b"//admin/x"), status(b"https://public/x")] == [200] * 3


def test_options_of_a_host_is_options_of_the_server() -> None:
    with Origin(page) as origin, serve(policy(origin, PASS)) as port, Client(port) as c:
        for target in (b"http://a", b"http://a/", b"http://a?q", b"*"):
            c.send(b"OPTIONS %s HTTP/1.1\r\nHost: b\r\n\r\n" % target)
            assert c.response().status == 200
        assert [r.url for r in origin.requests] == ["*", "/", "/?q", "*"]


def test_a_request_without_host_is_400_in_1_1_and_served_in_1_0() -> None:
    with Origin(page) as origin, serve(policy(origin)) as port:
        assert fetch(port, "/", host=None).status == 400
        with Client(port) as c:
            c.send(b"GET / HTTP/1.0\r\n\r\n")
            assert c.response().status == 200
            assert c.closed()
        with Client(port) as c:
            for _ in range(2):
                c.send(b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                assert c.response().body == b"page /"


# ---- leaving ----


def test_a_half_closed_client_gets_its_response() -> None:
    go = threading.Event()
    def late(r: Request) -> Reply:
        go.wait(START_S)
        return page(r)
    with Origin(late) as origin, serve(policy(origin)) as port, Client(port) as c:
        c.send(b"GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        c.sock.shutdown(socket.SHUT_WR)
        wait_until(lambda: origin.requests, "the origin has the request")
        go.set()
        assert c.response().body == b"page /a"
        assert c.closed()


def test_a_client_that_resets_while_the_origin_is_silent_ends_the_pass() -> None:
    left = threading.Event()
    listen = socket.create_server(("127.0.0.1", 0))

    def origin() -> None:
        a, _ = listen.accept()
        a.recv(65536)
        a.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        if a.recv(1) == b"":            # sends nothing more until the proxy closes
            left.set()

    threading.Thread(target=origin, daemon=True).start()
    text = 'vcl 4.1; backend default { .host = "127.0.0.1"; .port = "%d"; }\n%s' % (listen.getsockname()[1], PASS)
    with serve(text) as port, Client(port) as c:
        c.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert c.head().status == 200
        c.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        c.close()
        assert left.wait(START_S)
    listen.close()


def page_behind(gate: threading.Event) -> Handler:
    def handler(r: Request) -> Reply:
        gate.wait(START_S)
        return page(r)
    return handler


def test_a_stop_lets_requests_in_flight_finish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if SANITIZED.exists():
        monkeypatch.setattr(daemon, "VERNISD", SANITIZED)
    gate = threading.Event()
    at_once = ["-p", "loops=2", "-p", "tcp_defer_accept=0"]     # the kernel closes no connection that it still keeps
    with Origin(page_behind(gate)) as origin, Daemon(tmp_path, policy(origin), at_once, env=SANITIZER_ENV) as d:
        clients = [Client(d.port) for _ in range(10)]
        idle = [Client(d.port_cached) for _ in range(4)]        # of both loops
        for i, c in enumerate(clients):
            c.send(b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n" % i)
        wait_until(lambda: len(origin.requests) == len(clients), "the origin has all requests")
        d.process.send_signal(signal.SIGTERM)
        assert all(c.closed() for c in idle)                    # the loops know that they stop
        gate.set()
        for i, c in enumerate(clients):
            r = c.response()
            assert (r.body, r.get("Connection")) == (b"page /%d" % i, "close")
            c.close()
        assert d.process.wait(30) == 0
        assert "Broken invariant" not in d.logs and "AddressSanitizer" not in d.logs, d.logs


def test_a_stop_does_not_wait_longer_than_shutdown_timeout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that never arrives, a response that no client reads, a pipe: cut after shutdown_timeout."""
    if SANITIZED.exists():
        monkeypatch.setattr(daemon, "VERNISD", SANITIZED)
    text = 'sub vcl_recv { if (req.url == "/pipe") { return (pipe); } return (pass); }'
    large = lambda r: page(r) if r.method == "POST" else Reply(body=b"x" * 30_000_000)    # noqa: E731
    with Origin(large) as origin, Daemon(tmp_path, policy(origin, text), ("-p", "shutdown_timeout=0.5"), env=SANITIZER_ENV) as d:
        with Client(d.port) as posting, Client(d.port) as reading, Client(d.port) as piping:
            posting.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nx")
            reading.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            piping.send(b"GET /pipe HTTP/1.1\r\nHost: a\r\n\r\n")
            reading.head()
            piping.head()
            d.process.send_signal(signal.SIGTERM)
            with pytest.raises((EOFError, ConnectionResetError)):
                posting.response()
            assert d.process.wait(30) == 0
        assert "Broken invariant" not in d.logs and "Sanitizer" not in d.logs, d.logs
