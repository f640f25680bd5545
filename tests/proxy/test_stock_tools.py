"""Varnish's tools of Debian on a daemon under traffic: their output is compared with the traffic."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import termios
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyte
import pytest

from proxy.daemon import Daemon, wait_equal, wait_until
from proxy.origin import Client, Origin, Reply, Request

Start = Callable[..., Daemon]

pytestmark = pytest.mark.skipif(shutil.which("varnishlog") is None, reason="needs Debian's varnish")

RELOAD = Path("/usr/share/varnish/varnishreload")
TOOL_S = 30.0
MANY = 10_000
CONNECTIONS = 4
PIPELINED = 50                          # requests that a client sends before it reads the responses
STORED_BYTES = 1234

POLICY = """vcl 4.1;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}
sub vcl_recv {{
    if (req.url ~ "^/synth/") {{ return (synth(404, "Made Up")); }}
    if (req.url ~ "^/pass/") {{ return (pass); }}
    return (hash);
}}
sub vcl_hash {{
    if (req.url ~ "^/hit/") {{ hash_data("the same for all"); return (lookup); }}
}}
sub vcl_synth {{
    set resp.body = "no " + req.url;
    return (deliver);
}}
"""


def answer(request: Request) -> Reply:
    """The origin: the URL determines the length of the body."""
    kind, last = request.url.split("?")[0].split("/")[1:]
    if kind == "hit":
        return Reply(body=b"h" * STORED_BYTES)
    return Reply(status=203 if kind == "pass" else 200, body=b"b" * (int(last) % 100))


@pytest.fixture
def site(start_daemon: Start) -> Iterator[tuple[Daemon, Origin]]:
    """A daemon in front of an origin, with its command line on TCP."""
    with Origin(answer) as origin:
        yield start_daemon(POLICY.format(port=origin.port), cli_listen="127.0.0.1:0"), origin


# ---- running tools -----------------------------------------------------------------------------------------


def run(*command: str, code: int = 0) -> str:
    """Runs a command. Returns its output, followed by its errors."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=TOOL_S)
    assert done.returncode == code, (command, done)
    return done.stdout + done.stderr


def counters(d: Daemon) -> dict[str, int]:
    """Counters, read as an exporter reads them."""
    return {name: row["value"] for name, row in json.loads(run("varnishstat", "-n", str(d.workdir), "-1", "-j"))["counters"].items()}


def probe_url(d: Daemon, url: str) -> None:
    with Client(d.port_cached) as c:
        c.request(url)


class Reader:
    """A tool that follows the log and writes to a file. Its start waits until the tool has shown a probe
    request."""

    def __init__(self, stack: ExitStack, path: Path, d: Daemon, *command: str) -> None:
        self.path = path
        self.process = stack.enter_context(subprocess.Popen([command[0], "-n", str(d.workdir), *command[1:]], stdout=path.open("wb"),
                                                            stderr=subprocess.STDOUT))
        stack.callback(self.process.terminate)
        wait_until(lambda: probe_url(d, "/synth/attached") or "/synth/attached" in self.text(), f"{command[0]} reads")

    def text(self) -> str:
        return self.path.read_text(errors="replace")

    def lines(self) -> list[str]:
        """Whole lines, without the probe requests."""
        return [line for line in self.text().split("\n")[:-1] if "/synth/attached" not in line]

    def wait_lines(self, n: int) -> list[str]:
        wait_until(lambda: self.text().count("\n") >= n and len(self.lines()) >= n, f"{n} lines of {self.process.args}", 120)
        return self.lines()


@contextmanager
def screen(d: Daemon, name: str, *args: str) -> Iterator[tuple[subprocess.Popen[bytes], Callable[[], str], int]]:
    """A full-screen tool on a terminal of 80 x 30: the process, a function that returns the current screen,
    and the terminal.

    An emulator draws the output, because curses writes changed cells only: a word may not occur in the output
    bytes.
    """
    terminal, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 80, 0, 0))
    cells = pyte.Screen(80, 30)
    drawn, drawing = pyte.ByteStream(cells), threading.Lock()

    def shown() -> str:
        with drawing:
            return "\n".join(cells.display)

    def collect() -> None:
        while True:
            try:
                data = os.read(terminal, 65536)
            except OSError:             # the other side is closed
                return
            if not data:
                return
            with drawing:
                drawn.feed(data)

    process = subprocess.Popen([name, "-n", str(d.workdir), *args], stdin=inner, stdout=inner, stderr=inner, start_new_session=True,
                               env=dict(os.environ, TERM="xterm"))
    os.close(inner)
    thread = threading.Thread(target=collect)
    thread.start()
    try:
        yield process, shown, terminal
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(TOOL_S)
        thread.join(TOOL_S)
        os.close(terminal)


