"""The set of certificates and the keys of tickets: commands, warnings, counters, new workers, upgrades."""

from __future__ import annotations

import json
import os
import signal
import ssl
import time
import subprocess
import urllib.request
from pathlib import Path

from proxy.daemon import ROOT, Daemon, wait_equal, wait_until
from proxy.tls import SYNTH, certificate, connect, context, https, serves, status
from proxy.upgrade_load import Line
from support.ports import free_port


def states(d: Daemon, option: str = "") -> list[tuple[str, str]]:
    """State and id, from the JSON answer."""
    return [(one["state"], one["id"]) for one in json.loads(d.ok(f"tls.cert.list -j {option}"))[3:]]


# ---- commands ----


def test_options_may_stand_anywhere(tmp_path: Path) -> None:
    pem, other = certificate(tmp_path, "a.test"), certificate(tmp_path, "b.test")
    key = other.with_suffix(".key")
    other.write_text(other.read_text().split("-----BEGIN PRIVATE")[0])
    with https(tmp_path, []) as d:
        assert d.ok(f"tls.cert.load one {pem} -f web") == "one\n"
        assert d.ok(f"tls.cert.load two {other} -k {key} -d") == "two\n"
        assert d.ok(f"tls.cert.load -k {key} {other}") == "b.test\n"
        d.ok("tls.cert.commit")
        assert serves(d, pem) and serves(d, pem, "x.test")              # that of the listener
        listed = {one["id"]: one for one in json.loads(d.ok("tls.cert.list -j"))[3:]}
        assert (listed["one"]["frontend"], listed["two"]["frontend"]) == ("web", "")
        assert (listed["two"]["default"], listed["one"]["default"]) == (True, False)
        assert listed["two"]["key_file"] == str(key)
        assert "two" in d.ok("tls.cert.list") and ", default\n" in d.ok("tls.cert.list")


def test_mistakes_of_tls_cert_load_are_named(tmp_path: Path) -> None:
    pem = certificate(tmp_path, "a.test")
    with https(tmp_path, [pem]) as d:
        for line, code, says in (
            (f"tls.cert.load {pem} -f wep", 106, "Frontend 'wep' not found: no listener with HTTPS has this name; did you mean web?\n"),
            (f"tls.cert.load {pem} -x", 106, "Unknown option -x: use -f LISTENER, -k KEY-FILE, -d\n"),
            (f"tls.cert.load {pem} -p TLSv1.2", 106, "Protocols and ciphers are those of a listener: set them in the file of -A, "
             "or with param.set tls_protocols, tls_ciphers, tls_ciphersuites, tls_prefer_server_ciphers\n"),
            (f"tls.cert.load {pem} -k", 104, "No value specified for: -k\n"),
            ("tls.cert.load -d", 104, "Which file?\n"),
            (f"tls.cert.load a b {pem}", 105, "One file, or an id and a file\n"),
            (f"tls.cert.load {tmp_path}", 106, f"{tmp_path}: Is a directory\n"),
            ("tls.cert.list -x", 106, "Unknown option -x: use -s\n"),
            ("tls.cert.discard nobody", 106, "No certificate nobody: tls.cert.list names them\n"),
        ):
            assert d.cli(line) == (code, says)


def test_the_list_can_be_of_changes_only(tmp_path: Path) -> None:
    with https(tmp_path, [certificate(tmp_path, "a.test"), certificate(tmp_path, "b.test")]) as d:
        d.ok(f"tls.cert.load {certificate(tmp_path, 'c.test')}")
        d.ok("tls.cert.discard a.test")
        assert states(d, "-s") == [("discarded", "a.test"), ("staged", "c.test")]
        assert d.cli("tls.cert.reload")[0] == 300
        d.ok("tls.cert.rollback")
        assert states(d, "-s") == [] and len(states(d)) == 2


