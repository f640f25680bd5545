"""Pages with ESI includes: order of their pieces, fields of sub-requests, and errors of includes."""

from __future__ import annotations

import gzip
import random
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from proxy.daemon import wait_equal, wait_until
from proxy.origin import Client, Origin, Reply, Request, fetch
from proxy.serve import serving
from proxy.test_delivery import PAGE, policy
from proxy.test_limits import counters, needs_varnishstat
from proxy.test_log_client import counter, logged, values

ESI = "sub vcl_backend_response { set beresp.do_esi = bereq.url !~ \"^/part\"; } "
ANY_START = ["-p", "feature=+esi_disable_xml_check"]


def site(pages: dict[str, bytes], headers: dict[str, str] | None = None) -> Callable[[Request], Reply]:
    """Return the handler of an origin with these pages. Any other URL returns itself in brackets."""
    def answer(r: Request) -> Reply:
        return Reply(body=pages.get(r.url, b"[" + r.url.encode() + b"]"), headers=PAGE if headers is None else headers)
    return answer


def include(url: str, more: str = "") -> bytes:
    return f'<esi:include src="{url}"{more}/>'.encode()


def test_a_page_keeps_the_order_of_its_pieces() -> None:
    pages = {
        "/": b"<a>" + include("/part1") + b"<esi:remove>no</esi:remove>" + include("deep/") + b"<!--esi -->" + include("/part1") + b"</a>",
        "/deep/": b"<b/>" + include("part?x=1&amp;y=2") + include("/part3"),
    }
    want = b"<a>[/part1]<b/>[/deep/part?x=1&y=2][/part3] [/part1]</a>"
    with Origin(site(pages)) as origin, serving(policy(origin, ESI)) as d, Client(d.port) as c:
        assert c.request("/").body == want
        r = c.request("/")
        assert (r.body, r.get("Transfer-Encoding"), r.get("Content-Length")) == (want, "chunked", None)
        assert [q.url for q in origin.requests] == ["/", "/part1", "/deep/", "/deep/part?x=1&y=2", "/part3"]
        assert c.request("/", "HEAD").body == b""
        c.send(b"GET / HTTP/1.0\r\nHost: example.com\r\n\r\n")
        assert c.response().body == want and c.closed()


def test_variables_and_bits_of_esi() -> None:
    pages = {"/": b"text" + include("/part"), "/bom": b"\xef\xbb\xbf<a/>" + include("/part"), "/secure": b"<a/>" + include("https://h/part2"),
             "/loose": b"<a if=\"1" + include("/part")}
    text = ESI + """sub vcl_deliver {
        set resp.http.can = obj.can_esi; set resp.http.filters = resp.filters; set resp.http.do = resp.do_esi;
        if (req.http.raw) { set resp.do_esi = false; }
        if (req.http.plain) { set resp.filters = ""; } }"""
    with Origin(site(pages)) as origin, serving(policy(origin, text), sanitized=False) as d, Client(d.port) as c:
        def got(url: str, bits: str) -> bytes:
            d.ok(f"param.set feature {bits}")
            d.ok("ban req.url ~ .")
            return c.request(url).body
        assert got("/", "none") == pages["/"]
        assert got("/", "+esi_disable_xml_check") == b"text[/part]"
        r = c.request("/")
        assert (r.get("can"), r.get("filters"), r.get("do")) == ("true", "esi", "true")
        assert c.request("/", headers={"raw": "1"}).body == pages["/"]
        assert c.request("/", headers={"plain": "1"}).body == pages["/"]
        assert c.request("/part").get("can") == "false"
        assert got("/bom", "none") == pages["/bom"]
        assert got("/bom", "+esi_remove_bom") == b"<a/>[/part]"
        assert got("/secure", "none") == b"<a/>"
        assert got("/secure", "+esi_ignore_https") == b"<a/>[/part2]"
        assert origin.seen("/part2")[0].headers["host"] == "h"
        assert got("/loose", "none") == pages["/loose"]
        assert got("/loose", "+esi_ignore_other_elements") == b'<a if="1[/part]'
        d.load("old", policy(origin, ESI + "sub vcl_recv { set req.esi = false; }").replace("vcl 4.1", "vcl 4.0"))
        d.use("old")
        assert c.request("/loose").body == pages["/loose"]