# ---- log ---------------------------------------------------------------------------------------------------


def groups(text: str) -> list[list[tuple[str, str, list[tuple[str, str]]]]]:
    """Output of `varnishlog -g request`: groups of transactions, each with its level, kind and records."""
    found = []
    for block in text.split("\n\n"):
        transactions: list[tuple[str, str, list[tuple[str, str]]]] = []
        for line in block.splitlines():
            if head := re.fullmatch(r"(\*+) +<< (\w+) +>> +\d+ *", line):
                transactions.append((head[1], head[2], []))
            elif record := re.match(r"-+ +(\w+) +(.*)$", line):
                transactions[-1][2].append((record[1], record[2]))
        if transactions:
            found.append(transactions)
    return found


def values(records: list[tuple[str, str]], tag: str) -> list[str]:
    return [value for name, value in records if name == tag]


def test_varnishlog_shows_each_request_with_its_fetch(site: tuple[Daemon, Origin], tmp_path: Path) -> None:
    d, _ = site
    with ExitStack() as stack:
        log = Reader(stack, tmp_path / "log", d, "varnishlog", "-g", "request", "-q", 'ReqURL ~ "attached" or ReqURL ~ "^/(miss|pass)/"')
        with Client(d.port_cached) as c:
            c.request("/miss/7", headers={"X-Sent": "by me"})
            c.request("/miss/7")
            c.request("/synth/1")
            c.request("/pass/3", "POST", body=b"12345")
        def shown() -> list[list[tuple[str, str, list[tuple[str, str]]]]]:
            """The groups, once all are whole."""
            found = [g for g in groups(log.text()) if "/synth/attached" not in str(g)]
            return found if len(found) == 3 and all(records[-1:] == [("End", "")] for g in found for _, _, records in g) else []
        miss, hit, passed = wait_until(shown, "all transactions are shown")
    assert [t[:2] for t in miss] == [("*", "Request"), ("**", "BeReq")]
    client, fetch = miss[0][2], miss[1][2]
    assert [values(client, t) for t in ("ReqMethod", "ReqURL", "ReqProtocol", "RespStatus", "RespReason")] == \
        [["GET"], ["/miss/7"], ["HTTP/1.1"], ["200"], ["Scripted"]]
    assert {"Host: example.com", "X-Sent: by me", "X-Forwarded-For: 127.0.0.1"} <= set(values(client, "ReqHeader"))
    assert "Content-Length: 7" in values(client, "RespHeader")
    assert values(client, "VCL_call") == ["RECV", "HASH", "MISS", "DELIVER"]
    assert values(fetch, "BereqURL") == ["/miss/7"] and values(fetch, "Fetch_Body") == ["3 length stream"]
    assert values(fetch, "VCL_call") == ["BACKEND_FETCH", "BACKEND_RESPONSE"]

    assert [t[1] for t in hit] == ["Request"]
    assert values(hit[0][2], "VCL_call") == ["RECV", "HASH", "HIT", "DELIVER"] and len(values(hit[0][2], "Hit")) == 1

    assert [t[1] for t in passed] == ["Request", "BeReq"]
    acct = [int(n) for n in values(passed[0][2], "ReqAcct")[0].split()]
    assert (acct[1], acct[4]) == (5, 3) and acct[2] == acct[0] + acct[1] and acct[5] == acct[3] + acct[4]
    assert values(passed[1][2], "BereqMethod") == ["POST"] and values(passed[1][2], "BerespStatus") == ["203"]
    for transaction in (*miss, *hit, *passed):
        assert transaction[2][0][0] == "Begin" and transaction[2][-1][0] == "End"


def urls(first: int, n: int) -> Iterator[tuple[str, int, int]]:
    """URL, status and body length of requests, each with its own URL."""
    for i in range(first, first + n):
        match i % 4:
            case 0 | 1:
                yield f"/hit/{i}", 200, STORED_BYTES
            case 2:
                url = f"/synth/{i}?a=1&b={i}"
                yield url, 404, len("no " + url)
            case _:
                yield f"/pass/{i}", 203, i % 100


