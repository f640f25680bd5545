"""A storage full of small objects makes room for long bodies. The same requests run on Vernis and, if it is
installed, on Varnish."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from proxy.daemon import wait_until
from proxy.origin import Client, Origin, Reply, Request, fetch
from proxy.serve import serving
from proxy.stock_tables import STOCK
from support.ports import free_port

SMALL = 20_000
ROOM = ("-s", "malloc,4m")
LONG = [(way, n) for way in ("known", "chunked") for n in (400_000, 2_000_000)]


def answer(request: Request) -> Reply:
    """Responds to /WAY/BYTES/..."""
    _, way, n, *_ = request.url.split("/")
    body, fields = bytes(int(n)), {"Cache-Control": "max-age=1000"}
    if way == "known":
        return Reply(body=body, headers=fields)
    pieces = [body[i:i + 20_000] for i in range(0, len(body), 20_000)]
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in pieces) + b"0\r\n\r\n"
    head = b"HTTP/1.1 200 OK\r\nCache-Control: max-age=1000\r\nTransfer-Encoding: chunked\r\n\r\n"
    return Reply(raw=head + chunks)


def is_whole(port: int, url: str, n: int) -> bool:
    with suppress(OSError, EOFError, ValueError):       # Varnish cuts the response
        r = fetch(port, url)
        return r.status == 200 and len(r.body) == n
    return False


def fill(port: int, name: str) -> None:
    with Client(port) as c:
        for i in range(230):
            assert c.request(f"/known/{SMALL}/{name}/{i}").status == 200


def wholes(port: int) -> set[tuple[str, int]]:
    """The long bodies that arrive whole, each with a storage full of small objects."""
    found = set()
    for way, n in LONG:
        fill(port, f"before/{way}/{n}")
        if is_whole(port, f"/{way}/{n}", n):
            found.add((way, n))
    return found


def serves(port: int) -> bool:
    with suppress(OSError):
        return fetch(port, "/known/1").status == 200
    return False


@contextmanager
def varnish(origin_port: int) -> Iterator[int]:
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="vernis-test-") as directory:
        Path(directory).chmod(0o755)
        process = subprocess.Popen([STOCK, "-F", "-n", f"{directory}/work", "-a", f"127.0.0.1:{port}", "-b", f"127.0.0.1:{origin_port}", "-T", "none",
                                    "-j", "none", *ROOM], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: serves(port), "Varnish serves")
            yield port
        finally:
            process.terminate()
            process.wait(30)


def test_small_objects_are_evicted_for_long_bodies() -> None:
    """With the default nuke_limit: 2 MB need the eviction of a hundred small objects."""
    with Origin(answer) as origin, serving('vcl 4.1; backend default { .host = "127.0.0.1"; .port = "%d"; }' % origin.port, ROOM) as d:
        assert wholes(d.port) == set(LONG)


@pytest.mark.skipif(not STOCK.exists(), reason="no varnishd: Debian's package varnish is not installed")
def test_varnish_gives_up_at_its_limit() -> None:
    """Varnish itself fails to deliver long bodies under the same load."""
    with Origin(answer) as origin, varnish(origin.port) as port:
        found = wholes(port)
        assert ("known", 400_000) in found and ("known", 2_000_000) not in found
