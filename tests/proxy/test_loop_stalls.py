"""A loop that works too long on one step: the counter of the longest round, and the warning that names the
step. See docs/daemon.md, "A loop that works too long"."""

from __future__ import annotations

import contextlib
import gzip
import re
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from proxy.daemon import ROOT, Daemon, wait_equal, wait_until
from proxy.origin import Origin, Reply, Request
from support.pace import Pace

Start = Callable[..., Daemon]

# PCRE2 tries 50,000 ways to divide the text, for each pattern.
SLOW = """vcl 4.1;
backend default none;
sub vcl_recv {
""" + "".join(f'    if (req.http.X ~ "^(a|aa)+\\1(x{i})?$") {{ return (fail); }}\n' for i in range(60)) + """
    return (synth(200, "ok"));
}
"""
NAMED = re.compile(r"Warning: loop 0 has worked for \d+ ms without a pause, longer than loop_stall_warn: "
                   r"request (\d+), step recv, hook (?:vcl_)?recv, policy boot")


def errors(d: Daemon) -> str:
    command = [str(ROOT / "build/bin/vernis"), "log", "-n", str(d.workdir), "-d", "-g", "raw", "-i", "Error"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout


def ask_slowly(d: Daemon) -> None:
    assert d.get(f"/ HTTP/1.1\r\nX: {'a' * 24}!\r\nY:") == (200, "ok")


def test_a_step_that_holds_its_loop_is_named_and_counted(start_daemon: Start) -> None:
    d = start_daemon(SLOW, ["-p", "loops=1", "-p", "loop_stall_warn=0.01", "-p", "pcre2_match_limit=10000000"])
    d.ok("debug.longest_round")
    ask_slowly(d)
    named = wait_until(lambda: NAMED.search(d.heard), "the daemon names the step")
    wait_until(lambda: f"without a pause: request {named[1]}, step recv" in errors(d), "the record of the whole time")
    wait_until(lambda: d.counters["VERNIS.loop_stalls"] > 0, "the stall is counted")
    assert d.counters["VERNIS.loop_longest_round_us"] >= 10_000


def test_a_limit_of_0_warns_of_no_step(start_daemon: Start) -> None:
    d = start_daemon(SLOW, ["-p", "loops=1", "-p", "loop_stall_warn=0", "-p", "pcre2_match_limit=10000000"])
    ask_slowly(d)
    wait_until(lambda: d.counters["VERNIS.loop_longest_round_us"] >= 10_000, "the round is measured")
    assert "without a pause" not in d.heard
    assert d.counters["VERNIS.loop_stalls"] == 0


def test_the_longest_round_can_begin_anew(start_daemon: Start) -> None:
    d = start_daemon(SLOW, ["-p", "loops=2", "-p", "pcre2_match_limit=10000000"])
    ask_slowly(d)
    longest = wait_until(lambda: d.counters["VERNIS.loop_longest_round_us"] >= 10_000 and d.counters["VERNIS.loop_longest_round_us"], "a long round")
    assert int(d.ok("debug.longest_round")) == longest
    wait_equal(lambda: d.counters["VERNIS.loop_longest_round_us"] < longest, True)


# ---- the kind: no content within the limits holds a loop ----

MOST_US = 10_000
ATTEMPTS = 3
SENT = 7_000                    # of a field: within http_req_hdr_len and http_resp_hdr_len

POLICY = """vcl 4.1;
import cookie;
import std;
import xkey;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}
sub vcl_recv {{
    if (req.http.X-Sort) {{ set req.url = std.querysort(req.url); }}
    if (req.http.X-Cookies) {{
        cookie.parse(req.http.Cookie);
        cookie.keep_re("^x");
        set req.http.Cookie = cookie.get_string();
    }}
    if (req.http.X-Long) {{
        set req.http.X-Long = regsuball(req.http.X-Long, "([a-z])(?=.*\\1)", "<\\1>");
        if (req.http.X-Long ~ "(a+)+(b|c)+(a+)+\\1$") {{ return (fail); }}
    }}
    if (req.http.X-Purge) {{ return (synth(200, "" + xkey.purge(req.http.X-Purge))); }}
    if (req.http.X-Soft) {{ return (synth(200, "" + xkey.softpurge(req.http.X-Soft))); }}
    if (req.http.X-Purge) {{ return (synth(200, "" + xkey.purge(req.http.X-Purge))); }}
    if (req.http.X-Soft) {{ return (synth(200, "" + xkey.softpurge(req.http.X-Soft))); }}
    if (req.method == "PURGE") {{ return (purge); }}
    if (req.http.X-Pass) {{ return (pass); }}
    if (req.http.X-Keep) {{ std.cache_req_body(4MB); return (pass); }}
    return (hash);
}}
sub vcl_backend_fetch {{
    if (bereq.http.X-Made) {{ return (error(200, "Made")); }}
}}
sub vcl_backend_error {{
    if (bereq.http.X-Made) {{
        set beresp.ttl = 1h;
        set beresp.http.xkey = bereq.http.host;
        if (bereq.http.X-V) {{ set beresp.http.Vary = "X-V"; }}
        return (deliver);
    }}
}}
sub vcl_backend_response {{
    set beresp.do_esi = beresp.http.X-Do == "esi";
    set beresp.do_gzip = beresp.http.X-Do == "gzip";
    set beresp.do_gunzip = beresp.http.X-Do == "gunzip";
    if (beresp.http.X-Keys) {{ set beresp.http.xkey = beresp.http.X-Keys; }}
    set beresp.ttl = 1h;
}}
"""

# The edits of 5.0 have code of their own.
POLICY_5 = """vcl 5.0;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}
sub vcl_recv {{
    if (req.http.X-Sort is set) {{
        req.url.query.sort();
        req.url.query.remove("f*", "0");
    }}
    if (req.http.X-Cookies is set) {{ req.cookie.keep("x*", "c1"); }}
    if (let long = req.http.X-Long) {{
        set req.http.X-Long = regsuball(long, "[a-z](b|c)*", "<\\1>");
        if (long ~ "(a+)+(b|c)+(a+)+$") {{ return (fail); }}
    }}
    if (req.cache_control.has("no-store", "z")) {{ return (pass); }}
    req.http.X-Words.add("more");
    return (hash);
}}
"""


def chunked(pieces: Iterable[bytes], after: bytes = b"") -> bytes:
    return b"".join(b"%x%s\r\n%s\r\n" % (len(p), after, p) for p in pieces) + b"0\r\n\r\n"


def trailers(n: int) -> bytes:
    """The last chunk, with n trailer fields."""
    return b"0\r\n" + b"".join(b"X-%d: a\r\n" % i for i in range(n)) + b"\r\n"


def answer(*fields: str, body: bytes = b"here", coding: str = "") -> bytes:
    length = "Transfer-Encoding: chunked" if coding else f"Content-Length: {len(body)}"
    return "\r\n".join(["HTTP/1.1 200 OK", *fields, length, "", ""]).encode() + body


def repeated(text: str, between: str = ",") -> str:
    return between.join(text.format(i) for i in range(SENT // (len(text) + len(between) + 2)))


def zipped(body: bytes) -> bytes:
    return gzip.compress(body, 9)


@dataclass(frozen=True, slots=True)
class Row:
    """The request of a client, a piece at a time, and the answer of the origin. ``answers`` is the number of
    responses."""

    name: str
    fields: tuple[str, ...] = ()
    reply: bytes = b""
    url: str = "/"
    method: str = "GET"
    body: bytes = b""
    times: int = 1              # requests, in a row on one connection
    each: str = ""              # of each request: its number
    before: bytes = b""         # the header of a proxy, for the port that expects one


def proxy_header(types: bytes) -> bytes:
    """Version 2, with as many fields as the daemon receives. They have no value, and types from `types`."""
    n = (1024 - 12) // 3
    fields = b"".join(bytes([types[i % len(types)], 0, 0]) for i in range(n))
    return b"\r\n\r\n\0\r\nQUIT\n\x21\x11" + (12 + 3 * n).to_bytes(2) + b"\xc0\0\2\1\xc6\x33\x64\2\4\xd2\0\x50" + fields


PAGE = "X-Do: esi"
V6 = b"ffff:" * 7 + b"ffff"
ROWS = [
    Row("fields of a request", tuple(f"X-{i}: {'a' * 450}" for i in range(55))),
    Row("one long field", (f"X: {'a' * SENT}",)),
    Row("cookies", (f"Cookie: {repeated('c{}=1', '; ')}", "X-Cookies: 1")),
    Row("cookies without a name", (f"Cookie: {';' * SENT}", "X-Cookies: 1")),
    Row("parameters of a URL", ("X-Sort: 1",), url="/?" + "&".join(f"{i * 7919 % 4096:x}" for i in range(4_000))),
    Row("equal parameters", ("X-Sort: 1",), url="/?" + "a&" * 9_000),
    Row("segments of a URL", url="/." * 7_000),
    Row("escapes of a URL", url="/" + "%2e%2f" * 2_500),
    Row("patterns on a long text", (f"X-Long: {'ab' * (SENT // 3)}",)),
    Row("patterns on equal letters", (f"X-Long: {'a' * (SENT // 3)}",)),
    Row("ranges", (f"Range: bytes={repeated('{0}-{0}')}",), answer("ETag: \"1\"", body=b"a" * 100_000)),
    Row("ranges that cannot be met", (f"Range: bytes={repeated('9999999-')}",)),
    Row("If-None-Match", ("If-None-Match: " + repeated('"{}"'),), answer("ETag: \"x\""), times=2),
    Row("Accept-Encoding", (f"Accept-Encoding: {repeated('x{};q=0.5')}",)),
    Row("Accept-Language", (f"Accept-Language: {repeated('de-{};q=0.5')}",), answer("Vary: Accept-Language")),
    Row("Cache-Control of a request", (f"Cache-Control: {repeated('x{}=1')}",)),
    Row("Connection", (f"Connection: {repeated('x{}')}",)),
    Row("X-Forwarded-For", (f"X-Forwarded-For: {repeated('1.2.3.4')}",)),
    Row("pipelined requests", times=2_000),
    Row("pipelined requests that miss", times=500, each="/p{}"),
    Row("pipelined requests that pass", ("X-Pass: 1",), times=500),
    Row("content in chunks of a byte", ("X-Pass: 1",), method="POST", body=chunked([b"a"] * 200_000)),
    Row("content kept in chunks of a byte", ("X-Keep: 1",), method="POST", body=chunked([b"a"] * 200_000)),
    Row("large content", ("X-Pass: 1",), method="POST", body=chunked([b"a" * 4_000] * 2_000)),
    Row("extensions of chunks", ("X-Pass: 1",), method="POST", body=chunked([b"a"] * 2_000, b";x=" + b"y" * 200)),
    Row("trailers of a request", ("X-Pass: 1",), method="POST", body=chunked([b"a"])[:-5] + trailers(800)),
    Row("PROXY header of version 1", before=b"PROXY TCP6 %b %b 65535 65535\r\n" % (V6, V6)),
    Row("fields of a PROXY header", before=proxy_header(b"\xe0\xe1\xe2")),
    Row("fields of a response", reply=answer(*(f"X-{i}: {'a' * 450}" for i in range(55)))),
    Row("Set-Cookie", reply=answer(*(f"Set-Cookie: c{i}={'a' * 450}" for i in range(55)))),
    Row("Vary", reply=answer(f"Vary: {repeated('x{}')}"), times=3),
    Row("Vary of one name", reply=answer(f"Vary: {repeated('Accept')}"), times=3),
    Row("Cache-Control of a response", reply=answer("Cache-Control: " + repeated('x{}="a,b"'))),
    Row("private with fields", reply=answer('Cache-Control: private="' + repeated("x{}") + '"')),
    Row("Link", reply=answer(f"Link: {repeated('</a{}>;rel=preload')}")),
    Row("keys", reply=answer(f"X-Keys: {repeated('k{}', ' ')}")),
    Row("interim responses", reply=b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n" * 3_000 + answer()),
    Row("chunks of a byte", reply=answer(coding="chunked", body=chunked([b"a"] * 300_000))),
    Row("chunks of a byte compressed", reply=answer("X-Do: gzip", coding="chunked", body=chunked([b"a"] * 300_000))),
    Row("extensions of response chunks", reply=answer(coding="chunked", body=chunked([b"a"] * 2_000, b";x=" + b"y" * 200))),
    Row("trailers of a response", ("TE: trailers", "Connection: TE"), answer(coding="chunked", body=chunked([b"a"])[:-5] + trailers(800))),
    Row("large response", reply=answer(body=b"a" * 20_000_000)),
    Row("compression", reply=answer("X-Do: gzip", body=b"abcdefgh" * 1_000_000)),
    Row("gzip bomb", reply=answer("Content-Encoding: gzip", body=zipped(b"\0" * 50_000_000))),
    Row("gzip bomb unpacked in the fetch", reply=answer("Content-Encoding: gzip", "X-Do: gunzip", body=zipped(b"\0" * 50_000_000))),
    Row("gzip bomb with ESI", ("Accept-Encoding: gzip",), answer("Content-Encoding: gzip", PAGE, body=zipped(b"<p>" * 10_000_000))),
    Row("gzip members", reply=answer("Content-Encoding: gzip", body=zipped(b"") * 50_000)),
    Row("includes of itself", reply=answer(PAGE, body=b"<p>" + b'<esi:include src="/page"/>' * 100_000), url="/page"),
    Row("includes of itself, compressed", ("Accept-Encoding: gzip",), url="/packed",
        reply=answer(PAGE, "Content-Encoding: gzip", body=zipped(b"<p>" + b'<esi:include src="/packed"/>x' * 100_000))),
    Row("includes with text", reply=answer(PAGE, body=b"<p>" + b'x<esi:include src="/leaf"/>' * 30_000)),
    Row("removed parts", reply=answer(PAGE, body=b"<p>" + b"<esi:remove>x</esi:remove>" * 100_000)),
    Row("ESI comments", reply=answer(PAGE, body=b"<p>" + b"<!--esi x -->" * 200_000)),
    Row("angle brackets", reply=answer(PAGE, body=b"<p>" + b"<" * 5_000_000)),
    Row("unfinished tags", reply=answer(PAGE, body=b"<p>" + b"<esi:include " * 200_000)),
    Row("attributes of a tag", reply=answer(PAGE, body=b"<p><esi:include " + b'a="b" ' * 300_000 + b"/>")),
]


def send(d: Daemon, row: Row, host: str) -> bytes:
    """The answers, or what came of them within ten seconds."""
    def head(i: int) -> str:
        framing = ["Transfer-Encoding: chunked"] if row.body else []
        last = ["Connection: close"] if i == row.times - 1 else []
        return "\r\n".join([f"{row.method} {row.each.format(i) or row.url} HTTP/1.1", f"Host: {host}", *row.fields, *framing, *last, "", ""])

    port = int(d.status["listens"][1].rsplit(":", 1)[1]) if row.before else d.port_cached
    with socket.create_connection(("127.0.0.1", port), timeout=20) as s:
        data = row.before + b"".join(head(i).encode() + row.body for i in range(row.times))
        threading.Thread(target=lambda: try_send(s, data), daemon=True).start()
        got = bytearray()
        end = time.monotonic() + 10
        try:
            while time.monotonic() < end and (piece := s.recv(1 << 20)):
                if len(got) < 100_000:
                    got += piece
        except OSError:
            pass
    return bytes(got)


def try_send(s: socket.socket, data: bytes) -> None:
    with contextlib.suppress(OSError):
        s.sendall(data)


def drain(s: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while s.recv(1 << 20):
            pass


def longest(d: Daemon) -> int:
    """Microseconds, since the last call."""
    return int(d.ok("debug.longest_round"))


class Scripted:
    """An origin that answers with the reply of the row that runs, and its daemon. Requests with X-Wait get
    their answer when the gate is open."""

    def __init__(self, tmp_path: Path, loops: int, policy: str = POLICY, size: str = "400m") -> None:
        self.reply = b""
        self.loops = loops
        self.gate = threading.Event()
        self.origin = Origin(self.answer)
        self.origin.__enter__()
        self.daemon = Daemon(tmp_path, policy.format(port=self.origin.port),
                             ["-p", f"loops={loops}", "-p", "loop_stall_warn=0.01", "-s", f"malloc,{size}", "-p", "http_max_hdr=128",
                              "-p", "workspace_client=1m", "-p", "workspace_session=2k", "-p", "feature=+rfc9111", "-p", "debug=+test_clock", "-a", "tls=127.0.0.1:0,PROXY"])

    def answer(self, request: Request) -> Reply:
        if "x-wait" in request.headers:
            self.gate.wait(60)
        return Reply(raw=answer() if request.url == "/leaf" else self.reply or answer())

    def stop(self) -> None:
        self.daemon.stop()
        self.origin.__exit__()


@pytest.fixture(scope="module", params=[1, 2], ids=["one loop", "two loops"])
def scripted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    s = Scripted(tmp_path_factory.mktemp("stalls"), request.param)
    yield s
    s.stop()


@pytest.fixture(scope="module")
def scripted_5(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    s = Scripted(tmp_path_factory.mktemp("stalls5"), 1, POLICY_5)
    yield s
    s.stop()


def assert_no_long_round(s: Scripted, act: Callable[[int], None]) -> None:
    """The best of ATTEMPTS counts: on a machine with many others, CPU time contains time of the others."""
    pace = Pace(time.process_time)
    times = []
    pid = s.daemon.worker_pid
    for attempt in range(ATTEMPTS):
        longest(s.daemon)
        act(attempt)
        times.append(longest(s.daemon))
        pace.measure()
        if times[-1] <= MOST_US * pace.slowness:
            break
    assert s.daemon.worker_pid == pid
    print(f"{times} us, slowness {pace.slowness:.1f}")
    assert min(times) <= MOST_US * pace.slowness, [line for line in s.daemon.heard.splitlines() if "pause" in line]


def send_row(s: Scripted, row: Row) -> None:
    s.reply = row.reply

    def act(attempt: int) -> None:
        got = send(s.daemon, row, f"{row.name} {attempt}".replace(" ", "-"))
        assert got.startswith(b"HTTP/1.1 "), got[:100]

    assert_no_long_round(s, act)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_no_content_within_the_limits_holds_a_loop(scripted: Scripted, row: Row) -> None:
    send_row(scripted, row)


@pytest.mark.parametrize("row", [*(r for r in ROWS if any(f.startswith(("X-Sort", "X-Cookies", "X-Long", "Cache-Control")) for f in r.fields)),
                                 Row("words of a field", (f"X-Words: {repeated('x{}')}",))], ids=lambda row: row.name)
def test_no_content_holds_a_loop_with_a_policy_in_5(scripted_5: Scripted, row: Row) -> None:
    send_row(scripted_5, row)


# ---- many stored responses, many requests ----

OBJECTS = 5_000
MANY = 50_000
BANS = 1_000
VARIANTS = 1_000                # the limit of a key
BUSY = 800
WAITERS = 1_000


def fill(s: Scripted, host: str, n: int = OBJECTS, url: str = "/{}", *fields: str) -> None:
    """Stores n responses under the Host `host`."""
    heads = ["\r\n".join([f"GET {url.format(i)} HTTP/1.1", f"Host: {host}", "X-Made: 1", *(f.format(i) for f in fields), ""]) for i in range(n)]
    heads[-1] += "Connection: close\r\n"
    data = "".join(head + "\r\n" for head in heads).encode()
    with socket.create_connection(("127.0.0.1", s.daemon.port_cached), timeout=60) as sock:
        threading.Thread(target=lambda: try_send(sock, data), daemon=True).start()
        got = b"".join(iter(lambda: sock.recv(1 << 20), b""))
    assert got.count(b"HTTP/1.1 200 Made\r\n") == n


def fill_variants(s: Scripted, host: str) -> None:
    fill(s, host, VARIANTS, "/1", "X-V: {}")


def ask(s: Scripted, host: str, *fields: str) -> str:
    with socket.create_connection(("127.0.0.1", s.daemon.port_cached), timeout=60) as sock:
        sock.sendall("\r\n".join(["GET /1 HTTP/1.1", f"Host: {host}", *fields, "Connection: close", "", ""]).encode())
        return sock.makefile("rb").readline().decode().strip()


def purge_keys(s: Scripted, host: str) -> None:
    fill(s, host)
    assert ask(s, host, f"X-Purge: {host}") == f"HTTP/1.1 200 {OBJECTS}"


def soft_purge_keys(s: Scripted, host: str) -> None:
    fill(s, host)
    assert ask(s, host, f"X-Soft: {host}") == f"HTTP/1.1 200 {OBJECTS}"


def ban_by_request(s: Scripted, host: str) -> None:
    fill(s, host, 2)
    for i in range(BANS):
        s.daemon.ok(f"ban req.http.X-Ban ~ ^no{i}x && obj.http.X-No != {i}")
    assert ask(s, host, "X-Ban: yes", "X-Made: 1") == "HTTP/1.1 200 Made"
    assert s.daemon.ok("ban.list").count("X-Ban") >= BANS


def ban_by_object(s: Scripted, host: str) -> None:
    fill(s, host)
    before = s.daemon.counters["MAIN.bans_lurker_obj_killed"]
    s.daemon.ok("param.set ban_lurker_age 0.1")
    s.daemon.ok(f"ban obj.http.xkey == {host}")
    wait_until(lambda: s.daemon.counters["MAIN.bans_lurker_obj_killed"] >= before + OBJECTS, "the lurker has removed them", 60)


def ban_variants(s: Scripted, host: str) -> None:
    fill_variants(s, host)
    s.daemon.ok("ban req.http.X-Ban == yes && obj.status == 200")
    assert ask(s, host, "X-Ban: yes", "X-V: none", "X-Made: 1") == "HTTP/1.1 200 Made"


def purge_variants(s: Scripted, host: str) -> None:
    fill_variants(s, host)
    with socket.create_connection(("127.0.0.1", s.daemon.port_cached), timeout=60) as sock:
        sock.sendall(f"PURGE /1 HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        assert sock.makefile("rb").readline().startswith(b"HTTP/1.1 200")


def explain_variants(s: Scripted, host: str) -> None:
    fill_variants(s, host)
    command = [str(ROOT / "build/bin/vernis"), "explain-key", "-n", str(s.daemon.workdir), f"http://{host}/1"]
    assert f"{VARIANTS}" in subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout


def purge_all(s: Scripted, host: str) -> None:
    n = MANY if s.loops == 1 else OBJECTS
    fill(s, host, n)
    assert s.daemon.ok("vernis.purge_all").endswith("stored responses removed")
    wait_until(lambda: s.daemon.counters["MAIN.n_object"] == 0, "the sweep has freed them", 60)


def expire(s: Scripted, host: str) -> None:
    fill(s, host)
    before = s.daemon.counters["MAIN.n_expired"]
    s.daemon.ok("debug.clock +7200")
    wait_until(lambda: s.daemon.ok("debug.clock +1") and s.daemon.counters["MAIN.n_expired"] >= before + OBJECTS, "they have expired", 60)


def ask_at_once(s: Scripted, host: str, n: int, counter: str, *fields: str) -> None:
    """n requests for one key that all wait, and then all get their answers."""
    s.gate.clear()
    with contextlib.ExitStack() as stack:
        before = s.daemon.counters[counter]
        socks = [stack.enter_context(socket.create_connection(("127.0.0.1", s.daemon.port_cached), timeout=60)) for _ in range(n)]
        for i, sock in enumerate(socks):
            sock.sendall("\r\n".join(["GET /1 HTTP/1.1", f"Host: {host}", "X-Wait: 1", *(f.format(i) for f in fields), "", ""]).encode())
        wait_until(lambda: s.daemon.counters[counter] >= before + n - 1, "all wait", 60)
        s.gate.set()
        for sock in socks:
            assert sock.recv(100).startswith(b"HTTP/1.1 200")


def busy_variants(s: Scripted, host: str) -> None:
    s.reply = answer("Vary: X-V")
    assert ask(s, host, "X-V: none") == "HTTP/1.1 200 OK"
    ask_at_once(s, host, BUSY, "MAIN.cache_miss", f"X-V: {'a' * SENT}{{}}")


def waiters(s: Scripted, host: str) -> None:
    s.reply = answer()
    ask_at_once(s, host, WAITERS, "MAIN.busy_sleep")


ACTS = [purge_keys, soft_purge_keys, ban_variants, purge_variants, explain_variants, busy_variants, waiters, ban_by_object, ban_by_request, purge_all, expire]


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_many_responses_hold_no_loop(scripted: Scripted, act: Callable[[Scripted, str], None]) -> None:
    assert_no_long_round(scripted, lambda attempt: act(scripted, f"{act.__name__}-{attempt}"))


def test_room_for_a_long_body_holds_no_loop(tmp_path: Path) -> None:
    s = Scripted(tmp_path, 1, size="34m")
    s.daemon.ok("param.set nuke_limit 1000000")

    def act(attempt: int) -> None:
        for _ in range(3):      # eviction passes over responses that were hit
            fill(s, f"small-{attempt}", 30_000)
        s.reply = answer(body=b"a" * 30_000_000)
        before = s.daemon.counters["MAIN.n_lru_nuked"]
        assert ask(s, f"long-{attempt}") == "HTTP/1.1 200 OK"
        wait_until(lambda: s.daemon.counters["MAIN.n_lru_nuked"] > before + 10_000, "thousands are evicted")

    try:
        assert_no_long_round(s, act)
    finally:
        s.stop()


# ---- tables ----

TABLE_ROWS = 300_000
TABLE = '''vcl 5.0;
backend default none;
table t : STRING by exact from "{file}";
sub vcl_recv {{
    if (let v = t[req.url]) {{ return (synth(200, v)); }}
    return (synth(404));
}}
'''


def test_a_replaced_table_holds_no_loop(tmp_path: Path, start_daemon: Start) -> None:
    file = tmp_path / "t.csv"

    def write(k: int) -> None:
        file.write_text("".join(f"/{i},{k}{'v' * 40}\n" for i in range(TABLE_ROWS)))

    write(0)
    d = start_daemon(TABLE.format(file=file), ["-p", "loops=1", "-p", "loop_stall_warn=0.01", "-p", f"vcl_path={tmp_path}"])
    pace, times = Pace(time.process_time), []
    for k in range(1, 1 + ATTEMPTS):
        write(k)
        longest(d)
        with socket.create_connection(("127.0.0.1", d.port_cached), timeout=60) as sock:
            looks = "".join(f"GET /{i} HTTP/1.1\r\nHost: a\r\n\r\n" for i in range(20_000)).encode()
            threading.Thread(target=try_send, args=(sock, looks), daemon=True).start()
            threading.Thread(target=drain, args=(sock,), daemon=True).start()
            d.ok(f"table.replace t {file}")
            assert d.get(f"/{k}") == (200, f"{k}{'v' * 40}")
        times.append(longest(d))
        pace.measure()
    print(f"{times} us, slowness {pace.slowness:.1f}")
    assert min(times) <= MOST_US * pace.slowness, [line for line in d.heard.splitlines() if "pause" in line]