def test_the_default_serves_clients_without_a_name(tmp_path: Path) -> None:
    a, b = certificate(tmp_path, "a.test"), certificate(tmp_path, "b.test")
    with https(tmp_path, [a]) as d:
        d.ok(f"tls.cert.load {b}")
        d.ok("tls.cert.commit")
        assert serves(d, a) and serves(d, b, "b.test")
        d.ok(f"tls.cert.load b.test {b} -d")
        d.ok("tls.cert.commit")
        assert serves(d, b) and serves(d, b, "unknown.test") and serves(d, a, "a.test")


def test_two_certificates_of_one_name(tmp_path: Path) -> None:
    """tls_err_dup_servername"""
    a, again, rsa = (certificate(tmp_path, "a.test"), certificate(tmp_path, "a.test", file="again"),
                     certificate(tmp_path, "a.test", kind="RSA", file="rsa"))
    with https(tmp_path, [a]) as d:
        d.ok(f"tls.cert.load {again}")
        d.ok("tls.cert.rollback")
        d.ok("param.set tls_err_dup_servername on")
        assert d.cli(f"tls.cert.load {again}") == (300, f"{again}: 'a.test' already loaded, in {a} (tls_err_dup_servername is on)\n")
        d.ok(f"tls.cert.load {rsa}")                                    # another kind of key for the same name
        d.ok("tls.cert.discard a.test")
        d.ok(f"tls.cert.load {again}")
        d.ok("tls.cert.commit")
        assert serves(d, again, "a.test")


def test_clients_of_each_kind_of_key_get_theirs(tmp_path: Path) -> None:
    ec, rsa = certificate(tmp_path, "a.test"), certificate(tmp_path, "a.test", kind="RSA", file="rsa")
    with https(tmp_path, [rsa, ec]) as d:
        old = context(maximum_version=ssl.TLSVersion.TLSv1_2)
        old.set_ciphers("ECDHE-RSA-AES128-GCM-SHA256")
        with connect(d, "a.test", how=old) as s:
            assert s.getpeercert(binary_form=True) == ssl.PEM_cert_to_DER_cert(rsa.read_text().split("-----BEGIN PRIVATE")[0])
        assert serves(d, ec, "a.test")


# ---- dates ----


def test_expiry_is_shown_and_warned_of(tmp_path: Path) -> None:
    """tls_expiry_warning"""
    pem = certificate(tmp_path, "a.test", "b.test")
    port = free_port()
    with https(tmp_path, [pem], ["-p", "tls_expiry_warning=40", "-p", f"metrics_listen=127.0.0.1:{port}"]) as d:
        assert f"certificate a.test (a.test b.test) expires in 30 days: renew {pem}, then tls.cert.reload" in d.logs.replace(" 29 ", " 30 ")
        wait_equal(lambda: d.status["certificates"][0]["days"], 29)     # it was made a moment ago
        d.ok("tls.cert.reload")                                         # the same dates: no second warning today
        assert d.logs.count("expires in") == 1
        (one,) = d.status["certificates"]
        assert (one["id"], one["names"]) == ("a.test", "a.test b.test")
        assert "certificate a.test: 29 days, a.test b.test\n" in d.ok("vernis.status")
        shown = subprocess.run([ROOT / "build" / "bin" / "vernis", "status", "-n", d.workdir, "--seconds", "0"], capture_output=True, text=True, check=True).stdout
        assert "HTTPS      a.test: 29 days left (a.test b.test)" in shown
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
            page = answer.read().decode()
        assert 'vernis_certificate_days{id="a.test"} 29\n' in page
        assert f'vernis_certificate_not_after_seconds{{id="a.test"}} {one["not_after"]}\n' in page
        d.ok("tls.cert.discard a.test")
        d.ok("tls.cert.commit")
        assert d.status["certificates"] == []
        d.ok("param.set tls_expiry_warning 3")
        d.ok(f"tls.cert.load {pem}")
        d.ok("tls.cert.commit")
        assert d.logs.count("expires in") == 1