def test_a_sub_request_has_the_fields_of_the_client() -> None:
    pages = {"/": b"<a/>" + include("http://other/part")}
    text = ESI + """sub vcl_recv {
        if (req.esi_level == 0) { set req.http.mine = "policy"; set req.http.Cookie = "secret"; set req.http.seen = req_top.url; }
        else { set req.http.level = req.esi_level; set req.http.top = req_top.http.mine + req_top.url; set req.http.via = req.transport; }
        return (pass); }"""
    with Origin(site(pages)) as origin, serving(policy(origin, text)) as d, Client(d.port) as c:
        sent = {"Cookie": "a=1", "Range": "bytes=0-0", "If-None-Match": '"x"', "X-Forwarded-For": "1.2.3.4"}
        assert c.request("/", "POST", headers=sent, body=b"content").body == b"<a/>[/part]"
        (part,) = origin.seen("/part")
        assert (part.method, part.body) == ("GET", b"")
        kept = {name: part.headers.get(name) for name in ("host", "cookie", "mine", "seen", "level", "top", "via", "x-forwarded-for")}
        assert kept == {"host": "other", "cookie": "a=1", "mine": None, "seen": None, "level": "1", "top": "policy/", "via": "ESI_INCLUDE",
                        "x-forwarded-for": "1.2.3.4, 127.0.0.1"}
        assert not {"range", "if-none-match", "content-length", "transfer-encoding"} & set(part.headers)


def test_concurrent_clients_get_their_own_includes() -> None:
    def answer(r: Request) -> Reply:
        if r.url.startswith("/part"):
            return Reply(body=(r.headers.get("cookie", "none") + r.url).encode() * 50)
        return Reply(body=b"<p>" + include("/part1") + b"|" + include("/part2"), headers=PAGE)

    def ask(port: int, who: str) -> None:
        with Client(port) as c:
            for _ in range(8):
                assert c.request("/", headers={"Cookie": who}).body == b"<p>" + f"{who}/part1".encode() * 50 + b"|" + f"{who}/part2".encode() * 50

    text = ESI + "sub vcl_recv { if (req.esi_level > 0) { return (pass); } return (hash); }"
    with Origin(answer) as origin, serving(policy(origin, text)) as d, ThreadPoolExecutor(12) as pool:
        for done in [pool.submit(ask, d.port, f"user{i}-") for i in range(12)]:
            done.result()


def test_includes_are_nested_up_to_max_esi_depth() -> None:
    pages = {f"/{i}": f"<{i}>".encode() + include(f"/{i + 1}") for i in range(9)}
    with Origin(site(pages)) as origin, serving(policy(origin, ESI), ["-p", "max_esi_depth=3"], sanitized=False) as d, Client(d.port) as c:
        assert c.request("/0").body == b"<0><1><2><3>"
        d.ok("param.set max_esi_depth 0")
        assert c.request("/0").body == b"<0>"
        assert origin.count("/4") == 0


def test_max_esi_includes_limits_the_includes_of_a_request() -> None:
    pages = {"/3": b"<p>"} | {f"/{i}": b"<p>" + 2 * include(f"/{i + 1}") for i in range(3)}    # 14 includes
    with Origin(site(pages)) as origin, serving(policy(origin, ESI), ["-p", "max_esi_includes=14"]) as d, Client(d.port) as c:
        assert c.request("/0").body == 15 * b"<p>"
        d.ok("param.set max_esi_includes 13")
        assert c.request("/0").body == 14 * b"<p>"
        assert c.request("/3").body == b"<p>"           # each request of the client has its own count


def read_until(c: Client, what: bytes) -> bytes:
    """All bytes up to ``what``."""
    got = b""
    while what not in got:
        piece = c.sock.recv(65536)
        assert piece, f"the response ended: {got!r}"
        got += piece
    return got


