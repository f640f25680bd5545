"""What an origin sees of a request over HTTP/2 is what it sees of the same request over HTTP/1, or the request is
refused: no field, target, length or trailer of HTTP/2 becomes a request of its own behind the proxy.

    build/venv/bin/python -m pytest -s tests/proxy/test_http2_boundary.py     # prints the table
"""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from proxy.boundary import POLICY, SOURCES, Case, Party, Seen, address, by_client, exchange, nginx_origin, of_nginx, of_vernis, python_origin
from proxy.daemon import wait_until
from proxy.h2_client import Code, Flag, Session, Type, block, frame
from proxy.serve import serving
from proxy.test_boundary import PROBE, REQUESTS, differences
from support.folders import open_to_everybody
from support.ports import free_port

HIDDEN = b"GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"
SPLIT = b"x\r\n\r\n" + HIDDEN


@dataclass(slots=True)
class Message:
    """A request over HTTP/2: pseudo fields and fields as they go out, DATA, and trailers."""

    fields: list[tuple[bytes, bytes]]
    body: bytes = b""
    trailers: list[tuple[bytes, bytes]] = field(default_factory=list)

    def get(self, name: bytes) -> bytes:
        return next((value for key, value in self.fields if key == name), b"")


def chunks_of(data: bytes) -> bytes | None:
    """The content of chunks, or None if they are malformed."""
    body = b""
    while found := re.match(rb"([0-9A-Fa-f]{1,8})[^\r\n]*\r\n", data):
        n = int(found[1], 16)
        piece, data = data[found.end():found.end() + n], data[found.end() + n + 2:]
        if n == 0:
            return body
        body += piece
    return None


def translated(data: bytes, keeps_framing: bool) -> Message:
    """The first request of the bytes, with the same fields. ``keeps_framing`` False leaves out those that HTTP/2
    does not have."""
    head, _, rest = data.lstrip(b"\r\n").partition(b"\r\n\r\n")
    line, *lines = head.split(b"\r\n")
    method, _, after = line.partition(b" ")
    target = after.rpartition(b" ")[0] or after
    fields = [(name.lower(), value.strip(b" \t")) for name, _, value in (text.partition(b":") for text in lines)]
    host = next((value for name, value in fields if name == b"host"), b"a")
    coded = any(name == b"transfer-encoding" for name, _ in fields)
    length = next((value for name, value in fields if name == b"content-length"), b"")
    body = (chunks_of(rest) if coded else None) or (rest[:int(length)] if length.isdigit() and len(length) < 9 else rest if coded else b"")
    if not keeps_framing:
        fields = [f for f in fields if f[0] not in (b"host", b"connection", b"transfer-encoding", b"upgrade", b"content-length", b"te")]
    pseudo = [(b":method", method), (b":scheme", b"http"), (b":authority", host), (b":path", target)]
    return Message([*pseudo, *fields], body)


def own(name: str, *fields: tuple[bytes, bytes], body: bytes = b"", trailers: tuple[tuple[bytes, bytes], ...] = (),
        **pseudo: bytes) -> tuple[str, Message]:
    target = b"/" + name.replace(" ", "-").encode()
    values = {"method": b"POST" if body or trailers else b"GET", "scheme": b"http", "authority": b"a", "path": target} | pseudo
    return name, Message([*((b":" + key.encode(), value) for key, value in values.items()), *fields], body, list(trailers))


