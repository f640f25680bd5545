"""WebSockets over HTTP/2 (RFC 8441): the client opens a tunnel on a stream, the origin speaks WebSocket over HTTP/1.1."""

from __future__ import annotations

import base64
import hashlib
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from proxy.daemon import Daemon, wait_equal
from proxy.h2_client import Code, Fields, Flag, Session, Setting, Type
from proxy.serve import serving
from proxy.test_log_client import Log, tags, values

POLICY = """vcl 4.1;
backend b { .host = "127.0.0.1"; .port = "%d"; }
sub vcl_recv {
    if (req.url == "/pass") { return (pass); }
    if (req.url == "/no") { return (synth(403, req.connect_protocol)); }
}
"""
ON = ("-p", "feature=+http2", "-p", "loops=1", "-p", "h2_extended_connect=on", "-p", "h2_frame_limit=200")
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"           # RFC 6455, 1.3


def accepted(head: bytes) -> bytes:
    """The answer of a WebSocket server to a request that it accepts."""
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if line)
    key = next(line.split(b": ")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key"))
    assert (fields[b"upgrade"], fields[b"connection"], len(base64.b64decode(key))) == (b"websocket", b"upgrade", 16)
    proof = base64.b64encode(hashlib.sha1(key + GUID).digest())
    return (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + proof +
            b"\r\nSec-WebSocket-Protocol: chat\r\n\r\n")


class Sockets:
    """An origin that answers with ``answer`` of the request head, then sends back each message that it gets."""

    def __init__(self, answer: Callable[[bytes], bytes]) -> None:
        self.answer, self.heads = answer, list[bytes]()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.go_on, self.resets = threading.Event(), False
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self) -> None:
        while True:
            try:
                conn, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(conn,), daemon=True).start()

    def serve(self, conn: socket.socket) -> None:
        with conn, conn.makefile("rb") as stream:
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                line = stream.readline()
                if not line:
                    return
                head += line
            self.heads.append(head)
            answer = self.answer(head)
            conn.sendall(answer)
            while answer.endswith(b"\r\n\r\n") and (piece := stream.read1(65_536)):
                if piece == b"reset":
                    conn.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                    return
                conn.sendall(piece)

    def __enter__(self) -> Sockets:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.listener.close()


@contextmanager
def sockets(answer: Callable[[bytes], bytes] = accepted, args: tuple[str, ...] = ON) -> Iterator[tuple[Sockets, Daemon, Session]]:
    with Sockets(answer) as origin, serving(POLICY % origin.port, args, sanitized=True) as daemon, Session(daemon.port, gives_windows=False) as c:
        c.ping()
        yield origin, daemon, c


def connect(c: Session, path: str = "/chat", protocol: str = "websocket", method: str = "CONNECT", fields: Fields = ()) -> int:
    stream = c.open()
    head = [(":method", method), (":protocol", protocol), (":scheme", "http"), (":authority", "a.example"), (":path", path),
            ("sec-websocket-version", "13"), ("sec-websocket-protocol", "chat"), *fields]
    c.headers(stream, c.encoder.encode(head), end=False)
    return stream


def opened(c: Session, path: str = "/chat") -> int:
    stream = connect(c, path)
    c.wait(lambda: c.answers[stream].head or c.answers[stream].over, "the head")
    assert c.answers[stream].status == 200
    return stream


def test_a_websocket_goes_through() -> None:
    with sockets() as (origin, daemon, c):
        assert c.peer[Setting.ENABLE_CONNECT_PROTOCOL] == 1
        stream = opened(c)
        answer = c.answers[stream]
        assert answer.head[1:] == [("sec-websocket-protocol", "chat")], "no fields of the connection"
        assert origin.heads[0].startswith(b"GET /chat HTTP/1.1\r\n") and b"\r\nsec-websocket-version: 13\r\n" in origin.heads[0].lower()
        message = b"\x81\x85\1\2\3\4hello"
        for _ in range(300):                             # more small ones than the budget has
            c.send_body(stream, message, end=False)
            due = len(answer.body) + len(message)
            c.wait(lambda due=due: len(answer.body) == due, "the message comes back")       # type: ignore[misc]
        assert answer.body == message * 300
        c.send_body(stream, b"last", end=True)
        assert c.response(stream).body.endswith(b"last") and answer.ended and answer.reset is None
        request = Log(daemon).request()
        assert values(request, "RespStatus") == ["200"] and "PipeAcct" in tags(request)
        assert c.get("/no").status == 403, "the session goes on"


def test_a_large_transfer_waits_for_windows() -> None:
    with sockets() as (_, _, c):
        c.gives_windows = True
        stream, data = opened(c), bytes(range(256)) * 4000
        c.send_body(stream, data, end=True)
        assert c.response(stream).body == data


