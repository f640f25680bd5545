"""The client of tests on sockets. It sends the addresses of the test in a header of the PROXY protocol."""

from __future__ import annotations

import socket
from typing import BinaryIO

from vernis.trial.sockets.messages import Cut, Head, has_content, read_content, read_head
from vernis.trial.world import Response, WorldError

RESPONSE_S = 30.0
_HOP = (b"connection", b"transfer-encoding", b"keep-alive")  # of the connection: facts do not have them
_SERVER, _SERVER_6 = "192.0.2.2", "2001:db8::2"


def proxy_header(client: str) -> bytes:
    family, server = ("TCP6", _SERVER_6) if ":" in client else ("TCP4", _SERVER)
    return f"PROXY {family} {client} {server} 50000 80\r\n".encode()


def exchange(port: int, client: str, head: bytes, body: bytes) -> Response:
    """Sends a request on a connection of its own and reads the response."""
    method = head.partition(b" ")[0]
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=RESPONSE_S) as connection:
            connection.sendall(proxy_header(client) + head + body)
            with connection.makefile("rb") as file:
                found = read_head(file)
                while found is not None and _is_interim(found):
                    found = read_head(file)
                if found is None:
                    return Response(0, (), b"", True, False)
                return _response(file, found, method)
    except TimeoutError:
        raise WorldError(f"the daemon sent no response within {RESPONSE_S:g} s") from None
    except OSError as error:
        raise WorldError(f"the daemon closed the connection: {error.strerror}") from None


def _is_interim(head: Head) -> bool:
    return head.words[1].startswith(b"1") and head.words[1] != b"101"


def _response(file: BinaryIO, head: Head, method: bytes) -> Response:
    status = int(head.words[1])
    fields = tuple((name, value) for name, value in head.fields if name.lower() not in _HOP)
    if not has_content(status, method):
        return Response(status, fields, b"", False, False)
    try:
        content, is_cut = read_content(file, head, until_close=True), False
    except Cut as error:
        content, is_cut = error.content, True
    return Response(status, fields, content, is_cut, False)
