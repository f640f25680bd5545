"""br and zstd are made from the stored form for clients that prefer them, and kept with objects that are
often requested in them."""

from __future__ import annotations

import gzip
import random
import threading
from collections.abc import Callable
from typing import Any

import brotli
import pytest
import zstandard
from proxy.daemon import Daemon, wait_equal, wait_until
from proxy.origin import Client, Origin, Reply, Request, fetch
from proxy.serve import serving
from proxy.test_delivery import PAGE, policy
from proxy.test_gzip import CODED, PACKED, TEXT, counters

HOW = """
sub vcl_backend_response { set beresp.do_gzip = bereq.http.Pack == "yes"; }
sub vcl_deliver {
    set resp.http.Filters = resp.filters;
    set resp.http.Asked = req.http.Accept-Encoding;
    if (req.http.Out) { set resp.filters = req.http.Out; }
}
"""
BOTH = ["-p", "http_brotli_support=on", "-p", "http_zstd_support=on"]
PLAIN = PAGE | {"Content-Type": "text/html; charset=utf-8", "ETag": '"a"'}
UNPACK: dict[str | None, Callable[[bytes], bytes]] = {
    "br": brotli.decompress, "zstd": lambda b: zstandard.ZstdDecompressor().decompressobj().decompress(b), "gzip": gzip.decompress, None: bytes}
ALL = {"Accept-Encoding": "gzip, deflate, br, zstd"}


def answer(r: Request) -> Reply:
    if r.url.startswith("/packed"):
        return Reply(body=PACKED, headers=CODED | {"ETag": '"a"'})
    kinds: dict[str, dict[str, str]] = {
        "/image": {"Content-Type": "image/png"}, "/as-is": {"Cache-Control": "max-age=60, no-transform"}, "/br": {"Content-Encoding": "br"}}
    body = brotli.compress(TEXT) if r.url == "/br" else TEXT
    return Reply(404 if r.url == "/absent" else 200, body, PLAIN | kinds.get(r.url, {}))


def coding(r: Any, body: bytes = TEXT) -> str | None:
    said: str | None = r.get("Content-Encoding")
    assert UNPACK[said](r.body) == body
    return said


@pytest.mark.parametrize("url", ["/plain", "/packed"])
def test_the_client_gets_the_coding_that_it_prefers(url: str) -> None:
    taken = {"br": "br", "zstd": "zstd", "gzip, br": "br", "gzip, deflate, br, zstd": "br", "br;q=0.5, zstd": "zstd", "BR": "br",
             "*": "br", "*, br;q=0": "zstd", "identity;q=0, *": "br", "br;q=0.001": "br"}
    stored = {"gzip;q=1, br;q=0.9": "gzip", "br;q=0": None, "identity": None, "identity, br;q=0.5": None, "br;q=x": None, "gzip": "gzip",
              "gzip, *;q=0.5": "gzip", "*;q=0": None, "": None}
    with Origin(answer) as origin, serving(policy(origin, HOW), [*BOTH, "-p", "coding_keep_after=0"]) as d, Client(d.port) as c:
        c.request(url)
        for field, want in (taken | stored).items():
            r = c.request(url, headers={"Accept-Encoding": field})
            want = None if want == "gzip" and url == "/plain" else want
            assert coding(r) == want, field
            assert r.get("Vary") == "Accept-Encoding"
            assert r.get("ETag") == ('"a"' if want == "gzip" or (want is None and url == "/plain") else 'W/"a"'), field
        assert len(origin.requests) == 1 and origin.requests[0].headers["accept-encoding"] == "gzip"
        wait_equal(lambda: [counters(d)[f"VERNIS.n_{name}"] for name in ("br", "zstd")], [7, 3], "all forms are counted")