#: Requests that HTTP/1 cannot express, each with another request in it.
SMUGGLED = [
    own("line end in path", path=b"/x HTTP/1.1\r\nHost: a\r\n\r\n" + HIDDEN), own("blank in path", path=b"/x HTTP/1.1"),
    own("line feed in path", path=b"/x\nGET /hidden"), own("NUL in path", path=b"/x\0/hidden"), own("tab in path", path=b"/x\t/hidden"),
    own("line end in method", method=b"GET /x HTTP/1.1\r\nHost: a\r\n\r\n" + HIDDEN + b"GET"), own("blank in method", method=b"GET /hidden"),
    own("line end in authority", authority=b"a\r\n\r\n" + HIDDEN), own("blank in authority", authority=b"a b"),
    own("path in authority", authority=b"a/hidden"), own("line end in scheme", scheme=b"http\r\n\r\n" + HIDDEN),
    own("scheme is a target", scheme=b"http://a/hidden?"),
    own("line end in value", (b"x", SPLIT)), own("line feed in value", (b"x", b"y\n\n" + HIDDEN)), own("CR in value", (b"x", b"y\rz: 1")),
    own("NUL in value", (b"x", b"y\0z")), own("line end in name", (b"x: y\r\n\r\n" + HIDDEN + b"z", b"1")),
    own("colon in name", (b"transfer-encoding: chunked\r\nx", b"1")), own("blank behind name", (b"transfer-encoding ", b"chunked")),
    own("empty name", (b"", b"1")), own("capital name", (b"Transfer-Encoding", b"chunked")),
    own("line end in cookie", (b"cookie", b"a=b"), (b"cookie", SPLIT)),
    own("chunked", (b"transfer-encoding", b"chunked"), body=b"0\r\n\r\n" + HIDDEN),
    own("chunked and length", (b"transfer-encoding", b"chunked"), (b"content-length", b"5"), body=b"0\r\n\r\n"),
    own("identity", (b"transfer-encoding", b"identity"), body=HIDDEN),
    own("length 0", (b"content-length", b"0"), body=HIDDEN), own("length too short", (b"content-length", b"5"), body=b"12345" + HIDDEN),
    own("length too long", (b"content-length", b"500"), body=HIDDEN), own("two lengths", (b"content-length", b"0"), (b"content-length", b"%d" % len(HIDDEN)),
                                                                          body=HIDDEN),
    own("length list", (b"content-length", b"0, 33"), body=HIDDEN), own("length with plus", (b"content-length", b"+33"), body=HIDDEN),
    own("length with line end", (b"content-length", b"33\r\nx: y"), body=HIDDEN), own("length beyond 64 bits", (b"content-length", b"18446744073709551649"),
                                                                                     body=HIDDEN),
    own("length of a get", (b"content-length", b"33")),
    own("connection names length", (b"connection", b"content-length"), (b"content-length", b"33"), body=HIDDEN),
    own("connection", (b"connection", b"close")), own("keep-alive", (b"keep-alive", b"1")), own("te", (b"te", b"chunked"), body=HIDDEN),
    own("upgrade", (b"upgrade", b"websocket"), (b"connection", b"upgrade")), own("expect", (b"expect", b"100-continue"), body=HIDDEN),
    own("host differs", (b"host", b"b")), own("host with line end", (b"host", b"b\r\n\r\n" + HIDDEN)), own("two hosts", (b"host", b"a"), (b"host", b"b")),
    own("trailer of framing", body=HIDDEN, trailers=((b"content-length", b"3"), (b"transfer-encoding", b"chunked"))),
    own("trailer with line end", body=HIDDEN, trailers=((b"x", SPLIT),)), own("trailer with pseudo field", body=HIDDEN, trailers=((b":path", b"/hidden"),)),
    own("body is a request", body=HIDDEN), own("body is chunks", body=b"0\r\n\r\n" + HIDDEN),
    own("body with its length", (b"content-length", b"%d" % len(HIDDEN)), body=HIDDEN),
    own("method connect", method=b"CONNECT", authority=b"a:80", path=b"/hidden"), own("method pri", method=b"PRI", path=b"*"),
    own("asterisk", method=b"OPTIONS", path=b"*"), own("absolute path", path=b"http://b/absolute"),
]


@dataclass(slots=True)
class Sent:
    name: str
    message: Message
    plain: bytes | None                 # the same over HTTP/1, if there is such a thing
    outcome: dict[str, str] = field(default_factory=dict)       # by origin
    clients: dict[str, str] = field(default_factory=dict)
    plain_clients: dict[str, str] = field(default_factory=dict)


def all_sent() -> list[Sent]:
    found = [Sent(name, message, None) for name, message in SMUGGLED]
    for c in REQUESTS:
        assert isinstance(c, Case)
        for keeps in (True, False):
            found.append(Sent(f"{c.name}{'' if keeps else ', bare'}", translated(c.data, keeps), c.data))
    return found


def send(c: Session, m: Message) -> str:
    """Sends a message, then a probe on the same session. Returns what came of the first."""
    stream = c.open()
    data = block(m.fields)
    last = Flag.END_STREAM if not m.body and not m.trailers else Flag.NONE
    parts = [data[i:i + 16_384] for i in range(0, len(data), 16_384)]
    out = b""
    for i, part in enumerate(parts):
        flags = (Flag.END_HEADERS if i == len(parts) - 1 else 0) | (last if i == 0 else 0)
        out += frame(Type.CONTINUATION if i else Type.HEADERS, flags, stream, part)
    try:
        c.send(out)
        if m.body:
            c.send_body(stream, m.body, end=not m.trailers)
        if m.trailers and not c.answers[stream].over:
            c.headers(stream, block(m.trailers))
        r = c.response(stream)
        outcome = str(r.status) if r.ended else f"R {Code(r.reset).name}"       # type: ignore[arg-type]
        c.response(c.request("/probe", authority="probe"))
        return outcome
    except (EOFError, OSError):
        return f"G {Code(c.goaway.code).name}" if c.goaway else "closed"


