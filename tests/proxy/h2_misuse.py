"""Ways to misuse HTTP/2 against a server: frames that cost it work or memory and nobody any use. Tests send them
to a daemon with low limits, benchmarks/http2_attacks.py at full speed beside good clients."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from proxy.h2_client import Flag, Setting, Type, block, frame, literal, pseudo, settings

END, WHOLE = Flag.END_STREAM, Flag.END_STREAM | Flag.END_HEADERS


@dataclass(slots=True, frozen=True)
class Misuse:
    """``send``: the bytes of the i-th time. ``counter``: of the group H2, which names the reason; "": none,
    because the request is refused or limits of time end it. ``times``: on one session, which then stays open
    (0: until the server closes it), of ``sessions`` at once."""

    name: str
    send: Callable[[int], bytes]
    counter: str = ""
    times: int = 0
    sessions: int = 1
    values: dict[int, int] = field(default_factory=dict)
    reads: bool = True


def headers(i: int, data: bytes, flags: int = WHOLE) -> bytes:
    return frame(Type.HEADERS, flags, 2 * i + 1, data)


def number(value: int) -> bytes:
    return struct.pack(">I", value)


def floods(get: bytes, post: bytes) -> list[Misuse]:
    """Misuse without end. ``get`` and ``post``: header blocks of requests."""

    def with_head(i: int, rest: bytes) -> bytes:
        return (headers(0, post, Flag.END_HEADERS) if i == 0 else b"") + rest

    def churn(i: int) -> bytes:
        return headers(i, get + b"".join(b"\x40" + literal(f"x{i}-{k}", "v" * 200)[1:] for k in range(18)))

    def bomb(i: int) -> bytes:
        """A field in the table and 3,000 references to it: 12 MB of fields from 7 KB."""
        return headers(i, get + b"\x40" + literal("x", "v" * 3800)[1:] + b"\xbe" * 3000)

    def continuations(i: int) -> bytes:
        return (headers(0, get, END) if i == 0 else b"") + frame(Type.CONTINUATION, 0, 1, literal(f"x-{i}", "v" * 100))

    return [
        Misuse("rapid reset", lambda i: headers(i, get) + frame(Type.RST_STREAM, 0, 2 * i + 1, number(8)), "killed_reset"),
        Misuse("made you reset", lambda i: headers(i, get) + frame(Type.WINDOW_UPDATE, 0, 2 * i + 1, number(0)), "killed_reset"),
        Misuse("malformed requests", lambda i: headers(i, get + literal("A", "b")), "killed_reset"),
        Misuse("continuations", continuations, "killed_broken"),
        Misuse("empty continuations", lambda i: (headers(0, get, END) if i == 0 else b"") + frame(Type.CONTINUATION, 0, 1), "killed_empty"),
        Misuse("header bomb", bomb),
        Misuse("table churn", churn, "killed_header"),
        Misuse("settings", lambda i: frame(Type.SETTINGS, 0, 0, settings({Setting.INITIAL_WINDOW_SIZE: i})), "killed_control"),
        Misuse("pings, unread", lambda i: frame(Type.PING, 0, 0, bytes(8)), "killed_control", reads=False),
        Misuse("pings", lambda i: frame(Type.PING, 0, 0, bytes(8)), "killed_control"),
        Misuse("priorities", lambda i: frame(Type.PRIORITY, 0, 2 * i + 1, b"\0\0\0\0\1"), "killed_control"),
        Misuse("window updates", lambda i: frame(Type.WINDOW_UPDATE, 0, 0, number(1)), "killed_control"),
        Misuse("unknown frames", lambda i: frame(99, 0, 0, b"x"), "killed_control"),
        Misuse("empty data", lambda i: with_head(i, frame(Type.DATA, 0, 1)), "killed_empty"),
        Misuse("tiny data", lambda i: with_head(i, frame(Type.DATA, 0, 1, b"x")), "killed_tiny"),
    ]


def holds(large: bytes, post: bytes) -> list[Misuse]:
    """Sessions that stay open and keep what they have."""

    def drip(i: int) -> bytes:
        return headers(i, large) if i < 90 else frame(Type.WINDOW_UPDATE, 0, 2 * (i % 90) + 1, number(1))

    shut: dict[int, int] = {Setting.INITIAL_WINDOW_SIZE: 0}
    open_: dict[int, int] = {Setting.INITIAL_WINDOW_SIZE: 1 << 24}
    return [
        Misuse("windows shut", lambda i: headers(i, large), "streams_crowded", times=90, sessions=100, values=shut),
        Misuse("window of a byte", drip, "killed_control", times=0, values=shut),
        Misuse("answers not read", lambda i: headers(i, large), "streams_crowded", times=90, sessions=100, values=open_,
               reads=False),
        Misuse("bodies never sent", lambda i: headers(i, post, Flag.END_HEADERS), "streams_crowded", times=90, sessions=100),
        Misuse("heads never ended", lambda i: frame(Type.HEADERS, END, 1, large), times=1, sessions=500),
        Misuse("idle sessions", lambda i: b"", times=1, sessions=2000),
    ]


def misuses(small: str, large: str, upload: str) -> list[Misuse]:
    """Misuse with these targets: a small response, a large one, and one that reads a body."""
    get, post = block(pseudo(small)), block(pseudo(upload, "POST"))
    return floods(get, post) + holds(block(pseudo(large)), post)
