"""A raw HTTP/2 client: it sends exactly the frames of the test, and shows each frame that it gets."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import NamedTuple

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
ACK = END_STREAM = 0x1
END_HEADERS = 0x4
PROTOCOL_ERROR, FRAME_SIZE_ERROR, REFUSED_STREAM, ENHANCE_YOUR_CALM = 1, 6, 7, 11
HEADER_TABLE_SIZE, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE, MAX_HEADER_LIST_SIZE = 1, 3, 4, 5, 6

_STATUSES = {0x88: 200, 0x89: 204, 0x8A: 206, 0x8B: 304, 0x8C: 400, 0x8D: 404, 0x8E: 500}   # RFC 7541, appendix A


class Frame(NamedTuple):
    type: int
    flags: int
    stream: int
    payload: bytes

    @property
    def number(self) -> int:
        """Of a RST_STREAM or WINDOW_UPDATE: its error or increment. Of a GOAWAY: its error."""
        return int.from_bytes(self.payload[4:8] if self.type == GOAWAY else self.payload[:4], "big")

    @property
    def status(self) -> int:
        """Of a header block that begins with :status, as servers send it."""
        return _STATUSES.get(self.payload[0]) or int(self.payload[2:5])

    @property
    def settings(self) -> dict[int, int]:
        p = self.payload
        return {int.from_bytes(p[i:i + 2], "big"): int.from_bytes(p[i + 2:i + 6], "big") for i in range(0, len(p), 6)}


def _prefixed(text: bytes) -> bytes:
    n = len(text)
    if n < 127:
        return bytes([n]) + text
    n, size = n - 127, b"\x7f"
    while n >= 128:
        size += bytes([n % 128 + 128])
        n //= 128
    return size + bytes([n]) + text


def block(url: str = "/", method: str = "GET", *fields: tuple[str, str]) -> bytes:
    """A header block of literal fields, without a table and without the Huffman code."""
    pseudo = ((":method", method), (":path", url), (":scheme", "http"), (":authority", "test"))
    return b"".join(b"\0" + _prefixed(name.encode()) + _prefixed(value.encode("latin-1")) for name, value in (*pseudo, *fields))


def settings(values: dict[int, int]) -> bytes:
    return b"".join(key.to_bytes(2, "big") + value.to_bytes(4, "big") for key, value in values.items())


class H2Client:
    """A connection to 127.0.0.1 that has sent its preface and ``values`` as SETTINGS."""

    def __init__(self, port: int, values: dict[int, int] | None = None, receive: int = 0, timeout: float = 30,
                 source: str = "127.0.0.1", before: bytes = b"") -> None:
        """``receive``: size of the socket's receive buffer in bytes; 0: the system's default. ``source``: the client's address.
        ``before``: bytes in front of the preface."""
        self.sock = socket.socket()
        self.sock.settimeout(timeout)
        if receive:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        self.sock.bind((source, 0))
        self.sock.connect(("127.0.0.1", port))
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.sock.makefile("rb")
        self.sock.sendall(before + PREFACE)
        self.send(SETTINGS, 0, 0, settings(values or {}))

    def __enter__(self) -> H2Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()
        self.sock.close()

    def send(self, kind: int, flags: int, stream: int, payload: bytes = b"") -> None:
        self.sock.sendall(len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload)

    def request(self, stream: int, url: str = "/", method: str = "GET", *fields: tuple[str, str], end: bool = True) -> None:
        self.send(HEADERS, END_HEADERS | (END_STREAM if end else 0), stream, block(url, method, *fields))

    def read(self) -> Frame | None:
        """None: the server has closed the connection."""
        try:
            head = self.stream.read(9)
        except ConnectionError:
            return None
        if len(head) < 9:
            return None
        return Frame(head[3], head[4], int.from_bytes(head[5:9], "big"), self.stream.read(int.from_bytes(head[:3], "big")))

    def until(self, wanted: Callable[[Frame], bool]) -> list[Frame]:
        """All frames up to the wanted one, which is the last."""
        found: list[Frame] = []
        while not found or not wanted(found[-1]):
            frame = self.read()
            assert frame is not None, f"closed after {found}"
            found.append(frame)
        return found

    def first(self, kind: int, stream: int | None = None) -> Frame:
        """The next frame of this type, and of this stream."""
        return self.until(lambda f: f.type == kind and stream in (None, f.stream))[-1]

    def ends(self, stream: int) -> list[Frame]:
        """All frames up to the end of a stream."""
        return self.until(lambda f: f.stream == stream and (f.type == RST_STREAM or f.type in (HEADERS, DATA) and f.flags & END_STREAM != 0))

    def status(self, stream: int) -> int:
        """Of the response, which is received whole."""
        return next(f for f in self.ends(stream) if f.type == HEADERS and f.stream == stream).status

    def echo(self) -> list[Frame]:
        """All frames up to the answer to a PING, which is sent behind all that the server had to say before."""
        self.send(PING, 0, 0, b"echo....")
        return self.until(lambda f: f.type == PING and f.flags == ACK and f.payload == b"echo....")