def test_many_tunnels_share_a_session() -> None:
    with sockets() as (_, _, c):
        streams = [opened(c, f"/{i}") for i in range(50)]
        for i, stream in enumerate(streams):
            c.send_body(stream, b"%d" % i, end=True)
        assert [c.response(stream).body for stream in streams] == [b"%d" % i for i in range(50)]


def test_the_policy_knows_the_protocol() -> None:
    with sockets() as (_, daemon, c):
        stream = connect(c, "/no", "connect-udp")
        assert c.response(stream).status == 403
        assert values(Log(daemon).request(), "RespReason") == ["connect-udp"]


def test_only_a_pipe_serves_it() -> None:
    with sockets() as (origin, _, c):
        assert c.response(connect(c, "/pass")).status == 501
        assert origin.heads == []


def text(status: str) -> bytes:
    return b"HTTP/1.1 " + status.encode() + b"\r\nContent-Length: 4\r\nX-Why: a\r\n\r\ntext"


@pytest.mark.parametrize(("given", "status"), [
    (text("403 No"), 403),
    (text("200 OK"), 502),               # would be an open tunnel
    (b"no HTTP at all\r\n\r\n", 502),
    (b"HTTP/1.1 101 Switching", 502),    # ends within the head
    (b"", 502),
    (b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + text("404 Not Found"), 404),
])
def test_an_origin_that_does_not_upgrade(given: bytes, status: int) -> None:
    with sockets(lambda _: given) as (_, _, c):
        answer = c.response(connect(c))
        assert (answer.status, answer.body, answer.ended, answer.get("content-length")) == (status, b"", True, None)
        assert answer.get("x-why") == ("a" if status in (403, 404) else answer.get("x-why"))
        assert c.get("/no").status == 403, "the session goes on"


def test_resets_go_through() -> None:
    with sockets() as (_, daemon, c):
        stream = opened(c)
        c.send_body(stream, b"reset", end=False)
        assert c.response(stream).reset == Code.CANCEL
        stream = opened(c)
        c.reset(stream)
        wait_equal(lambda: daemon.counters["MAIN.n_pipe"], 0)
        assert c.get("/no").status == 403


def test_a_session_ends_with_its_tunnels() -> None:
    with sockets() as (_, daemon, c):
        opened(c)
        c.sock.close()
        wait_equal(lambda: daemon.counters["MAIN.n_pipe"], 0)


def test_a_silent_origin_ends_with_pipe_timeout() -> None:
    waits = threading.Event()

    def silent(_: bytes) -> bytes:
        waits.wait(30)
        return b""

    with sockets(silent, (*ON, "-p", "pipe_timeout=1")) as (_, _, c):
        assert c.response(connect(c)).status == 504
        waits.set()


@pytest.mark.parametrize("fields", [
    [(":method", "GET"), (":protocol", "websocket"), (":scheme", "http"), (":authority", "a"), (":path", "/")],
    [(":method", "CONNECT"), (":protocol", "web socket"), (":scheme", "http"), (":authority", "a"), (":path", "/")],
    [(":method", "CONNECT"), (":protocol", "a"), (":protocol", "a"), (":scheme", "http"), (":authority", "a"), (":path", "/")],
    [(":method", "CONNECT"), (":protocol", "a"), (":authority", "a"), (":path", "/")],
    [(":method", "CONNECT"), (":protocol", "a"), (":scheme", "http"), (":path", "/")],
    [(":method", "CONNECT"), (":protocol", "a"), (":scheme", "http"), (":authority", "a"), (":path", "/"), ("content-length", "3")],
])
def test_malformed_requests_end_their_stream(fields: list[tuple[str, str]]) -> None:
    with sockets() as (origin, _, c):
        stream = c.open()
        c.headers(stream, c.encoder.encode(fields), end=False)
        assert c.response(stream).reset == Code.PROTOCOL_ERROR
        assert origin.heads == []


def test_without_the_parameter_it_is_not_offered() -> None:
    with sockets(args=ON[:4]) as (origin, _, c):
        assert Setting.ENABLE_CONNECT_PROTOCOL not in c.peer
        assert c.response(connect(c)).reset == Code.PROTOCOL_ERROR
        assert origin.heads == [] and not any(f.kind == Type.GOAWAY for f in c.frames)


def test_it_changes_at_run_time_for_new_sessions() -> None:
    with sockets(args=ON[:4]) as (_, daemon, _):
        daemon.ok("param.set h2_extended_connect on")
        with Session(daemon.port) as c:
            c.ping()
            assert c.peer[Setting.ENABLE_CONNECT_PROTOCOL] == 1
            stream = opened(c)
            c.send_body(stream, b"a", end=True)
            assert c.response(stream).body == b"a" and c.answers[stream].frames[-1].flags & Flag.END_STREAM
