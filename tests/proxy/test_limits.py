"""Limits on resources that clients may use: descriptors, connections of one address, time. See
docs/limits.md."""

from __future__ import annotations

import json
import os
import resource
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from proxy import daemon
from proxy.daemon import START_S, SYNTH, Daemon, wait_equal, wait_until
from proxy.origin import Origin, Reply, Request, fetch

Start = Callable[..., Daemon]

HALF = b"GET / HTTP/1.1\r\nHost: a"

needs_varnishstat = pytest.mark.skipif(shutil.which("varnishstat") is None, reason="needs Debian's varnish")


def counters(d: Daemon) -> dict[str, int]:
    text = subprocess.run(["varnishstat", "-n", str(d.workdir), "-1", "-j"], capture_output=True, text=True, check=True, timeout=30).stdout
    return {name.removeprefix("MAIN.").removeprefix("VERNIS."): row["value"] for name, row in json.loads(text)["counters"].items()}


def limit_worker(d: Daemon, room: int) -> int:
    """Lets the worker open ``room`` more descriptors."""
    def settled() -> set[int] | None:
        before = {int(name) for name in os.listdir(f"/proc/{d.worker_pid}/fd")}
        time.sleep(0.2)
        return before if before == {int(name) for name in os.listdir(f"/proc/{d.worker_pid}/fd")} else None

    taken = wait_until(settled, "the set of open descriptors stays the same")
    free = (n for n in range(10_000) if n not in taken)
    limit = next(n for i, n in enumerate(free) if i == room)
    resource.prlimit(d.worker_pid, resource.RLIMIT_NOFILE, (limit, resource.prlimit(d.worker_pid, resource.RLIMIT_NOFILE)[1]))
    return limit


def cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


# ---- silent connections ----


@pytest.mark.parametrize(("options", "silent"), [(["-p", "tcp_defer_accept=0"], 1), (["-p", "tcp_defer_accept=30"], 0), ([], 0)])
def test_a_silent_connection_is_left_to_the_kernel(start_daemon: Start, options: list[str], silent: int) -> None:
    d = start_daemon(SYNTH.format(word="here"), options)
    d.get()                                # port_cached and the command line are known
    for _ in range(10):
        before, began = d.counters["MAIN.sess_conn"], time.monotonic()
        with socket.create_connection(("127.0.0.1", d.port_cached)) as first:
            assert d.get() == (200, "here")    # behind the first connection in the queue
            wait_until(lambda before=before: d.counters["MAIN.sess_conn"] >= before + 1 + silent, "connections are accepted")   # type: ignore[misc]
            accepted = d.counters["MAIN.sess_conn"] - before
            in_time = time.monotonic() - began < 0.9           # by default the kernel keeps a silent connection for a second
            first.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            assert first.makefile("rb").readline() == b"HTTP/1.1 200 here\r\n"
        wait_equal(lambda before=before: d.counters["MAIN.sess_conn"] - before, 2, "both were accepted")                      # type: ignore[misc]
        if in_time:
            break
    assert in_time and accepted == 1 + silent


@needs_varnishstat
def test_a_silent_connection_is_accepted_after_a_second(start_daemon: Start) -> None:
    d = start_daemon(SYNTH.format(word="here"), ["-p", "timeout_idle=0.5"])
    with socket.create_connection(("127.0.0.1", d.port_cached)) as silent:
        silent.settimeout(START_S)
        assert silent.recv(1) == b""    # ended by timeout_idle, so the worker knows it
        assert counters(d)["sess_conn"] == 1


# ---- descriptors ----


