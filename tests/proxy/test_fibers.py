"""Slow origins: requests that wait for them leave fibers to the hits (fibers_reserve)."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from proxy.daemon import START_S, Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving
from proxy.test_delivery import policy
from proxy.test_log_origin import counters

FIBERS = 32
RULES = """sub vcl_recv {
    if (req.url ~ "^/pass") { return (pass); }
    if (req.url ~ "^/pipe") { return (pipe); }
    if (req.url ~ "^/synth") { return (synth(200)); }
    return (hash);
}
sub vcl_backend_response { if (bereq.url == "/page") { set beresp.do_esi = true; } }
"""


@pytest.fixture
def slow() -> Iterator[tuple[Daemon, Origin]]:
    """A daemon that has /hit and /page, and whose origin answers other requests only at the end."""
    end = threading.Event()

    def answer(r: Request) -> Reply:
        if r.url not in ("/hit", "/page"):
            end.wait(timeout=4 * START_S)
        body = b'<esi:include src="/hit"/><esi:include src="/hit"/>' if r.url == "/page" else b"x"
        return Reply(body=body, headers={"Cache-Control": "max-age=600"})

    args = ["-p", f"fibers_max={FIBERS}", "-p", "loops=1", "-p", "busy_wait_timeout=100"]
    with Origin(answer) as origin, serving(policy(origin, RULES), args, sanitized=False) as d:
        for url in "/hit", "/page":
            assert get(d, url) == 200
        yield d, origin
        end.set()


def get(d: Daemon, url: str) -> int:
    with Client(d.port) as c:
        return c.request(url, headers={"Host": "h"}).status


@pytest.mark.parametrize("url", ["/miss/{}", "/pass/{}", "/one"])
def test_hits_find_a_fiber_while_others_wait_for_a_slow_origin(slow: tuple[Daemon, Origin], url: str) -> None:
    d, _ = slow
    waiting = [Client(d.port) for _ in range(2 * FIBERS)]
    for n, c in enumerate(waiting):
        c.send(f"GET {url.format(n)} HTTP/1.1\r\nHost: h\r\n\r\n".encode())
    wait_until(lambda: counters(d)["VERNIS.fibers_limited"] > 0, "all fibers but the reserve wait for the origin")
    assert [get(d, which) for which in ["/hit", "/page", "/synth"] * 10] == [200] * 30
    assert [get(d, which) for which in ("/new", "/pass/new", "/pipe/new")] == [503] * 3
    for c in waiting:
        c.close()


LOOPS, MISSES = 3, 50


def test_a_loop_whose_clients_all_wait_uses_the_fibers_of_the_others() -> None:
    """Its part of fibers_max would be 64 fibers, of which a miss takes two. A connection goes to the least
    loaded of three."""
    end = threading.Event()

    def answer(r: Request) -> Reply:
        end.wait(timeout=4 * START_S)
        return Reply(body=b"x")

    with Origin(answer) as origin, serving(policy(origin, RULES), ["-p", f"fibers_max={64 * LOOPS}", "-p", f"loops={LOOPS}"], sanitized=False) as d:
        clients = []
        for _ in range(LOOPS * MISSES):
            clients.append(Client(d.port))
            assert clients[-1].request("/synth", headers={"Host": "h"}).status == 200
        for n, c in enumerate(clients[::LOOPS]):
            c.send(f"GET /miss/{n} HTTP/1.1\r\nHost: h\r\n\r\n".encode())
        wait_until(lambda: len(origin.requests) == MISSES or counters(d)["VERNIS.fibers_limited"] > 0, "all requests are with the origin")
        assert counters(d)["VERNIS.fibers_limited"] == 0
        end.set()
        for c in clients:
            c.close()
