"""An answer that comes before the end of the request's content: from the origin, or from the policy. The client
gets it at once, whatever it does, and an origin that goes on reading gets all of the content."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

import pytest

from proxy.daemon import Daemon, wait_equal, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving
from proxy.test_limits import log_of
from support.accepting import serve_each

POLICY = """vcl 4.1; import std;
backend default { .host = "127.0.0.1"; .port = "%d"; }
sub vcl_recv {
    if (req.restarts > 0) { return (pass); }
    if (req.url ~ "^/synth") { return (synth(403)); }
    if (req.url ~ "^/kept") { std.cache_req_body(16MB); }
    if (req.url ~ "^/hit") { return (hash); }
}
sub vcl_deliver { if (req.url ~ "^/restart" && req.restarts == 0) { return (restart); } }
sub vcl_backend_response { if (bereq.url ~ "^/retry" && bereq.retries == 0) { return (retry); } }
"""
NOTICE = "vernis: The origin answered before the end of the request body"
LENGTH = 8_000_000
PIECE = b"z" * 50_000
CHUNK = b"c350\r\n" + PIECE + b"\r\n"

Script = Callable[[socket.socket, bytes], None]


def answer(status: int, body: bytes = b"no", *fields: str) -> bytes:
    lines = "".join(f"{f}\r\n" for f in (*fields, f"Content-Length: {len(body)}"))
    return f"HTTP/1.1 {status} Early\r\n{lines}\r\n".encode() + body


@contextmanager
def origin(script: Script) -> Iterator[int]:
    """Calls ``script`` with each connection and the bytes up to the end of its first head."""
    def serve(c: socket.socket) -> None:
        with closing(c):
            got = b""
            try:
                while b"\r\n\r\n" not in got and (data := c.recv(65536)):
                    got += data
                script(c, got)
            except OSError:
                return
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listen:
        serve_each(listen, serve)
        yield int(listen.getsockname()[1])


@contextmanager
def world(script: Script, args: Sequence[str] = ()) -> Iterator[Daemon]:
    with origin(script) as port, serving(POLICY % port, args) as d:
        assert d.port_cached
        yield d


def read_on(c: socket.socket) -> bytes:
    got = b""
    while data := c.recv(1 << 20):
        got += data
    return got


def reads_on(data: bytes) -> Script:
    def script(c: socket.socket, _: bytes) -> None:
        c.sendall(data)
        read_on(c)
    return script


def reads_nothing(data: bytes, until: threading.Event) -> Script:
    def script(c: socket.socket, _: bytes) -> None:
        c.sendall(data)
        until.wait(60)
    return script


def closes(data: bytes) -> Script:
    return lambda c, _: c.sendall(data)


def resets(data: bytes) -> Script:
    def script(c: socket.socket, _: bytes) -> None:
        c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        c.sendall(data)
    return script


def begin(c: Client, url: str = "/", chunked: bool = False, version: str = "1.1") -> None:
    """Sends the head of an upload and the first bytes of its content."""
    framing = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {LENGTH}"
    c.send(f"POST {url} HTTP/{version}\r\nHost: a\r\n{framing}\r\n\r\n".encode() + (CHUNK if chunked else PIECE))


# ---- the origin answers ----


@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
@pytest.mark.parametrize("status", [302, 401, 413, 500, 101])
def test_an_early_answer_does_not_wait_for_the_upload(status: int, chunked: bool) -> None:
    with world(reads_on(answer(status))) as d, Client(d.port_cached) as c:
        begin(c, chunked=chunked)
        r = c.response()                            # the client sends nothing more
        assert (r.status, r.get("Connection")) == (503 if status == 101 else status, "close")
        assert status == 101 or r.body == b"no"
        assert c.closed()
        wait_equal(lambda: log_of(d, "Notice"), {NOTICE})


def test_an_http_1_0_client_gets_an_early_answer() -> None:
    with world(reads_on(answer(413))) as d, Client(d.port_cached) as c:
        begin(c, version="1.0")
        assert c.response().status == 413 and c.closed()


@pytest.mark.parametrize("how", [closes, resets])
def test_the_answer_of_an_origin_that_closes_counts(how: Callable[[bytes], Script]) -> None:
    with world(how(answer(413))) as d:
        for chunked in (False, True) * 5:
            with Client(d.port_cached) as c:
                begin(c, chunked=chunked)
                assert (c.response().status, c.closed()) == (413, True)


def test_an_origin_that_closes_without_an_answer_fails_the_request_at_once() -> None:
    with world(closes(b"")) as d, Client(d.port_cached) as c:
        begin(c)
        assert c.response().status == 503 and c.closed()


@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
def test_an_origin_that_no_longer_reads_is_heard(chunked: bool) -> None:
    """The sockets are full: the fetch waits for room when the answer arrives."""
    over = threading.Event()

    def script(c: socket.socket, _: bytes) -> None:
        wait_until(lambda: sent.is_set(), "the client cannot send more")
        c.sendall(answer(413))
        over.wait(60)
    sent = threading.Event()
    with world(script) as d, Client(d.port_cached) as c:
        framing = "Transfer-Encoding: chunked" if chunked else "Content-Length: 100000000"
        c.send(f"POST / HTTP/1.1\r\nHost: a\r\n{framing}\r\n\r\n".encode())
        c.sock.setblocking(False)
        data, at = (CHUNK if chunked else PIECE) * 600, 0
        end = time.monotonic() + 1
        while time.monotonic() < end:       # until nothing was taken for a while
            try:
                at += c.sock.send(data[at:at + 1_000_000])
                end = time.monotonic() + 1
            except BlockingIOError:
                time.sleep(0.01)
        c.sock.settimeout(30)
        sent.set()
        assert c.response().status == 413
        over.set()


def test_interim_responses_do_not_end_the_upload() -> None:
    got: list[bytes] = []

    def script(c: socket.socket, first: bytes) -> None:
        body = first.partition(b"\r\n\r\n")[2]
        c.sendall(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
        for i in range(0, LENGTH, 1_000_000):
            while len(body) < i:
                body += c.recv(65536)
            c.sendall(b"HTTP/1.1 102 Processing\r\n\r\n")
        while len(body) < LENGTH:
            body += c.recv(65536)
        got.append(body)
        c.sendall(answer(401))
    with world(script) as d, Client(d.port_cached) as c:
        begin(c)
        c.send(b"z" * (LENGTH - len(PIECE)))
        assert (c.response().status, got) == (401, [b"z" * LENGTH])
        assert c.request("/synth").status == 403            # the connection stays open


@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
def test_an_origin_with_an_early_200_gets_all_of_the_content(chunked: bool) -> None:
    got: list[int] = []

    def script(c: socket.socket, first: bytes) -> None:
        n = len(first.partition(b"\r\n\r\n")[2])
        c.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
        want = 160 * (len(PIECE) + 8) if chunked else LENGTH
        while n < want and (data := c.recv(65536)):
            n += len(data)
        got.append(n)
        c.sendall(b"done")
    with world(script) as d, Client(d.port_cached) as c:
        begin(c, chunked=chunked)
        for _ in range(159):
            c.send(CHUNK if chunked else PIECE)
        c.send(b"0\r\n\r\n" if chunked else b"")
        assert c.response().body == b"done"
        assert got[0] >= LENGTH


def test_a_kept_body_is_read_before_and_the_connection_stays_open() -> None:
    with world(reads_on(answer(413))) as d, Client(d.port_cached) as c:
        assert c.request("/kept", "POST", body=b"z" * LENGTH).status == 413
        assert c.request("/synth").status == 403


@pytest.mark.parametrize("url", ["/restart", "/retry"])
def test_content_that_was_cut_is_not_sent_again(url: str) -> None:
    with world(reads_on(answer(413))) as d, Client(d.port_cached) as c:
        begin(c, url)
        assert c.response().status == 503 and c.closed()


def test_a_reused_connection_that_was_cut_is_not_used_again() -> None:
    with world(reads_on(answer(413))) as d:
        for _ in range(3):
            with Client(d.port_cached) as c:
                begin(c)
                assert c.response().status == 413
        wait_equal(lambda: (d.counters["MAIN.backend_conn"], d.counters["MAIN.backend_reuse"], d.counters["MAIN.backend_recycle"]), (3, 0, 0))


# ---- the client ----


@pytest.mark.parametrize("url", ["/", "/synth"])
@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
def test_a_client_that_reads_after_its_upload_gets_the_answer(url: str, chunked: bool) -> None:
    with world(reads_on(answer(403))) as d, Client(d.port_cached) as c:
        begin(c, url, chunked)
        for _ in range(159):
            c.send(CHUNK if chunked else PIECE)     # fails if the connection was reset
        c.send(b"0\r\n\r\n" if chunked else b"")
        assert c.response().status == 403 and c.closed()


def test_a_large_answer_and_a_large_upload_do_not_wait_for_each_other() -> None:
    with world(reads_on(answer(500, b"n" * 12_000_000)), ("-p", "idle_send_timeout=5")) as d, Client(d.port_cached, receive=65536) as c:
        begin(c)
        for _ in range(159):
            c.send(PIECE)
            time.sleep(0.001)
        r = c.response()
        assert (r.status, len(r.body)) == (500, 12_000_000) and c.closed()


def test_a_body_that_arrives_in_time_keeps_the_connection() -> None:
    with world(reads_on(answer(403)), ("-p", "unread_body_wait=20")) as d, Client(d.port_cached) as c:
        for _ in range(3):
            c.send(b"POST /synth HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n")
            time.sleep(0.1)
            c.send(b"z" * 10)
            r = c.response()
            assert (r.status, r.get("Connection")) == (403, "keep-alive")


def test_a_slow_client_does_not_delay_its_answer() -> None:
    with world(reads_on(answer(403)), ("-p", "timeout_idle=60", "-p", "unread_body_wait=0.1")) as d, Client(d.port_cached, timeout=20) as c:
        c.send(b"POST /synth HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nz")
        r = c.response()
        assert (r.status, r.get("Connection")) == (403, "close") and c.closed()


def ends_while_sending(c: Client, data: bytes, pause: float) -> bool:
    """Whether the connection is reset within 20 seconds of sending."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            c.send(data)
        except OSError:
            return True
        time.sleep(pause)
    return False


