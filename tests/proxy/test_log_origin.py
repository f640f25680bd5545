"""Log records and counters of the origin side, as varnishlog and varnishstat show them: fetches, connections,
storages, probes."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable

import pytest

from proxy.daemon import Daemon, wait_equal, wait_until
from proxy.origin import Origin, Reply, Request, fetch
from support.ports import refusing_port

Start = Callable[..., Daemon]
Records = list[tuple[str, str]]

pytestmark = pytest.mark.skipif(shutil.which("varnishlog") is None, reason="needs Debian's varnish")

LINE = re.compile(r" *(\d+) (\S+) +([-bc]) (.*)")


def tool(d: Daemon, name: str, *args: str) -> str:
    return subprocess.run([name, "-n", str(d.workdir), *args], capture_output=True, text=True, check=True, timeout=30).stdout


def counters(d: Daemon) -> dict[str, int]:
    return {name: row["value"] for name, row in json.loads(tool(d, "varnishstat", "-1", "-j"))["counters"].items()}


def policy(origin: Origin, text: str = "", more: str = "") -> str:
    return f'vcl 4.1; backend o {{ .host = "127.0.0.1"; .port = "{origin.port}"; {more} }} {text}'


def fetches(d: Daemon, n: int) -> list[Records]:
    """Waits for n finished fetches and returns their records, in the order of their beginning."""
    def finished() -> list[Records]:
        found: dict[int, Records] = {}
        for line in tool(d, "varnishlog", "-d", "-g", "raw").splitlines():
            m = LINE.match(line)
            if m and m[3] == "b":
                found.setdefault(int(m[1]), []).append((m[2], m[4].strip()))
        done = sorted(found.values(), key=lambda records: float(of(records, "Timestamp")[0].split()[1]))
        return done[:n] if len(done) >= n and all(r[-1][0] == "End" for r in done[:n]) else []
    return wait_until(finished, f"{n} fetches have ended")     # type: ignore[no-any-return]


def of(records: Records, tag: str) -> list[str]:
    return [text for t, text in records if t == tag]


def labels(records: Records) -> list[str]:
    """Tags, with labels of timestamps, without message heads and records of the policy."""
    shown = [f"{tag}:{text.split(':')[0]}" if tag == "Timestamp" else tag for tag, text in records]
    return [t for t in shown if not t.startswith(("Bereq", "Beresp", "VCL_")) or t == "BereqAcct"]


def head_bytes(records: Records, family: str, first_line: str) -> int:
    return len(first_line) + 2 + sum(len(h) + 2 for h in of(records, f"{family}Header")) + 2


def test_the_head_of_the_client_comes_before_that_of_the_fetch(start_daemon: Start) -> None:
    """In the order of Varnish (script r01662)."""
    with Origin(lambda r: Reply(body=b"12345")) as origin:
        d = start_daemon(policy(origin))
        with socket.create_connection(("127.0.0.1", d.port_cached), 30) as s:
            s.sendall(b"HEAD / HTTP/1.0\r\nHost: a.test\r\n\r\n")
            assert s.recv(1000).startswith(b"HTTP/1.1 200 ")
        (fetch,) = fetches(d, 1)
    tags = ("BereqMethod", "BereqURL", "BereqProtocol", "BereqHeader")
    assert [(tag[5:], text.partition(":")[0]) for tag, text in fetch if tag in tags] == [
        ("Method", "HEAD"), ("URL", "/"), ("Protocol", "HTTP/1.0"), ("Header", "Host"), ("Header", "X-Forwarded-For"),
        ("Method", "GET"), ("Header", "Accept-Encoding"), ("Protocol", "HTTP/1.1"), ("Header", "X-Varnish")]


def test_a_miss_is_logged_from_begin_to_end(start_daemon: Start) -> None:
    with Origin(lambda r: Reply(body=b"12345", headers={"Cache-Control": "max-age=30"})) as origin:
        d = start_daemon(policy(origin))
        fetch(d.port, "/x")
        fetch(d.port, "/y", headers={"A": "b"})
        first, second = fetches(d, 2)
    assert labels(first) == [
        "Begin", "Timestamp:Start", "Timestamp:Fetch", "Timestamp:Connected", "BackendOpen", "Timestamp:Bereq", "Timestamp:Beresp",
        "TTL", "Timestamp:Process", "Filters", "Storage", "Fetch_Body", "BackendClose", "Timestamp:BerespBody", "Length", "BereqAcct",
        "End"]
    assert re.fullmatch(r"bereq \d+ fetch", of(first, "Begin")[0])
    assert of(first, "VCL_use") == ["boot"]
    assert of(first, "BereqURL") == ["/x"]
    assert re.fullmatch(r"RFC 30 10 0 \d+ \d+ \d+ 0 30 cacheable", of(first, "TTL")[0])
    assert (of(first, "Storage"), of(first, "Fetch_Body"), of(first, "Length")) == (["malloc s0"], ["3 length stream"], ["5"])
    assert re.fullmatch(rf"\d+ o 127.0.0.1 {origin.port} 127.0.0.1 \d+ connect", of(first, "BackendOpen")[0])
    assert re.fullmatch(r"\d+ o recycle", of(first, "BackendClose")[0])
    assert of(second, "BackendOpen")[0].endswith(" reuse")
    sent = head_bytes(second, "Bereq", "GET /y HTTP/1.1")
    received = head_bytes(second, "Beresp", "HTTP/1.1 200 Scripted") - len("Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n")
    assert of(second, "BereqAcct") == [f"{sent} 0 {sent} {received} 5 {received + 5}"]


def test_a_request_that_hangs_is_in_the_log_while_it_hangs(start_daemon: Start) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def hang(r: Request) -> Reply:
        asked.set()
        go_on.wait(20)
        return Reply()

    with Origin(hang) as origin:
        d = start_daemon(policy(origin))
        client = threading.Thread(target=fetch, args=(d.port, "/hangs"))
        client.start()
        assert asked.wait(20)
        wait_until(lambda: re.search(r"BereqURL +b /hangs", tool(d, "varnishlog", "-d", "-g", "raw")), "the fetch is in the log")
        go_on.set()
        client.join()


def test_a_retry_has_a_new_id(start_daemon: Start) -> None:
    with Origin(lambda r: Reply(status=500 if r.headers["n"] == "0" else 200)) as origin:
        d = start_daemon(policy(origin, """
            sub vcl_backend_fetch { set bereq.http.n = bereq.retries; }
            sub vcl_backend_response { if (beresp.status == 500) { return (retry); } }"""))
        assert fetch(d.port, "/").status == 200
        first, second = fetches(d, 2)
    number = re.search(r"bereq (\d+) retry", of(first, "Link")[0])
    assert number is not None and f"X-Varnish: {number[1]}" in of(second, "BereqHeader")
    assert labels(first)[-4:] == ["BackendClose", "Timestamp:Retry", "Link", "End"]
    assert re.fullmatch(r"bereq \d+ retry", of(second, "Begin")[0])
    # a response without content leaves the connection reusable
    assert of(second, "BackendOpen")[0].endswith(" reuse")
    assert of(first, "BereqAcct") == [] and len(of(second, "BereqAcct")) == 1


def test_passes_and_background_fetches_are_marked(start_daemon: Start) -> None:
    with Origin(lambda r: Reply(body=b"")) as origin:
        d = start_daemon(policy(origin, """
            sub vcl_recv { if (req.method == "POST") { return (pass); } }
            sub vcl_backend_response {
                if (!beresp.uncacheable) { set beresp.ttl = 1ms; set beresp.grace = 1m; }
                return (deliver);
            }"""))
        fetch(d.port, "/", method="POST", body=b"1234")
        fetch(d.port, "/")
        time.sleep(0.01)
        fetch(d.port, "/")
        passed, missed, refreshed = fetches(d, 3)
    assert [of(r, "Begin")[0].split()[-1] for r in (passed, missed, refreshed)] == ["pass", "fetch", "bgfetch"]
    assert (of(passed, "TTL"), of(passed, "Storage")) == ([], ["malloc Transient"])
    head, body, total, *_ = map(int, of(passed, "BereqAcct")[0].split())
    assert (body, total) == (4, head + 4)
    assert of(missed, "Fetch_Body") == ["0 none -"]


FAILURES = {
    "/close": (Reply(raw=b"", close=True), "HTC eof (-1)", "Received bad req/resp"),
    "/junk": (Reply(raw=b"HTTP/1.1 what\r\n\r\n"), "http format error", "Received junk data"),
    "/short": (Reply(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n123", close=True), "straight insufficient bytes",
               "Failure receiving req.body"),
    "/chunk": (Reply(raw=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", close=True), "chunked insufficient bytes",
               "Failure receiving req.body"),
}


def test_failures_are_logged_in_the_words_of_varnish(start_daemon: Start) -> None:
    with Origin(lambda r: FAILURES[r.url][0]) as origin:
        d = start_daemon(policy(origin, "sub vcl_backend_response { set beresp.do_stream = false; }"))
        for url in FAILURES:
            assert fetch(d.port, url).status == 503
        told = fetches(d, len(FAILURES))
    for records, (_, why, closed) in zip(told, FAILURES.values(), strict=True):
        assert of(records, "FetchError") == [why]
        assert of(records, "BackendClose")[0].split(maxsplit=2)[2] == f"close {closed}"
        assert labels(records)[-5:] == ["Timestamp:Error", "Storage", "Length", "BereqAcct", "End"]
    wait_until(lambda: counters(d)["MAIN.fetch_failed"] == len(FAILURES), "the failures are counted")


def test_a_refused_connection_is_not_retried_at_once(start_daemon: Start) -> None:
    with refusing_port() as port:
        d = start_daemon(f'vcl 4.1; backend o {{ .host = "127.0.0.1"; .port = "{port}"; }}', ["-p", "backend_remote_error_holddown=60"])
        for _ in range(3):
            assert fetch(d.port, "/").status == 503
    told = fetches(d, 3)
    assert [of(r, "FetchError")[0] for r in told] == ["backend o: fail errno 111 (Connection refused)"] + \
        ["backend o: fail errno 0 (Success)"] * 2
    names = "fail_econnrefused", "fail", "helddown"
    wait_equal(lambda: [counters(d)[f"VBE.boot.o.{name}"] for name in names], [1, 1, 2], "all failures are counted")


def test_the_counters_of_a_backend_end_as_in_varnish(start_daemon: Start) -> None:
    """A key of varnishstat goes to the end of the list: what stands there is known to scripts."""
    d = start_daemon('vcl 4.1; backend o { .host = "127.0.0.1"; }')
    names = [name.removeprefix("VBE.boot.o.") for name in counters(d) if name.startswith("VBE.boot.o.")]
    assert names[:3] == ["ejected", "healthy", "happy"] and names[-1] == "helddown"


def test_backends_count_their_traffic(start_daemon: Start) -> None:
    def page(r: Request) -> Reply:
        return Reply(body=b"x" * 1000)
    with Origin(page) as origin:
        d = start_daemon(policy(origin, "sub vcl_recv { return (pass); }"))
        for _ in range(3):
            fetch(d.port, "/", method="PUT", body=b"12345")
        told = [list(map(int, of(r, "BereqAcct")[0].split())) for r in fetches(d, 3)]

        def shown() -> dict[str, int]:
            return {k.removeprefix("VBE.boot.o."): v for k, v in counters(d).items() if k.startswith("VBE.boot.o.")}
        assert len(shown()) == 22
        expected = {"healthy": 1, "req": 3, "conn": 0, "bereq_bodybytes": 15, "beresp_bodybytes": 3000, "bereq_hdrbytes": sum(t[0] for t in told),
                    "beresp_hdrbytes": sum(t[3] for t in told)}
        wait_equal(lambda: {name: shown()[name] for name in expected}, expected, "all traffic is counted")
    d.load("other", 'vcl 4.1; backend o { .host = "127.0.0.1"; .port = "1"; }')
    assert counters(d)["VBE.other.o.req"] == 0
    d.ok("vcl.discard other")
    wait_until(lambda: "VBE.other.o.req" not in counters(d), "the counters of the backend are removed")


def test_storages_count_allocated_and_freed_bytes(start_daemon: Start) -> None:
    with Origin(lambda r: Reply(body=b"x" * 50_000)) as origin:
        d = start_daemon(policy(origin, """
            sub vcl_recv { if (req.method == "PURGE") { return (purge); } if (req.url == "/pass") { return (pass); } }
            """), ["-s", "malloc,1m"])
        fetch(d.port, "/")
        fetch(d.port, "/pass")
        held = wait_until(lambda: (v := counters(d))["SMA.Transient.g_bytes"] == 0 and v["SMA.Transient.c_req"] and v["MAIN.n_object"] == 1 and v,
                          "the memory of the pass is freed, and the other response is counted")
        assert 50_000 < held["SMA.s0.g_bytes"] < 50_000 * 1.15      # the allocator rounds up
        assert sum(held[f"MEMORY.s0.g_{use}"] for use in ("bodies", "heads", "index", "rounding")) == held["SMA.s0.g_bytes"]
        assert held["SMA.s0.g_bytes"] + held["SMA.s0.g_space"] == 1 << 20
        assert held["SMA.Transient.c_bytes"] == held["SMA.Transient.c_freed"] > 50_000
        fetch(d.port, "/", method="PURGE")
        empty = wait_until(lambda: (v := counters(d))["SMA.s0.g_alloc"] == 0 and v, "the purged object is freed")
        # The memory for purges that a fetch may need is kept.
        assert empty["SMA.s0.c_bytes"] - empty["SMA.s0.c_freed"] == empty["SMA.s0.g_bytes"] == empty["MEMORY.s0.g_purges"]


def test_probes_are_logged_one_by_one(start_daemon: Start) -> None:
    with Origin(lambda r: Reply(close=True)) as origin:
        d = start_daemon(policy(origin, more=".probe = { .interval = 50ms; .timeout = 20s; .initial = 0; .window = 4; .threshold = 2; }"))

        def polls() -> list[str]:
            shown = [m[4] for line in tool(d, "varnishlog", "-d", "-g", "raw").splitlines() if (m := LINE.match(line))
                     and m[2] == "Backend_health"]
            return shown if len(shown) >= 3 else []
        begin, one, two = wait_until(polls, "two probes are logged")[:3]
        wait_until(lambda: counters(d)["VBE.boot.o.happy"] & 3 == 3, "both are counted")
    assert begin == 'o Went sick -------- 0 2 4 0.000000 0.000000 ""'
    assert re.fullmatch(r'o Still sick 4---X-RH 1 2 4 \d+\.\d{6} \d+\.\d{6} "HTTP/1.1 200 Scripted"', one)
    assert re.fullmatch(r'o Went healthy 4---X-RH 2 2 4 \d+\.\d{6} \d+\.\d{6} "HTTP/1.1 200 Scripted"', two)
