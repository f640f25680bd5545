"""The origin closes a reused connection at each point of the exchange. Only idempotent requests without a
response are sent again (RFC 9110, 9.2.2)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving
from proxy.test_delivery import policy

RULES = """import std;
sub vcl_recv { if (req.http.Keep) { std.cache_req_body(1KB); } return (pass); }
sub vcl_backend_error { if (bereq.http.Retry && bereq.retries == 0) { return (retry); } }"""
WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
BEGUN = {"status line": b"HTTP/1.1 20", "head": WHOLE[:30], "content": WHOLE[:-1]}


class Dying:
    """Answers the first request of each connection. The second response ends at the given point, with the
    connection."""

    def __init__(self) -> None:
        self.point = b""
        self.served: dict[int, int] = {}

    def __call__(self, r: Request) -> Reply:
        self.served[r.connection] = self.served.get(r.connection, 0) + 1
        return Reply(raw=WHOLE) if self.served[r.connection] == 1 else Reply(raw=self.point, close=True)


class Case:
    def __init__(self, dying: Dying, origin: Origin, port: int) -> None:
        self.dying, self.origin, self.port = dying, origin, port
        self.n = 0

    def ask(self, method: str, body: bytes = b"", point: bytes = b"", headers: dict[str, str] | None = None) -> tuple[int | None, int]:
        """Sends a request on a reused connection. Returns its status (None: cut) and how often the origin
        received it."""
        self.dying.point, self.dying.served = point, {}
        self.n += 1
        with Client(self.port) as c:
            # until a connection exists that has served once
            while not self.dying.served or max(self.dying.served.values()) > 1:
                self.dying.served = {}
                c.request("/first")
            try:
                status: int | None = c.request(f"/{self.n}", method, headers, body).status
            except (EOFError, ConnectionResetError):
                status = None
        assert max(self.dying.served.values()) == 2         # the connection was reused
        return status, self.origin.count(f"/{self.n}")


@pytest.fixture(scope="module")
def case() -> Iterator[Case]:
    dying = Dying()
    with Origin(dying) as origin, serving(policy(origin, RULES)) as d:
        yield Case(dying, origin, d.port)


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "DELETE", "PUT"])
def test_an_idempotent_request_without_a_response_is_sent_once_more(case: Case, method: str) -> None:
    assert case.ask(method) == (200, 2)


@pytest.mark.parametrize(("method", "body"), [("POST", b""), ("POST", b"content"), ("PATCH", b"content"), ("MKCOL", b"")])
def test_a_request_that_is_not_idempotent_is_never_sent_twice(case: Case, method: str, body: bytes) -> None:
    assert case.ask(method, body, headers={"Keep": "1"}) == (503, 1)


@pytest.mark.parametrize("point", BEGUN)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_request_whose_response_has_begun_is_not_sent_again(case: Case, method: str, point: str) -> None:
    status, times = case.ask(method, point=BEGUN[point])
    assert times == 1 and status in (503, None)         # None: cut after the client had the head


def test_a_policy_may_retry_other_requests(case: Case) -> None:
    assert case.ask("POST", b"content", headers={"Keep": "1", "Retry": "1"}) == (200, 2)
