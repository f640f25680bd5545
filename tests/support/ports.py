"""Ports of 127.0.0.1 for programs that cannot choose one themselves, or do not tell which one they chose.

A port that the system has just given and taken back may go to any other socket before the program binds it:
tests run in several processes, and each connection takes a port too. So these ports are below those that the
system gives, and a name in the abstract namespace of Unix sockets reserves each of them until this process ends.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

FIRST = 20_000
_numbers = count(FIRST)
_reserved: list[socket.socket] = []


def _end() -> int:
    """The first port that the system itself gives to sockets. If almost none is left below, the names alone must
    do."""
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    return first if first >= FIRST + 2000 else 65_000


def free_port() -> int:
    """A port that nobody listens on. It is this process's own from now on."""
    for port in _numbers:
        assert port < _end(), "all ports are taken"
        name = socket.socket(socket.AF_UNIX)
        try:
            name.bind(f"\0vernis-test-port-{port}")
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            name.close()
            continue
        _reserved.append(name)
        return port
    raise AssertionError


@contextmanager
def refusing_port() -> Iterator[int]:
    """A port that refuses connections: its socket is bound and does not listen."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        yield int(s.getsockname()[1])
