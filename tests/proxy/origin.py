"""A scripted origin: a real HTTP/1.1 server on 127.0.0.1. The test defines its responses byte for byte.

Responses are functions of the request, so a test can delay, cut or count them. ``requests`` keeps every
received request.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO


@dataclass(slots=True)
class Request:
    method: str
    url: str
    proto: str
    headers: dict[str, str]             # lower-case names; values of equal names joined by ", "
    body: bytes
    connection: int                     # number of its connection


@dataclass(slots=True)
class Reply:
    """The response to send. ``raw`` replaces everything else. ``pieces`` are sent one after another; a
    callable piece is called first."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    pieces: list[bytes | Callable[[], bytes | None]] | None = None
    close: bool = False


BACKLOG = 4096      # tests open a thousand connections at once
Handler = Callable[[Request], Reply]


def render(reply: Reply, head_only: bool) -> bytes:
    if reply.raw is not None:
        return reply.raw
    headers = dict(reply.headers)
    names = {n.lower() for n in headers}
    if "content-length" not in names and "transfer-encoding" not in names and reply.status not in (204, 304):
        headers["Content-Length"] = str(len(reply.body))
    if reply.close:
        headers["Connection"] = "close"
    head = f"HTTP/1.1 {reply.status} Scripted\r\n" + "".join(f"{n}: {v}\r\n" for n, v in headers.items()) + "\r\n"
    return head.encode("latin-1") + (b"" if head_only else reply.body)


class Origin:
    """``with Origin(handler) as o`` listens on ``o.port`` until the end of the block. ``abstract`` names an
    abstract Unix socket to listen on instead. ``greet`` reads the first bytes of a connection, before its
    requests."""

    def __init__(self, handler: Handler, address: tuple[str, int] = ("127.0.0.1", 0), *, abstract: str = "",
                 greet: Callable[[BinaryIO], None] | None = None) -> None:
        self.handler = handler
        self.greet = greet
        self.requests: list[Request] = []
        self.errors: list[str] = []
        self.connections = 0
        self._lock = threading.Lock()
        if abstract:
            self._listen = socket.socket(socket.AF_UNIX)
            self._listen.bind("\0" + abstract)
            self._listen.listen(BACKLOG)
        else:
            self._listen = socket.create_server(address, backlog=BACKLOG)
        self.port: int = 0 if abstract else self._listen.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._stopped = False

    def __enter__(self) -> Origin:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped = True
        self._listen.shutdown(socket.SHUT_RDWR)     # wakes accept
        self._listen.close()
        for conn in list(self._open):
            conn.close()

    def count(self, url: str) -> int:
        with self._lock:
            return sum(r.url == url for r in self.requests)

    def seen(self, url: str) -> list[Request]:
        with self._lock:
            return [r for r in self.requests if r.url == url]

    def _accept(self) -> None:
        while not self._stopped:
            try:
                conn, _ = self._listen.accept()
            except OSError:
                return
            if conn.family == socket.AF_INET:
                conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections += 1
            self._open.add(conn)
            threading.Thread(target=self._serve, args=(conn, self.connections), daemon=True).start()

    def _serve(self, conn: socket.socket, number: int) -> None:
        stream = conn.makefile("rb")
        try:
            if self.greet is not None:
                self.greet(stream)
            while (request := self._read(stream, number)) is not None:
                with self._lock:
                    self.requests.append(request)
                if not self._answer(conn, request):
                    return
        except (OSError, ValueError) as e:
            if not self._stopped:
                self.errors.append(repr(e))
        finally:
            self._open.discard(conn)
            conn.close()

    def _read(self, stream: BinaryIO, number: int) -> Request | None:
        line = stream.readline()
        if not line:
            return None
        method, url, proto = line.decode("latin-1").rstrip("\r\n").split(" ")
        headers: dict[str, str] = {}
        while (field_ := stream.readline()) not in (b"\r\n", b""):
            name, value = field_.decode("latin-1").rstrip("\r\n").split(":", 1)
            key = name.lower()
            headers[key] = f"{headers[key]}, {value.strip()}" if key in headers else value.strip()
        return Request(method, url, proto, headers, self._read_body(stream, headers), number)

    def _read_body(self, stream: BinaryIO, headers: dict[str, str]) -> bytes:
        if "chunked" in headers.get("transfer-encoding", ""):
            body = b""
            while (size := int(stream.readline().split(b";")[0], 16)) > 0:
                body += stream.read(size)
                assert stream.readline() == b"\r\n"
            assert stream.readline() == b"\r\n"
            return body
        return stream.read(int(headers.get("content-length", "0")))

    def _answer(self, conn: socket.socket, request: Request) -> bool:
        """Answers a request. Returns False if the connection must be closed."""
        reply = self.handler(request)
        if reply.pieces is None:
            conn.sendall(render(reply, request.method == "HEAD"))
            return not reply.close
        for piece in reply.pieces:
            data = piece() if callable(piece) else piece
            if data is None:
                return False
            conn.sendall(data)
        return not reply.close