def ask_many(port: int, first: int, n: int) -> None:
    with Client(port, timeout=60) as c:
        wanted = list(urls(first, n))
        for start in range(0, n, PIPELINED):
            batch = wanted[start:start + PIPELINED]
            c.send(b"".join(f"GET {url} HTTP/1.1\r\nHost: h\r\nUser-Agent: test {first}\r\n\r\n".encode() for url, _, _ in batch))
            for url, status, length in batch:
                r = c.response()
                assert (r.status, len(r.body)) == (status, length), url


def test_varnishncsa_writes_a_correct_line_for_each_of_10000_requests(site: tuple[Daemon, Origin], tmp_path: Path) -> None:
    d, _ = site
    probe_url(d, "/hit/first")          # stores the object first
    form = "%m %U %q %s %b %H %h %{User-agent}i %{Varnish:hitmiss}x %{Varnish:handling}x"
    per = MANY // CONNECTIONS
    with ExitStack() as stack:
        single = Reader(stack, tmp_path / "single", d, "varnishncsa", "-F", form)
        grouped = Reader(stack, tmp_path / "grouped", d, "varnishncsa", "-g", "request", "-F", "%{Varnish:side}x " + form)
        combined = Reader(stack, tmp_path / "combined", d, "varnishncsa")
        clients = [threading.Thread(target=ask_many, args=(d.port_cached, i * per, per)) for i in range(CONNECTIONS)]
        for t in clients:
            t.start()
        for t in clients:
            t.join()
        outputs = [single.wait_lines(MANY), grouped.wait_lines(MANY + MANY // 4), combined.wait_lines(MANY)]
    handling = {"hit": ("hit", "hit"), "synth": ("miss", "synth"), "pass": ("miss", "pass")}
    expected = set()
    for i in range(CONNECTIONS):
        for url, status, length in urls(i * per, per):
            path, _, query = url.partition("?")
            kind = handling[path.split("/")[1]]
            expected.add(f"GET {path} {'?' + query if query else ''} {status} {length or '-'} HTTP/1.1 127.0.0.1 test {i * per} {kind[0]} {kind[1]}")
    assert len(expected) == MANY
    assert len(outputs[0]) == MANY and set(outputs[0]) == expected
    assert {line[2:] for line in outputs[1] if line.startswith("c ")} == expected and len(outputs[1]) == MANY + MANY // 4
    apache = re.compile(r'127\.0\.0\.1 - - \[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] "GET http://h(\S+) HTTP/1\.1" (\d+) (\d+|-) "-" "test \d+"')
    read = {(m[1], int(m[2]), 0 if m[3] == "-" else int(m[3])) for line in outputs[2] if (m := apache.fullmatch(line))}
    assert read == set(urls(0, MANY)) and len(outputs[2]) == MANY


def test_varnishncsa_shows_requests_to_the_origin(site: tuple[Daemon, Origin], tmp_path: Path) -> None:
    d, _ = site
    with ExitStack() as stack:
        log = Reader(stack, tmp_path / "both", d, "varnishncsa", "-b", "-c", "-F", "%{Varnish:side}x %r %s %b")
        probe_url(d, "/pass/42")
        assert sorted(log.wait_lines(2)) == ["b GET http://example.com/pass/42 HTTP/1.1 203 42", "c GET http://example.com/pass/42 HTTP/1.1 203 42"]


def test_varnishtop_counts_requests(site: tuple[Daemon, Origin]) -> None:
    d, _ = site
    with Client(d.port_cached) as c:
        for url in ["/hit/1"] * 5 + ["/pass/2"] * 3 + ["/synth/3"]:
            c.request(url)

    def top() -> list[tuple[float, str]]:
        rows = (line.split() for line in run("varnishtop", "-n", str(d.workdir), "-1", "-i", "ReqURL").splitlines())
        return [(float(row[0]), row[2]) for row in rows if len(row) == 3]

    assert wait_until(lambda: len(rows := top()) == 3 and rows, "three URLs are counted") == [(5.0, "/hit/1"), (3.0, "/pass/2"), (1.0, "/synth/3")]


# ---- counters ----------------------------------------------------------------------------------------------

# Counters that dashboards for prometheus_varnish_exporter use.
EXPORTED = """
MAIN.uptime MAIN.sess_conn MAIN.sess_fail MAIN.client_req MAIN.client_req_400 MAIN.cache_hit MAIN.cache_hit_grace MAIN.cache_hitpass
MAIN.cache_hitmiss MAIN.cache_miss MAIN.backend_conn MAIN.backend_unhealthy MAIN.backend_busy MAIN.backend_fail MAIN.backend_reuse
MAIN.backend_recycle MAIN.backend_retry MAIN.backend_req MAIN.fetch_head MAIN.fetch_length MAIN.fetch_chunked MAIN.fetch_eof
MAIN.fetch_bad MAIN.fetch_none MAIN.fetch_1xx MAIN.fetch_204 MAIN.fetch_304 MAIN.fetch_failed MAIN.fetch_no_thread MAIN.pools
MAIN.threads MAIN.threads_limited MAIN.threads_created MAIN.threads_destroyed MAIN.threads_failed MAIN.thread_queue_len
MAIN.sess_queued MAIN.sess_dropped MAIN.n_object MAIN.n_vampireobject MAIN.n_objectcore MAIN.n_objecthead MAIN.n_backend
MAIN.n_expired MAIN.n_lru_nuked MAIN.n_lru_moved MAIN.losthdr MAIN.s_sess MAIN.s_pipe MAIN.s_pass MAIN.s_fetch MAIN.s_synth
MAIN.s_req_hdrbytes MAIN.s_req_bodybytes MAIN.s_resp_hdrbytes MAIN.s_resp_bodybytes MAIN.sess_closed MAIN.sess_herd MAIN.shm_records
MAIN.shm_writes MAIN.shm_flushes MAIN.shm_cont MAIN.shm_cycles MAIN.n_vcl MAIN.n_vcl_avail MAIN.n_vcl_discard MAIN.bans
MAIN.bans_completed MAIN.bans_obj MAIN.bans_added MAIN.bans_deleted MAIN.bans_tested MAIN.n_gzip MAIN.n_gunzip
MGT.uptime MGT.child_start MGT.child_exit MGT.child_stop MGT.child_died MGT.child_dump MGT.child_panic
SMA.s0.c_req SMA.s0.c_fail SMA.s0.c_bytes SMA.s0.c_freed SMA.s0.g_alloc SMA.s0.g_bytes SMA.s0.g_space SMA.Transient.g_bytes
VBE.boot.default.happy VBE.boot.default.bereq_hdrbytes VBE.boot.default.bereq_bodybytes VBE.boot.default.beresp_hdrbytes
VBE.boot.default.beresp_bodybytes VBE.boot.default.pipe_hdrbytes VBE.boot.default.pipe_out VBE.boot.default.pipe_in
VBE.boot.default.conn VBE.boot.default.req VBE.boot.default.unhealthy VBE.boot.default.busy VBE.boot.default.fail
""".split()


def test_varnishstat_shows_the_traffic(site: tuple[Daemon, Origin]) -> None:
    d, origin = site
    with Client(d.port_cached) as c:
        for url, _, _ in urls(0, 40):
            c.request(url)
        c.request("/pass/7", "POST", body=b"x" * 70)
    sent = Counter(url.split("/")[1] for url, _, _ in urls(0, 40))
    asked = len(origin.requests)
    expected = {
        "MAIN.client_req": 41, "MAIN.sess_conn": 1, "MAIN.cache_miss": 1, "MAIN.cache_hit": sent["hit"] - 1,
        "MAIN.s_pass": sent["pass"] + 1, "MAIN.s_synth": sent["synth"], "MAIN.s_fetch": sent["pass"] + 2,
        "MAIN.s_req_bodybytes": 70, "VBE.boot.default.bereq_bodybytes": 70,
        "MAIN.s_resp_bodybytes": sum(length for _, _, length in urls(0, 40)) + 7,
        "MAIN.backend_req": asked, "VBE.boot.default.req": asked,
        "MAIN.backend_conn": origin.connections, "MAIN.backend_reuse": asked - origin.connections,
        "VBE.boot.default.beresp_bodybytes": STORED_BYTES + 7 + sum(n for url, _, n in urls(0, 40) if url.startswith("/pass")),
        "MAIN.n_object": 1, "MAIN.n_backend": 1, "MAIN.n_vcl": 1, "MGT.child_start": 1}
    wait_equal(lambda: {name: counters(d)[name] for name in expected}, expected, "all requests are counted")
    now = counters(d)
    assert set(EXPORTED) <= now.keys() and now["SMA.s0.g_bytes"] >= STORED_BYTES

    text = dict(line.split()[:2] for line in run("varnishstat", "-n", str(d.workdir), "-1").splitlines() if line)
    moving = re.compile(r"uptime|summs|shm_|vsm_|happy|LCK|MEMPOOL|SMA|threads|sess_|live|n_object|closed|herd")
    assert {n: int(v) for n, v in text.items() if not moving.search(n)} == {n: v for n, v in now.items() if not moving.search(n)}
    only = run("varnishstat", "-n", str(d.workdir), "-1", "-f", "^MGT.child_d*", "-f", "MAIN.client_req", "-f", "MGT.child_*").splitlines()
    assert {line.split()[0] for line in only} == {"MAIN.client_req", "MGT.child_start", "MGT.child_exit", "MGT.child_stop", "MGT.child_panic"}


# ---- full screen -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "args", "shows"), [
    ("varnishstat", (), "client_req"), ("varnishtop", ("-i", "ReqURL", "-p", "1"), "/hit/1"), ("varnishhist", ("-p", "1"), "|"),
])
def test_full_screen_tools_show_traffic(site: tuple[Daemon, Origin], name: str, args: tuple[str, ...], shows: str) -> None:
    d, _ = site
    probe_url(d, "/hit/1")
    # varnishstat scrolls past rows that appear later
    wait_until(lambda: counters(d)["MAIN.client_req"], "the counters are published")
    with screen(d, name, *args) as (process, text, terminal):
        wait_until(lambda: probe_url(d, "/hit/1") or shows in text(), f"{name} shows {shows}")
        os.write(terminal, b"q")
        wait_until(lambda: process.poll() is not None or os.write(terminal, b"q") == 0, f"{name} ends")
    assert process.returncode == 0


