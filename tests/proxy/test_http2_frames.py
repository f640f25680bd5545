"""Wrong frames, fields and orders: each gets an error for its stream or for the connection, in 4.x mode as from
Varnish 7.1.1, with feature h2_rfc9113 as RFC 9113 says. After an error of a stream the session goes on.

    build/venv/bin/python -m pytest -s tests/proxy/test_http2_frames.py     # prints what came
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from proxy.h2_client import PREFACE, Answer, Closed, Code, Flag, Session, Setting, Type, block, frame, literal, pseudo, settings
from proxy.h2_world import HTTP2, RFC, World, pattern, world

END, WHOLE = Flag.END_STREAM, Flag.END_STREAM | Flag.END_HEADERS
GET = block(pseudo("/size/10"))
SERVED = "served"


@pytest.fixture(scope="module", params=["4.x", "rfc9113"])
def site(request: pytest.FixtureRequest) -> Iterator[tuple[str, World]]:
    words = RFC if request.param == "rfc9113" else HTTP2
    with world((*words, "-p", "h2_penalty=0")) as w:        # most cases break the protocol
        yield request.param, w


@dataclass(slots=True)
class Case:
    """``send``: bytes after the preface. ``meant``: "served", "R code" for RST_STREAM of ``stream``, "G code" for
    GOAWAY, each with more than one code where the RFC leaves a choice. ``varnish``: the answer of Varnish, which
    4.x mode may give as well."""

    name: str
    send: bytes
    meant: str
    varnish: str = ""
    stream: int = 1


def headers(stream: int = 1, data: bytes = GET, flags: int = WHOLE) -> bytes:
    return frame(Type.HEADERS, flags, stream, data)


def data(stream: int = 1, text: bytes = b"x", flags: int = 0) -> bytes:
    return frame(Type.DATA, flags, stream, text)


def number(value: int) -> bytes:
    return struct.pack(">I", value)


def post(*fields: tuple[str | bytes, str | bytes]) -> bytes:
    return headers(1, block([*pseudo("/pass/echo", "POST"), *fields]), Flag.END_HEADERS)


SLOW = block(pseudo("/pass/slow"))
FRAMES = [
    Case("a request", headers(), SERVED),
    Case("unknown frame", frame(77, 255, 0, b"any") + frame(77, 255, 5, b"") + headers(), SERVED),
    Case("reserved bit of a stream", frame(Type.HEADERS, WHOLE, 1 | 1 << 31, GET), SERVED),
    Case("flags without meaning", frame(Type.HEADERS, WHOLE | 0xd2, 1, GET), SERVED),
    # order of streams
    Case("stream 2", headers(2), "G PROTOCOL_ERROR"),
    Case("stream 0", headers(0), "G PROTOCOL_ERROR"),
    Case("stream 3, then 1", headers(3, SLOW) + headers(1), "G PROTOCOL_ERROR STREAM_CLOSED", varnish="G PROTOCOL_ERROR"),
    Case("a second request on a stream", headers(1, SLOW) + headers(1), "R/G STREAM_CLOSED", varnish="G PROTOCOL_ERROR"),
    # DATA
    Case("DATA on stream 0", data(0), "G PROTOCOL_ERROR"),
    Case("DATA on an idle stream", data(1), "G PROTOCOL_ERROR"),
    Case("DATA after END_STREAM", headers(1, SLOW) + data(1), "R STREAM_CLOSED"),
    Case("padding without content", post() + frame(Type.DATA, Flag.PADDED | END, 1, b"\5aaaaa"), SERVED),
    Case("padding longer than DATA", post() + frame(Type.DATA, Flag.PADDED, 1, b"\6aaaaa"), "G PROTOCOL_ERROR"),
    Case("padded DATA without a byte", post() + frame(Type.DATA, Flag.PADDED, 1), "G FRAME_SIZE_ERROR PROTOCOL_ERROR", varnish="G PROTOCOL_ERROR"),
    Case("DATA over the frame size", post() + frame(Type.DATA, END, 1, bytes(16_385)), "R/G FRAME_SIZE_ERROR", varnish=SERVED),
    # HEADERS and CONTINUATION
    Case("padding longer than HEADERS", headers(1, b"\xff" + GET, WHOLE | Flag.PADDED), "G PROTOCOL_ERROR"),
    Case("priority of 1 byte", headers(1, b"\0", WHOLE | Flag.PRIORITY), "G PROTOCOL_ERROR FRAME_SIZE_ERROR", varnish="G PROTOCOL_ERROR"),
    Case("priority and padding", headers(1, b"\3" + b"\0\0\0\0\1" + GET + bytes(3), WHOLE | Flag.PADDED | Flag.PRIORITY), SERVED),
    Case("HEADERS within a block", headers(1, GET, END) + headers(3), "G PROTOCOL_ERROR"),
    Case("RST_STREAM within a block", headers(1, GET, END) + frame(Type.RST_STREAM, 0, 1, number(8)), "G PROTOCOL_ERROR"),
    Case("an unknown frame within a block", headers(1, GET, END) + frame(77, 0, 1), "G PROTOCOL_ERROR"),
    Case("CONTINUATION of another stream", headers(1, GET, END) + frame(Type.CONTINUATION, 4, 3), "G PROTOCOL_ERROR"),
    Case("CONTINUATION without HEADERS", frame(Type.CONTINUATION, 4, 1, GET), "G PROTOCOL_ERROR"),
    Case("CONTINUATION after the block", headers(1, SLOW) + frame(Type.CONTINUATION, 4, 1, GET), "G PROTOCOL_ERROR"),
    Case("empty CONTINUATION", headers(1, GET, END) + frame(Type.CONTINUATION, 0, 1) + frame(Type.CONTINUATION, 4, 1), SERVED),
    Case("HEADERS over the frame size", headers(1, GET + literal("x", "y" * 16_384)), "G FRAME_SIZE_ERROR", varnish=SERVED),
    # HPACK
    Case("index 0", headers(1, b"\x80"), "G COMPRESSION_ERROR"),
    Case("index beyond the table", headers(1, GET + b"\xff\x20"), "G COMPRESSION_ERROR"),
    Case("an endless integer", headers(1, b"\x7f" + b"\xff" * 20), "G COMPRESSION_ERROR"),
    Case("a string longer than the block", headers(1, GET + b"\0\1x\5abc"), "G COMPRESSION_ERROR"),
    Case("a table over the limit", headers(1, b"\x3f\xe1\x7f" + GET), "G COMPRESSION_ERROR"),
    Case("a new table size behind a field", headers(1, GET + b"\x20"), "G COMPRESSION_ERROR", varnish=SERVED),
    Case("new table sizes at the beginning", headers(1, b"\x20\x3f\xe1\x1f" + GET), SERVED),
    Case("Huffman code with EOS", headers(1, GET + b"\0\1x\x84\xff\xff\xff\xff"), "G COMPRESSION_ERROR"),
    Case("Huffman code with padding of 0", headers(1, GET + b"\0\1x\x81\x18"), "G COMPRESSION_ERROR"),
    # RST_STREAM
    Case("RST_STREAM of stream 0", frame(Type.RST_STREAM, 0, 0, number(8)), "G PROTOCOL_ERROR"),
    Case("RST_STREAM of an idle stream", frame(Type.RST_STREAM, 0, 1, number(8)), "G PROTOCOL_ERROR"),
    Case("RST_STREAM of 3 bytes", headers(1, SLOW) + frame(Type.RST_STREAM, 0, 1, b"abc"), "G FRAME_SIZE_ERROR"),
    Case("empty RST_STREAM of stream 0", frame(Type.RST_STREAM, 0, 0), "G PROTOCOL_ERROR FRAME_SIZE_ERROR", varnish="G PROTOCOL_ERROR"),
    Case("RST_STREAM twice", headers(1, SLOW) + frame(Type.RST_STREAM, 0, 1, number(8)) * 2 + headers(3), SERVED, stream=3),
    # SETTINGS
    Case("SETTINGS of 1 byte", frame(Type.SETTINGS, 0, 0, b"x"), "G FRAME_SIZE_ERROR", varnish="G PROTOCOL_ERROR"),
    Case("SETTINGS of a stream", frame(Type.SETTINGS, 0, 1), "G PROTOCOL_ERROR"),
    Case("acknowledgement with content", frame(Type.SETTINGS, Flag.ACK, 0, bytes(6)), "G FRAME_SIZE_ERROR"),
    Case("ENABLE_PUSH 2", frame(Type.SETTINGS, 0, 0, settings({Setting.ENABLE_PUSH: 2})), "G PROTOCOL_ERROR"),
    Case("a window of 2^31", frame(Type.SETTINGS, 0, 0, settings({Setting.INITIAL_WINDOW_SIZE: 2**31})), "G FLOW_CONTROL_ERROR"),
    Case("frames of 16383", frame(Type.SETTINGS, 0, 0, settings({Setting.MAX_FRAME_SIZE: 16_383})), "G PROTOCOL_ERROR"),
    Case("frames of 2^24", frame(Type.SETTINGS, 0, 0, settings({Setting.MAX_FRAME_SIZE: 2**24})), "G PROTOCOL_ERROR"),
    Case("unknown setting", frame(Type.SETTINGS, 0, 0, settings({0x7777: 1, 0: 5})) + headers(), SERVED),
    # PING, PRIORITY, GOAWAY, WINDOW_UPDATE, PUSH_PROMISE
    Case("PING of 7 bytes", frame(Type.PING, 0, 0, b"1234567"), "G FRAME_SIZE_ERROR"),
    Case("PING of a stream", frame(Type.PING, 0, 1, b"12345678"), "G PROTOCOL_ERROR"),
    Case("PING acknowledged unasked", frame(Type.PING, Flag.ACK, 0, b"12345678") + headers(), SERVED, varnish="G PROTOCOL_ERROR"),
    Case("PRIORITY of stream 0", frame(Type.PRIORITY, 0, 0, bytes(5)), "G PROTOCOL_ERROR"),
    Case("PRIORITY of 4 bytes", headers(1, SLOW) + frame(Type.PRIORITY, 0, 1, bytes(4)), "R/G FRAME_SIZE_ERROR", varnish="no answer"),
    Case("PRIORITY of an idle stream", frame(Type.PRIORITY, 0, 7, b"\0\0\0\0\1") + headers(), SERVED),
    Case("GOAWAY of a stream", frame(Type.GOAWAY, 0, 1, bytes(8)), "G PROTOCOL_ERROR"),
    Case("WINDOW_UPDATE of 0", headers(1, SLOW) + frame(Type.WINDOW_UPDATE, 0, 1, number(0)), "R PROTOCOL_ERROR"),
    Case("WINDOW_UPDATE of 0 for the connection", frame(Type.WINDOW_UPDATE, 0, 0, number(0)), "G PROTOCOL_ERROR"),
    Case("WINDOW_UPDATE of 3 bytes", frame(Type.WINDOW_UPDATE, 0, 0, b"abc"), "G FRAME_SIZE_ERROR"),
    Case("WINDOW_UPDATE of an idle stream", frame(Type.WINDOW_UPDATE, 0, 1, number(1)), "G PROTOCOL_ERROR"),
    Case("a window of the connection over 2^31-1", frame(Type.WINDOW_UPDATE, 0, 0, number(2**31 - 1)), "G FLOW_CONTROL_ERROR"),
    Case("a window over 2^31-1", headers(1, SLOW) + frame(Type.WINDOW_UPDATE, 0, 1, number(2**31 - 1)), "R FLOW_CONTROL_ERROR"),
    Case("PUSH_PROMISE", headers(1, SLOW) + frame(Type.PUSH_PROMISE, 4, 1, number(2) + GET), "G PROTOCOL_ERROR"),
    # content-length
    Case("length and no body", headers(1, GET + literal("content-length", "23")), "R PROTOCOL_ERROR", varnish="G PROTOCOL_ERROR"),
    Case("body longer than its length", post(("content-length", "3")) + data(1, b"four", END), "R PROTOCOL_ERROR"),
    Case("body shorter than its length", post(("content-length", "5")) + data(1, b"four", END), "R PROTOCOL_ERROR"),
]


def fields(name: str, *lines: tuple[str | bytes, str | bytes], meant: str = "R PROTOCOL_ERROR", varnish: str = "") -> Case:
    return Case(name, headers(1, block(lines)) + headers(3), meant, varnish)


def extra(name: str, field: str | bytes, value: str | bytes, meant: str = "R PROTOCOL_ERROR", varnish: str = "") -> Case:
    return fields(name, *pseudo("/size/10"), (field, value), meant=meant, varnish=varnish)


REFUSED = "status 400"              # as over HTTP/1; RFC 9113, 8.1.1 allows an answer
M, S, A, P = pseudo("/size/10")
FIELDS = [
    fields("no :method", S, A, P), fields("no :path", M, S, A), fields("no :scheme", M, A, P, varnish=SERVED), fields("nothing"),
    fields("two methods", M, M, S, A, P), fields("two paths", M, S, A, P, P), fields("two schemes", M, S, S, A, P, varnish=SERVED),
    fields("two authorities", M, S, A, A, P, varnish="status 400"),
    fields("no :authority", M, S, P, meant=SERVED),
    fields("a pseudo field of answers", M, S, A, P, (":status", "200")), fields("an unknown pseudo field", M, S, A, P, (":x", "1")),
    fields("a pseudo field behind a field", M, S, A, ("x", "y"), P, varnish=SERVED),
    fields("empty :path", M, S, A, (":path", "")), fields("empty :method", (":method", ""), S, A, P),
    fields("a path without slash", M, S, A, (":path", "size/10")), fields("an absolute path", M, S, A, (":path", "http://b/size/10")),
    fields("a blank in the path", M, S, A, (":path", "/size/10 HTTP/1.1")),
    fields("a line end in the path", M, S, A, (":path", "/size/10\r\nx: y")),
    fields("a blank in the method", (":method", "GET /evil"), S, A, P),
    fields("a line end in the authority", M, S, (":authority", "a\r\nx: y"), P),
    fields("a line end in the scheme", M, (":scheme", "http\r\nx: y"), A, P),
    extra("capital letters", "X-Up", "1"), extra("an empty name", "", "1"), extra("a blank in the name", "a b", "1"),
    extra("a colon in the name", "a:b", "1"), extra("a line end in the name", "a\r\nb", "1"), extra("NUL in the name", "a\0b", "1"),
    extra("a control character in the name", "a\x7fb", "1"), extra("a byte over 127 in the name", b"a\xffb", "1"),
    extra("CR in the value", "x", "a\rb"), extra("LF in the value", "x", "a\nb"), extra("NUL in the value", "x", "a\0b"),
    extra("connection", "connection", "close", varnish=SERVED), extra("transfer-encoding", "transfer-encoding", "chunked", varnish=SERVED),
    extra("upgrade", "upgrade", "h2c", varnish=SERVED), extra("keep-alive", "keep-alive", "1", varnish=SERVED), extra("proxy-connection", "proxy-connection", "keep-alive", varnish=SERVED),
    extra("te other than trailers", "te", "gzip", varnish=SERVED), extra("te trailers", "te", "trailers", SERVED),
    extra("length with a sign", "content-length", "+0", REFUSED), extra("length that is no number", "content-length", "x", REFUSED),
    extra("two lengths", "content-length", "0, 1", REFUSED),
]


def outcome(c: Session, case: Case) -> str:
    """What came: "served", or the first error."""
    answer = c.answers.setdefault(case.stream, Answer())
    c.answers.setdefault(3, Answer())
    try:
        c.send(case.send)
        c.wait(lambda: answer.over or c.goaway, case.name, 5)
        if answer.reset is not None:
            c.ping()                    # an error of the connection may follow
    except (Closed, ConnectionResetError, BrokenPipeError) as e:
        if c.goaway is None:
            return f"closed without GOAWAY ({e!r})"
    except AssertionError:
        return "no answer"
    if c.goaway is not None:
        return f"G {Code(c.goaway.code).name} last={c.goaway.last}"
    if answer.reset is not None:
        return f"R {Code(answer.reset).name}"
    return SERVED if answer.status == 200 else f"status {answer.status}"


def fits(came: str, meant: str) -> bool:
    kinds, _, codes = meant.partition(" ")
    return came == meant or (came.partition(" ")[0] in kinds.split("/") and came.split(" ")[1] in codes.split(" "))


def run(site: tuple[str, World], case: Case) -> None:
    mode, w = site
    meant = [case.meant, *([case.varnish] if mode == "4.x" and case.varnish else [])]
    with w.session() as c:
        came = outcome(c, case)
        print(f"{mode}: {case.name}: meant {' or '.join(meant)}, came {came}")
        assert any(fits(came, one) for one in meant), f"meant {meant}, came {came}"
        if came.startswith("G"):
            assert c.end(10) is not None, "the connection ends behind GOAWAY"
            return
        assert not c.goaway
        c.next_stream = 101
        assert c.get("/size/10").body == pattern(10), "the session goes on"


@pytest.mark.parametrize("case", FRAMES, ids=lambda case: case.name)
def test_wrong_frames(site: tuple[str, World], case: Case) -> None:
    run(site, case)


@pytest.mark.parametrize("case", FIELDS, ids=lambda case: case.name)
def test_wrong_fields(site: tuple[str, World], case: Case) -> None:
    run(site, case)


@pytest.mark.parametrize("start", [b"PRI * HTTP/2.0\r\n\r\nSX\r\n\r\n", PREFACE[:-1] + b"x", b"PRI * HTTP/2.0\r\nHost: a\r\n\r\nSM\r\n\r\n"])
def test_a_wrong_preface_ends_the_connection(site: tuple[str, World], start: bytes) -> None:
    with site[1].session(preface=False) as c:
        c.send(start + frame(Type.SETTINGS, 0, 0) + headers())
        c.end(10)
        assert not c.answers


def test_a_preface_without_settings_is_an_error(site: tuple[str, World]) -> None:
    with site[1].session(preface=False) as c:
        c.send(PREFACE + headers())
        assert site[0] == "4.x" or c.end(20).code == Code.PROTOCOL_ERROR


@pytest.mark.parametrize("header", ["", "AAMAAABk, AAMAAABk", "AAMAAABk=", "A", "%%%", "AAM"])
def test_wrong_settings_of_an_upgrade(site: tuple[str, World], header: str) -> None:
    """They are not answered with 101: the request is served as HTTP/1.1, or the connection ends."""
    with site[1].session(preface=False) as c:
        c.send(b"GET /size/10 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n"
               b"HTTP2-Settings: " + header.encode() + b"\r\n\r\n")
        try:
            head = c.read_until(b"\r\n\r\n")
        except (Closed, ConnectionResetError):
            head = b""
        assert not head.startswith(b"HTTP/1.1 101") or header in ("", "A") or site[0] == "4.x", head
    with site[1].session() as c:
        assert c.get("/size/10").status == 200