@needs_varnishstat
def test_without_descriptors_the_worker_pauses_and_continues_later(start_daemon: Start) -> None:
    d = start_daemon(SYNTH.format(word="here"), ["-p", "accept_pause_max=0.2"])
    assert d.get() == (200, "here")
    began = time.monotonic()
    limit_worker(d, 3)
    clients = [socket.create_connection(("127.0.0.1", d.port_cached)) for _ in range(40)]
    for c in clients:
        c.sendall(HALF)
    wait_until(lambda: counters(d)["sess_fail_emfile"] >= 2, "accept failed and was retried")
    before, spent = counters(d), cpu_ticks(d.worker_pid)
    wait_until(lambda: counters(d)["sess_fail_emfile"] >= before["sess_fail_emfile"] + 3, "accept is retried")
    after = wait_until(lambda: (v := counters(d))["sess_fail"] == v["sess_fail_emfile"] == v["sess_fail_pauses"] and v, "each is counted as all three")
    ticks, pauses = cpu_ticks(d.worker_pid) - spent, (time.monotonic() - began) / 0.2
    # each loop once per 0.2 s, not once per 4 us
    assert after["sess_fail"] <= 20 + (os.cpu_count() or 1) * pauses
    assert ticks <= 10 + pauses                                         # of 10 ms, in at least 0.4 s
    assert d.heard.count("Too many open files") == 1
    for c in clients:
        c.close()
    wait_until(lambda: answers(d), "the worker serves")


def answers(d: Daemon) -> bool:
    try:
        return d.get(timeout=2) == (200, "here")
    except OSError:
        return False


@needs_varnishstat
def test_without_a_descriptor_for_the_origin_the_response_is_503_with_a_reason(start_daemon: Start) -> None:
    with Origin(lambda _: Reply(body=b"x", close=True)) as origin:
        text = 'vcl 4.1; backend default { .host = "127.0.0.1"; .port = "%d"; }' % origin.port
        d = start_daemon(text + " sub vcl_recv { return (pass); }")
        assert fetch(d.port_cached, "/").status == 200
        limit_worker(d, 1)                                              # for the client's connection
        assert [d.get()[0] for _ in range(5)] == [503] * 5
        wait_until(lambda: counters(d)["backend_fail"] == 5, "all five are counted")
        assert d.heard.count("backend default: no connection: Too many open files") == 1

        def failures() -> int:
            log = subprocess.run(["varnishlog", "-n", str(d.workdir), "-d", "-g", "raw", "-i", "FetchError"], capture_output=True, text=True,
                                 check=True, timeout=30).stdout
            return log.count("backend default: fail errno 24 (Too many open files)")
        wait_equal(failures, 5, "all five are in the log")
        assert origin.connections == 1


