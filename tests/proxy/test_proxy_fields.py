"""Fields of a PROXY header from a TLS offloader can be read in the fetch too, also in a background fetch that
outlives its request."""

from __future__ import annotations

import socket

from proxy.daemon import wait_until
from proxy.origin import Origin, Reply
from proxy.serve import serving
from proxy.test_delivery import policy

RULES = """import proxy;
sub vcl_backend_fetch { set bereq.http.alpn = proxy.alpn(); }
sub vcl_backend_response { set beresp.ttl = 0.001s; set beresp.grace = 10s; }
"""
HEADER = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x11" + b"\xc0\0\2\1\xc6\x33\x64\2\4\xd2\0\x50" + b"\1\0\2h2"


def ask(port: int) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as s:
        s.sendall(HEADER + b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        return b"".join(iter(lambda: s.recv(65536), b""))


def test_a_fetch_can_read_the_fields_of_the_proxy_header() -> None:
    with Origin(lambda r: Reply(body=b"x")) as origin, serving(policy(origin, RULES), ["-a", "tls=127.0.0.1:0,PROXY"]) as d:
        port = int(d.status["listens"][1].rsplit(":", 1)[1])
        assert ask(port).startswith(b"HTTP/1.1 200")
        wait_until(lambda: ask(port).startswith(b"HTTP/1.1 200") and len(origin.requests) >= 2, "a stale response is refreshed")
        assert {r.headers.get("alpn") for r in origin.requests} == {"h2"}
