"""HTTP/1.1 messages on sockets, for the client and the origins of a test: as little of the protocol as they
need."""

from __future__ import annotations

import socket
from typing import BinaryIO

from vernis.record import record

Fields = tuple[tuple[bytes, bytes], ...]

_LINE_MAX, _CONTENT_MAX = 64 << 10, 64 << 20
_WITHOUT_CONTENT = (204, 304)


class Cut(Exception):
    """The peer closed the connection in the middle of a message. ``content``: what came before."""

    def __init__(self, content: bytes = b"") -> None:
        super().__init__("cut off")
        self.content = content


@record(frozen=True)
class Head:
    """``words`` of the first line."""

    words: tuple[bytes, ...]
    fields: Fields

    def get(self, name: bytes) -> bytes | None:
        return next((value for key, value in self.fields if key.lower() == name), None)


def read_head(file: BinaryIO) -> Head | None:
    """None: the peer has closed the connection instead."""
    first = file.readline(_LINE_MAX)
    if not first:
        return None
    fields = []
    while line := file.readline(_LINE_MAX).rstrip(b"\r\n"):
        name, _, value = line.partition(b":")
        fields.append((name, value.strip(b" \t")))
    return Head(tuple(first.rstrip(b"\r\n").split(b" ", 2)), tuple(fields))


def has_content(status: int, method: bytes) -> bool:
    return method != b"HEAD" and status not in _WITHOUT_CONTENT


def is_chunked(head: Head) -> bool:
    return b"chunked" in (head.get(b"transfer-encoding") or b"").lower()


def read_content(file: BinaryIO, head: Head, until_close: bool) -> bytes:
    """Cut: there is less of it. ``until_close``: content without a length ends with the connection."""
    if is_chunked(head):
        return _read_chunks(file)
    length = head.get(b"content-length")
    if length is None:
        return file.read(_CONTENT_MAX) if until_close else b""
    return _exactly(file, int(length))


def _exactly(file: BinaryIO, n: int, before: bytes = b"") -> bytes:
    try:
        data = file.read(n)
    except OSError:
        data = b""
    if len(data) < n:
        raise Cut(before + data)
    return data


def _read_chunks(file: BinaryIO) -> bytes:
    found = b""
    while True:
        line = file.readline(_LINE_MAX)
        if not line.endswith(b"\n"):
            raise Cut(found)
        n = int(line.partition(b";")[0], 16)
        found += _exactly(file, n, found)
        while n == 0 and (line := file.readline(_LINE_MAX)) not in (b"\r\n", b""):
            pass  # trailers
        if n == 0:
            return found
        file.readline(_LINE_MAX)


def reset(connection: socket.socket) -> None:
    """Closes it so that the peer gets an error instead of an end."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    connection.close()
