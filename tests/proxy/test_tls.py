"""HTTPS to clients: the daemon with its key process, and real clients."""

from __future__ import annotations

import os
import signal
import socket
import ssl
import subprocess
import time
from pathlib import Path

import pytest

from proxy.daemon import Daemon, wait_equal, wait_until
from proxy.tls import certificate, connect, context, https, serves, status


def children(d: Daemon, name: str) -> list[int]:
    """Processes of the daemon with this argv[0]."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            stat, line = (path / "stat").read_text(), (path / "cmdline").read_bytes()
        except OSError:
            continue
        if int(stat.rpartition(")")[2].split()[1]) == d.process.pid and line.split(b"\0")[0] == name.encode():
            found.append(int(path.name))
    return found


@pytest.mark.parametrize("kind", ["EC", "RSA", "ED25519"])
def test_a_key_of_each_kind_serves(tmp_path: Path, kind: str) -> None:
    with https(tmp_path, [certificate(tmp_path, "a.test", kind=kind)]) as d:
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            with connect(d, "a.test", how=context(maximum_version=version)) as s:
                assert status(s) == "HTTP/1.1 200 OK"
        assert d.counters["TLS.sessions"] == 2


def test_curl_speaks_both_protocols(tmp_path: Path) -> None:
    with https(tmp_path, [certificate(tmp_path, "a.test")], ["-p", "feature=+http2"]) as d:
        for option, version in (("--http1.1", "1.1"), ("--http2", "2")):
            said = subprocess.run(["curl", "-sk", option, "-o", "/dev/null", "-w", "%{http_code} %{http_version}",
                                   f"https://127.0.0.1:{d.port}/"], check=True, capture_output=True, text=True).stdout
            assert said == f"200 {version}"
        d.ok("param.set feature -http2")
        said = subprocess.run(["curl", "-sk", "--http2", "-o", "/dev/null", "-w", "%{http_version}", f"https://127.0.0.1:{d.port}/"],
                              check=True, capture_output=True, text=True).stdout
        assert said == "1.1"


def test_a_client_that_chose_http2_speaks_nothing_else(tmp_path: Path) -> None:
    with https(tmp_path, [certificate(tmp_path, "a.test")], ["-p", "feature=+http2"]) as d:
        how = context()
        how.set_alpn_protocols(["h2"])
        with connect(d, "a.test", how=how) as s:
            s.sendall(b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
            assert b"HTTP/1.1" not in s.recv(1000)


def test_no_upgrade_to_http2_over_tls(tmp_path: Path) -> None:
    with https(tmp_path, [certificate(tmp_path, "a.test")], ["-p", "feature=+http2"]) as d, connect(d, "a.test") as s:
        s.sendall(b"GET / HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n")
        assert s.recv(1000).startswith(b"HTTP/1.1 200 OK\r\n")


def test_the_name_chooses_the_certificate(tmp_path: Path) -> None:
    a, b = certificate(tmp_path, "a.test"), certificate(tmp_path, "b.test", "*.b.test")
    with https(tmp_path, [a, b]) as d:
        assert serves(d, a, "a.test") and serves(d, b, "B.test") and serves(d, b, "x.b.test")
        assert serves(d, a, "x.y.b.test") and serves(d, a, None)        # the first one is for all others


def test_plain_http_gets_an_answer_that_says_so(tmp_path: Path) -> None:
    with https(tmp_path, [certificate(tmp_path, "a.test")]) as d:
        with socket.create_connection(("127.0.0.1", d.port), 30) as s:
            s.sendall(b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
            answer = s.makefile("rb").read()
        assert answer.startswith(b"HTTP/1.1 400 ") and answer.endswith(b"This port speaks HTTPS: use https:// in the URL.")
        wait_equal(lambda: d.counters["TLS.fail_plain"], 1)


def test_nothing_changes_before_a_commit(tmp_path: Path) -> None:
    old, new = certificate(tmp_path, "a.test"), certificate(tmp_path, "a.test", file="new")
    with https(tmp_path, [old]) as d:
        assert d.ok(f"tls.cert.load a.test {new}").strip() == "a.test"
        assert serves(d, old)
        d.ok("tls.cert.rollback")
        d.ok("tls.cert.commit")
        assert serves(d, old)
        d.ok(f"tls.cert.load a.test {new}")
        d.ok("tls.cert.commit")
        assert serves(d, new)
        assert [line.split()[:3] for line in d.ok("tls.cert.list").splitlines()] == [["active", "a.test", "EC"]]
        d.ok("tls.cert.discard a.test")
        assert d.ok("tls.cert.list").startswith("discarded")
        d.ok("tls.cert.rollback")
        assert d.ok("tls.cert.list").startswith("active")


def test_a_bad_file_changes_nothing(tmp_path: Path) -> None:
    good, other = certificate(tmp_path, "a.test"), certificate(tmp_path, "b.test")
    with https(tmp_path, [good]) as d:
        bad = tmp_path / "bad.pem"
        for text, said in ((good.with_suffix(".key").read_text(), "it has no certificate"),
                           (good.read_text().split("-----BEGIN PRIVATE")[0], "it has no private key"),
                           (good.read_text().split("-----BEGIN PRIVATE")[0] + other.with_suffix(".key").read_text(),
                            "its key does not belong to its first certificate"),
                           (other.read_text() + good.read_text().split("-----BEGIN PRIVATE")[0], "its chain is not in order")):
            bad.write_text(text)
            code, answer = d.cli(f"tls.cert.load {bad}")
            assert code == 106 and answer.startswith(f"{bad}: {said}")
            assert not any(line in answer for line in good.with_suffix(".key").read_text().splitlines())
        assert d.cli("tls.cert.load /no/such/file")[0] == 106
        good.write_text("nothing")
        code, answer = d.cli("tls.cert.reload")
        assert code == 106 and "it has no certificate" in answer
        assert len(d.ok("tls.cert.list").splitlines()) == 1
        with connect(d) as s:
            assert status(s) == "HTTP/1.1 200 OK"


def test_reload_reads_the_files_again(tmp_path: Path) -> None:
    path = certificate(tmp_path, "a.test")
    with https(tmp_path, [path]) as d:
        with connect(d) as old:
            certificate(tmp_path, "a.test")
            assert not serves(d, path)
            d.ok("tls.cert.reload")
            assert serves(d, path)
            assert status(old) == "HTTP/1.1 200 OK"                     # connections stay


def test_handshakes_go_on_after_the_key_process_died(tmp_path: Path) -> None:
    with https(tmp_path, [certificate(tmp_path, "a.test")]) as d:
        (pid,) = children(d, "vernisd-keys")
        os.kill(pid, signal.SIGKILL)
        with connect(d) as s:                                           # waits for the next process
            assert status(s) == "HTTP/1.1 200 OK"
        assert children(d, "vernisd-keys") not in ([], [pid])


def test_a_new_worker_has_the_certificates(tmp_path: Path) -> None:
    path = certificate(tmp_path, "a.test")
    with https(tmp_path, [path]) as d:
        before = d.worker_pid
        os.kill(before, signal.SIGKILL)
        wait_until(lambda: d.state == "running" and d.worker_pid != before, "another worker serves")
        assert serves(d, path)


def test_the_key_process_ends_with_the_daemon(tmp_path: Path) -> None:
    with https(tmp_path, [certificate(tmp_path, "a.test")]) as d:
        (pid,) = children(d, "vernisd-keys")
        os.kill(d.process.pid, signal.SIGKILL)
        wait_until(lambda: not Path(f"/proc/{pid}").exists() or " Z " in Path(f"/proc/{pid}/stat").read_text(), "it ends")
        d.kill()


def test_without_a_listener_certificates_are_refused(tmp_path: Path) -> None:
    with Daemon(tmp_path, "vcl 4.1; backend default none;") as d:
        assert d.cli(f"tls.cert.load {certificate(tmp_path, 'a.test')}") == (106, "No listener has HTTPS: start the daemon with -a ADDRESS,HTTPS\n")
        assert children(d, "vernisd-keys") == []


# ---- parameters ----

def offers(d: Daemon, how: ssl.SSLContext) -> tuple[str, str] | None:
    """Protocol and cipher of a handshake; None: none in common."""
    try:
        with connect(d, how=how) as s:
            cipher = s.cipher()
            return s.version() or "", cipher[0] if cipher else ""
    except (ssl.SSLError, ConnectionResetError):
        return None


def again(d: Daemon, line: str) -> None:
    d.ok(line)
    d.ok("tls.cert.commit")


def test_protocols_and_ciphers_are_those_of_the_parameters(tmp_path: Path) -> None:
    """tls_protocols, tls_ciphers, tls_ciphersuites, tls_groups, tls_prefer_server_ciphers"""
    with https(tmp_path, [certificate(tmp_path, "a.test")]) as d:
        v12, v13 = context(maximum_version=ssl.TLSVersion.TLSv1_2), context(minimum_version=ssl.TLSVersion.TLSv1_3)
        assert offers(d, v12) and offers(d, v13)
        again(d, "param.set tls_protocols TLSv1.3")
        assert offers(d, v12) is None and offers(d, v13)
        again(d, "param.set tls_protocols TLSv1.2")
        assert offers(d, v12) and offers(d, v13) is None
        chosen = ["ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-ECDSA-AES128-GCM-SHA256"]
        both = context(maximum_version=ssl.TLSVersion.TLSv1_2)
        both.set_ciphers(":".join(chosen))
        again(d, f"param.set tls_ciphers {chosen[1]}:{chosen[0]}")
        v12.set_ciphers("ECDHE-ECDSA-AES256-GCM-SHA384:" + ":".join(chosen))
        assert offers(d, v12) == ("TLSv1.2", chosen[1])                 # the server's order
        assert offers(d, both) == ("TLSv1.2", chosen[0])                # but for who prefers ChaCha20
        again(d, "param.set tls_prefer_server_ciphers off")
        both.set_ciphers(f"{chosen[0]}:ECDHE-ECDSA-AES256-GCM-SHA384")
        again(d, "param.set tls_ciphers ECDHE-ECDSA-AES256-GCM-SHA384:" + chosen[0])
        assert offers(d, both) == ("TLSv1.2", chosen[0])                # the client's
        again(d, "param.reset tls_protocols")
        again(d, "param.set tls_ciphersuites TLS_CHACHA20_POLY1305_SHA256")
        assert offers(d, v13) == ("TLSv1.3", "TLS_CHACHA20_POLY1305_SHA256")
        again(d, "param.set tls_groups prime256v1")
        p256, p384 = context(), context()
        p256.set_ecdh_curve("prime256v1")
        p384.set_ecdh_curve("secp384r1")
        assert offers(d, p256) and offers(d, p384) is None
        d.ok("param.set tls_groups no-such-group")
        code, answer = d.cli("tls.cert.commit")
        assert code == 106 and "groups is refused" in answer
        assert offers(d, p256)                                          # the set before stays


def test_a_slow_handshake_ends(tmp_path: Path) -> None:
    """tls_handshake_timeout"""
    with https(tmp_path, [certificate(tmp_path, "a.test")], ["-p", "tls_handshake_timeout=0.2"]) as d:
        with socket.create_connection(("127.0.0.1", d.port), 30) as s:
            s.sendall(b"\x16\x03\x01")
            assert s.recv(100) == b""
        assert d.counters["TLS.fail_timeout"] == 1


def test_a_long_hello_is_refused(tmp_path: Path) -> None:
    """tls_hello_size"""
    with https(tmp_path, [certificate(tmp_path, "a.test")], ["-p", "tls_hello_size=1k"]) as d:
        with socket.create_connection(("127.0.0.1", d.port), 30) as s:
            s.sendall(b"\x16\x03\x01\x40\x00\x01\x00\x3f\xfc\x03\x03" + bytes(2000))
            try:
                assert s.recv(100)[:1] in (b"", b"\x15")
            except ConnectionResetError:
                pass
        wait_equal(lambda: d.counters["TLS.fail_hello"], 1)


def test_handshakes_under_way_are_bounded(tmp_path: Path) -> None:
    """tls_handshakes_max"""
    with https(tmp_path, [certificate(tmp_path, "a.test")], ["-p", "tls_handshakes_max=2", "-p", "loops=1"]) as d:
        held = [socket.create_connection(("127.0.0.1", d.port), 30) for _ in range(3)]
        wait_equal(lambda: d.counters["TLS.fail_limit"], 1)
        for s in held:
            s.close()
        wait_equal(lambda: d.counters["TLS.fail_client"], 2)
        with connect(d) as good:
            assert status(good) == "HTTP/1.1 200 OK"


def test_signatures_are_bounded(tmp_path: Path) -> None:
    """tls_signatures_max: at 10 a second there is one in a tenth of a second."""
    with https(tmp_path, [certificate(tmp_path, "a.test")], ["-p", "tls_signatures_max=10"]) as d:
        began = time.monotonic()
        for _ in range(5):
            connect(d).close()
        assert time.monotonic() - began >= 0.3