def send_all(port: int, origin: str, sent: list[Sent]) -> None:
    for i, one in enumerate(sent):
        one.clients[origin] = address(origin, 2 * i)
        with Session(port, source=one.clients[origin], timeout=20) as c:
            one.outcome[origin] = send(c, one.message)
        if one.plain is not None:
            one.plain_clients[origin] = address(origin, 2 * i + 1)
            exchange(port, one.plain_clients[origin], one.plain + PROBE)


@dataclass(slots=True)
class Matrix:
    sent: list[Sent]
    vernis: Party
    origins: dict[str, Party]


@pytest.fixture(scope="module", params=["4.x", "rfc9113"])
def matrix(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Matrix]:
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed")
    directory = tmp_path_factory.mktemp("boundary")
    open_to_everybody(directory)
    port, sink, sent = free_port(), free_port(), all_sent()
    args = ("-p", "vsl_reclen=8k", "-p", "loops=1", "-p", "feature=+http2" + (",+h2_rfc9113" if request.param == "rfc9113" else ""))
    with nginx_origin(directory, port, sink) as log, python_origin() as (python_port, seen), serving(
            POLICY.format(nginx=port, python=python_port), args) as d:
        threads = [threading.Thread(target=send_all, args=(d.port, origin, sent)) for origin in SOURCES]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(set(s.outcome) == set(SOURCES) for s in sent), "a client ended early"
        d.get("/last")
        wait_until(lambda: "/last" in log.read_text("latin-1"), "nginx has written its log")
        wait_until(lambda: any(s.target == "/last" for _, s in of_vernis(d)), "vernisd has written its log")
        yield Matrix(sent, by_client(of_vernis(d)), {"nginx": by_client(of_nginx(log)), "python": by_client(seen)})


def whole(seen: list[Seen]) -> list[tuple[str, str, bytes | None]]:
    return [(s.method, s.target, s.body) for s in seen if s.fate == "whole" and s.target != "/probe"]


def in_order(seen: list[Seen]) -> list[Seen]:
    """Streams of a session arrive in any order."""
    return sorted(seen, key=lambda s: s.vxid)


def wrong_with(one: Sent, origin: str, m: Matrix) -> Iterator[str]:
    """The origin saw nothing of the request, or it saw what the message says, or what it sees over HTTP/1."""
    ours, theirs = m.vernis.get(one.clients[origin], []), m.origins[origin].get(one.clients[origin], [])
    yield from differences(in_order(ours), in_order(theirs))
    came = whole(theirs)
    if any("hidden" in target for _, target, _ in came) and b"hidden" not in one.message.get(b":path"):
        yield f"a hidden request arrived: {came}"
    plain = whole(m.origins[origin].get(one.plain_clients.get(origin, ""), []))
    said = (one.message.get(b":method").decode("latin-1"), one.message.get(b":path").decode("latin-1"))
    for method, target, body in came[:1]:
        same_as_plain = bool(plain) and (method, target) == plain[0][:2]
        if (method, target) != said and not same_as_plain:
            yield f"sent {said}, the origin saw {(method, target)}, over HTTP/1 {plain[:1]}"
        if body not in (one.message.body, b"", plain[0][2] if plain else b""):
            yield f"sent {one.message.body[:60]!r}, the origin saw {body[:60] if body else body!r}"
    if len(came) > 1:
        yield f"one request became {came}"


def test_an_origin_sees_the_same_request_or_none(matrix: Matrix) -> None:
    assert len(matrix.sent) >= 300
    lines, wrong = [], []
    for one in matrix.sent:
        problems = [f"{origin}: {text}" for origin in SOURCES for text in wrong_with(one, origin, matrix)]
        seen = whole(matrix.origins["python"].get(one.clients["python"], []))
        shown = " + ".join(f"{method} {target[:30]} {len(body or b'')}" for method, target, body in seen) or "none"
        lines.append(f"{'WRONG' if problems else 'same ':5} {one.name:44.44} {one.outcome['python']:18.18} {shown[:60]}")
        wrong += [f"{one.name}: {p}" for p in problems]
    print("\n".join(["", *lines]))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", [name for name, m in SMUGGLED if any(b"\r" in v or b"\n" in v or b"\0" in v for f in [*m.fields, *m.trailers] for v in f)])
def test_line_ends_reach_no_origin(matrix: Matrix, name: str) -> None:
    one = next(s for s in matrix.sent if s.name == name)
    for origin in SOURCES:
        seen = whole(matrix.origins[origin].get(one.clients[origin], []))
        assert seen == [] or one.message.trailers, f"{origin} saw {seen}"