def test_descriptors_are_reserved_for_origins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The daemon starts with few descriptors, and the soft limit allows even fewer."""
    script = tmp_path / "limited"
    script.write_text(f'#!/bin/sh\nulimit -S -n 100 && ulimit -H -n 200 && exec {daemon.VERNISD} "$@"\n')
    script.chmod(0o755)
    monkeypatch.setattr(daemon, "VERNISD", script)
    with Origin(lambda _: Reply(body=b"x", close=True)) as origin:
        text = 'vcl 4.1; backend default { .host = "127.0.0.1"; .port = "%d"; } sub vcl_recv { return (pass); }' % origin.port
        with Daemon(tmp_path, text, ["-p", "loops=1"]) as d:
            assert "at most 150 client connections, not sessions_max (200000): the process may have 200 descriptors" in d.logs
            clients = []
            for _ in range(220):
                clients.append(socket.create_connection(("127.0.0.1", d.port_cached), timeout=START_S))
                clients[-1].sendall(HALF)
            held = wait_until(lambda: (left := [c for c in clients if not ended(c)]) and len(left) <= 151 and left, "the others are closed")
            assert len(held) >= 140
            held[0].sendall(b"\r\nConnection: close\r\n\r\n")
            assert held[0].recv(100).startswith(b"HTTP/1.1 200 ")       # an origin can still be reached
            assert d.heard.count("client connections are open: new ones are closed (all that the descriptor limit allows)") == 1
            assert "Too many open files" not in d.logs
            for c in clients:
                c.close()


# ---- fields of a head ----


def many_fields(r: Request) -> Reply:
    """Responds with as many fields as the last part of the URL says. A 304 contains as many other fields."""
    n = int(r.url.rsplit("/", 1)[1])
    if "if-none-match" in r.headers:
        return Reply(304, headers={f"Y-{i}": "1" for i in range(int(r.headers["x-other"]))})
    return Reply(headers={"Content-Length": "2", "ETag": '"e"'} | {f"X-{i}": "1" for i in range(n - 2)}, body=b"ok",
                 close=r.url.startswith("/pipe"))


def fields(head: bytes) -> int:
    return head.split(b"\r\n\r\n")[0].count(b"\r\n")


FIELDS_POLICY = """
sub vcl_recv {
    if (req.url ~ "^/pass") { return (pass); }
    if (req.url ~ "^/synth") { return (synth(200)); }
    if (req.url ~ "^/pipe") { return (pipe); }
}
sub vcl_deliver { set resp.http.X-Cache = "mine"; }
sub vcl_backend_response { if (bereq.url ~ "^/again") { set beresp.ttl = 0.001s; set beresp.grace = 0s; set beresp.keep = 60s; } }
"""


@needs_varnishstat
def test_heads_at_the_limit_have_room_for_fields_of_the_proxy(start_daemon: Start) -> None:
    """http_max_hdr is 64, and a stored response has 58 fields: on a miss, a hit, a range, a refresh, and to
    the origin."""
    with Origin(many_fields) as origin:
        d = start_daemon('vcl 4.1; backend default { .host = "127.0.0.1"; .port = "%d"; }' % origin.port + FIELDS_POLICY)

        def ask(path: str, extra: int = 0, **headers: str) -> tuple[int, int]:
            with socket.create_connection(("127.0.0.1", d.port_cached), timeout=10) as c:
                more = {f"Z-{i}": "1" for i in range(extra)} | headers
                lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in more.items())
                c.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{lines}\r\n".encode())
                answer = b"".join(iter(lambda: c.recv(65536), b""))
            return int(answer[9:12]), fields(answer)

        for n in (56, 57):
            # Date, X-Varnish, Age, Via, Accept-Ranges, Connection, X-Cache
            assert ask(f"/miss/{n}") == ask(f"/miss/{n}") == (200, n + 7)
            assert ask(f"/miss/{n}", Range="bytes=0-0") == (206, n + 8)
            assert ask(f"/miss/{n}", If_None_Match='"e"')[0] == 304
            assert ask(f"/pass/{n}") == (200, n + 6)
            assert ask(f"/pipe/{n}")[0] == 200
        assert [ask(path, 62)[0] for path in ("/miss/9", "/pass/9", "/synth/9", "/pipe/9")] == [200] * 4
        assert len(origin.requests[-1].headers) >= 64    # Host and 62 fields of the client's, and ours
        assert [ask(path, 63)[0] for path in ("/miss/9", "/pass/9", "/synth/9", "/pipe/9")] == [431] * 4
        assert ask("/again/40", X_Other="17")[0] == 200
        wait_until(lambda: ask("/again/40", X_Other="17")[1] >= 57, "a refresh has added 17 fields")
        # and Date
        assert [ask(path)[0] for path in ("/miss/58", "/miss/58", "/pass/58", "/miss/64")] == [500] * 4
        assert ask("/pipe/64")[0] == 200
        assert ask("/miss/65")[0] == ask("/pass/65")[0] == 503
        for _ in range(3):     # a refresh would add 20 fields
            assert ask("/again/57", X_Other="20") == (200, 57 + 7)
            time.sleep(0.002)
        wait_until(lambda: "http format error" in log_of(d, "FetchError"), "the log has the reason")
        wait_until(lambda: any("the refreshed head has more fields than http_max_hdr" in one for one in log_of(d, "Notice")),
                   "the log tells of the unconditional fetch")
        wait_equal(lambda: log_of(d, "BogoHeader"), {"Too many headers: Z-62: 1", "Too many headers: X-62: 1"})


def log_of(d: Daemon, tag: str) -> set[str]:
    text = subprocess.run(["varnishlog", "-n", str(d.workdir), "-d", "-g", "raw", "-i", tag], capture_output=True, text=True, check=True,
                          timeout=30).stdout
    return {line.split(None, 3)[3].strip() for line in text.splitlines() if line.strip()}


def ended(c: socket.socket) -> bool:
    c.setblocking(False)
    try:
        return c.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
    finally:
        c.settimeout(START_S)


# ---- slow clients ----


def served_until_closed(c: socket.socket) -> bytes:
    try:
        return b"".join(iter(lambda: c.recv(65536), b""))
    except ConnectionResetError:
        return b""


@needs_varnishstat
def test_a_client_that_sends_too_slowly_is_disconnected(start_daemon: Start) -> None:
    """A client whose bytes wait for a slow origin stays connected."""
    listen = socket.create_server(("127.0.0.1", 0))

    def slow_origin() -> None:
        while True:
            try:
                conn, _ = listen.accept()
            except OSError:
                return
            time.sleep(0.8)
            left = 4_000_000
            while left > 0 and (piece := conn.recv(65536)):
                left -= len(piece)
                if b"Content-Length: 4000000" in piece:
                    left += piece.index(b"\r\n\r\n") + 4
            conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
            conn.close()

    threading.Thread(target=slow_origin, daemon=True).start()
    text = 'vcl 4.1; backend default { .host = "127.0.0.1"; .port = "%d"; }' % listen.getsockname()[1]
    d = start_daemon(text, ["-p", "request_rate_min=100k", "-p", "rate_grace=0.3"])
    head = b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4000000\r\n\r\n"
    with socket.create_connection(("127.0.0.1", d.port_cached), timeout=10) as c:
        c.sendall(head + b"x" * 4_000_000)
        assert served_until_closed(c).endswith(b"\r\n\r\nok")
    assert counters(d)["sess_slow_request"] == 0
    with socket.create_connection(("127.0.0.1", d.port_cached), timeout=10) as c:
        c.sendall(head)
        dribble(c)
    wait_until(lambda: counters(d)["sess_slow_request"] == 1, "the slow request is counted")
    listen.close()


def dribble(c: socket.socket) -> None:
    """Sends single bytes until the other side closes."""
    began = time.monotonic()
    while not ended_with_answer(c):
        assert time.monotonic() - began < START_S
        try:
            c.sendall(b"x")
        except (BrokenPipeError, ConnectionResetError):
            return
        time.sleep(0.05)


def ended_with_answer(c: socket.socket) -> bool:
    c.setblocking(False)
    try:
        while c.recv(65536):
            pass
        return True
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
    finally:
        c.settimeout(10)


@needs_varnishstat
def test_a_client_that_reads_too_slowly_is_disconnected(start_daemon: Start) -> None:
    """Bytes in the kernel's buffers count as read by the client, so the test needs a high rate."""
    size = 24_000_000
    with Origin(lambda _: Reply(body=b"x" * size)) as origin:
        text = 'vcl 4.1; backend default { .host = "127.0.0.1"; .port = "%d"; }' % origin.port
        d = start_daemon(text, ["-p", "response_rate_min=2m", "-p", "rate_grace=0.3"])
        get = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        with socket.create_connection(("127.0.0.1", d.port_cached), timeout=10) as c:
            c.sendall(get)
            assert len(served_until_closed(c)) > size
        assert counters(d)["sess_slow_response"] == 0
        with socket.create_connection(("127.0.0.1", d.port_cached), timeout=10) as c:
            c.sendall(get)
            wait_until(lambda: counters(d)["sess_slow_response"] == 1, "the slow reader is disconnected")


