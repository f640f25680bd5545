"""Bodies whose origin breaks off: each client gets all bytes that were fetched, then the end of the connection
without the end of the body (RFC 9112, 8)."""

from __future__ import annotations

import socket
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import brotli
import pytest

from proxy.daemon import START_S, Daemon, wait_equal, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving
from proxy.test_delivery import policy

SENT = bytes(i * 31 % 251 for i in range(3_000_000))
WHOLE = len(SENT) * 2
CACHED = b"Cache-Control: max-age=60\r\nETag: \"a\"\r\n"
RULES = """
sub vcl_recv { if (req.http.Way == "pass") { return (pass); } }
sub vcl_backend_fetch { set bereq.between_bytes_timeout = 30s; if (bereq.url == "/stalls") { set bereq.between_bytes_timeout = 1s; } }
sub vcl_backend_response {
    set beresp.do_gzip = bereq.http.Way == "gzip";
    if (bereq.http.Way == "gunzip") { set beresp.do_gunzip = true; }
    if (bereq.http.Way == "marker") { set beresp.uncacheable = true; set beresp.ttl = 60s; return (deliver); }
    set beresp.do_esi = bereq.url == "/page";
}
sub vcl_deliver { if (req.http.Way == "br") { set resp.filters = "br"; set resp.http.Content-Encoding = "br"; } }
"""


@dataclass
class Breaks:
    """An origin that sends SENT, waits for ``go``, and breaks off as the URL says."""
    go: threading.Event = field(default_factory=threading.Event)
    packed: bytes = b""

    def answer(self, r: Request) -> Reply:
        if r.url == "/page":
            text = b"<p>before</p><esi:include src='/length'/><p>behind</p>"
            return Reply(body=text, headers={"Cache-Control": "max-age=60", "Content-Type": "text/html"})
        body = self.packed or SENT
        head = b"HTTP/1.1 200 OK\r\n" + CACHED + (b"Content-Encoding: gzip\r\n" if self.packed else b"")
        if r.url == "/chunks":
            pieces: list[bytes | Callable[[], bytes | None]] = [head + b"Transfer-Encoding: chunked\r\n\r\n"]
            pieces += [b"%x\r\n%s\r\n" % (len(part), part) for part in (body[i:i + 100_000] for i in range(0, len(body), 100_000))]
        elif r.url == "/half_chunk":
            pieces = [head + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % WHOLE, body]
        else:
            pieces = [head + b"Content-Length: %d\r\n\r\n" % WHOLE, body]
        return Reply(pieces=[*pieces, self.held])

    def held(self) -> None:
        self.go.wait(START_S)


@contextmanager
def breaking(*args: str, packed: bytes = b"", rules: str = RULES) -> Iterator[tuple[Daemon, Breaks]]:
    b = Breaks(packed=packed)
    with Origin(b.answer) as origin, serving(policy(origin, rules), [*args, "-p", "transit_buffer=0"]) as d:
        yield d, b
        b.go.set()


class Slow:
    """A client that reads nothing until ``finish``."""

    def __init__(self, port: int, url: str, *fields: str, version: str = "1.1") -> None:
        self.sock = socket.socket()
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        self.sock.settimeout(START_S)
        self.sock.connect(("127.0.0.1", port))
        self.sock.sendall(f"GET {url} HTTP/{version}\r\nHost: a\r\n{''.join(f + chr(13) + chr(10) for f in fields)}\r\n".encode())

    def finish(self) -> tuple[bytes, bytes, str]:
        """Head, content without the framing of chunks, and how the connection ended."""
        got, end = b"", "closed"
        with self.sock:
            try:
                while piece := self.sock.recv(1 << 16):
                    got += piece
            except ConnectionResetError:
                end = "reset"
        head, _, body = got.partition(b"\r\n\r\n")
        if b"chunked" in head:
            assert not body.endswith(b"0\r\n\r\n")
            body = b"".join(chunks(body))
        return head, body, end


def chunks(body: bytes) -> Iterator[bytes]:
    while b"\r\n" in body:
        size, _, body = body.partition(b"\r\n")
        yield body[:int(size, 16)]
        body = body[int(size, 16) + 2:]


def failed(d: Daemon, n: int = 1) -> None:
    wait_equal(lambda: d.counters["MAIN.fetch_failed"], n, "the fetch has failed")


@pytest.mark.parametrize("url", ["/length", "/chunks", "/half_chunk", "/stalls"])
@pytest.mark.parametrize("way", ["miss", "pass", "marker"])
@pytest.mark.parametrize("version", ["1.1", "1.0"])
def test_a_slow_client_gets_all_that_was_fetched(url: str, way: str, version: str) -> None:
    """Only where the end of the connection is the end of the body (HTTP/1.0 without a length), it gets a reset."""
    with breaking() as (d, b):
        c = Slow(d.port, url, f"Way: {way}", version=version)
        if url != "/stalls":
            wait_until(lambda: d.counters["MAIN.s_resp_bodybytes"] > 0, "the response has begun")
            b.go.set()
        failed(d)
        head, body, end = c.finish()
        assert head.startswith(b"HTTP/1.1 200 OK")
        if version == "1.0" and b"Content-Length" not in head:
            assert end == "reset"
        else:
            assert (end, len(body)) == ("closed", len(SENT)) and body == SENT