# ---- command line ------------------------------------------------------------------------------------------


def cli_port(d: Daemon) -> str:
    """Port of the command line, found as the tools find it."""
    management = d.workdir / "_.vsm_mgt"
    segment = next(row.split()[1] for row in (management / "_.index").read_text().splitlines() if row.endswith(" Arg -T"))
    return (management / segment).read_text().split("\0")[0].split()[1]


def test_varnishadm_needs_the_right_secret(site: tuple[Daemon, Origin], tmp_path: Path) -> None:
    d, _ = site
    n, secret = str(d.workdir), str(d.workdir / "_.secret")
    port = cli_port(d)
    assert run("varnishadm", "-n", n, "status").startswith("Child in state running")
    assert run("varnishadm", "-T", f"127.0.0.1:{port}", "-S", secret, "ping").startswith("PONG ")
    (tmp_path / "wrong").write_text("not it")
    assert "Authentication failed" in run("varnishadm", "-T", f"127.0.0.1:{port}", "-S", str(tmp_path / "wrong"), "ping", code=2)
    assert "Authentication required" in run("varnishadm", "-T", f"127.0.0.1:{port}", "ping", code=2)
    assert "Unknown request" in run("varnishadm", "-n", n, "no.such.command", code=1)
    assert "boot" in run("varnishadm", "-n", n, "vcl.list")
    assert json.loads(run("varnishadm", "-n", n, "backend.list", "-j"))[3]["boot.default"]["type"] == "backend"