def test_linger_time_ends_a_client_that_sends_on_and_on() -> None:
    with world(reads_on(answer(403)), ("-p", "linger_time=1")) as d, Client(d.port_cached) as c:
        begin(c, "/synth", chunked=True)
        assert c.response().status == 403
        assert ends_while_sending(c, b"1\r\nz\r\n", 0.05)
        wait_equal(lambda: d.counters["VERNIS.sess_live"], 0)


def test_linger_size_ends_an_upload_that_nobody_reads() -> None:
    with world(reads_on(answer(403)), ("-p", "linger_size=1m", "-p", "linger_time=1000")) as d, Client(d.port_cached) as c:
        begin(c, "/synth")
        assert c.response().status == 403
        assert ends_while_sending(c, PIECE, 0)


def test_a_client_that_stops_sending_is_closed() -> None:
    with world(reads_on(answer(403)), ("-p", "linger_time=1000")) as d, Client(d.port_cached) as c:
        begin(c, "/synth")
        assert c.response().status == 403 and c.closed()
        wait_equal(lambda: d.counters["VERNIS.sess_live"], 0)


def test_a_hit_does_not_wait_for_the_content_of_its_request() -> None:
    def page(_: Request) -> Reply:
        return Reply(body=b"page", headers={"Cache-Control": "max-age=60"})
    with Origin(page) as o, serving(POLICY % o.port) as d:
        with Client(d.port_cached) as c:
            assert c.request("/hit").body == b"page"
        with Client(d.port_cached) as c:
            c.send(b"GET /hit HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % LENGTH + PIECE)
            r = c.response()
            assert (r.body, r.get("Connection")) == (b"page", "close") and c.closed()


def test_many_early_answers_leave_nothing_behind() -> None:
    with world(reads_on(answer(413))) as d:
        def upload() -> None:
            for i in range(20):
                with Client(d.port_cached) as c:
                    begin(c, chunked=i % 2 == 0)
                    assert c.response().status == 413
        threads = [threading.Thread(target=upload) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        names = "VERNIS.sess_live", "VERNIS.req_live", "VERNIS.fetch_live"
        wait_equal(lambda: [d.counters[name] for name in names], [0, 0, 0])
        wait_equal(lambda: log_of(d, "Notice"), {NOTICE})
