"""Stored content from sendfile_min on leaves without a copy, and clients notice no difference."""

from __future__ import annotations

import contextlib
import gzip
import random
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving

MB = 1 << 20
BACKEND = 'vcl 4.1; backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}\n'
MIN = 20_000
ON = ["-p", f"sendfile_min={MIN}b", "-p", "sendfile_connections=0"]
#: The kernel sends a body from this hit on
POPULAR = 10
#: Around the threshold, pages, the size from which pieces go by file, and places of 1 MB
SIZES = [1, MIN - 1, MIN, MIN + 1, 20_480, 65_536, MB - 1, MB, MB + 1, MB + 10_000, 2 * MB + 77]
FRESH = {"Cache-Control": "max-age=600"}


def content(url: str) -> bytes:
    """The body of /SIZE/NAME."""
    return random.Random(url).randbytes(int(url.split("/")[1]))


def answer(r: Request) -> Reply:
    return Reply(body=content(r.url), headers={**FRESH, "ETag": '"1"'})


@contextlib.contextmanager
def running(*args: str, policy: str = "") -> Iterator[tuple[Daemon, Origin]]:
    with Origin(answer) as origin, serving(BACKEND.format(port=origin.port) + policy, [*ON, *args]) as d:
        yield d, origin


def make_popular(c: Client, url: str) -> None:
    """Requests as many hits as are copied."""
    for _ in range(POPULAR):
        assert c.request(url, headers={"Range": "bytes=0-0"}).status == 206


def sent_by_file(d: Daemon, c: Client | None = None) -> int:
    """A loop counts after it has sent. A later response on the same connection says that it has counted."""
    if c is not None:
        assert c.request("/1/counted").status == 200
    return d.counters["VERNIS.sendfile_bytes"]


def test_bodies_are_whole_as_miss_and_as_hit() -> None:
    with running() as (d, origin), Client(d.port) as c:
        for size in SIZES:
            for _ in range(POPULAR + 3):
                r = c.request(f"/{size}/a")
                assert r.body == content(f"/{size}/a") and r.get("Content-Length") == str(size), size
        assert len(origin.requests) == len(SIZES)


@pytest.mark.parametrize(("size", "by_file"), [(MIN - 1, 0), (MIN, MIN), (MB + 50_000, MB + 50_000)])
def test_content_from_the_threshold_on_is_not_copied(size: int, by_file: int) -> None:
    with running() as (d, _), Client(d.port) as c:
        make_popular(c, f"/{size}/a")
        before = sent_by_file(d, c)
        c.request(f"/{size}/a")
        assert sent_by_file(d, c) - before == by_file


def test_content_is_copied_until_it_is_popular() -> None:
    with running() as (d, _), Client(d.port) as c:
        for _ in range(POPULAR):
            c.request(f"/{MB}/a")
        assert sent_by_file(d, c) == 0
        c.request(f"/{MB}/a")
        assert sent_by_file(d, c) == MB


def test_few_clients_get_copies() -> None:
    with running("-p", "sendfile_connections=3", "-p", "loops=1") as (d, _), Client(d.port) as a, Client(d.port) as b:
        make_popular(a, f"/{MB}/a")
        assert b.request(f"/{MB}/a").body == content(f"/{MB}/a")
        assert sent_by_file(d, b) == 0
        with Client(d.port) as third:
            third.request(f"/{MB}/a")
            assert sent_by_file(d, third) == MB


def test_a_connection_that_ends_with_its_response_gets_no_copy() -> None:
    """Such a connection does not count while its bytes are in flight."""
    with running("-p", "sendfile_connections=9", "-p", "loops=1") as (d, _), Client(d.port) as a:
        make_popular(a, f"/{MB}/a")
        assert a.request(f"/{MB}/a").body == content(f"/{MB}/a")
        assert sent_by_file(d, a) == 0
        with Client(d.port) as b:
            assert b.request(f"/{MB}/a", headers={"Connection": "close"}).body == content(f"/{MB}/a")
            assert b.closed()
        assert sent_by_file(d, a) == MB


def test_without_the_parameter_all_content_is_copied() -> None:
    with Origin(answer) as origin, serving(BACKEND.format(port=origin.port), ["-p", "sendfile_min=0b"]) as d, Client(d.port) as c:
        for _ in range(POPULAR + 2):
            assert c.request(f"/{MB}/a").body == content(f"/{MB}/a")
        assert sent_by_file(d, c) == 0


def test_the_parameter_acts_on_later_fetches() -> None:
    with running() as (d, _), Client(d.port) as c:
        make_popular(c, f"/{MB}/old")
        d.ok("param.set sendfile_min 0b")
        before = sent_by_file(d, c)
        make_popular(c, f"/{MB}/new")
        assert c.request(f"/{MB}/new").body == content(f"/{MB}/new")
        assert sent_by_file(d, c) == before
        assert c.request(f"/{MB}/old").body == content(f"/{MB}/old")
        assert sent_by_file(d, c) == before + MB