@pytest.mark.parametrize(("onerror", "feature", "whole"), [("", "+", False), (' onerror="continue"', "+", True), ("", "-", True)])
def test_a_truncated_include_truncates_its_page_if_configured(onerror: str, feature: str, whole: bool) -> None:
    seen = threading.Event()

    def breaks_off() -> None:
        seen.wait(20)

    def answer(r: Request) -> Reply:
        if r.url == "/part":
            return Reply(pieces=[b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", breaks_off])
        return Reply(body=b"<a/>" + include("/part", onerror) + b"<b/>", headers=PAGE)

    with Origin(answer) as origin, serving(policy(origin, ESI), ["-p", f"feature={feature}esi_include_onerror"]) as d, Client(d.port) as c:
        c.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        read_until(c, b"half")
        seen.set()
        if whole:
            assert b"<b/>" in read_until(c, b"0\r\n\r\n")
        else:
            rest = b""
            with suppress(ConnectionResetError):
                while piece := c.sock.recv(100):
                    rest += piece
            assert rest in (b"", b"\r\n")


@pytest.mark.parametrize("onerror", ["", ' onerror="continue"'])
def test_a_failed_include_truncates_its_page_if_configured(onerror: str) -> None:
    def answer(r: Request) -> Reply:
        if r.url == "/missing":
            return Reply(404, body=b"missing")
        return Reply(body=b"<a/>" + include("/missing", onerror) + b"<b/>", headers=PAGE)

    with Origin(answer) as origin, serving(policy(origin, ESI), ["-p", "feature=+esi_include_onerror"]) as d:
        for depth in ("5", "0"):
            d.ok(f"param.set max_esi_depth {depth}")
            with Client(d.port) as c:
                c.send(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                got = read_until(c, b"<a/>")
                with suppress(ConnectionResetError):
                    while piece := c.sock.recv(65536):
                        got += piece
            assert (got.endswith(b"\r\n0\r\n\r\n"), b"<b/>" in got) == (onerror != "", onerror != "")
    assert origin.count("/missing") == 1


@needs_varnishstat
def test_a_client_that_leaves_ends_its_sub_requests() -> None:
    hold, asked = threading.Event(), threading.Event()

    def answer(r: Request) -> Reply:
        if r.url.startswith("/part"):
            asked.set()
            hold.wait(20)
        return Reply(body={"/": b"<1>" + include("/2"), "/2": b"<2>" + include("/part")}.get(r.url, b"part"), headers=PAGE)

    with Origin(answer) as origin, serving(policy(origin, ESI)) as d:
        for _ in range(3):
            asked.clear()
            hold.clear()
            with Client(d.port) as c:
                c.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                wait_until(asked.is_set, "the origin has the request for the include")
            wait_until(lambda: counters(d)["req_live"] == 0, "all requests have ended, though the origin has not answered")
            hold.set()
            wait_until(lambda: counters(d)["fetch_live"] == 0, "the fetch has ended")
            d.ok("ban req.url ~ .")
        assert fetch(d.port, "/").body == b"<1><2>part"


def test_a_client_that_reads_slowly_gets_every_byte() -> None:
    big = bytes(range(256)) * 4096
    pages = {"/": b"<p>" + include("/part1") + b"-" + include("/part2") + b"</p>", "/part1": big, "/part2": big[::-1]}
    with Origin(site(pages)) as origin, serving(policy(origin, ESI)) as d:
        for _ in range(2):
            with Client(d.port) as c:
                c.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
                c.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                wait_until(lambda: origin.count("/part1") == 1, "the origin has the request for the first part")
                assert c.response().body == b"<p>" + big + b"-" + big[::-1] + b"</p>"


def test_transactions_of_includes_are_linked_and_counted() -> None:
    pages = {"/": b"<p>" + include("/part1") + include("/part2") + b"<esi:x/></p>"}
    with Origin(site(pages)) as origin, logged(policy(origin, ESI), ("-p", "loops=1")) as (d, log):
        assert fetch(d.port, "/").body == b"<p>[/part1][/part2]</p>"
        top = log.ended("req", 3)[0]
        children = [int(value.split()[1]) for value in values(log.of(top), "Link") if value.split()[2] == "esi"]
        assert len(children) == 2
        for child in children:
            records = log.of(child)
            assert [value.split()[:3] for value in values(records, "Begin")] == [["req", str(top), "esi"]]
            assert values(records, "ReqAcct") == ["0 0 0 0 8 8"]
        assert values(log.of(top), "ReqAcct")[0].split()[4] == "23"
        wait_equal(lambda: [counter(d, f"MAIN.{name}") for name in ("esi_req", "esi_errors", "s_resp_bodybytes")], [2, 1, 23])


@needs_varnishstat
def test_a_recipe_counts_in_storage_and_is_freed_with_its_page() -> None:
    pages = {"/": b"<p>" + include("/part1") * 300}
    text = ESI + 'sub vcl_recv { if (req.method == "PURGE") { return (purge); } }'
    with Origin(site(pages)) as origin, serving(policy(origin, text), ["-s", "malloc,64m"], sanitized=False) as d, Client(d.port) as c:
        def heads() -> int:
            return counters(d)["MEMORY.s0.g_heads"]
        c.request("/part1")
        before = wait_until(heads, "the part is stored")
        assert c.request("/").body == b"<p>" + b"[/part1]" * 300
        assert wait_until(lambda: heads() - before if heads() - before > 300 * len("/part1") else 0, "storage counts the recipe") < 300 * 16
        c.request("/", "PURGE")
        wait_until(lambda: heads() == before, "the recipe is freed")


def test_pages_and_includes_in_gzip_reach_every_client() -> None:
    """The stored page is packed. A client that accepts gzip gets it packed, any other client unpacked."""
    pages = {"/": b"<p>" + include("/part1") + include("/part2") + b"</p>"}

    def answer(r: Request) -> Reply:
        body = pages.get(r.url, b"[" + r.url.encode() + b"]")
        packed = r.url != "/part2" and "gzip" in r.headers.get("accept-encoding", "")
        return Reply(body=gzip.compress(body) if packed else body, headers=PAGE | ({"Content-Encoding": "gzip"} if packed else {}))

    with Origin(answer) as origin, serving(policy(origin, ESI)) as d, Client(d.port) as c:
        for headers in ({}, {"Accept-Encoding": "gzip"}, {}):
            r = c.request("/", headers=headers)
            body = gzip.decompress(r.body) if headers else r.body
            assert (body, r.get("Content-Encoding")) == (b"<p>[/part1][/part2]</p>", "gzip" if headers else None)
        assert c.request("/", "HEAD").get("Content-Length") is None
        assert {r.headers.get("accept-encoding") for r in origin.requests} == {"gzip"}


#: Rules that store the origin's responses in all ways.
PACKING = """sub vcl_recv { if (req.url ~ "synth") { return (synth(200)); } if (req.url ~ "pass") { return (pass); } }
sub vcl_synth { set resp.body = "[" + req.url + "]"; return (deliver); }
sub vcl_deliver { if (req.url ~ "nogzip") { unset req.http.Accept-Encoding; } }
sub vcl_backend_response {
    set beresp.do_esi = bereq.url ~ "^/page"; set beresp.do_gzip = bereq.url ~ "pack"; set beresp.do_gunzip = bereq.url ~ "open"; } """
WORDS = [b"the best of times ", b"<p>", b"</p>\n", b"\0\xff\x90\xe4", b"", b"0123456789" * 300, b"<esi:remove>no</esi:remove>"]


class Site:
    """A random site: /pageN... include each other and /part... URLs. Some of them arrive in gzip coding."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.pages: dict[str, list[bytes | str]] = {}
        self.top = [self.page(0) for _ in range(6)]

    def name(self, kind: str) -> str:
        marks = ["pack", "open", "pass", "gz", "nogzip"] + ["synth"] * (kind == "part")
        return f"/{kind}{len(self.pages)}" + "".join(f"-{mark}" for mark in marks if self.chance.random() < 0.25)

    def page(self, depth: int) -> str:
        name = self.name("page")
        made = self.pages[name] = [b"<a>"]
        for _ in range(self.chance.randrange(9)):
            made.append(self.chance.choice(WORDS))
            if self.chance.random() < 0.6:
                made.append(self.page(depth + 1) if depth < 3 and self.chance.random() < 0.3 else self.part())
        return name

    def part(self) -> str:
        name = self.name("part")
        self.pages[name] = [bytes(self.chance.choices(self.chance.randbytes(self.chance.choice([1, 4, 200])), k=self.chance.randrange(3000)))]
        return name

    def source(self, url: str) -> bytes:
        return b"".join(include(piece) if isinstance(piece, str) else piece for piece in self.pages[url])

    def whole(self, url: str) -> bytes:
        """The page that a client must get, made by the slow reference."""
        if "synth" in url:
            return b"[" + url.encode() + b"]"
        return b"".join(self.whole(piece) if isinstance(piece, str) else piece.replace(WORDS[-1], b"") for piece in self.pages[url])

    def answer(self, r: Request) -> Reply:
        packed = "-gz" in r.url and "gzip" in r.headers.get("accept-encoding", "")
        body = gzip.compress(self.source(r.url), self.chance.randrange(10)) if packed else self.source(r.url)
        return Reply(body=body, headers=PAGE | ({"Content-Encoding": "gzip"} if packed else {}))


@pytest.mark.parametrize("parallel", [1, 5])
def test_random_sites_agree_with_the_reference(parallel: int) -> None:
    """Pages and parts in gzip coding and without, stored as they arrive, packed, unpacked or passed, for
    clients with gzip and without. The CRC checks packed pages. Parts are fetched at first and stored later.
    """
    sites = {seed: Site(seed) for seed in range(12)}

    def answer(r: Request) -> Reply:
        return sites[int(r.headers["site"])].answer(r)

    text = PACKING + "sub vcl_hash { hash_data(req.http.site); }"
    with Origin(answer) as origin, serving(policy(origin, text), ["-p", "max_esi_includes=100000", "-p", f"esi_parallel={parallel}"]) as d, Client(d.port) as c:
        for seed, one in sites.items():
            for url in 2 * one.top:
                for headers in ({}, {"Accept-Encoding": "gzip"}):
                    r = c.request(url, headers={"site": str(seed)} | headers)
                    body = gzip.decompress(r.body) if r.get("Content-Encoding") == "gzip" else r.body
                    assert (r.status, body) == (200, one.whole(url)), (seed, url, headers)
                    assert headers or r.get("Content-Encoding") is None


@pytest.mark.parametrize(("filters", "parsed"), [("esi testgunzip", False), ("esi", False), ("gunzip esi", True)])
def test_content_in_gzip_coding_is_not_parsed(filters: str, parsed: bool) -> None:
    """A stored block of gzip contains the page's text unchanged, so a parser that starts anywhere would find
    its include."""
    page = b"<p>" + include("/part") + b"</p>"
    want = b"<p>[/part]</p>" if parsed else page
    text = f'sub vcl_backend_response {{ if (bereq.url == "/") {{ set beresp.filters = "{filters}"; }} }}'

    def answer(r: Request) -> Reply:
        if r.url != "/":
            return Reply(body=b"[/part]", headers=PAGE)
        return Reply(body=gzip.compress(page, 0), headers=PAGE | {"Content-Encoding": "gzip"})

    with Origin(answer) as origin, serving(policy(origin, text), ANY_START) as d, Client(d.port) as c:
        for headers in ({"Accept-Encoding": "gzip"}, {}, {"Accept-Encoding": "gzip"}):
            r = c.request("/", headers=headers)
            assert (gzip.decompress(r.body) if r.get("Content-Encoding") == "gzip" else r.body) == want, headers


def test_a_recipe_is_ignored_if_a_later_filter_changed_the_page() -> None:
    pages = {"/": b"<p>" + include("/part")}
    text = 'sub vcl_backend_response { if (bereq.url == "/") { set beresp.filters = "esi gzip"; } }'
    with Origin(site(pages)) as origin, serving(policy(origin, text)) as d, Client(d.port) as c:
        for _ in range(2):
            assert c.request("/").body == pages["/"]


def test_a_truncated_part_in_gzip_leaves_the_page_valid() -> None:
    """The page contains the beginning of the part, unpacked, or the error page. Its CRC matches the sent
    bytes."""
    body = gzip.compress(random.Random(1).randbytes(60000))

    def answer(r: Request) -> Reply:
        if r.url.startswith("/part"):
            head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body)
            return Reply(pieces=[head + body[:int(r.url[5:])]], close=True)
        n = r.url[1:]
        return Reply(body=gzip.compress(b"<a/>" + include(f"/part{n}") + b"<b/>"), headers=PAGE | {"Content-Encoding": "gzip"})

    plain = gzip.decompress(body)
    with Origin(answer) as origin, serving(policy(origin, ESI)) as d, Client(d.port) as c:
        for n in (0, 5, 200, 40000, len(body) - 3):
            got = gzip.decompress(c.request(f"/{n}", headers={"Accept-Encoding": "gzip"}).body)
            assert got.startswith(b"<a/>") and got.endswith(b"<b/>")
            assert plain.startswith(got[4:-4]) or b"Error 503" in got, n


def test_esi_parallel_includes_are_fetched_in_parallel() -> None:
    """The origin answers when so many requests wait, the last one first."""
    both = threading.Barrier(3, timeout=20)
    answered = [threading.Event() for _ in range(4)]
    answered[3].set()

    def answer(r: Request) -> Reply:
        if r.url.startswith("/part"):
            n = int(r.url[5:])
            both.wait()
            assert answered[n + 1].wait(20)
            answered[n].set()
        return Reply(body=b"<p>" + b"-".join(include(f"/part{n}") for n in range(3)) if r.url == "/" else r.url.encode() * 9000, headers=PAGE)

    text = ESI + "sub vcl_recv { if (req.esi_level > 0) { return (pass); } }"
    with Origin(answer) as origin, serving(policy(origin, text), ["-p", "esi_parallel=3"]) as d, Client(d.port) as c:
        for _ in range(2):
            assert c.request("/").body == b"<p>" + b"-".join(f"/part{n}".encode() * 9000 for n in range(3))
            for event in answered[:3]:
                event.clear()
    assert not origin.errors


@pytest.mark.parametrize("parallel", [1, 2])
def test_at_most_esi_parallel_includes_of_a_page_are_fetched_at_once(parallel: int) -> None:
    running, most, lock = 0, 0, threading.Lock()

    def answer(r: Request) -> Reply:
        nonlocal running, most
        if not r.url.startswith("/part"):
            return Reply(body=b"<p>" + b"".join(include(f"/part{n}") for n in range(8)), headers=PAGE)
        with lock:
            running += 1
            most = max(most, running)
        threading.Event().wait(0.02)
        with lock:
            running -= 1
        return Reply(body=r.url.encode())

    with Origin(answer) as origin, serving(policy(origin, ESI), ["-p", f"esi_parallel={parallel}"]) as d:
        assert fetch(d.port, "/").body == b"<p>" + b"".join(f"/part{n}".encode() for n in range(8))
    assert most <= parallel
    if parallel == 1:
        assert [r.url for r in origin.requests] == ["/", *(f"/part{n}" for n in range(8))]


@needs_varnishstat
def test_an_include_that_waits_for_its_turn_is_not_a_slow_client() -> None:
    """The second include is long and arrives at once. The first takes longer than idle_send_timeout and
    rate_grace."""
    def answer(r: Request) -> Reply:
        if r.url == "/part0":
            threading.Event().wait(1.5)
        pages = {"/": b"<p>" + include("/part0") + include("/deep"), "/deep": b"<q>" + include("/part1")}
        return Reply(body=pages.get(r.url, r.url.encode() * 100000), headers=PAGE)

    args = ["esi_parallel=2", "idle_send_timeout=0.4", "response_rate_min=10m", "rate_grace=0.3"]
    with Origin(answer) as origin, serving(policy(origin, ESI), [word for arg in args for word in ("-p", arg)]) as d:
        assert fetch(d.port, "/").body == b"<p>" + b"/part0" * 100000 + b"<q>" + b"/part1" * 100000
        assert counters(d)["sess_slow_response"] == 0
