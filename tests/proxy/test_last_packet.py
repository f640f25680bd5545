"""The end of a connection leaves with the last bytes of its response, in one packet."""

from __future__ import annotations

import socket
import struct

import pytest

from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serve

BACKEND = 'vcl 4.1; backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}\n'
POPULAR = 12            # from this hit on the kernel sends large content by itself (sendfile)
ATTEMPTS = 8
OTHERS = 2              # packets without content: the answer to SYN, and the receipt of the request
SEGMENTS_IN, DATA_SEGMENTS_IN = 140, 152        # bytes before them in struct tcp_info


def content(r: Request) -> Reply:
    return Reply(body=b"x" * int(r.url[1:]), headers={"Cache-Control": "max-age=600"})


def packets(sock: socket.socket) -> tuple[int, int]:
    """All received packets, and those with content."""
    info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, DATA_SEGMENTS_IN + 4)
    return struct.unpack_from("I", info, SEGMENTS_IN)[0], struct.unpack_from("I", info, DATA_SEGMENTS_IN)[0]


def packets_for_the_end(port: int, url: str, head: str) -> int:
    """Packets after those with content. They say only that the connection ends."""
    with Client(port) as c:
        c.send(f"GET {url} {head}\r\n\r\n".encode())
        assert c.response().body == b"x" * int(url[1:])
        assert c.closed()
        received, with_content = packets(c.sock)
        return received - with_content - OTHERS


@pytest.mark.parametrize("head", ["HTTP/1.0\r\nHost: a", "HTTP/1.1\r\nHost: a\r\nConnection: close"])
def test_the_end_of_a_connection_takes_no_packet_of_its_own(head: str) -> None:
    """A busy machine may repeat packets, so the fewest of several attempts count."""
    with Origin(content) as origin, serve(BACKEND.format(port=origin.port)) as port:
        for url in ("/100", "/10000", "/31000", "/51200", "/75356"):
            for _ in range(POPULAR):
                packets_for_the_end(port, url, head)
            assert min(packets_for_the_end(port, url, head) for _ in range(ATTEMPTS)) == 0, url