def test_without_the_parameters_only_gzip_is_used() -> None:
    with Origin(answer) as origin, serving(policy(origin, HOW)) as d:
        for options, want, seen in (("off off", None, "gzip"), ("off on", "zstd", "zstd, gzip"), ("on off", "br", "br, gzip"), ("on on", "br", "br, zstd, gzip")):
            br, zstd = options.split()
            d.ok(f"param.set http_brotli_support {br}")
            d.ok(f"param.set http_zstd_support {zstd}")
            r = fetch(d.port, f"/{br}{zstd}", headers=ALL)
            assert (coding(r), r.get("Asked")) == (want, seen)
        d.ok("param.set http_gzip_support off")
        assert coding(fetch(d.port, "/whole", headers=ALL)) is None


def test_content_that_would_not_shrink_is_not_coded() -> None:
    with Origin(answer) as origin, serving(policy(origin, HOW), BOTH) as d, Client(d.port) as c:
        for url in ("/image", "/as-is", "/absent"):
            r = c.request(url, headers=ALL)
            assert (coding(r), r.get("ETag"), r.get("Vary")) == (None, '"a"', None)
        r = c.request("/br", headers=ALL)
        assert (coding(r), r.get("ETag")) == ("br", '"a"')
        r = c.request("/plain", headers=ALL | {"Out": ""})
        assert coding(r) is None
        r = c.request("/plain", headers={"Out": "zstd"})
        assert coding(r) == "zstd"
        r = c.request("/pass", headers=ALL | {"Cookie": "a=1"})
        assert (coding(r), origin.requests[-1].headers["accept-encoding"]) == (None, ALL["Accept-Encoding"])


def keep(d: Daemon, c: Client, url: str, fields: dict[str, str], times: int = 3) -> None:
    before = counters(d)["VERNIS.coded_kept"]
    for _ in range(times):
        c.request(url, headers=fields)
    wait_until(lambda: counters(d)["VERNIS.coded_kept"] == before + 1, "the form is kept")


@pytest.mark.parametrize("url", ["/plain", "/packed"])
@pytest.mark.parametrize("name", ["br", "zstd"])
def test_a_form_that_is_often_requested_is_kept(name: str, url: str) -> None:
    with Origin(answer) as origin, serving(policy(origin, HOW), BOTH) as d, Client(d.port) as c:
        fields = {"Accept-Encoding": name}
        r = c.request(url, headers=fields)
        assert (r.get("Content-Length"), r.get("Filters")) == (None, f"gunzip {name}" if url == "/packed" else name)
        keep(d, c, url, fields, times=2)
        r = c.request(url, headers=fields)
        assert (coding(r), r.get("Filters"), r.get("ETag"), r.get("Content-Length")) == (name, "", 'W/"a"', str(len(r.body)))
        head = c.request(url, "HEAD", headers=fields)
        assert (head.get("Content-Encoding"), head.get("Content-Length")) == (name, str(len(r.body)))
        names = "VERNIS.coded_kept", "VERNIS.coded_hits", f"VERNIS.n_{name}"
        wait_equal(lambda: [counters(d)[name] for name in names], [1, 2, 4], "all deliveries are counted")
        assert len(origin.requests) == 1
        for etag in ('W/"a"', '"a"'):
            r304 = c.request(url, headers=fields | {"If-None-Match": etag})
            assert (r304.status, r304.get("ETag"), r304.get("Content-Encoding")) == (304, 'W/"a"', name)


def test_ranges_of_second_forms() -> None:
    with Origin(answer) as origin, serving(policy(origin, HOW), BOTH) as d, Client(d.port) as c:
        fields = {"Accept-Encoding": "br"}
        r = c.request("/plain", headers=fields | {"Range": "bytes=2-11"})
        # of the stored form
        assert (r.status, r.body, r.get("Content-Encoding"), r.get("ETag")) == (206, TEXT[2:12], None, '"a"')
        keep(d, c, "/plain", fields)
        whole = c.request("/plain", headers=fields).body
        r = c.request("/plain", headers=fields | {"Range": "bytes=2-11"})
        assert (r.status, r.body, r.get("Content-Range")) == (206, whole[2:12], f"bytes 2-11/{len(whole)}")
        assert (r.get("Content-Encoding"), r.get("ETag")) == ("br", 'W/"a"')
        for validator in ('"a"', 'W/"a"'):                      # a weak validator is not valid in If-Range
            r = c.request("/plain", headers=fields | {"Range": "bytes=2-11", "If-Range": validator})
            assert (r.status, coding(r)) == (200, "br")
        assert c.request("/plain", headers={"Range": "bytes=2-11", "If-Range": '"a"'}).body == TEXT[2:12]
        assert c.request("/plain", headers=fields | {"Range": f"bytes={len(whole)}-"}).status == 416


