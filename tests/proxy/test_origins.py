"""Connections to backends: max_connections with its queue, abstract sockets, backends behind a proxy,
ejection, changing addresses."""

from __future__ import annotations

import os
import struct
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from proxy.daemon import Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request, fetch
from proxy.serve import serving
from proxy.test_limits import counters
from proxy.test_own_tools import vernis

# ---- the queue of max_connections ----

ONE_AT_A_TIME = """vcl 4.1;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; .max_connections = 1; {more} }}
sub vcl_recv {{ return (pass); }}
sub vcl_backend_response {{ set beresp.http.X = "origin"; }}"""


class Gate:
    """Answers when the gate is opened."""

    def __init__(self) -> None:
        self.open = threading.Event()

    def __call__(self, r: Request) -> Reply:
        self.open.wait(20)
        return Reply(body=r.url.encode())


@contextmanager
def busy(more: str = "") -> Iterator[tuple[Daemon, Gate, Origin, Client]]:
    """The only connection is in use."""
    gate = Gate()
    with Origin(gate) as origin, serving(ONE_AT_A_TIME.format(port=origin.port, more=more)) as d, Client(d.port) as first:
        first.send(b"GET /first HTTP/1.1\r\nHost: a\r\n\r\n")
        wait_until(lambda: origin.count("/first") == 1, "the origin has the first request")
        yield d, gate, origin, first
        gate.open.set()


def counted(d: Daemon, **wanted: int) -> None:
    """Waits until counters of MAIN have these values, because they are published a few milliseconds later."""
    wait_until(lambda: {name: counters(d)[name] for name in wanted} == wanted, f"the counters are {wanted}")


def test_a_request_beyond_max_connections_waits() -> None:
    with busy(".wait_limit = 1; .wait_timeout = 20s;") as (d, gate, origin, first), Client(d.port) as second:
        second.send(b"GET /second HTTP/1.1\r\nHost: a\r\n\r\n")
        counted(d, backend_wait=1)
        assert fetch(d.port, "/third").status == 503            # the queue is full
        gate.open.set()
        assert (first.response().body, second.response().body) == (b"/first", b"/second")
        assert origin.connections == 1 and origin.count("/third") == 0
        counted(d, backend_wait_fail=0, backend_busy=1)


def test_a_wait_for_a_connection_times_out() -> None:
    with busy() as (d, _, origin, _):
        assert fetch(d.port, "/at-once").status == 503          # as in Varnish 7.1
        counted(d, backend_wait=0, backend_busy=1)
        d.ok("param.set backend_wait_timeout 0.05")
        d.ok("param.set backend_wait_limit 5")
        assert fetch(d.port, "/later").status == 503
        counted(d, backend_wait=1, backend_wait_fail=1)
        assert len(origin.requests) == 1


# ---- abstract sockets ----

def test_an_origin_behind_an_abstract_socket() -> None:
    name = f"vernis-test-{os.getpid()}"
    with Origin(lambda r: Reply(body=r.headers["host"].encode()), abstract=name) as origin, \
            serving(f'vcl 4.1; backend default {{ .path = "@{name}"; }} sub vcl_recv {{ return (pass); }}') as d:
        assert fetch(d.port, "/").body == b"example.com"
        assert fetch(d.port, "/").status == 200
        assert origin.connections == 1


# ---- through a proxy ----

SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
THROUGH = """vcl 4.1;
backend proxy {{ .host = "127.0.0.1"; .port = "{port}"; .first_byte_timeout = 20s; }}
backend named {{ .via = proxy; .host = "192.0.2.7"; .port = "8443"; .authority = "origin.example"; }}
backend by_host_header {{ .via = proxy; .host = "192.0.2.8"; .host_header = "other.example:444"; }}
backend plain {{ .via = proxy; .host = "2001:db8::1"; .port = "81"; .authority = ""; .preamble = :SEVMTE8=:; .proxy_header = 1; }}
sub vcl_recv {{
    if (req.url ~ "^/named") {{ set req.backend_hint = named; }}
    if (req.url ~ "^/by_host_header") {{ set req.backend_hint = by_host_header; }}
    if (req.url ~ "^/plain") {{ set req.backend_hint = plain; }}
    return (pass);
}}"""


def proxy_header(stream: BinaryIO) -> tuple[int, bytes, bytes]:
    """Command and family, the addresses, and the TLVs of a version 2 header."""
    assert stream.read(12) == SIGNATURE
    command, family, size = struct.unpack("!BBH", stream.read(4))
    body = stream.read(size)
    addresses = {0x11: 12, 0x21: 36}[family]
    return command << 8 | family, body[:addresses], body[addresses:]


