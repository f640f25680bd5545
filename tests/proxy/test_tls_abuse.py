"""Clients of HTTPS that send too little, too much or something else: none of them crashes the worker, holds up others
or keeps memory."""

from __future__ import annotations

import contextlib
import resource
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from proxy.daemon import VERNISD, Daemon, wait_equal, wait_until
from proxy.tls import PiecewiseClient, certificate, connect, context, hello, https, status
from support.pace import Pace

VERSIONS = (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3)
LARGE = """vcl 4.1; backend default none;
sub vcl_recv { return (synth(200)); }
sub vcl_synth {
    set resp.http.X = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    set resp.http.X = resp.http.X + resp.http.X + resp.http.X + resp.http.X;
    set resp.http.X = resp.http.X + resp.http.X + resp.http.X + resp.http.X;
    set resp.body = resp.http.X + resp.http.X + resp.http.X + resp.http.X + resp.http.X + resp.http.X + resp.http.X + resp.http.X;
    unset resp.http.X;
    return (deliver);
}
"""
PROXY = b"PROXY TCP4 192.0.2.%d 198.51.100.1 1234 443\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    folder = tmp_path_factory.mktemp("tls")
    with https(folder, [certificate(folder, "a.test")], ["-p", "loops=1"]) as d:
        pid = d.worker_pid
        yield d
        assert d.worker_pid == pid


def serves_others(d: Daemon) -> bool:
    with connect(d) as s:
        return status(s) == "HTTP/1.1 200 OK"


def read_all(s: socket.socket) -> bytes:
    """To the end, or to a reset."""
    got = b""
    with contextlib.suppress(ConnectionResetError):
        while more := s.recv(65536):
            got += more
    return got


# ---- bytes in pieces ----

def each_byte(made: bytes) -> list[bytes]:
    return [bytes([byte]) for byte in made]


@pytest.mark.parametrize("version", VERSIONS)
def test_bytes_may_come_one_at_a_time(server: Daemon, version: ssl.TLSVersion) -> None:
    with PiecewiseClient(server, context(maximum_version=version), each_byte) as c:
        c.handshake()
        for _ in range(3):
            assert c.status() == "HTTP/1.1 200 OK"


@pytest.mark.parametrize("version", VERSIONS)
def test_records_may_be_cut_anywhere(server: Daemon, version: ssl.TLSVersion) -> None:
    with PiecewiseClient(server, context(maximum_version=version)) as c:
        c.handshake()
        request = b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n"
        for at in range(1, len(request) + 22):
            c.tls.write(request[:20])
            c.tls.write(request[20:])       # two records
            made = c.made()
            c.socket.sendall(made[:at])
            time.sleep(0.002)
            c.socket.sendall(made[at:])
            assert c.status(b"") == "HTTP/1.1 200 OK"


def test_a_hello_may_be_cut_anywhere(server: Daemon) -> None:
    first = hello()
    for at in (1, 4, 5, 6, 9, 43, 44, 100, len(first) - 1):
        def cut(made: bytes, at: int = at) -> list[bytes]:
            time.sleep(0.002)
            return [made[:at], made[at:]]
        with PiecewiseClient(server, cut=cut) as c:
            c.handshake()
            assert c.status() == "HTTP/1.1 200 OK"


