"""Clients that begin with another protocol than the listener's: HTTP/2, TLS, a PROXY header or none. Each gets an
answer at once where its protocol has one, and both logs name the protocol and the setting to change."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from support.ports import free_port

from proxy.daemon import Daemon, wait_equal, wait_until
from proxy.origin import Origin, Reply
from proxy.serve import serving
from proxy.test_delivery import policy
from proxy.test_log_client import counter, logged, values

POLICY = 'vcl 4.1; backend default none; sub vcl_recv { return (synth(200, "in")); }'
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = b"\0\0\0\4\0\0\0\0\0"
GET = b"\0\0\3\1\5\0\0\0\1\x82\x84\x86"
LISTENERS = ("-a", "tls=127.0.0.1:0,PROXY")
HITCH = shutil.which("hitch", path="/usr/sbin:/usr/bin")


def curl(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["curl", "-sS", "-k", "-i", "--max-time", "20", *words], capture_output=True, text=True, check=False)


def port_of(d: Daemon, listener: int) -> int:
    return int(d.status["listens"][listener].rsplit(":", 1)[1])


def exchange(port: int, *parts: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as s:
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for part in parts:
            s.sendall(part)
        return b"".join(iter(lambda: s.recv(65536), b""))


def test_http_2_is_closed_while_it_is_off() -> None:
    with logged(POLICY) as (d, log):
        assert exchange(d.port, PREFACE + SETTINGS + GET) == b""
        assert values(log.session(), "Error") == ["HTTP/2 is off (feature http2)"]
        assert values(log.session(), "SessClose")[0].startswith("REQ_HTTP20 ")
        wait_until(lambda: "param.set feature +http2" in d.heard, "the daemon's log has the next step")
        wait_equal(lambda: [counter(d, f"MAIN.{name}") for name in ("sc_req_http20", "client_req_400")], [1, 0])


@pytest.mark.parametrize("cut", [5, len(PREFACE) - 8, len(PREFACE), len(PREFACE + SETTINGS), len(PREFACE + SETTINGS) + 9])
def test_a_preface_in_two_parts_is_closed(cut: int) -> None:
    whole = PREFACE + SETTINGS + GET
    with serving(POLICY) as d, socket.create_connection(("127.0.0.1", d.port), timeout=20) as s:
        s.sendall(whole[:cut])
        with suppress(OSError):  # the first part may have closed it
            s.sendall(whole[cut:])
        assert s.recv(100) == b""


def test_an_upgrade_to_h2c_is_ignored_while_http_2_is_off() -> None:
    """RFC 9110, 7.8: a server may ignore Upgrade. The field is hop by hop, so the origin does not get it."""
    with Origin(lambda r: Reply(body=b"page")) as origin, serving(policy(origin, "")) as d:
        done = curl("--http2", f"http://127.0.0.1:{d.port}/")
        assert done.stdout.startswith("HTTP/1.1 200") and done.stdout.endswith("page"), done
        assert {"upgrade", "http2-settings"}.isdisjoint(name.lower() for name in dict(origin.requests[0].headers))


def test_tls_on_a_plain_listener_is_named() -> None:
    with logged(POLICY) as (d, log):
        context = ssl.create_default_context()
        with socket.create_connection(("127.0.0.1", d.port), timeout=20) as s, pytest.raises(ssl.SSLError):
            context.wrap_socket(s, server_hostname="test")
        assert values(log.request(), "Error") == ["TLS on a listener for plain HTTP"]
        wait_until(lambda: "began with TLS, but this listener takes plain HTTP" in d.heard, "the daemon's log")


@pytest.mark.parametrize("header", [
    b"PROXY TCP4 192.0.2.7 198.51.100.9 4711 443\r\n",
    b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xc0\0\2\1\xc6\x33\x64\2\4\xd2\0\x50",
])
def test_a_proxy_header_on_a_plain_listener_is_named(header: bytes) -> None:
    with logged(POLICY) as (d, log):
        assert exchange(d.port, header + b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").startswith(b"HTTP/1.1 400 ")
        assert values(log.request(), "Error") == ["PROXY header on a listener without PROXY"]
        wait_until(lambda: "add ,PROXY to its -a" in d.heard, "the daemon's log")


@pytest.mark.parametrize("first", [b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"\x16\x03\x01\x02\0\x01\0\x01\xfc", PREFACE + SETTINGS + GET])
def test_a_missing_proxy_header_is_named(first: bytes) -> None:
    with logged(POLICY, LISTENERS) as (d, log):
        assert exchange(port_of(d, 1), first) == b""
        assert values(log.session(), "Error") == ["no PROXY header on a listener with PROXY"]
        wait_until(lambda: "began without a PROXY header, which this listener needs" in d.heard, "the daemon's log")


def test_a_start_with_a_proxy_listener_warns_of_http_2() -> None:
    warning = "HTTP/2 is off (feature http2): the TLS proxy must not pass it on"
    with serving(POLICY, LISTENERS) as d:
        assert f"Warning: -a tls=127.0.0.1:0: {warning}" in d.logs
    for options in ((), (*LISTENERS, "-p", "feature=+http2")):
        with serving(POLICY, options) as d:
            assert warning not in d.logs


@contextmanager
def hitch(folder: Path, backend: int, alpn: str) -> Iterator[int]:
    """hitch on a port, with a certificate of its own."""
    assert HITCH is not None
    port, pem = free_port(), folder / "site.pem"
    if not pem.exists():
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-keyout",
                        str(folder / "key.pem"), "-out", str(folder / "cert.pem")], check=True, capture_output=True)
        pem.write_bytes((folder / "cert.pem").read_bytes() + (folder / "key.pem").read_bytes())
    user = 'user = "nobody"\n' if os.geteuid() == 0 else ""
    (folder / "hitch.conf").write_text(
        f'frontend = "[127.0.0.1]:{port}"\nbackend = "[127.0.0.1]:{backend}"\npem-file = "{pem}"\nwrite-proxy-v2 = on\n'
        f'alpn-protos = "{alpn}"\ndaemon = off\nworkers = 1\n{user}')
    with (folder / "hitch.log").open("w") as log:
        process = subprocess.Popen([HITCH, f"--config={folder}/hitch.conf"], stdout=log, stderr=log)
    try:
        wait_until(lambda: process.poll() is not None or listens(port), "hitch listens")
        assert process.poll() is None, (folder / "hitch.log").read_text()
        yield port
    finally:
        process.terminate()
        process.wait(20)


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return False
    return True


@pytest.mark.skipif(HITCH is None, reason="needs Debian's package hitch")
def test_hitch_passes_http_2_on(tmp_path: Path) -> None:
    with serving(POLICY, (*LISTENERS, "-p", "feature=+http2")) as d, hitch(tmp_path, port_of(d, 1), "h2, http/1.1") as port:
        assert curl(f"https://127.0.0.1:{port}/").stdout.startswith("HTTP/2 200")
        assert curl("--http1.1", f"https://127.0.0.1:{port}/").stdout.startswith("HTTP/1.1 200")


@pytest.mark.skipif(HITCH is None, reason="needs Debian's package hitch")
def test_behind_hitch_http_2_is_closed_while_it_is_off(tmp_path: Path) -> None:
    with serving(POLICY, LISTENERS) as d:
        with hitch(tmp_path, port_of(d, 1), "h2, http/1.1") as port:
            assert curl(f"https://127.0.0.1:{port}/").returncode != 0
            wait_until(lambda: "began with HTTP/2, which is off" in d.heard, "the daemon's log")
        with hitch(tmp_path, port_of(d, 1), "http/1.1") as port:
            assert curl(f"https://127.0.0.1:{port}/").stdout.startswith("HTTP/1.1 200")