@pytest.mark.parametrize("span", ["0-0", "5-19999", "1048570-1048580", "100-2000000", "1048576-", "-7"])
def test_ranges(span: str) -> None:
    url = f"/{2 * MB + 77}/a"
    whole = content(url)
    first, last = span.split("-")
    expected = whole[-int(last):] if not first else whole[int(first):int(last) + 1 if last else None]
    with running() as (d, _), Client(d.port) as c:
        for _ in range(POPULAR + 2):
            r = c.request(url, headers={"Range": f"bytes={span}"})
            assert r.status == 206 and r.body == expected


def test_head_conditions_and_http_1_0() -> None:
    url = f"/{MB}/a"
    with running() as (d, _), Client(d.port) as c:
        make_popular(c, url)
        assert c.request(url, "HEAD").get("Content-Length") == str(MB)
        assert c.request(url, headers={"If-None-Match": '"1"'}).status == 304
        assert c.request(url).body == content(url)
        c.send(f"GET {url} HTTP/1.0\r\nHost: a\r\n\r\n".encode())
        assert c.response().body == content(url) and c.closed()


def test_pipelined_requests() -> None:
    urls = [f"/{size}/a" for size in (MB, 5, 30_000, 2 * MB, 100)]
    with running() as (d, _), Client(d.port) as c:
        for _ in range(POPULAR + 2):
            c.send(b"".join(f"GET {u} HTTP/1.1\r\nHost: a\r\n\r\n".encode() for u in urls))
            assert [c.response().body for _ in urls] == [content(u) for u in urls]


