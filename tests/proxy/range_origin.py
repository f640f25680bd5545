"""A scripted origin with Range support, and with ways to break it. Each byte of the content depends on the
version, so a test can tell versions apart."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from proxy.origin import Reply, Request

SEGMENT = 4096


def content(version: int, total: int) -> bytes:
    return random.Random(version * 1_000_003 + total).randbytes(total)


def asked(request: Request, total: int) -> tuple[int, int] | None:
    """First and last byte of the requested range; None: no range."""
    value = request.headers.get("range", "")
    if found := re.fullmatch(r"bytes=(\d+)-(\d*)", value):
        return int(found[1]), min(int(found[2] or total - 1), total - 1)
    if found := re.fullmatch(r"bytes=-(\d+)", value):
        return max(total - int(found[1]), 0), total - 1
    return None


@dataclass(slots=True)
class RangeOrigin:
    """Handler of an Origin. Tests change its attributes between requests."""

    total: int = 10 * SEGMENT + 1000
    version: int = 1
    fields: dict[str, str] = field(default_factory=lambda: {"Cache-Control": "max-age=1000"})
    etag: bool = True
    ignores: bool = False               # ignores Range
    careless: bool = False              # ignores If-Range
    twist: Callable[[Reply, Request], Reply] | None = None      # changes a 206 before it is sent

    @property
    def body(self) -> bytes:
        return content(self.version, self.total)

    @property
    def tag(self) -> str:
        return f'"v{self.version}"'

    def __call__(self, request: Request) -> Reply:
        headers = dict(self.fields)
        if self.etag:
            headers["ETag"] = self.tag
            if self.tag == request.headers.get("if-none-match"):
                return Reply(304, headers=headers)
        holds = self.careless or request.headers.get("if-range") in (None, headers.get("ETag"), headers.get("Last-Modified"))
        wanted = None if self.ignores or not holds else asked(request, self.total)
        if wanted is None:
            return Reply(body=self.body, headers=headers)
        if wanted[0] >= self.total:
            return Reply(416, headers=headers | {"Content-Range": f"bytes */{self.total}"})
        headers["Content-Range"] = f"bytes {wanted[0]}-{wanted[1]}/{self.total}"
        reply = Reply(206, self.body[wanted[0]:wanted[1] + 1], headers)
        return reply if self.twist is None else self.twist(reply, request)


def in_two(reply: Reply, cut: int, between: Callable[[], bytes | None]) -> Reply:
    """Sends the head and the first bytes, calls ``between`` and sends its bytes (None: ends the connection),
    then sends the rest."""
    head = f"HTTP/1.1 {reply.status} Scripted\r\nContent-Length: {len(reply.body)}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items()) + "\r\n"
    return Reply(pieces=[head.encode() + reply.body[:cut], between, reply.body[cut:]])


def held(reply: Reply, cut: int, gate: threading.Event) -> Reply:
    def wait() -> bytes:
        gate.wait(30)
        return b""
    return in_two(reply, cut, wait)
