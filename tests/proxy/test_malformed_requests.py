"""A running proxy gives the documented response to every request of tests/data/malformed_requests, forwards
none to the origin, and keeps serving."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from proxy.daemon import START_S
from proxy.origin import Origin, Reply, Request, fetch
from proxy.serve import serve

CASES_PATH = Path(__file__).parents[1] / "data" / "malformed_requests" / "requests.txt"
ESCAPES = {"r": b"\r", "n": b"\n", "t": b"\t", "\\": b"\\"}


@dataclass(slots=True)
class Case:
    name: str
    status: int
    stage: str
    data: bytes


def unescape(text: str) -> bytes:
    parts = re.split(r"\\(x[0-9a-f]{2}|.)", text)
    parts[1::2] = [bytes([int(p[1:], 16)]) if p[0] == "x" else ESCAPES[p] for p in parts[1::2]]
    return b"".join(p if isinstance(p, bytes) else p.encode("latin-1") for p in parts)


def read_cases() -> Iterator[Case]:
    for block in CASES_PATH.read_text().split("\n\n")[1:]:
        fields, data = {}, b""
        for line in block.split("\n"):
            if line.startswith("|"):
                data += unescape(line[1:])
            elif line.startswith("*"):
                count, text = line[1:].split(" ", 1)
                data += int(count) * unescape(text)
            elif ": " in line:
                key, value = line.split(": ", 1)
                fields[key] = value
        yield Case(fields["case"], int(fields["status"]), fields["stage"], data)


CASES = list(read_cases())


def page(request: Request) -> Reply:
    return Reply(body=b"sound")


@pytest.fixture(scope="module")
def proxy() -> Iterator[tuple[int, Origin]]:
    with Origin(page) as origin:
        policy = ('vcl 4.1; import std; backend default { .host = "127.0.0.1"; .port = "%d"; }\n'
                  "sub vcl_recv { set req.http.X-Port = std.port(client.ip); }\n" % origin.port)
        with serve(policy, ("-p", "feature=+answer_large_heads")) as port:
            yield port, origin


def answer_to(port: int, data: bytes) -> tuple[bytes, str]:
    """All bytes until the proxy closes, and the client's port. The proxy must close without help."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=START_S) as s:
        own = str(s.getsockname()[1])
        try:
            s.sendall(data)
            while piece := s.recv(65536):
                received += piece
        except (ConnectionResetError, BrokenPipeError):
            pass                # the proxy closed with unread bytes of ours
    return received, own


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 200
    assert len({c.name for c in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_a_malformed_request_is_refused(case: Case, proxy: tuple[int, Origin]) -> None:
    port, origin = proxy
    # A second request follows. It must not be answered, because its beginning is unknown.
    received, own = answer_to(port, case.data + b"GET /smuggled HTTP/1.1\r\nHost: a.example\r\n\r\n"
                         if case.stage in ("framing", "content") else case.data)
    assert received.startswith(b"HTTP/1.1 %d " % case.status), received[:200]
    assert received.count(b"HTTP/1.1 ") == 1, received[:400]
    assert origin.count("/smuggled") == 0
    if case.stage != "content":
        assert not [r for r in origin.requests if r.headers.get("x-port") == own]


def test_the_proxy_serves_after_malformed_requests(proxy: tuple[int, Origin]) -> None:
    port, _ = proxy
    assert fetch(port, "/after").body == b"sound"