def test_readers_follow_a_body_that_grows() -> None:
    whole = content(f"/{2 * MB}/a")
    gates = [threading.Event() for _ in range(4)]

    def slowly(_: Request) -> Reply:
        def piece(i: int) -> bytes:
            gates[i].wait(20)
            return whole[i * MB // 2:(i + 1) * MB // 2]
        head = b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: %d\r\n\r\n" % len(whole)
        return Reply(pieces=[head, *[lambda i=i: piece(i) for i in range(4)]])

    with Origin(slowly) as origin, serving(BACKEND.format(port=origin.port), ON) as d, Client(d.port) as a, Client(d.port) as b:
        for c in (a, b):
            c.send(b"GET / HTTP/1.1\r\nHost: example.com\r\n\r\n")
        gates[0].set()
        for c in (a, b):
            assert c.head().status == 200
            assert c.stream.read(MB // 2) == whole[:MB // 2]
        for g in gates:
            g.set()
        for c in (a, b):
            assert c.stream.read(len(whole) - MB // 2) == whole[MB // 2:]
        assert a.request("/").body == whole
        assert len(origin.requests) == 1


def test_a_body_that_breaks_off_is_not_stored() -> None:
    whole = content(f"/{2 * MB}/a")
    head = b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: %d\r\n\r\n" % len(whole)

    def broken(_: Request) -> Reply:
        return Reply(pieces=[head + whole[:MB + 5], None] if len(origin.requests) == 1 else [head + whole])
    with Origin(broken) as origin, serving(BACKEND.format(port=origin.port), ON) as d:
        with Client(d.port) as c:
            with pytest.raises((EOFError, ConnectionResetError)):
                c.request("/")
        with Client(d.port) as c:
            assert c.request("/").body == whole
            assert c.request("/").body == whole
        assert len(origin.requests) == 2


def test_pages_in_flight_are_not_used_again() -> None:
    """The kernel holds pages in its socket buffers after the delivery. The purge frees the places, and other
    content takes them."""
    policy = "sub vcl_recv { if (req.method == \"PURGE\") { return (purge); } }"
    size, numbers = 150_000, iter(range(1, 1000))

    def versions(_: Request) -> Reply:
        return Reply(body=bytes([next(numbers) % 256]) * size, headers=FRESH)
    with Origin(versions) as origin, serving(BACKEND.format(port=origin.port) + policy, ON) as d:
        clients, first = [], []
        for i in range(20):
            with Client(d.port) as other:
                make_popular(other, "/a")
                c = Client(d.port, receive=4096)
                c.send(b"GET /a HTTP/1.1\r\nHost: example.com\r\n\r\n")
                assert c.head().status == 200
                first.append(c.stream.read(1))
                wait_until(lambda i=i: sent_by_file(d) >= (i + 1) * size, "the kernel has all bytes")  # type: ignore[misc]
                clients.append(c)
                assert other.request("/a", "PURGE").status == 200
                other.request(f"/other{i}", headers={"Range": "bytes=0-0"})     # by copy
        for i, c in enumerate(clients):
            assert c.stream.read(size - 1) == first[i] * (size - 1)
            c.close()


def test_copies_in_flight_survive_the_next_use_of_their_pages() -> None:
    """Slow clients have taken a part of a body that is purged. Its pages wait for the last client, then other
    content is written into them."""
    policy = "sub vcl_recv { if (req.method == \"PURGE\") { return (purge); } }"
    size, numbers = 3 * MB, iter(range(1, 1000))

    def versions(_: Request) -> Reply:
        return Reply(body=bytes([next(numbers) % 256]) * size, headers=FRESH)
    with Origin(versions) as origin, serving(BACKEND.format(port=origin.port) + policy, ON) as d:
        clients, first = [], []
        for _ in range(6):
            with Client(d.port) as other:
                other.request("/a")
                c = Client(d.port, receive=4096)
                c.send(b"GET /a HTTP/1.1\r\nHost: example.com\r\n\r\n")
                assert c.head().status == 200
                first.append(c.stream.read(1))
                clients.append(c)
                assert other.request("/a", "PURGE").status == 200
        for i, c in enumerate(clients):
            assert c.stream.read(size - 1) == first[i] * (size - 1)
            c.close()
        assert sent_by_file(d) == 0


def test_eviction_keeps_the_storage_within_its_size() -> None:
    with running("-s", "malloc,16m") as (d, _), Client(d.port) as c:
        for i in range(60):
            url = f"/{500_000 + i}/{i}"
            assert c.request(url).body == content(url)
            if i % 3 == 0:
                make_popular(c, url)
                assert c.request(url).body == content(url)
        worker = d.worker_pid
        files = [f for f in Path(f"/proc/{worker}/fd").iterdir() if "memfd:bodies" in str(f.readlink())]
        held = wait_until(lambda: (n := sum(f.stat().st_blocks * 512 for f in files)) <= 17 * MB and n, "1 MB of pages may wait")
        assert held > 8 * MB
        wait_until(lambda: d.counters["MAIN.n_lru_nuked"] > 0, "responses were evicted")


def test_clients_that_leave_in_the_middle() -> None:
    url = f"/{3 * MB}/a"
    with running() as (d, _):
        for i in range(20):
            with socket.create_connection(("127.0.0.1", d.port)) as s:
                s.sendall(f"GET {url} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                if i % 2:
                    s.recv(1000)
        with Client(d.port) as c:
            make_popular(c, url)
            assert c.request(url).body == content(url)


def test_filters_read_the_same_bytes() -> None:
    plain = b"some text " * 100_000
    packed = gzip.compress(random.Random(1).randbytes(300_000) + plain)

    def gzipped(_: Request) -> Reply:
        return Reply(body=packed, headers={**FRESH, "Content-Encoding": "gzip"})
    with Origin(gzipped) as origin, serving(BACKEND.format(port=origin.port), ON) as d, Client(d.port) as c:
        for _ in range(2):
            assert c.request("/").body == gzip.decompress(packed)
            assert c.request("/", headers={"Accept-Encoding": "gzip"}).body == packed


def test_a_confirmed_response_keeps_its_body() -> None:
    url = f"/{MB + 5}/a"

    def confirms(r: Request) -> Reply:
        if "if-none-match" in r.headers:
            return Reply(status=304, headers=FRESH)
        return Reply(body=content(url), headers={"Cache-Control": "max-age=0", "ETag": '"1"'})
    policy = "sub vcl_backend_response { if (beresp.ttl <= 0s) { set beresp.ttl = 0.1s; } set beresp.grace = 0s; set beresp.keep = 1h; }"
    with Origin(confirms) as origin, serving(BACKEND.format(port=origin.port) + policy, ON) as d, Client(d.port) as c:
        assert c.request(url).body == content(url)
        time.sleep(0.3)
        assert c.request(url).body == content(url)
        assert c.request(url).body == content(url)
        assert [("if-none-match" in r.headers) for r in origin.requests] == [False, True]


def test_pages_with_includes() -> None:
    part = content(f"/{MB + 5}/a").hex().encode()
    page = b"<p>" + b"x" * 300_000 + b'<esi:include src="/part"/>' + b"y" * 300_000

    def pages(r: Request) -> Reply:
        return Reply(body=part if r.url == "/part" else page, headers=FRESH)
    policy = "sub vcl_backend_response { set beresp.do_esi = bereq.url == \"/\"; }"
    with Origin(pages) as origin, serving(BACKEND.format(port=origin.port) + policy, ON) as d, Client(d.port) as c:
        expected = page.replace(b'<esi:include src="/part"/>', part)
        assert c.request("/").body == expected
        assert c.request("/").body == expected


def test_a_worker_without_memfd_copies(tmp_path: Path) -> None:
    """A limit on the size of files would end the process with a signal."""
    with Origin(answer) as origin:
        script = tmp_path / "vernisd"
        script.write_text(f'#!/bin/sh\nulimit -f 500000\nexec {ROOT}/build/bin/vernisd "$@"\n')
        script.chmod(0o755)
        with Daemon(tmp_path, BACKEND.format(port=origin.port), ON, binary=script) as d, Client(d.port) as c:
            for _ in range(POPULAR + 2):
                assert c.request(f"/{MB}/a").body == content(f"/{MB}/a")
            assert sent_by_file(d, c) == 0
            assert "sendfile_min has no effect" in d.heard
