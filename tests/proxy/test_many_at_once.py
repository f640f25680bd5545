"""Requests of many connections that arrive in one round of a loop: it reads them in a row, then serves them."""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack
from pathlib import Path

from proxy.daemon import Daemon
from proxy.origin import Client, Origin, Reply, Request

BACKEND = 'vcl 4.1; backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}\n'
CONNECTIONS = 70        # three rows
LONG = "".join(f"X-{i}: {'x' * 5000}\r\n" for i in range(3))       # more than a loop reads at first


def own_url(r: Request) -> Reply:
    return Reply(body=r.url.encode(), headers={"Cache-Control": "max-age=600"})


def request(url: str, fields: str = "") -> bytes:
    return f"GET {url} HTTP/1.1\r\nHost: a\r\n{fields}\r\n".encode()


def test_each_connection_gets_its_own_response(tmp_path: Path) -> None:
    """The worker is stopped while the requests arrive, so that one round has them all."""
    with (Origin(own_url) as origin, Daemon(tmp_path, BACKEND.format(port=origin.port), ["-p", "loops=1"]) as d,
          ExitStack() as stack):
        clients = [stack.enter_context(Client(d.port)) for _ in range(CONNECTIONS)]
        for i, c in enumerate(clients):
            c.send(request(f"/{i}"))
            assert c.response().body == f"/{i}".encode()
        worker = d.worker_pid
        os.kill(worker, signal.SIGSTOP)
        expected: list[list[str]] = []
        for i, c in enumerate(clients):
            sent, urls = [
                (request(f"/{i}"), [f"/{i}"]),
                (request(f"/{i}") + request(f"/0?{i}"), [f"/{i}", f"/0?{i}"]),
                (request(f"/{i}")[:9 + i % 20], []),
                (request(f"/{i}", LONG), [f"/{i}"]),
                (request(f"/{i}", "Connection: close\r\n"), [f"/{i}"]),
            ][i % 5]
            c.send(sent)
            expected.append(urls)
        os.kill(worker, signal.SIGCONT)
        for c, urls in zip(clients, expected, strict=True):
            assert [c.response().body for _ in urls] == [url.encode() for url in urls]
        for i, c in enumerate(clients):
            if i % 5 == 2:
                c.send(request(f"/{i}")[9 + i % 20:])
                assert c.response().body == f"/{i}".encode()
            if i % 5 == 4:
                assert c.closed()
        assert d.worker_pid == worker