def test_a_backend_is_reached_through_a_proxy() -> None:
    headers: list[tuple[int, bytes, bytes]] = []
    lines: list[bytes] = []

    def greet(stream: BinaryIO) -> None:
        header = proxy_header(stream)
        if not header[2]:
            lines.append(stream.readline())
        headers.append(header)
    with Origin(lambda r: Reply(), greet=greet) as origin, serving(THROUGH.format(port=origin.port)) as d:
        # three clients, one connection: the header contains no client's address
        assert [fetch(d.port, "/named").status for _ in range(3)] == [200] * 3
        assert origin.connections == 1
        assert headers == [(0x2111, bytes(4) + bytes([192, 0, 2, 7]) + struct.pack("!HH", 0, 8443), b"\x02\0\x0eorigin.example")]
        assert fetch(d.port, "/by_host_header").status == 200
        assert headers[1][1:] == (bytes(4) + bytes([192, 0, 2, 8]) + struct.pack("!HH", 0, 80), b"\x02\0\x0dother.example")
        assert fetch(d.port, "/plain").status == 200
        v6 = bytes.fromhex("20010db8" + "0" * 23 + "1")
        assert headers[2] == (0x2121, bytes(16) + v6 + struct.pack("!HH", 0, 81), b"")
        # the backend's own preamble and header
        assert lines[0].startswith(b"HELLOPROXY TCP4 127.0.0.1 127.0.0.1 ")


# ---- origins that fail ----

TWO = """vcl 4.1;
import directors;
backend a {{ .host = "127.0.0.1"; .port = "{a}"; }}
backend b {{ .host = "127.0.0.1"; .port = "{b}"; }}
sub vcl_init {{ new both = directors.fallback(); both.add_backend(a); both.add_backend(b); }}
sub vcl_recv {{
    set req.backend_hint = both.backend();
    if (req.url ~ "^/a") {{ set req.backend_hint = a; }}
    return (pass);
}}"""


def test_an_origin_with_consecutive_failures_is_ejected() -> None:
    failing = threading.Event()
    failing.set()
    with Origin(lambda r: Reply(status=503 if failing.is_set() else 200)) as a, Origin(lambda r: Reply(status=201)) as b, \
            serving(TWO.format(a=a.port, b=b.port)) as d:
        # as in Varnish: no backend is ejected
        assert [fetch(d.port, "/").status for _ in range(5)] == [503] * 5
        d.ok("param.set backend_eject_time 60")
        d.ok("param.set backend_eject_failures 3")
        assert [fetch(d.port, "/").status for _ in range(5)] == [503, 503, 503, 201, 201]
        rows = {line.split()[0]: line.split() for line in d.ok("backend.list").splitlines()[1:] if line}
        assert rows["boot.a"][3] == "ejected" and rows["boot.b"][3] == "healthy"
        assert '"ejected"' in d.ok("backend.list -j")
        counted(d, backend_ejected=1)
        assert "backend a ejected for 60.000 s: 3 failures in a row, the last one: Service Unavailable" in d.heard
        wait_until(lambda: "a Ejected for 60.000 s: 3 failures in a row" in vernis(d, "log", "-d", "-g", "raw", "-q", "Backend_health"),
                   "the ejection is in the log")
        # no other backend exists, and this one is not asked
        assert fetch(d.port, "/a").status == 503 and len(a.requests) == 8
        wait_until(lambda: "backend a: ejected" in vernis(d, "log", "-d", "-g", "raw", "-i", "FetchError"), "the failure is in the log")
        failing.clear()
        d.ok("param.set backend_eject_failures 0")
        assert fetch(d.port, "/").status == 200


def test_an_origin_with_a_high_share_of_failures_is_ejected() -> None:
    with Origin(lambda r: Reply(status=502 if r.url == "/bad" else 200)) as a, Origin(lambda r: Reply(status=201)) as b, \
            serving(TWO.format(a=a.port, b=b.port), ["-p", "backend_eject_rate=50", "-p", "backend_eject_requests=4",
                                                     "-p", "backend_eject_window=60", "-p", "backend_eject_time=60"]) as d:
        assert [fetch(d.port, url).status for url in ("/bad", "/", "/", "/bad", "/")] == [502, 200, 200, 502, 201]
        assert "2 of 4 requests failed" in d.heard


# ---- names whose address changes ----

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **out)
{
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
    char address[64] = "";
    FILE *file = host != NULL && strcmp(host, "moving.example") == 0 && hints->ai_flags != AI_NUMERICHOST ? fopen(getenv("MOVING"), "r") : NULL;
    if (file != NULL && fscanf(file, "%63s", address) == 1)
        host = address;
    if (file != NULL)
        fclose(file);
    return real(host, port, hints, out);
}
"""


def test_a_changed_address_is_used_without_a_reload(tmp_path: Path) -> None:
    (tmp_path / "shim.c").write_text(SHIM)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", str(tmp_path / "shim.so"), str(tmp_path / "shim.c"), "-ldl"], check=True)
    (tmp_path / "address").write_text("127.0.0.1")
    with Origin(lambda r: Reply(body=b"old")) as origin, Origin(lambda r: Reply(body=b"new"), ("127.0.0.2", origin.port)):
        rules = f'vcl 4.1; backend default {{ .host = "moving.example"; .port = "{origin.port}"; }} sub vcl_recv {{ return (pass); }}'
        with Daemon(tmp_path, rules, ["-p", "backend_resolve_interval=0.05"],
                    env={"LD_PRELOAD": str(tmp_path / "shim.so"), "MOVING": str(tmp_path / "address")}) as d:
            assert fetch(d.port, "/").body == b"old"
            (tmp_path / "new").write_text("127.0.0.2")
            (tmp_path / "new").rename(tmp_path / "address")
            wait_until(lambda: fetch(d.port, "/").body == b"new", "requests go to the new address")
            counted(d, backend_resolved=1, backend_fail=0)
            assert "backend default: moving.example is no longer at 127.0.0.1 but at 127.0.0.2" in d.heard
