"""gzip: one stored form for all clients, packing and unpacking at fetch time, checks of stored content, and
limits for bombs."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import threading
import time
import zlib
from typing import Any

import brotli
import pytest
from proxy.daemon import ROOT, Daemon, wait_equal, wait_until
from proxy.origin import Client, Origin, Reply, Request, fetch
from proxy.serve import serve, serving
from proxy.test_delivery import PAGE, policy

TEXT = b"All human beings are born free and equal in dignity and rights. " * 50
PACKED = gzip.compress(TEXT)
GZIP = {"Accept-Encoding": "gzip"}
CODED = PAGE | {"Content-Encoding": "gzip"}
BROKEN_OFF = (EOFError, ValueError, ConnectionResetError)
HOW = """
sub vcl_backend_response {
    set beresp.do_stream = !bereq.http.Whole;
    set beresp.do_gzip = bereq.http.Pack == "yes";
    set beresp.do_gunzip = bereq.http.Unpack == "yes";
    if (bereq.http.Filters) { set beresp.filters = bereq.http.Filters; }
}
sub vcl_deliver {
    set resp.http.Filters = resp.filters;
    if (req.http.Out) { set resp.filters = req.http.Out; }
}
"""


def packed(_: Request) -> Reply:
    return Reply(body=PACKED, headers=CODED | {"ETag": '"a"'})


def plain(_: Request) -> Reply:
    return Reply(body=TEXT, headers=PAGE | {"ETag": '"a"'})


def counters(d: Daemon) -> dict[str, int]:
    out = subprocess.run([str(ROOT / "build/bin/vernis"), "stat", "--json", "-n", str(d.workdir)], capture_output=True, text=True, check=True)
    rows: dict[str, Any] = json.loads(out.stdout)
    return {name: row["value"] for name, row in rows.get("counters", rows).items() if isinstance(row, dict)}


def log_of(d: Daemon, tag: str, query: str | None = None) -> list[str]:
    """Texts of the records with this tag; with a query, those of the transactions that it finds."""
    how = ["raw"] if query is None else ["vxid", "-q", query]
    log = subprocess.run(["varnishlog", "-n", str(d.workdir), "-d", "-i", tag, "-g", *how], capture_output=True, text=True, check=True)
    skipped = 3 if query is None else 2         # number, tag and side of a record, or a dash and the tag
    rows = [line.split(None, skipped) for line in log.stdout.splitlines() if line and not line.startswith("*")]
    return [row[skipped].strip() if len(row) > skipped else "" for row in rows]


def test_one_stored_form_serves_all_clients() -> None:
    with Origin(packed) as origin, serve(policy(origin, HOW)) as port, Client(port) as c:
        for _ in range(2):
            r = c.request("/", headers={"Accept-Encoding": "br, gzip;q=0.8"})
            assert (r.body, r.get("Content-Encoding"), r.get("ETag"), r.get("Vary")) == (PACKED, "gzip", '"a"', "Accept-Encoding")
            r = c.request("/", headers={"Accept-Encoding": "gzip;q=0"})
            assert (r.body, r.get("Content-Encoding"), r.get("ETag")) == (TEXT, None, 'W/"a"')
            assert (r.get("Filters"), r.get("Vary"), r.get("Content-Length")) == ("gunzip", "Accept-Encoding", str(len(TEXT)))
        assert [r.headers["accept-encoding"] for r in origin.requests] == ["gzip"]
        r = c.request("/", "HEAD", headers=GZIP)
        assert (r.get("Content-Length"), r.get("Content-Encoding")) == (str(len(PACKED)), "gzip")
        r = c.request("/", "HEAD")
        assert (r.get("Content-Length"), r.get("Content-Encoding")) == (str(len(TEXT)), None)
        r = c.request("/", headers={"If-None-Match": 'W/"a"'})
        assert (r.status, r.get("ETag"), r.get("Content-Encoding")) == (304, 'W/"a"', None)


def test_content_is_packed_and_unpacked_at_fetch_time() -> None:
    def either(r: Request) -> Reply:
        return packed(r) if r.url == "/packed" else plain(r)
    with Origin(either) as origin, serving(policy(origin, HOW)) as d, Client(d.port) as c:
        r = c.request("/plain", headers=GZIP | {"Pack": "yes"})
        assert gzip.decompress(r.body) == TEXT
        assert (r.get("Content-Encoding"), r.get("ETag"), r.get("Vary")) == ("gzip", 'W/"a"', "Accept-Encoding")
        assert c.request("/plain").body == TEXT
        r = c.request("/packed", headers=GZIP | {"Unpack": "yes"})
        assert (r.body, r.get("Content-Encoding"), r.get("ETag"), r.get("Vary")) == (TEXT, None, 'W/"a"', None)
        r = c.request("/twice", headers=GZIP | {"Filters": "gzip gunzip gzip"})
        assert gzip.decompress(r.body) == TEXT
        assert c.request("/unknown", headers={"Filters": "gzip rot13"}).status == 503
        assert [r.url for r in origin.requests][:3] == ["/plain", "/packed", "/twice"]
        names = "MAIN.n_gzip", "MAIN.n_gunzip", "MAIN.n_test_gunzip"
        wait_equal(lambda: [counters(d)[name] for name in names], [3, 3, 0], "all codings are counted")
        wait_equal(lambda: log_of(d, "Filters")[:2], ["gzip", ""])
        wait_until(lambda: log_of(d, "Gzip")[0].startswith(f"G F - {len(TEXT)} "), "the log has the sizes")


def test_the_list_of_filters_follows_the_variables() -> None:
    show = "sub vcl_backend_response { set beresp.http.List = beresp.filters; }"
    with Origin(lambda r: packed(r) if r.url == "/packed" else plain(r)) as origin, serve(policy(origin, HOW + show)) as port:
        def listed(url: str, **fields: str) -> str | None:
            return fetch(port, url, headers=fields | {"Cookie": "pass"}).get("List")
        assert (listed("/packed"), listed("/packed", Unpack="yes"), listed("/packed", Pack="yes")) == ("testgunzip", "gunzip", "testgunzip")
        assert (listed("/plain"), listed("/plain", Pack="yes"), listed("/plain", Unpack="yes")) == ("", "gzip", "")
        assert listed("/plain", Filters="gzip gunzip") == "gzip gunzip"


def broken(r: Request) -> bytes:
    return {"/cut": PACKED[:-9], "/junk": PACKED + b"x", "/flipped": PACKED[:-20] + b"!" + PACKED[-19:], "/plain": TEXT, "/half": PACKED * 2 + PACKED[:9]}[r.url]


def failed(d: Daemon, url: str, fields: dict[str, str], broken_off: bool) -> bool:
    """Whether a fetch fails: with a 503, or with a cut response if its head has been sent."""
    try:
        return fetch(d.port, url, headers=fields).status == 503
    except BROKEN_OFF:
        return broken_off


@pytest.mark.parametrize("unpack", ["no", "yes"])
@pytest.mark.parametrize("whole", [True, False])
def test_bad_gzip_fails_its_fetch_and_is_not_stored(whole: bool, unpack: str) -> None:
    good = threading.Event()
    def answer(r: Request) -> Reply:
        body = PACKED if good.is_set() else broken(r)
        head = b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
        chunk = b"%x\r\n%s\r\n" % (len(body), body) if body else b""
        return Reply(raw=head + chunk + b"0\r\n\r\n")
    said = {"/cut": ("Gunzip error at the very end", "tGunzip failed"), "/junk": ("Junk after gzip data",) * 2,
            "/flipped": ("Invalid Gzip data",) * 2, "/plain": ("Invalid Gzip data: incorrect header check",) * 2,
            "/half": ("Gunzip error at the very end", "tGunzip failed")}
    fields = GZIP | {"Unpack": unpack} | ({"Whole": "yes"} if whole else {})
    with Origin(answer) as origin, serving(policy(origin, HOW)) as d:
        for url, (unpacked, tested) in said.items():
            assert failed(d, url, fields, broken_off=not whole), url
            why = unpacked if unpack == "yes" else tested
            wait_until(lambda url=url: log_of(d, "FetchError", f'BereqURL eq "{url}"'), "the failure is in the log")         # type: ignore[misc]
            assert any(text.startswith(why) for text in log_of(d, "FetchError", f'BereqURL eq "{url}"')), url
        good.set()
        wait_until(lambda: fetch(d.port, "/cut").body == TEXT, "a valid response")
        for url in said:
            wait_until(lambda url=url: fetch(d.port, url).status == 200, "the response is valid again")       # type: ignore[misc]
            assert fetch(d.port, url).body == TEXT
        wait_until(lambda: counters(d)["MEMORY.Transient.g_filters"] == 0, "the memory of filters is freed")


def chunked(body: bytes) -> Reply:
    chunk = b"%x\r\n%s\r\n" % (len(body), body) if body else b""
    return Reply(raw=b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nETag: \"a\"\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n"
                     b"Transfer-Encoding: chunked\r\n\r\n" + chunk + b"0\r\n\r\n")


BODIES = {"/members": (PACKED + gzip.compress(b"") + PACKED, TEXT * 2), "/empty": (b"", b"")}
WAYS: dict[str, dict[str, str]] = {"as_is": {}, "unpacked": {"Unpack": "yes"}, "whole": {"Whole": "yes"}, "again": {"Filters": "gunzip gzip"}}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("url", BODIES)
def test_members_and_an_empty_body_are_gzip_too(url: str, way: str) -> None:
    """RFC 1952, 2.2: members simply follow each other. An origin may not know yet that its body is empty."""
    body, text = BODIES[url]
    with Origin(lambda _: chunked(body)) as origin, serving(policy(origin, HOW), ["-p", "http_brotli_support=on"]) as d, Client(d.port) as c:
        for _ in range(2):                          # a miss, then hits
            r = c.request(url, headers=GZIP | WAYS[way])
            assert (gzip.decompress(r.body) if r.get("Content-Encoding") == "gzip" else r.body) == text
            if way in ("as_is", "whole"):
                assert (r.body, r.get("Content-Encoding")) == (body, "gzip")
            r = c.request(url)
            assert (r.body, r.get("Content-Encoding")) == (text, None)
            r = c.request(url, headers={"Accept-Encoding": "br"})
            assert (brotli.decompress(r.body) if r.get("Content-Encoding") == "br" else r.body) == text
            assert c.request(url, "HEAD", headers=GZIP).status == c.request(url, "HEAD").status == 200
            assert c.request(url, headers=GZIP | {"If-None-Match": r.get("ETag") or ""}).status == 304
        assert origin.count(url) == 1


@pytest.mark.parametrize("url", BODIES)
def test_members_and_an_empty_body_survive_a_validation(url: str) -> None:
    def answer(r: Request) -> Reply:
        return Reply(304, headers={"ETag": '"a"'}) if "if-none-match" in r.headers else chunked(BODIES[url][0])
    stale = "sub vcl_backend_response { set beresp.ttl = 0.001s; set beresp.grace = 0s; set beresp.keep = 1h; }"
    with Origin(answer) as origin, serve(policy(origin, stale)) as port, Client(port) as c:
        for i in range(1, 4):
            assert c.request(url).body == BODIES[url][1]
            assert origin.count(url) == i
            time.sleep(0.002)
        assert ["if-none-match" in r.headers for r in origin.requests] == [False, True, True]


@pytest.mark.parametrize("url", BODIES)
def test_members_and_an_empty_body_in_a_page(url: str) -> None:
    """As the page, and as its include; the page is packed or not."""
    def answer(r: Request) -> Reply:
        return chunked(BODIES[url][0]) if r.url == url else plain_page(b"<p><esi:include src='%s'/></p>" % url.encode())

    def plain_page(text: bytes) -> Reply:
        return Reply(body=text, headers=PAGE | {"Content-Type": "text/html"})
    text = """sub vcl_backend_response { set beresp.do_esi = bereq.url != "%s" || bereq.http.As == "page"; set beresp.do_gzip = true; }""" % url
    with Origin(answer) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        for fields in GZIP, {}:
            for _ in range(2):
                r = c.request("/", headers=fields)
                body = gzip.decompress(r.body) if fields else r.body
                assert body == b"<p>" + BODIES[url][1] + b"</p>"
    with Origin(answer) as origin, serve(policy(origin, text)) as port, Client(port) as c:
        for fields in GZIP | {"As": "page"}, {"As": "page"}:
            r = c.request(url, headers=fields)
            assert (gzip.decompress(r.body) if r.get("Content-Encoding") else r.body) == BODIES[url][1]


def test_a_bomb_is_not_stored() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join([*(packer.compress(bytes(1 << 20)) for _ in range(40)), packer.flush()])
    def answer(_: Request) -> Reply:
        return Reply(body=bomb, headers=CODED)
    with Origin(answer) as origin, serving(policy(origin, HOW)) as d:
        fields = GZIP | {"Whole": "yes"}
        assert fetch(d.port, "/ratio", headers=fields).status == 503
        d.ok("param.set gunzip_ratio_max 1100")
        assert fetch(d.port, "/taken", headers=fields).status == 200
        d.ok("param.set gunzip_size_max 39m")
        assert fetch(d.port, "/size", headers=fields).status == 503
        d.ok("param.set gunzip_ratio_max default")
        with pytest.raises(BROKEN_OFF):
            fetch(d.port, "/taken")                             # unpacked on delivery
        wait_until(lambda: {"gunzip_ratio_max exceeded", "gunzip_size_max exceeded"} <= set(log_of(d, "FetchError")), "the log has both reasons")


def test_ranges_apply_to_the_form_that_the_client_gets() -> None:
    with Origin(packed) as origin, serve(policy(origin, HOW)) as port, Client(port) as c:
        c.request("/", headers=GZIP)
        r = c.request("/", headers=GZIP | {"Range": "bytes=2-11"})
        assert (r.status, r.body, r.get("Content-Range")) == (206, PACKED[2:12], f"bytes 2-11/{len(PACKED)}")
        r = c.request("/", headers={"Range": "bytes=100-199"})
        assert (r.status, r.body, r.get("Content-Range")) == (206, TEXT[100:200], f"bytes 100-199/{len(TEXT)}")
        assert c.request("/", headers={"Range": "bytes=-7"}).body == TEXT[-7:]
        assert c.request("/", headers={"Range": f"bytes={len(TEXT)}-"}).status == 416
        # the ETag is weak now
        assert c.request("/", headers={"Range": "bytes=2-11", "If-Range": '"a"'}).status == 200
        assert c.request("/", headers={"Range": "bytes=2-11", "Out": "gunzip"}).status == 200


def test_a_partial_response_is_forwarded_unchanged() -> None:
    def part(_: Request) -> Reply:
        return Reply(206, PACKED[:10], CODED | {"Content-Range": f"bytes 0-9/{len(PACKED)}", "ETag": '"a"'})
    with Origin(part) as origin, serve(policy(origin, HOW + "sub vcl_recv { return (pass); }")) as port:
        r = fetch(port, "/", headers={"Range": "bytes=0-9"} | GZIP)
        assert (r.status, r.body, r.get("ETag")) == (206, PACKED[:10], '"a"')


def test_the_beginning_of_a_body_is_unpacked_before_the_rest_arrives() -> None:
    seen = threading.Event()
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    first, rest = packer.compress(b"first ") + packer.flush(zlib.Z_SYNC_FLUSH), packer.compress(b"rest") + packer.flush()
    def answer(_: Request) -> Reply:
        head = b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
        def later() -> bytes:
            assert seen.wait(20)
            return b"%x\r\n%s\r\n0\r\n\r\n" % (len(rest), rest)
        return Reply(pieces=[head + b"%x\r\n%s\r\n" % (len(first), first), later])
    with Origin(answer) as origin, serve(policy(origin, HOW)) as port, Client(port) as c:
        c.send(b"GET / HTTP/1.1\r\nHost: example.com\r\n\r\n")
        assert c.head().get("Content-Encoding") is None
        assert c.stream.readline() == b"6\r\n" and c.stream.read(8) == b"first \r\n"
        seen.set()
        assert c.stream.readline() == b"4\r\n" and c.stream.read(6) == b"rest\r\n"
        assert c.stream.readline() == b"0\r\n"


@pytest.mark.parametrize("known", [True, False])
def test_content_before_a_pause_is_packed_and_sent_at_once(known: bool) -> None:
    """The body has a length or comes in chunks. The pause follows a chunk, or falls within the line before a
    chunk."""
    seen = [threading.Event(), threading.Event()]
    def answer(_: Request) -> Reply:
        framing, first = (b"Content-Length: 15", b"first ") if known else (b"Transfer-Encoding: chunked", b"6\r\nfirst \r\n0000")
        def then(turn: int, piece: bytes) -> bytes:
            assert seen[turn].wait(20)
            return piece
        return Reply(pieces=[b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n" + framing + b"\r\n\r\n" + first,
                             lambda: then(0, b"then " if known else b"5\r\nthen \r\n"), lambda: then(1, b"rest" if known else b"4\r\nrest\r\n0\r\n\r\n")])
    with Origin(answer) as origin, serve(policy(origin, HOW)) as port, Client(port) as c:
        c.send(b"GET / HTTP/1.1\r\nHost: example.com\r\nAccept-Encoding: gzip\r\nPack: yes\r\n\r\n")
        assert c.head().get("Content-Encoding") == "gzip"
        unpacker, plain = zlib.decompressobj(31), b""
        def read_to(text: bytes) -> None:
            nonlocal plain
            while plain != text:
                assert len(plain) < len(text)
                plain += unpacker.decompress(c.stream.read(int(c.stream.readline(), 16)))
                c.stream.readline()
        read_to(b"first ")
        seen[0].set()
        read_to(b"first then ")
        seen[1].set()
        read_to(b"first then rest")


def test_a_pause_shorter_than_the_delay_changes_nothing() -> None:
    """The origin pauses for 0.2 s, and before the rest of /flushed until the client has the first chunk."""
    begun = threading.Event()
    def answer(r: Request) -> Reply:
        framing = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(TEXT)
        def rest() -> bytes:
            begun.wait(20 if r.url == "/flushed" else 0.2)
            return TEXT[70:]
        return Reply(pieces=[framing + TEXT[:70], rest])
    with Origin(answer) as origin, serving(policy(origin, HOW), ["-p", "gzip_flush_delay=20"]) as d:
        def size(url: str) -> int:
            with Client(d.port) as c:
                c.send(f"GET {url} HTTP/1.1\r\nHost: example.com\r\nAccept-Encoding: gzip\r\nPack: yes\r\n\r\n".encode())
                c.head()
                body = b""
                while n := int(c.stream.readline(), 16):
                    body += c._exactly(n)
                    c.stream.readline()
                    if zlib.decompressobj(31).decompress(body):
                        begun.set()
            assert gzip.decompress(body) == TEXT
            return len(body)
        held = size("/held")
        begun.clear()
        d.ok("param.set gzip_flush_delay 0.01")
        assert size("/flushed") > held


def test_a_slow_client_gets_a_whole_long_body_and_one_that_leaves_frees_its_memory() -> None:
    long = random.Random(3).randbytes(400_000) * 12
    def answer(_: Request) -> Reply:
        return Reply(body=gzip.compress(long, 1), headers=CODED)
    with Origin(answer) as origin, serving(policy(origin, HOW), ["-p", "gzip_buffer=4k"]) as d:
        for url in ("/miss", "/miss", "/pass?"):
            with Client(d.port, timeout=30) as c:
                c.send(f"GET {url} HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n".encode())
                c.head()
                wait_until(lambda: counters(d)["MEMORY.Transient.g_filters"] > 0, "storage counts the memory of filters")
        wait_until(lambda: counters(d)["MEMORY.Transient.g_filters"] == 0, "the memory of filters is freed")
        assert fetch(d.port, "/miss").body == long


def test_without_memory_for_a_filter_the_response_is_503() -> None:
    with Origin(packed) as origin, serving(policy(origin, HOW), ["-s", "Transient=malloc,1m", "-p", "gzip_buffer=2m"]) as d:
        assert fetch(d.port, "/", headers=GZIP | {"Whole": "yes", "Filters": ""}).status == 200
        assert fetch(d.port, "/", headers={"Out": "gunzip"}).status == 503
        wait_until(lambda: "Could not get storage" in log_of(d, "Error"), "the log has the reason")


def test_memory_of_filters_evicts_no_stored_response() -> None:
    def answer(r: Request) -> Reply:
        return Reply(body=b"x" * 950_000 if r.url == "/large" else TEXT, headers=PAGE)
    how = HOW + 'sub vcl_backend_response { set beresp.do_esi = bereq.http.Pack == "yes"; }'
    with Origin(answer) as origin, serving(policy(origin, how), ["-s", "s0=malloc,1m"]) as d:
        fetch(d.port, "/large")
        for url in ("/page", "/other"):
            assert gzip.decompress(fetch(d.port, url, headers=GZIP | {"Pack": "yes"}).body) == TEXT
        fetch(d.port, "/large")
        assert [r.url for r in origin.requests] == ["/large", "/page", "/other"]
        wait_until(lambda: counters(d)["MEMORY.Transient.g_filters"] == 0, "the memory of filters is freed")
        wait_equal(lambda: counters(d)["MEMORY.s0.g_transient"], 0)
        assert d.counters["MAIN.n_lru_nuked"] == 0


def test_without_http_gzip_support_the_origin_chooses_the_coding() -> None:
    def negotiated(r: Request) -> Reply:
        if "gzip" in r.headers.get("accept-encoding", ""):
            return Reply(body=PACKED, headers=CODED | {"Vary": "Accept-Encoding"})
        return Reply(body=TEXT, headers=PAGE | {"Vary": "Accept-Encoding"})
    with Origin(negotiated) as origin, serve(policy(origin, HOW), ["-p", "http_gzip_support=off"]) as port, Client(port) as c:
        for _ in range(2):
            assert c.request("/", headers={"Accept-Encoding": "br, gzip"}).body == PACKED
            r = c.request("/", headers={"Pack": "yes"})
            assert (r.body, r.get("Content-Encoding")) == (TEXT, None)
        assert [r.headers.get("accept-encoding") for r in origin.requests] == ["br, gzip", None]


def test_level_and_memory_of_compression_have_an_effect() -> None:
    text = "".join(f"{number * number % 997} beings, " for number in range(9000)).encode()
    def answer(_: Request) -> Reply:
        return Reply(body=text, headers=PAGE)
    with Origin(answer) as origin, serving(policy(origin, HOW)) as d:
        def size(url: str) -> int:
            r = fetch(d.port, url, headers=GZIP | {"Pack": "yes"})
            assert gzip.decompress(r.body) == text
            return len(r.body)
        d.ok("param.set gzip_whole_max 256k")
        whole = size("/whole")
        d.ok("param.set gzip_whole_max 0")
        streamed = size("/streamed")
        assert streamed != whole                    # made by another library
        d.ok("param.set gzip_memlevel 1")
        assert size("/memory") != streamed
        d.ok("param.set gzip_level 0")
        assert size("/stored") > len(text)


def test_a_page_finds_room_for_its_filters_while_slow_clients_fill_transient() -> None:
    vcl = """sub vcl_backend_response {
        if (bereq.url == "/big") { set beresp.ttl = 5s; set beresp.grace = 0s; } else { set beresp.do_esi = true; set beresp.do_gzip = true; }
    }"""
    with Origin(lambda r: Reply(body=bytes(8_300_000) if r.url == "/big" else b"<p>" + TEXT, headers=PAGE)) as origin, \
            serving(policy(origin, vcl), ["-s", "malloc,10m", "-s", "Transient=malloc,8m"]) as d, \
            Client(d.port, receive=4096) as slow, Client(d.port) as c:
        slow.send(b"GET /big HTTP/1.1\r\nHost: example.com\r\n\r\n")
        assert slow.head().status == 200
        r = c.request("/", headers=GZIP)
        assert (r.status, gzip.decompress(r.body)) == (200, b"<p>" + TEXT)
        assert c.request("/").body == b"<p>" + TEXT