def test_a_request_may_come_with_the_end_of_the_handshake(server: Daemon) -> None:
    held: list[bytes] = []

    def first_only(made: bytes) -> list[bytes]:
        if made[:1] == b"\x16":
            return [made]
        held.append(made)
        return []

    with PiecewiseClient(server, cut=first_only) as c:
        c.handshake()
        c.tls.write(b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
        c.socket.sendall(b"".join(held) + c.made())
        assert held and c.status(b"") == "HTTP/1.1 200 OK"


def test_requests_of_one_byte_a_record(server: Daemon) -> None:
    with PiecewiseClient(server) as c:
        c.handshake()
        for byte in b"GET / HTTP/1.1\r\nHost: a.test\r\nX: " + 3000 * b"x" + b"\r\n\r":
            c.tls.write(bytes([byte]))
        assert c.status(b"\n") == "HTTP/1.1 200 OK"


# ---- ends ----

def test_an_end_without_close_notify_still_gets_the_answer(server: Daemon) -> None:
    with PiecewiseClient(server) as c:
        c.handshake()
        c.tls.write(b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
        c.flush()
        c.socket.shutdown(socket.SHUT_WR)
        assert c.status(b"") == "HTTP/1.1 200 OK"
        assert read_all(c.socket) is not None
    wait_until(lambda: server.counters["VERNIS.sess_live"] == 0, "the session ends")


@pytest.mark.parametrize("bytes_of_hello", [0, 1, 5, 60])
def test_a_client_may_leave_before_its_hello_is_complete(server: Daemon, bytes_of_hello: int) -> None:
    failed = server.counters["TLS.fail_client"]
    with socket.create_connection(("127.0.0.1", server.port), 30) as s:
        s.sendall(hello()[:bytes_of_hello])
    wait_equal(lambda: server.counters["TLS.fail_client"] - failed, 1)
    assert serves_others(server)


def test_a_client_may_leave_after_its_hello(server: Daemon) -> None:
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", server.port), 30) as s:
            s.sendall(hello())
    wait_until(lambda: server.counters["VERNIS.sess_live"] == 0, "all sessions end")
    assert serves_others(server)


def test_a_client_that_never_reads_loses_its_connection(tmp_path: Path) -> None:
    args = ["-p", "send_timeout=1", "-p", "idle_send_timeout=1", "-p", "loops=1"]
    with https(tmp_path, [certificate(tmp_path, "a.test")], args, policy=LARGE) as d:
        with PiecewiseClient(d) as c:
            c.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            c.handshake()
            for _ in range(1000):
                c.tls.write(b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
            c.flush()
            wait_until(lambda: d.counters["VERNIS.sess_live"] == 0, "the session ends")
        with connect(d) as s:
            assert status(s) == "HTTP/1.1 200 OK"


# ---- something else ----

def test_plain_http_with_a_large_body_gets_the_answer(server: Daemon) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 30) as s:
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            s.sendall(b"POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 60000\r\n\r\n" + bytes(60000))
        assert read_all(s).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("line", [b"GET / HTTP/1.1", b"DELETE /x HTTP/1.1", b"OPTIONS * HTTP/1.1", b"CONNECT a.test:443 HTTP/1.1",
                                  b"PRI * HTTP/2.0"])
def test_each_method_of_plain_http_gets_the_answer(server: Daemon, line: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 30) as s:
        s.sendall(line + b"\r\nHost: a.test\r\n\r\n")
        assert read_all(s).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("junk", [bytes(5), b"\xff" * 600, b"SSH-2.0-x\r\n", b"\x16\x03\x01\xff\xff" + bytes(100),
                                  b"\x16\x03\x01\x00\x04\x01\xff\xff\xff", b"\x17\x03\x03\x00\x02ab", b"\x15\x03\x01\x00\x02\x02\x28",
                                  b"\x14\x03\x03\x00\x01\x01" * 100, b"\x80\x2e\x01\x03\x01" + bytes(60)])
def test_junk_ends_its_connection_only(server: Daemon, junk: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 30) as s:
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            s.sendall(junk)
            s.shutdown(socket.SHUT_WR)
        assert not read_all(s).startswith(b"HTTP/1.1 200")
    assert serves_others(server)


def test_application_data_before_the_handshake_ends_reaches_nobody(server: Daemon) -> None:
    before = server.counters["MAIN.client_req"]
    with socket.create_connection(("127.0.0.1", server.port), 30) as s:
        s.sendall(hello() + b"\x17\x03\x03\x00\x40" + 64 * b"G")
        assert b"HTTP" not in read_all(s)
    assert serves_others(server)
    wait_equal(lambda: server.counters["MAIN.client_req"] - before, 1)


def test_no_client_negotiates_again(server: Daemon) -> None:
    """R in a line of its own."""
    command = ["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-tls1_2", "-servername", "a.test"]
    sessions = server.counters["TLS.sessions"]
    done = subprocess.run(command, input=b"R\n", capture_output=True, timeout=60)
    assert b"no renegotiation" in done.stderr
    wait_equal(lambda: server.counters["TLS.sessions"] - sessions, 1)
    assert serves_others(server)


# ---- a PROXY header before the handshake ----

def test_a_hello_may_come_with_the_proxy_header(tmp_path: Path) -> None:
    with https(tmp_path, [certificate(tmp_path, "a.test")], kind="PROXY,HTTPS") as d:
        cuts: list[Callable[[bytes], list[bytes]]] = [lambda made: [made], each_byte, lambda made: [made[:60], made[60:]]]
        for cut in cuts:
            with PiecewiseClient(d, cut=cut, before=PROXY % 1) as c:
                c.handshake()
                assert c.status() == "HTTP/1.1 200 OK"
        with socket.create_connection(("127.0.0.1", d.port), 30) as s:
            s.sendall(hello())              # no header
            assert read_all(s) == b""


def test_a_long_hello_with_the_proxy_header_is_refused(tmp_path: Path) -> None:
    with https(tmp_path, [certificate(tmp_path, "a.test")], ["-p", "tls_hello_size=1k"], kind="PROXY,HTTPS") as d:
        with socket.create_connection(("127.0.0.1", d.port), 30) as s:
            s.sendall(PROXY % 1 + b"\x16\x03\x01\x40\x00\x01\x00\x3f\xfc\x03\x03" + bytes(2000))
            assert read_all(s)[:1] in (b"", b"\x15")
        wait_equal(lambda: d.counters["TLS.fail_hello"], 1)


# ---- limits of an address ----

def test_handshakes_of_one_address_are_bounded(tmp_path: Path) -> None:
    """tls_handshakes_per_address"""
    with https(tmp_path, [certificate(tmp_path, "a.test")], ["-p", "tls_handshakes_per_address=2", "-p", "loops=2"]) as d:
        held = [socket.create_connection(("127.0.0.1", d.port), 30) for _ in range(4)]
        wait_equal(lambda: d.counters["TLS.fail_address"], 2)
        assert d.heard.count("client 127.0.0.1 has 2 handshakes of TLS: closing further ones (tls_handshakes_per_address)") == 1
        for s in held:
            s.close()
        wait_equal(lambda: d.counters["TLS.fail_client"], 2)
        kept = [connect(d) for _ in range(4)]    # connections whose handshake is over do not count
        assert [status(s) for s in kept] == 4 * ["HTTP/1.1 200 OK"]
        for tls in kept:
            tls.close()
        assert d.counters["TLS.fail_address"] == 2


def test_new_handshakes_of_one_address_are_bounded(tmp_path: Path) -> None:
    """tls_handshake_rate_per_address"""
    with https(tmp_path, [certificate(tmp_path, "a.test")], ["-p", "tls_handshake_rate_per_address=3"]) as d:
        asked = d.counters["TLS.sessions"]
        for _ in range(20):
            with contextlib.suppress(OSError):
                connect(d).close()
        counters = d.counters
        assert counters["TLS.fail_rate"] > 0 and counters["TLS.fail_rate"] + counters["TLS.sessions"] - asked == 20
        time.sleep(1)
        with connect(d) as s:
            assert status(s) == "HTTP/1.1 200 OK"


def test_behind_a_proxy_the_address_is_that_of_its_client(tmp_path: Path) -> None:
    with https(tmp_path, [certificate(tmp_path, "a.test")], ["-p", "tls_handshakes_per_address=2"], kind="PROXY,HTTPS") as d:
        held = []
        for client in (1, 2):
            for _ in range(3):
                s = socket.create_connection(("127.0.0.1", d.port), 30)
                s.sendall(PROXY % client)
                held.append(s)
        for _ in range(3):                      # clients that the proxy does not know have no limit
            s = socket.create_connection(("127.0.0.1", d.port), 30)
            s.sendall(b"PROXY UNKNOWN\r\n")
            held.append(s)
        wait_equal(lambda: d.counters["TLS.fail_address"], 2)
        for s in held:
            s.close()


# ---- floods ----

FLOOD = 2000
BACKLOG = 100       # connections that wait to be accepted, less than any limit of the system
FLOOD_BYTES = 64 << 20
ANSWERED_BYTES = 96 << 20   # OpenSSL keeps 30 KB of buffers for the handshake


def resident(pid: int) -> int:
    """Anonymous memory of a process."""
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("RssAnon:"))
    return int(line.split()[1]) * 1024


def maps(pid: int) -> int:
    return len(Path(f"/proc/{pid}/maps").read_text().splitlines())


@pytest.mark.parametrize("begun", ["nothing", "a byte", "half of the hello", "a long hello", "the hello"])
def test_half_open_handshakes_take_little(tmp_path: Path, begun: str) -> None:
    first = hello()
    sent = {"nothing": b"", "a byte": first[:1], "half of the hello": first[:len(first) // 2],
            "a long hello": b"\x16\x03\x01\x3f\xff\x01\x00\x3f\xfb\x03\x03" + bytes(16000), "the hello": first}[begun]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * FLOOD + 500)), hard))
    args = ["-p", "loops=1", "-p", f"tls_handshakes_max={2 * FLOOD}", "-p", "tls_handshakes_per_address=0", "-p", "tls_handshake_timeout=300"]
    with https(tmp_path, [certificate(tmp_path, "a.test")], args) as d:
        assert serves_others(d)
        pid, port = d.worker_pid, d.port
        before, stacks = resident(pid), maps(pid)
        held = []
        for _ in range(FLOOD // BACKLOG):   # with SYN cookies the last ACK of a closed connection may open it again
            for _ in range(BACKLOG):
                s = socket.create_connection(("127.0.0.1", port), 30)
                s.sendall(sent)
                held.append(s)
            wait_equal(lambda: d.counters["VERNIS.sess_live"], len(held))
        if begun == "the hello":
            for s in held:
                assert s.recv(1) == b"\x16"
        assert serves_others(d)
        taken = resident(pid) - before
        print(f"{begun}: {taken / FLOOD:.0f} bytes each")
        assert begun == "the hello" or maps(pid) - stacks < 50      # a fiber has a map of its own
        assert taken <= (ANSWERED_BYTES if begun == "the hello" else FLOOD_BYTES) or "asan" in VERNISD.parts
        for s in held:
            s.close()
        wait_until(lambda: d.counters["VERNIS.sess_live"] == 0, "all sessions end")
        assert d.worker_pid == pid


# ---- time of a loop ----

SERIES, HANDSHAKES = 10, 20
HELD_US = 400       # half of a signature of RSA


def cpu_us(pid: int) -> float:
    """CPU time of a process, all its threads."""
    return sum(int((task / "schedstat").read_text().split()[0]) for task in Path(f"/proc/{pid}/task").iterdir()) / 1000


def test_signatures_of_rsa_hold_no_loop(tmp_path: Path) -> None:
    """The counter of the longest round begins at 2 ms. So compare the CPU time of full handshakes, too: with RSA they
    cost little more than with EC. The best series of each counts, because other programs slow them."""
    pace, costs = Pace(time.process_time), {"rsa.test": list[float](), "ec.test": list[float]()}
    certificates = [certificate(tmp_path, "rsa.test", kind="RSA"), certificate(tmp_path, "ec.test")]
    with https(tmp_path, certificates, ["-p", "loops=1"]) as d:
        pid = d.worker_pid
        d.ok("debug.longest_round")
        for _ in range(SERIES):
            for name, of_name in costs.items():
                began = cpu_us(pid)
                for _ in range(HANDSHAKES):
                    connect(d, name).close()
                of_name.append((cpu_us(pid) - began) / HANDSHAKES)
            pace.measure()
        counters = d.counters
    rsa, ec = (min(of_name) for of_name in costs.values())
    print(f"a full handshake in the worker: RSA {rsa:.0f} us, EC {ec:.0f} us")
    assert counters["TLS.resumed"] == 0 and counters["TLS.sessions"] == 2 * SERIES * HANDSHAKES
    assert counters["VERNIS.loop_longest_round_us"] <= 10 * HELD_US * pace.slowness
    assert rsa - ec <= HELD_US * pace.slowness