def test_an_expired_certificate_is_used_with_a_warning(tmp_path: Path) -> None:
    pem = certificate(tmp_path, "a.test")
    key = pem.with_suffix(".key")
    asked = subprocess.run(["openssl", "req", "-new", "-key", key, "-subj", "/CN=a.test"], capture_output=True, check=True)
    made = subprocess.run(["openssl", "x509", "-req", "-signkey", key, "-days", "-1"], input=asked.stdout, capture_output=True, check=True)
    pem.write_text(made.stdout.decode() + key.read_text())
    with https(tmp_path, [pem]) as d:
        assert f"certificate a.test (a.test) has expired: renew {pem}, then tls.cert.reload" in d.logs
        assert d.status["certificates"][0]["days"] < 0
        assert serves(d, pem)


# ---- tickets ----


def resumed(d: Daemon, how: ssl.SSLContext, session: ssl.SSLSession | None) -> tuple[bool, ssl.SSLSession | None]:
    """Whether the server took the session up, and the session for the next connection."""
    with connect(d, "a.test", how=how, session=session) as s:
        assert status(s) == "HTTP/1.1 200 OK"                           # reads the ticket, too
        return bool(s.session_reused), s.session


DELAYED_ACK_S = 0.04


def test_a_resumed_connection_gets_a_ticket_at_once(tmp_path: Path) -> None:
    """A client uses a ticket once. Its request follows the end of its handshake in a packet of its own, which the
    client's system keeps until the end is acknowledged."""
    with https(tmp_path, [certificate(tmp_path, "a.test")]) as d:
        how = context()
        _, session = resumed(d, how, None)
        ids, times = set(), []
        for _ in range(5):
            assert session is not None
            ids.add(session.id)
            began = time.monotonic()
            again, session = resumed(d, how, session)
            times.append(time.monotonic() - began)
            assert again
        assert len(ids) == 5
        assert min(times) < DELAYED_ACK_S


def test_sessions_live_through_a_crash_of_the_worker(tmp_path: Path) -> None:
    with https(tmp_path, [certificate(tmp_path, "a.test")]) as d:
        how = context()
        again, session = resumed(d, how, None)
        assert not again
        again, session = resumed(d, how, session)
        assert again
        before = d.worker_pid
        os.kill(before, signal.SIGKILL)
        wait_until(lambda: d.state == "running" and d.worker_pid != before, "another worker serves")
        assert resumed(d, how, session)[0]


def test_keys_of_tickets_are_replaced(tmp_path: Path) -> None:
    """tls_ticket_lifetime: after two rotations a ticket is refused; before, each client gets a new one."""
    with https(tmp_path, [certificate(tmp_path, "a.test")], ["-p", "tls_ticket_lifetime=1"]) as d:
        how = context()
        _, first = resumed(d, how, None)
        wait_until(lambda: not resumed(d, how, first)[0], "the key of the ticket is gone")
        _, session = resumed(d, how, None)
        assert resumed(d, how, session)[0]


def test_an_upgrade_keeps_sessions_and_certificates(tmp_path: Path) -> None:
    a, b, staged = certificate(tmp_path, "a.test"), certificate(tmp_path, "b.test"), certificate(tmp_path, "staged.test")
    with Line(tmp_path, SYNTH, ["-P", str(tmp_path / "pid")], listen="web=127.0.0.1:0,HTTPS") as d:
        d.ok(f"tls.cert.load {a}")
        d.ok(f"tls.cert.load other {b} -f web -d")
        d.ok("tls.cert.commit")
        d.ok(f"tls.cert.load {staged}")
        how = context()
        _, session = resumed(d, how, None)
        lines = d.upgrade()
        assert resumed(d, how, session)[0]
        assert serves(d, b) and serves(d, a, "a.test")
        assert sorted(states(d)) == [("active", "a.test"), ("active", "other")]
        assert any("staged certificates: staged.test" in line for line in lines)