def test_kept_forms_count_in_storage_and_are_freed_with_their_object() -> None:
    how = HOW + "sub vcl_recv { if (req.method == \"PURGE\") { return (purge); } }"
    with Origin(answer) as origin, serving(policy(origin, how), [*BOTH, "-s", "main=malloc,10m"]) as d, Client(d.port) as c:
        def stored() -> int:
            return counters(d)["MEMORY.main.g_bodies"]
        before = stored()
        for remove in (lambda: c.request("/plain", "PURGE"), lambda: d.ok("ban req.url == /plain")):
            c.request("/plain")
            bare = stored()
            keep(d, c, "/plain", {"Accept-Encoding": "br"})
            kept = len(c.request("/plain", headers={"Accept-Encoding": "br"}).body)
            wait_until(lambda bare=bare, kept=kept: bare + kept <= stored() <= bare + kept + 64, "storage counts the form")      # type: ignore[misc]
            keep(d, c, "/plain", {"Accept-Encoding": "zstd"})
            remove()
            r = c.request("/plain", headers={"Accept-Encoding": "br"})
            assert (coding(r), r.get("Content-Length")) == ("br", None)
            c.request("/plain", "PURGE")
            wait_until(lambda: stored() == before, "second forms are freed")
        wait_until(lambda: counters(d)["MEMORY.Transient.g_filters"] == 0, "the memory of coders is freed")


