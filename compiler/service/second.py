"""The second process of a child: it works beside the child, on another processor.

The child forks it before the rehearsal, so that both own the pages that they will write to. It is in the
child's process group, has its limits of memory and of CPU time, and dies with it. It has no descriptors but
its connection and the error file. The child survives its end: native/beside.py does its work then.
"""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import NoReturn

from vernis.service.limits import Limits, die_with, limit_cpu

_DESCRIPTORS_MAX = 1 << 20
_SOCKET_BYTES = 1 << 20


class SecondProcess:
    """The child's side. ``give`` and ``take`` raise OSError or EOFError if the process has ended."""

    def __init__(self, work: Callable[[bytes], bytes], limits: Limits) -> None:
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SOCKET_BYTES)
        parent = os.getpid()
        self._pid = os.fork()
        if self._pid == 0:
            _run(work, Connection(theirs.detach()), limits, parent)
        theirs.close()
        self._connection = Connection(ours.detach())
        self._given = 0  # jobs whose results are not taken

    def give(self, job: bytes) -> None:
        self._connection.send_bytes(job)
        self._given += 1

    def ready(self) -> bool:
        return self._connection.poll()

    def take(self) -> bytes:
        result = self._connection.recv_bytes()
        self._given -= 1
        return result

    def become_idle(self) -> None:
        """Drops the results that a compile did not take, because it ended with an error."""
        while self._given:
            self.take()

    def end(self) -> None:
        """Ends the process and waits for its end, so that no dead process is left to others."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def _run(work: Callable[[bytes], bytes], connection: Connection, limits: Limits, parent: int) -> NoReturn:
    try:
        die_with(parent)
        os.closerange(3, connection.fileno())
        os.closerange(connection.fileno() + 1, _DESCRIPTORS_MAX)
        while True:
            job = connection.recv_bytes()
            limit_cpu(limits)
            connection.send_bytes(_result(work, job))
    except (EOFError, OSError):
        pass  # the child has ended
    finally:
        os._exit(0)


def _result(work: Callable[[bytes], bytes], job: bytes) -> bytes:
    """Empty if the job fails. The child then fails at the same job, and its error reaches the user."""
    try:
        return work(job)
    except Exception:
        return b""