# ---- connections of one address ----


def open_connection(port: int | Path, before: bytes = b"") -> socket.socket | None:
    """A connection that is served and kept open. None: it was closed."""
    c = socket.socket(socket.AF_UNIX if isinstance(port, Path) else socket.AF_INET)
    c.settimeout(10)
    c.connect(str(port) if isinstance(port, Path) else ("127.0.0.1", port))
    try:
        c.sendall(before + b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        if c.recv(100).startswith(b"HTTP/1.1 200 "):
            return c
    except (ConnectionResetError, BrokenPipeError):
        pass
    c.close()
    return None


@needs_varnishstat
def test_connections_of_one_address_are_limited(start_daemon: Start, tmp_path: Path) -> None:
    path = tmp_path / "s"
    d = start_daemon(SYNTH.format(word="in"), ["-a", "tls=127.0.0.1:0,PROXY", "-a", f"local={path}", "-p", "timeout_idle=600", "-p", "loops=2",
                                               "-p", "connections_addresses_max=64"])
    plain, proxy = d.port_cached, int(d.status["listens"][1].rsplit(":", 1)[1])
    off = [open_connection(plain) for _ in range(5)]
    assert None not in off    # without the parameter, and not counted when it is set later
    d.ok("param.set connections_per_address 3")
    held = [open_connection(plain) for _ in range(3)]
    assert None not in held and open_connection(plain) is None and open_connection(plain) is None
    wait_until(lambda: counters(d)["sess_address_limited"] == 2, "the refused connections are counted")
    wait_until(lambda: counters(d)["MEMORY.s0.g_addresses"] == 80 + 64 * 8, "memory counts an entry and the buckets of the table")
    assert d.heard.count("client 127.0.0.1 has 3 connections: closing further ones (connections_per_address)") == 1
    for c in (*off, held.pop()):
        assert c is not None
        c.close()
    wait_until(lambda: (c := open_connection(plain)) is not None and (held.append(c) or True), "a connection is accepted after another was closed")
    assert open_connection(plain) is None

    def told(line: str) -> bool:
        c = open_connection(proxy, b"PROXY " + line.encode() + b"\r\n")
        held.append(c)
        return c is not None

    def tcp6(address: str) -> bool:
        return told(f"TCP6 {address} 2001:db8:f::1 1000 80")

    # the address in the header counts
    assert [told("TCP4 192.0.2.1 192.0.2.9 1000 80") for _ in range(4)] == [True, True, True, False]
    assert told("TCP4 192.0.2.2 192.0.2.9 1000 80")    # not the proxy's address
    assert [tcp6(f"2001:db8:0:1::{i}") for i in range(4)] == [True, True, True, False]    # one /64
    assert tcp6("2001:db8:0:2::1")
    assert all(told("UNKNOWN") for _ in range(5))    # the client is unknown
    # a Unix socket has no address
    assert all(held.append(open_connection(path)) or held[-1] is not None for _ in range(5))
    wait_until(lambda: counters(d)["client_addresses"] == 5, "each client counts as one address")
    assert counters(d)["sess_address_uncounted"] == 0
    assert all(told(f"TCP4 198.51.100.{i} 192.0.2.9 1000 80") for i in range(60))
    wait_equal(lambda: [counters(d)[name] for name in ("sess_address_uncounted", "client_addresses")], [1, 64], "the table is full")
    for c in held:
        if c is not None:
            c.close()
    wait_until(lambda: counters(d)["client_addresses"] == 0, "all entries are freed")


@pytest.mark.parametrize("listen", ["127.0.0.1", "0.0.0.0"])
def test_local_ip_is_the_address_of_the_connection(tmp_path: Path, listen: str) -> None:
    """A socket bound to one address knows its local address. One bound to all addresses must ask the
    kernel."""
    policy = 'vcl 4.1; backend default none; sub vcl_recv { return (synth(200, "" + local.ip)); }'
    with Daemon(tmp_path, policy, listen=f"{listen}:0") as d:
        for host in ["127.0.0.1"] if listen == "127.0.0.1" else ["127.0.0.1", "127.0.0.3"]:
            with socket.create_connection((host, d.port_cached)) as s:
                s.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                assert s.makefile("rb").readline() == f"HTTP/1.1 200 {host}\r\n".encode()
