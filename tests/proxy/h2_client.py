"""A raw HTTP/2 client over plain TCP: it sends exactly the frames of the test, and keeps what came, stream by
stream. Header blocks are encoded and decoded by the package hpack.

    with Session(port) as c:
        assert c.get("/a").body == b"page /a"

Nothing runs in the background: a session reads when a test waits for something, answers SETTINGS and PING, and
gives back windows as bodies arrive (unless ``gives_windows`` is off). Each wait has a deadline.
"""

from __future__ import annotations

import base64
import enum
import socket
import struct
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import hpack

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
WAIT_S = 30.0
WINDOW = 65_535
FRAME_MAX = 16_384
WINDOW_MAX = 2**31 - 1

Fields = Iterable[tuple[str | bytes, str | bytes]]


class Type(enum.IntEnum):
    DATA = 0
    HEADERS = 1
    PRIORITY = 2
    RST_STREAM = 3
    SETTINGS = 4
    PUSH_PROMISE = 5
    PING = 6
    GOAWAY = 7
    WINDOW_UPDATE = 8
    CONTINUATION = 9
    PRIORITY_UPDATE = 16


class Flag(enum.IntFlag):
    NONE = 0
    END_STREAM = 1
    ACK = 1
    END_HEADERS = 4
    PADDED = 8
    PRIORITY = 32


class Setting(enum.IntEnum):
    HEADER_TABLE_SIZE = 1
    ENABLE_PUSH = 2
    MAX_CONCURRENT_STREAMS = 3
    INITIAL_WINDOW_SIZE = 4
    MAX_FRAME_SIZE = 5
    MAX_HEADER_LIST_SIZE = 6
    ENABLE_CONNECT_PROTOCOL = 8


class Code(enum.IntEnum):
    """Error codes of RST_STREAM and GOAWAY."""

    NO_ERROR = 0
    PROTOCOL_ERROR = 1
    INTERNAL_ERROR = 2
    FLOW_CONTROL_ERROR = 3
    SETTINGS_TIMEOUT = 4
    STREAM_CLOSED = 5
    FRAME_SIZE_ERROR = 6
    REFUSED_STREAM = 7
    CANCEL = 8
    COMPRESSION_ERROR = 9
    CONNECT_ERROR = 10
    ENHANCE_YOUR_CALM = 11
    INADEQUATE_SECURITY = 12
    HTTP_1_1_REQUIRED = 13


# ---- bytes ---------------------------------------------------------------------------------------------------


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def settings(values: dict[int, int]) -> bytes:
    """The payload of a SETTINGS frame."""
    return b"".join(struct.pack(">HI", key, value) for key, value in values.items())


def padded(payload: bytes, pad: int) -> bytes:
    return bytes([pad]) + payload + bytes(pad)


def integer(value: int, bits: int, first: int = 0) -> bytes:
    """An integer of HPACK with a prefix of ``bits``; ``first`` has the bits before it."""
    most = (1 << bits) - 1
    if value < most:
        return bytes([first | value])
    out, value = [first | most], value - most
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def literal(name: str | bytes, value: str | bytes) -> bytes:
    """A field that is not indexed, byte for byte."""
    parts = [text if isinstance(text, bytes) else text.encode("latin-1") for text in (name, value)]
    return b"\0" + b"".join(integer(len(part), 7) + part for part in parts)


def block(fields: Fields) -> bytes:
    """A header block of such fields, which leaves the tables of both sides unchanged."""
    return b"".join(literal(name, value) for name, value in fields)


def pseudo(path: str = "/", method: str = "GET", authority: str = "example.com",
           scheme: str = "http") -> list[tuple[str | bytes, str | bytes]]:
    return [(":method", method), (":scheme", scheme), (":authority", authority), (":path", path)]


# ---- what came -------------------------------------------------------------------------------------------------


@dataclass(slots=True, frozen=True)
class Frame:
    kind: int
    flags: int
    stream: int
    payload: bytes