@dataclass(slots=True)
class Response:
    status: int
    reason: str
    headers: list[tuple[str, str]]
    body: bytes

    def get(self, name: str) -> str | None:
        return next((v for n, v in self.headers if n.lower() == name.lower()), None)


class Client:
    """A raw HTTP/1.1 client connection: it sends exactly the bytes of the test."""

    def __init__(self, port: int, timeout: float = 30, source: str = "127.0.0.1", receive: int = 0) -> None:
        """``receive`` is the size of the socket's receive buffer in bytes; 0: the system's default."""
        self.sock = socket.socket()
        self.sock.settimeout(timeout)
        if receive:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        self.sock.bind((source, 0))
        self.sock.connect(("127.0.0.1", port))
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.sock.makefile("rb")

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.stream.close()
        self.sock.close()

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def request(self, url: str, method: str = "GET", headers: dict[str, str] | None = None, body: bytes = b"",
                host: str | None = "example.com") -> Response:
        fields = {} if host is None else {"Host": host}
        fields |= headers or {}
        if body and "Transfer-Encoding" not in fields:
            fields["Content-Length"] = str(len(body))
        head = f"{method} {url} HTTP/1.1\r\n" + "".join(f"{n}: {v}\r\n" for n, v in fields.items()) + "\r\n"
        self.send(head.encode("latin-1") + body)
        return self.response(method)

    def head(self) -> Response:
        """Start line and fields of the next response. Its body stays unread."""
        line = self.stream.readline().decode("latin-1")
        if not line:
            raise EOFError("the connection was closed without a response")
        found = re.fullmatch(r"HTTP/1\.1 (\d{3}) ([^\r\n]*)\r\n", line)
        assert found, line
        headers = []
        while (field_ := self.stream.readline()) != b"\r\n":
            assert field_, "closed within a response head"
            name, value = field_.decode("latin-1").rstrip("\r\n").split(":", 1)
            headers.append((name, value.strip()))
        return Response(int(found[1]), found[2], headers, b"")

    def response(self, method: str = "GET") -> Response:
        """The next response after interim ones (1xx). EOFError if it is cut."""
        r = self.head()
        while 100 <= r.status < 200:
            r = self.head()
        if method != "HEAD" and r.status not in (204, 304):
            r.body = self._body(r)
        return r

    def _exactly(self, n: int) -> bytes:
        data = self.stream.read(n)
        if len(data) < n:
            raise EOFError(f"body cut after {len(data)} of {n} bytes")
        return data

    def _body(self, r: Response) -> bytes:
        if "chunked" in (r.get("Transfer-Encoding") or ""):
            body = b""
            while (size := int(self.stream.readline() or b"-", 16)) > 0:
                body += self._exactly(size)
                assert self.stream.readline() == b"\r\n"
            assert self.stream.readline() == b"\r\n"
            return body
        length = r.get("Content-Length")
        return self._exactly(int(length)) if length is not None else self.stream.read()

    def closed(self) -> bool:
        """Waits until the server closes the connection. Returns whether it did."""
        try:
            return self.stream.read(1) == b""
        except ConnectionResetError:
            return True


def fetch(port: int, url: str, **kw: object) -> Response:
    """One request on its own connection."""
    with Client(port) as c:
        return c.request(url, **kw)     # type: ignore[arg-type]
