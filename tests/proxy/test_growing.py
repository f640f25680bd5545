"""Bodies of unknown length that are longer than growing_max: their clients get them whole, and the cache keeps
its other responses."""

from __future__ import annotations

import random
import socket
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from proxy.daemon import START_S, Daemon, wait_equal, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving
from proxy.test_delivery import policy
from proxy.test_gzip import counters
from proxy.test_not_stored import screens

MB = 1 << 20
ROOM = 16 * MB
LONG = 12 * MB
BEYOND = 64 * MB                    # more than the sockets between the origin and the proxy take without a reader
SMALL, N_SMALL = 20_000, 600        # nearly fill the storage
MOST_LOST = 300                     # half of the small responses
PIECE = random.Random(1).randbytes(MB)
RULES = """
sub vcl_recv { if (req.url ~ "way=pass") { return (pass); } }
sub vcl_backend_response {
    if (bereq.url ~ "way=transient") { set beresp.ttl = 5s; set beresp.grace = 0s; set beresp.keep = 0s; }
    if (bereq.url ~ "way=gunzip") { set beresp.do_gunzip = true; }
    if (bereq.url ~ "way=gzip") { set beresp.do_gzip = true; }
    if (bereq.url ~ "way=page") { set beresp.do_esi = true; }
    if (bereq.url ~ "way=whole") { set beresp.do_stream = false; }
}"""


class Endless:
    """An origin of small responses and of long ones. Those with "wait" in their URL wait behind each MB for ``go``."""

    def __init__(self) -> None:
        self.go = threading.Event()
        packer = zlib.compressobj(1, zlib.DEFLATED, 31)
        self.packed = b"".join([*(packer.compress(PIECE) for _ in range(LONG // MB)), packer.flush()])

    def answer(self, r: Request) -> Reply:
        head = b"HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n"
        if not r.url.startswith("/long"):
            return Reply(body=b"x" * SMALL, headers={"Cache-Control": "max-age=600"})
        if "gunzip" in r.url:
            return Reply(pieces=[head + b"Content-Encoding: gzip\r\n\r\n%x\r\n" % len(self.packed), self.packed, b"\r\n0\r\n\r\n"])
        pieces: list[bytes | Callable[[], bytes | None]] = [head + b"\r\n"]
        for i in range((BEYOND if "beyond" in r.url else LONG) // MB):
            pieces += [b"%x\r\n%s\r\n" % (MB, PIECE)]
            pieces += [self.wait] if "wait" in r.url and i == 2 else []
        return Reply(pieces=[*pieces, b"0\r\n\r\n"])

    def wait(self) -> bytes:
        assert self.go.wait(START_S)
        return b""


@contextmanager
def full() -> Iterator[tuple[Daemon, Origin, Endless]]:
    e = Endless()
    with Origin(e.answer) as origin, serving(policy(origin, RULES), ["-s", f"malloc,{ROOM}", "-p", "loops=1"]) as d:
        assert small(d, origin) == N_SMALL
        assert small(d, origin) == 0
        yield d, origin, e
        e.go.set()


def small(d: Daemon, origin: Origin) -> int:
    """Requests all small responses. Returns the number of those that had to be fetched."""
    before = len(origin.requests)
    with Client(d.port) as c:
        for i in range(N_SMALL):
            assert len(c.request(f"/{i}").body) == SMALL
    return len(origin.requests) - before


def lost(d: Daemon) -> int:
    """The evicted small responses. To request them again would evict others."""
    return N_SMALL - d.counters["MAIN.n_object"]


def is_long(body: bytes) -> bool:
    return len(body) == LONG and all(body[i:i + MB] == PIECE for i in range(0, LONG, MB))


def left(d: Daemon) -> list[str]:
    return [url for url, lines in screens(d).items() if "not stored: of unknown length, and longer than growing_max" in lines]


def bodies_are_freed(d: Daemon) -> None:
    wait_until(lambda: (v := counters(d))["MEMORY.s0.g_bodies"] <= N_SMALL * SMALL and v["MEMORY.Transient.g_bodies"] == 0,
               "the long body is freed")


@pytest.mark.parametrize("way", ["miss", "gunzip", "gzip", "transient", "pass"])
def test_one_long_body_leaves_the_cache_as_it_was(way: str) -> None:
    with full() as (d, _, _):
        with Client(d.port) as c:
            assert is_long(c.request(f"/long?way={way}").body)
        if way != "pass":
            wait_until(lambda: left(d), "the log has the reason")
        bodies_are_freed(d)
        assert lost(d) < MOST_LOST


@pytest.mark.parametrize("way", ["page", "whole"])
def test_a_body_that_has_no_reader_yet_fails(way: str) -> None:
    with full() as (d, _, _):
        with Client(d.port) as c:
            assert c.request(f"/long?way={way}").status == 503
        bodies_are_freed(d)
        assert lost(d) < MOST_LOST


def test_readers_that_follow_are_served_on_at_the_pace_of_the_slowest() -> None:
    with full() as (d, origin, e):
        followers = [socket.create_connection(("127.0.0.1", d.port), START_S) for _ in range(4)]
        got: dict[int, bytes] = {}

        def read(i: int) -> None:
            with followers[i].makefile("rb") as f:
                while (line := f.readline()) not in (b"\r\n", b""):
                    pass
                body = b""
                while line and (n := int(f.readline() or b"0", 16)):
                    body += f.read(n)
                    f.read(2)
                got[i] = body
        for s in followers:
            s.sendall(b"GET /long?wait HTTP/1.1\r\nHost: a\r\n\r\n")
        wait_until(lambda: d.counters["MAIN.cache_hit"] >= N_SMALL + 3, "all others hit the growing response")
        before = 2 * N_SMALL * SMALL
        e.go.set()
        threads = [threading.Thread(target=read, args=(i,)) for i in range(4)]
        for t in threads[:3]:
            t.start()
        wait_until(lambda: d.counters["MAIN.s_resp_bodybytes"] - before > 3 * (ROOM // 4), "the body has left its storage")
        assert not got                                          # all wait for the fourth
        threads[3].start()
        with Client(d.port) as late:                            # gets a fetch of its own
            assert is_long(late.request("/long?wait").body)
        for t in threads:
            t.join(START_S)
        assert [is_long(got[i]) for i in range(4)] == [True] * 4
        assert origin.count("/long?wait") == 2
        for s in followers:
            s.close()
        bodies_are_freed(d)
        assert lost(d) < 500


def test_several_long_bodies_share_the_part() -> None:
    with full() as (d, _, _):
        whole: list[bool] = []

        def one(i: int) -> None:
            with Client(d.port) as c:
                whole.append(is_long(c.request(f"/long/{i}").body))
        threads = [threading.Thread(target=one, args=(i,)) for i in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join(2 * START_S)
        assert whole == [True] * 4
        bodies_are_freed(d)
        assert lost(d) < 500


def test_the_fetch_ends_when_all_its_readers_have_left() -> None:
    with full() as (d, origin, e):
        clients = [socket.create_connection(("127.0.0.1", d.port), START_S) for _ in range(2)]
        for s in clients:
            s.sendall(b"GET /long?wait&beyond HTTP/1.1\r\nHost: a\r\n\r\n")
        wait_equal(lambda: d.counters["MAIN.cache_hit"], N_SMALL + 1)
        e.go.set()
        wait_until(lambda: left(d) or d.counters["MAIN.n_lru_nuked"] > 20, "the body has grown")
        for s in clients:
            s.close()
        bodies_are_freed(d)
        wait_until(lambda: origin.errors, "its connection to the origin is closed")
        assert lost(d) < MOST_LOST