@dataclass(slots=True)
class Answer:
    """What arrived on one stream. ``ended``: END_STREAM came. ``reset``: the code of RST_STREAM."""

    interim: list[list[tuple[str, str]]] = field(default_factory=list)
    head: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""
    trailers: list[tuple[str, str]] = field(default_factory=list)
    ended: bool = False
    reset: int | None = None
    frames: list[Frame] = field(default_factory=list)
    window: int = WINDOW                # bytes that we may send

    @property
    def status(self) -> int:
        return int(self.get(":status") or 0)

    @property
    def over(self) -> bool:
        return self.ended or self.reset is not None

    def get(self, name: str) -> str | None:
        return next((value for key, value in self.head if key == name), None)


@dataclass(slots=True, frozen=True)
class GoAway:
    last: int
    code: int
    text: bytes


class Closed(EOFError):
    """The server closed the connection."""


# ---- a session -------------------------------------------------------------------------------------------------


class Session:
    """A connection with prior knowledge. ``preface`` False sends nothing at all."""

    def __init__(self, port: int, *, values: dict[int, int] | None = None, preface: bool = True, gives_windows: bool = True,
                 timeout: float = WAIT_S, source: str = "127.0.0.1", receive: int = 0) -> None:
        self.timeout = timeout
        self.gives_windows = gives_windows
        self.acks = True
        self.sock = socket.socket()
        self.sock.settimeout(timeout)
        if receive:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        self.sock.bind((source, 0))
        self.sock.connect(("127.0.0.1", port))
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._start(values or {})
        if preface:
            self.send(PREFACE + frame(Type.SETTINGS, 0, 0, settings(values or {})))

    def _start(self, values: dict[int, int]) -> None:
        self.buffer = bytearray()
        self.encoder, self.decoder = hpack.Encoder(), hpack.Decoder()
        self.decoder.max_allowed_table_size = values.get(Setting.HEADER_TABLE_SIZE, 4096)
        self.decoder.max_header_list_size = 1 << 24
        self.answers: dict[int, Answer] = {}
        self.peer: dict[int, int] = {}          # its settings
        self.settings_seen = self.settings_acks = 0
        self.pings: list[bytes] = []            # payloads of acknowledgements
        self.goaway: GoAway | None = None
        self.window, self.updates = WINDOW, 0   # what we may send on the connection; updates that came for it
        self.frames: list[Frame] = []           # of stream 0
        self.next_stream = 1
        self._block: list[Frame] = []           # of a header block that goes on

    @classmethod
    def upgraded(cls, port: int, head: bytes, values: dict[int, int] | None = None) -> Session:
        """A session that began with an HTTP/1.1 request, whose answer comes on stream 1. ``head`` is the
        request without the fields of the upgrade and without the empty line."""
        self = cls(port, values=values, preface=False)
        text = base64.urlsafe_b64encode(settings(values or {})).rstrip(b"=")
        self.send(head + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: " + text + b"\r\n\r\n")
        answer = self.read_until(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 101 "), answer
        self.answers[1] = Answer(window=self.initial_window)
        self.next_stream = 3
        self.send(PREFACE + frame(Type.SETTINGS, 0, 0, settings(values or {})))
        return self

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.sock.close()

    # ---- sending ----

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def send_frame(self, kind: int, flags: int, stream: int, payload: bytes = b"") -> None:
        self.send(frame(kind, flags, stream, payload))

    def open(self) -> int:
        """The next stream, not used yet."""
        stream, self.next_stream = self.next_stream, self.next_stream + 2
        self.answers[stream] = Answer(window=self.initial_window)
        return stream

    @property
    def initial_window(self) -> int:
        return self.peer.get(Setting.INITIAL_WINDOW_SIZE, WINDOW)

    def headers(self, stream: int, data: bytes, *, end: bool = True, pieces: int = 1) -> None:
        """Sends a header block in one HEADERS frame and ``pieces`` - 1 CONTINUATION frames."""
        size = -(-len(data) // pieces)
        parts = [data[i:i + size] for i in range(0, len(data), size)] if pieces > 1 else [data]
        out = b""
        for i, part in enumerate(parts):
            flags = (Flag.END_STREAM if end and i == 0 else 0) | (Flag.END_HEADERS if i == len(parts) - 1 else 0)
            out += frame(Type.CONTINUATION if i else Type.HEADERS, flags, stream, part)
        self.send(out)

    def request(self, path: str = "/", method: str = "GET", fields: Fields = (), *, authority: str = "example.com", body: bytes = b"",
                end: bool = True, pieces: int = 1) -> int:
        """Sends a request with the encoder's tables, and its body. ``end`` False leaves the stream open."""
        stream = self.open()
        data = self.encoder.encode([*pseudo(path, method, authority), *fields])
        self.headers(stream, data, end=end and not body, pieces=pieces)
        if body:
            self.send_body(stream, body, end=end)
        return stream

    def send_body(self, stream: int, data: bytes, *, end: bool = True, pad: int | None = None, most: int = FRAME_MAX) -> int:
        """Sends DATA as the windows allow. Stops when the server ends the stream. Returns the bytes sent."""
        answer, sent, extra = self.answers[stream], 0, 0 if pad is None else pad + 1
        while sent < len(data) or (not data and sent == 0):
            self.wait(lambda: min(self.window, answer.window) > extra or answer.over, "a window to send")
            if answer.over:
                break
            n = min(len(data) - sent, most, self.window - extra, answer.window - extra, FRAME_MAX - extra)
            payload, is_last = data[sent:sent + n], end and sent + n == len(data)
            flags = (Flag.END_STREAM if is_last else 0) | (Flag.PADDED if pad is not None else 0)
            self.send_frame(Type.DATA, flags, stream, payload if pad is None else padded(payload, pad))
            self.window, answer.window, sent = self.window - n - extra, answer.window - n - extra, sent + n
            if not data:
                break
        return sent

    def reset(self, stream: int, code: int = Code.CANCEL) -> None:
        self.send_frame(Type.RST_STREAM, 0, stream, struct.pack(">I", code))

    def update(self, stream: int, n: int) -> None:
        """Opens a window of the server by n bytes."""
        self.send_frame(Type.WINDOW_UPDATE, 0, stream, struct.pack(">I", n))

    def ping(self, data: bytes = b"12345678") -> None:
        """Returns when the acknowledgement has come: the server has read all frames before."""
        before = len(self.pings)
        self.send_frame(Type.PING, 0, 0, data)
        self.wait(lambda: len(self.pings) > before, "the answer to PING")

    # ---- receiving ----

    def get(self, path: str = "/", method: str = "GET", fields: Fields = (), *, authority: str = "example.com", body: bytes = b"") -> Answer:
        return self.response(self.request(path, method, fields, authority=authority, body=body))

    def response(self, stream: int) -> Answer:
        """The answer on a stream, when it is over."""
        answer = self.answers[stream]
        self.wait(lambda: answer.over, f"the answer on stream {stream}")
        return answer

    def wait(self, condition: Callable[[], object], what: str, seconds: float | None = None) -> None:
        """Reads frames until ``condition`` holds."""
        end = time.monotonic() + (self.timeout if seconds is None else seconds)
        while not condition():
            left = end - time.monotonic()
            assert left > 0, f"not in time: {what}"
            self.sock.settimeout(left)
            try:
                self.take(self.read())
            except TimeoutError:
                raise AssertionError(f"not in time: {what}") from None
            finally:
                self.sock.settimeout(self.timeout)

    def end(self, seconds: float | None = None) -> GoAway | None:
        """Reads until the server closes. Returns its GOAWAY."""
        try:
            self.wait(lambda: False, "the end of the connection", seconds)
        except (Closed, ConnectionResetError, BrokenPipeError):
            pass
        return self.goaway

    def receive(self) -> None:
        """Bytes of the socket into the buffer."""
        data = self.sock.recv(65_536)
        if not data:
            raise Closed(f"closed, GOAWAY: {self.goaway}")
        self.buffer += data

    def read_until(self, text: bytes) -> bytes:
        """Bytes before the first frame, with ``text`` at their end."""
        while text not in self.buffer:
            self.receive()
        n = self.buffer.index(text) + len(text)
        data = bytes(self.buffer[:n])
        del self.buffer[:n]
        return data

    def read(self) -> Frame:
        """The next frame, not interpreted."""
        while len(self.buffer) < 9:
            self.receive()
        size = int.from_bytes(self.buffer[:3], "big")
        while len(self.buffer) < 9 + size:
            self.receive()
        kind, flags, stream = struct.unpack(">BBI", self.buffer[3:9])
        payload = bytes(self.buffer[9:9 + size])
        del self.buffer[:9 + size]
        return Frame(kind, flags, stream, payload)

    def take(self, f: Frame) -> None:
        """Interprets a frame."""
        assert not self._block or (f.kind, f.stream) == (Type.CONTINUATION, self._block[0].stream), f"{f} within a header block"
        if f.stream == 0:
            self.frames.append(f)
            self._take_session(f)
        else:
            answer = self.answers.setdefault(f.stream, Answer())
            answer.frames.append(f)
            self._take_stream(f, answer)

    def _take_session(self, f: Frame) -> None:
        match f.kind:
            case Type.SETTINGS if f.flags & Flag.ACK:
                self.settings_acks += 1
            case Type.SETTINGS:
                self._take_settings(f.payload)
            case Type.PING if f.flags & Flag.ACK:
                self.pings.append(f.payload)
            case Type.PING:
                self.send_frame(Type.PING, Flag.ACK, 0, f.payload)
            case Type.GOAWAY:
                last, code = struct.unpack(">II", f.payload[:8])
                self.goaway = GoAway(last, code, f.payload[8:])
            case Type.WINDOW_UPDATE:
                self.window += int.from_bytes(f.payload, "big")
                self.updates += 1

    def _take_settings(self, payload: bytes) -> None:
        before = self.initial_window
        self.peer |= dict(struct.iter_unpack(">HI", payload))
        for answer in self.answers.values():
            answer.window += self.initial_window - before
        if Setting.HEADER_TABLE_SIZE in self.peer:
            self.encoder.header_table_size = self.peer[Setting.HEADER_TABLE_SIZE]
        self.settings_seen += 1
        if self.acks:
            self.send_frame(Type.SETTINGS, Flag.ACK, 0)

    def _take_stream(self, f: Frame, answer: Answer) -> None:
        match f.kind:
            case Type.HEADERS | Type.CONTINUATION:
                self._block.append(f)
                if f.flags & Flag.END_HEADERS:
                    self._take_block(answer)
            case Type.DATA:
                assert not answer.over, f"DATA on stream {f.stream} after its end"
                answer.body += unpadded(f)
                answer.ended = bool(f.flags & Flag.END_STREAM)
                if self.gives_windows and f.payload:
                    self.update(0, len(f.payload))
                    if not answer.ended:
                        self.update(f.stream, len(f.payload))
            case Type.RST_STREAM:
                answer.reset = int.from_bytes(f.payload, "big")
            case Type.WINDOW_UPDATE:
                answer.window += int.from_bytes(f.payload, "big")

    def _take_block(self, answer: Answer) -> None:
        first, *rest = self._block
        data = unpadded(first) + b"".join(f.payload for f in rest)
        self._block = []
        fields = [(str(name), str(value)) for name, value in self.decoder.decode(data)]
        ended = bool(first.flags & Flag.END_STREAM)
        if answer.head:
            assert ended, "trailers without END_STREAM"
            answer.trailers = fields
        elif fields[0][1].startswith("1"):
            assert not ended, "an interim response with END_STREAM"
            answer.interim.append(fields)
        else:
            answer.head = fields
        answer.ended = ended


def unpadded(f: Frame) -> bytes:
    """The payload of DATA or HEADERS without padding and priority."""
    payload = f.payload
    if f.flags & Flag.PADDED:
        payload = payload[1:len(payload) - payload[0]]
    return payload[5:] if f.kind == Type.HEADERS and f.flags & Flag.PRIORITY else payload