def test_varnishadm_works_without_a_secret(start_daemon: Start) -> None:
    d = start_daemon(POLICY.format(port=1), ["-S", "none"], cli_listen="127.0.0.1:0")
    assert run("varnishadm", "-n", str(d.workdir), "status").startswith("Child in state running")


@pytest.mark.skipif(not RELOAD.exists(), reason="needs varnishreload")
def test_varnishreload_replaces_the_policy_and_keeps_the_last_one(site: tuple[Daemon, Origin], tmp_path: Path) -> None:
    d, origin = site
    policy = tmp_path / "boot.vcl"
    for word in ("first", "second", "third"):
        policy.write_text(POLICY.format(port=origin.port) + f'sub vcl_deliver {{ set resp.http.word = "{word}"; }}')
        printed = run(str(RELOAD), "-n", str(d.workdir), "-m", "1")
        assert "compiled" in printed and "now active" in printed
        with Client(d.port_cached) as c:
            assert c.request("/hit/1").get("word") == word
    def listed() -> list[str]:
        return re.findall(r"reload_\d+_\d+_\d+", run("varnishadm", "-n", str(d.workdir), "vcl.list"))
    wait_until(lambda: len(listed()) == 2, "the first of the three is unloaded")
    assert d.active == listed()[-1]
    policy.write_text("vcl 4.1; this is none")
    assert "VCL compilation failed" in run(str(RELOAD), "-n", str(d.workdir), code=1)
    with Client(d.port_cached) as c:
        assert c.request("/hit/1").get("word") == "third"
