"""Slow clients read bodies that fill the whole storage, so that nothing can be evicted for a new response."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from proxy.daemon import START_S, Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving
from proxy.test_delivery import policy
from proxy.test_log_origin import counters
from proxy.test_not_stored import screens

MB = 1 << 20
GIVEN, LONG, SHORT = 16 * MB, 5 * MB, 2 * MB    # the kernel takes some 2.5 MB of a body that nobody reads
CLIENTS = 6
RULES = 'sub vcl_backend_response { if (bereq.url ~ "^/short") { set beresp.ttl = 5s; set beresp.grace = 0s; } }'


@pytest.fixture
def at_once() -> threading.Barrier:
    """All requests of /short but the first meet here. The origin answers none of them alone."""
    return threading.Barrier(CLIENTS - 1)


@pytest.fixture
def full(at_once: threading.Barrier) -> Iterator[tuple[Daemon, Origin]]:
    def answer(r: Request) -> Reply:
        first = sum(one.url == "/short" for one in origin.requests) == 1
        if r.url == "/short" and first:
            wait_until(lambda: counters(d)["MAIN.busy_sleep"] == CLIENTS - 1, "all other clients wait for this response")
        elif r.url == "/short":
            at_once.wait(timeout=START_S)
        return Reply(body=b"x" * (SHORT if r.url == "/short" else LONG), headers={"Cache-Control": "max-age=600"})

    with Origin(answer) as origin, serving(policy(origin, RULES), ["-s", f"malloc,{GIVEN}", "-p", "loops=1"], sanitized=False) as d:
        slow = [socket.socket() for _ in range(GIVEN // LONG)]
        for i, client in enumerate(slow):
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", d.port))
            client.sendall(f"GET /long/{i} HTTP/1.1\r\nHost: h\r\n\r\n".encode())
        wait_until(lambda: counters(d)["SMA.s0.g_space"] < SHORT, "bodies that nobody reads fill the storage")
        yield d, origin
        for client in slow:
            client.close()


def test_waiters_of_a_response_that_finds_no_room_are_served_at_once(full: tuple[Daemon, Origin]) -> None:
    d, origin = full

    def length(_: int) -> int:
        with Client(d.port) as c:
            return len(c.request("/short", headers={"Host": "h"}).body)

    with ThreadPoolExecutor(CLIENTS) as pool:
        assert list(pool.map(length, range(CLIENTS))) == [SHORT] * CLIENTS
    assert sum(one.url == "/short" for one in origin.requests) == CLIENTS
    wait_until(lambda: "not stored: slow clients fill its storage" in screens(d).get("h/short", []), "the log has the reason")