def test_all_followers_of_a_body_get_all_of_it_and_the_next_request_fetches_again() -> None:
    with breaking() as (d, b):
        followers = [Slow(d.port, "/length") for _ in range(4)]
        wait_equal(lambda: d.counters["MAIN.cache_hit"], 3, "three requests hit the growing response")
        b.go.set()
        failed(d)
        for c in followers:
            _, body, end = c.finish()
            assert (end, body == SENT) == ("closed", True)
        again = Slow(d.port, "/length")
        failed(d, 2)
        assert again.finish()[1] == SENT


def test_a_request_behind_the_cut_response_is_not_answered() -> None:
    """The client cannot tell where the next response would begin. What it sends meanwhile must not reset the connection."""
    with breaking() as (d, b):
        c = Slow(d.port, "/length")
        c.sock.sendall(b"GET /length HTTP/1.1\r\nHost: a\r\n\r\n" * 3)
        wait_until(lambda: d.counters["MAIN.s_resp_bodybytes"] > 0, "the response has begun")
        b.go.set()
        failed(d)
        c.sock.sendall(b"GET /length HTTP/1.1\r\nHost: a\r\n\r\n")
        _, body, end = c.finish()
        assert (end, body == SENT) == ("closed", True)
        assert d.counters["MAIN.client_req"] == 1


@pytest.mark.parametrize("placed", ["0", "1"])
def test_a_range_of_a_body_that_breaks_off(placed: str) -> None:
    with breaking("-p", f"sendfile_min={'1k' if placed == '1' else '0'}", "-p", "sendfile_connections=0") as (d, b):
        first = Slow(d.port, "/length")
        wait_until(lambda: d.counters["MAIN.s_resp_bodybytes"] > 0, "the response has begun")
        c = Slow(d.port, "/length", f"Range: bytes=1000000-{len(SENT) + 9}")
        inner = Slow(d.port, "/length", "Range: bytes=5-9")
        inner.sock.shutdown(socket.SHUT_WR)
        assert inner.finish()[1:] == (SENT[5:10], "closed")
        wait_equal(lambda: d.counters["MAIN.cache_hit"], 2, "both ranges are of the growing response")
        b.go.set()
        failed(d)
        head, body, end = c.finish()
        assert head.startswith(b"HTTP/1.1 206") and (end, body == SENT[1_000_000:]) == ("closed", True)
        assert first.finish()[1:] == (SENT, "closed")


def test_a_packed_body_that_breaks_off_is_unpacked_as_far_as_it_came() -> None:
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    packed = packer.compress(SENT) + packer.flush(zlib.Z_SYNC_FLUSH)
    for way, fields in ("as it is", ("Accept-Encoding: gzip",)), ("delivery", ()), ("gunzip", ()):
        with breaking(packed=packed) as (d, b):
            c = Slow(d.port, "/length", f"Way: {way}", *fields)
            wait_until(lambda d=d: d.counters["MAIN.s_resp_bodybytes"] > 0, "the response has begun")         # type: ignore[misc]
            b.go.set()
            failed(d)
            _, body, end = c.finish()
            assert (end, body == (packed if fields else SENT)) == ("closed", True), way


@pytest.mark.parametrize("way", ["gzip", "br"])
def test_what_a_packer_holds_back_comes_before_the_end(way: str) -> None:
    unpack = {"gzip": lambda x: zlib.decompressobj(31).decompress(x), "br": lambda x: brotli.Decompressor().process(x)}
    with breaking("-p", "gzip_flush_delay=60", "-p", "http_brotli_support=on") as (d, b):
        c = Slow(d.port, "/length", f"Way: {way}", f"Accept-Encoding: {way}")
        wait_until(lambda: d.counters["MAIN.s_resp_bodybytes"] > 0, "the response has begun")
        b.go.set()
        failed(d)
        _, body, end = c.finish()
        assert end == "closed" and unpack[way](body) == SENT


@pytest.mark.parametrize("must", [True, False])
def test_an_include_that_breaks_off_stands_in_the_page_as_far_as_it_came(must: bool) -> None:
    with breaking(*(["-p", "feature=+esi_include_onerror"] if must else [])) as (d, b):
        c = Slow(d.port, "/page")
        wait_until(lambda: d.counters["MAIN.s_resp_bodybytes"] > 1000, "the include has begun")
        b.go.set()
        failed(d)
        if must:
            _, body, end = c.finish()
            assert (end, body == b"<p>before</p>" + SENT) == ("closed", True)
        else:
            with Client(d.port) as other:           # the page goes on, so its connection stays open
                assert other.request("/page").body == b"<p>before</p>" + SENT + b"<p>behind</p>"
            c.sock.close()
