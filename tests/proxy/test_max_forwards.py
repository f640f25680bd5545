"""Max-Forwards of TRACE and OPTIONS (RFC 9110, 7.6.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving

POLICY = """vcl %s;
backend default { .host = "127.0.0.1"; .port = "%d"; }
sub vcl_recv {
    if (req.url == "/refused") { return (synth(405)); }
    if (req.url == "/pipe") { return (pipe); }
    return (pass);
}
"""


def answer(request: Request) -> Reply:
    return Reply(body=b"origin", headers={"X-Forwards": request.headers.get("max-forwards", "none")})


@dataclass(slots=True)
class World:
    port: int
    origin: Origin


@pytest.fixture(scope="module", params=["4.1", "5.0"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    with Origin(answer) as origin, serving(POLICY % (request.param, origin.port)) as d:
        yield World(d.port, origin)


@pytest.mark.parametrize("url", ["/", "/pipe"])
@pytest.mark.parametrize("method", ["TRACE", "OPTIONS"])
@pytest.mark.parametrize(("sent", "forwarded"), [
    ("1", "0"), ("10", "9"), ("007", "6"), ("2147483647", "2147483646"), ("2147483648", "2147483646"), ("9" * 40, "2147483646"),
    ("-1", "-1"), ("x", "x"), ("1 2", "1 2"), ("0x1", "0x1"), ("", ""), ("+1", "+1"),
])
def test_a_forward_is_counted(world: World, url: str, method: str, sent: str, forwarded: str) -> None:
    with Client(world.port) as c:
        r = c.request(url, method, headers={"Max-Forwards": sent})
        assert (r.body, r.get("X-Forwards")) == (b"origin", forwarded)


@pytest.mark.parametrize("url", ["/", "/pipe"])
@pytest.mark.parametrize("zero", ["0", "000"])
def test_the_last_recipient_answers(world: World, url: str, zero: str) -> None:
    before = len(world.origin.requests)
    with Client(world.port) as c:
        r = c.request(url, "OPTIONS", headers={"Max-Forwards": zero})
        assert (r.status, r.get("Content-Length"), r.body) == (200, "0", b"")
        r = c.request(url, "TRACE", headers={"Max-Forwards": zero, "Cookie": "secret", "Authorization": "Basic secret", "X-Mine": "1"})
        assert (r.status, r.get("Content-Type")) == (200, "message/http")
        lines = r.body.decode().split("\r\n")
        assert lines[0] == f"TRACE {url} HTTP/1.1" and f"Max-Forwards: {zero}" in lines and "X-Mine: 1" in lines
        assert b"secret" not in r.body and r.body.endswith(b"\r\n\r\n")
        assert c.request(url, "OPTIONS", headers={"Max-Forwards": zero}, body=b"content").status == 200     # the connection stays open
    assert len(world.origin.requests) == before


def test_the_policy_may_refuse_before(world: World) -> None:
    with Client(world.port) as c:
        assert c.request("/refused", "TRACE", headers={"Max-Forwards": "0"}).status == 405


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_other_methods_are_not_limited(world: World, method: str) -> None:
    with Client(world.port) as c:
        assert c.request("/", method, headers={"Max-Forwards": "0"}).get("X-Forwards") == "0"