def test_one_form_is_made_once_at_a_time() -> None:
    text = "".join(f"{number * number % 9973} beings, " for number in range(40_000)).encode()
    with Origin(lambda _: Reply(body=text, headers=PLAIN)) as origin, serving(policy(origin, HOW), [*BOTH, "-p", "coding_keep_after=1"]) as d:
        fetch(d.port, "/")
        threads = [threading.Thread(target=lambda: coding(fetch(d.port, "/", headers={"Accept-Encoding": "br"}), text)) for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        wait_until(lambda: counters(d)["VERNIS.coded_kept"] == 1, "the form is kept")
        made, hits = (d.counters[f"VERNIS.{name}"] for name in ("n_br", "coded_hits"))
        assert coding(fetch(d.port, "/", headers={"Accept-Encoding": "br"}), text) == "br"
        wait_equal(lambda: d.counters["VERNIS.coded_hits"], hits + 1, "the delivery is counted")
        assert (d.counters["VERNIS.coded_kept"], d.counters["VERNIS.n_br"]) == (1, made)


def test_without_memory_for_a_coding_the_stored_form_is_sent() -> None:
    options = [*BOTH, "-s", "Transient=malloc,1m", "-p", "coding_keep_after=1"]
    with Origin(answer) as origin, serving(policy(origin, HOW), options) as d, Client(d.port) as c:
        for url, field, want in (("/plain", "br", None), ("/plain", "zstd", None), ("/packed", "br, gzip", "gzip"), ("/packed", "br", None)):
            r = c.request(url, headers={"Accept-Encoding": field})
            assert (r.status, coding(r), r.get("Vary"), r.get("ETag")) == (200, want, "Accept-Encoding", 'W/"a"'), (url, field)
            assert r.get("Content-Length") == str(len(r.body))
            head = c.request(url, "HEAD", headers={"Accept-Encoding": field})
            assert (head.status, head.get("Content-Encoding"), head.get("Content-Length")) == (200, want, str(len(r.body)))
        assert c.request("/plain", headers={"Out": "br"}).status == 503    # the filter list of the policy
        wait_until(lambda: counters(d)["MEMORY.Transient.g_filters"] == 0, "the memory of filters is freed")
        seen = counters(d)
        assert (seen["VERNIS.n_br"], seen["VERNIS.n_zstd"], seen["VERNIS.coded_kept"]) == (0, 0, 0) and seen["SMA.Transient.c_fail"] > 0


def test_a_higher_level_gives_a_smaller_body() -> None:
    text = "".join(f"{number * number % 997} beings, " for number in range(9000)).encode()
    with Origin(lambda _: Reply(body=text, headers=PLAIN)) as origin, serving(policy(origin, HOW), BOTH) as d:
        for name, option, low, high in (("br", "brotli_level", 0, 6), ("zstd", "zstd_level", 1, 12)):
            sizes = []
            for level in (low, high):
                d.ok(f"param.set {option} {level}")
                r = fetch(d.port, f"/{name}", headers={"Accept-Encoding": name})
                assert coding(r, text) == name
                sizes.append(len(r.body))
            assert sizes[1] < sizes[0]


@pytest.mark.parametrize("name", ["br", "zstd"])
def test_the_beginning_of_a_body_is_coded_before_the_rest_arrives(name: str) -> None:
    seen = threading.Event()
    def slow(_: Request) -> Reply:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n"
        def later() -> bytes:
            assert seen.wait(20)
            return b"4\r\nrest\r\n0\r\n\r\n"
        return Reply(pieces=[head + b"6\r\nfirst \r\n", later])
    with Origin(slow) as origin, serving(policy(origin, HOW), BOTH) as d, Client(d.port) as c:
        c.send(f"GET / HTTP/1.1\r\nHost: example.com\r\nAccept-Encoding: {name}\r\n\r\n".encode())
        assert c.head().get("Content-Encoding") == name
        unpack = brotli.Decompressor().process if name == "br" else zstandard.ZstdDecompressor().decompressobj().decompress
        plain = b""
        while plain != b"first rest":
            plain += unpack(c.stream.read(int(c.stream.readline(), 16)))
            c.stream.readline()
            if plain == b"first ":
                seen.set()


def test_a_304_may_forbid_codings() -> None:
    def validated(r: Request) -> Reply:
        if r.headers.get("if-none-match"):
            return Reply(304, headers={"ETag": '"a"', "Cache-Control": "max-age=60, no-transform"})
        return answer(r)
    short = "sub vcl_backend_response { if (beresp.http.Cache-Control !~ \"no-transform\") { set beresp.ttl = 0.1s; set beresp.grace = 0s; } set beresp.keep = 60s; }"
    with Origin(validated) as origin, serving(policy(origin, HOW + short), BOTH) as d:
        assert coding(fetch(d.port, "/plain", headers=ALL)) == "br"
        wait_until(lambda: fetch(d.port, "/plain").get("Cache-Control") == "max-age=60, no-transform", "the stored response is validated")
        assert coding(fetch(d.port, "/plain", headers=ALL)) is None


def test_a_form_that_is_too_long_to_be_kept_is_not_tried_again() -> None:
    body = random.Random(1).randbytes(9 << 20)              # forms up to 8 MB are kept
    with Origin(lambda _: Reply(body=body, headers=PLAIN)) as origin, \
            serving(policy(origin, HOW), [*BOTH, "-p", "coding_keep_after=1", "-p", "zstd_level=1"]) as d, Client(d.port) as c:
        c.request("/")
        c.request("/", headers={"Accept-Encoding": "zstd"})
        wait_until(lambda: counters(d)["VERNIS.n_zstd"] == 2 and counters(d)["MEMORY.Transient.g_filters"] == 0, "one attempt to keep the form has ended")
        c.request("/", headers={"Accept-Encoding": "zstd"})
        wait_until(lambda: counters(d)["MEMORY.Transient.g_filters"] == 0, "the delivery has ended")
        seen = counters(d)
        assert (seen["VERNIS.n_zstd"], seen["VERNIS.coded_kept"]) == (3, 0)
