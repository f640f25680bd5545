"""The parent's side of the compile server's children: starts them, sends orders, reads results, ends them.

A :class:`Child` is a spare until it gets a job, and can get another one when it has reported READY. Its
connection is one socket; its errors go to a file in memory.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from dataclasses import dataclass, field
from typing import Any

from vernis.service import child
from vernis.service.child import CompileFunction, Order, Outcome, Rehearsal
from vernis.service.limits import Limits
from vernis.service.store import ContentStore

RESULT_BYTES_MAX = 512 << 20  # limit of all data from one child
_READ_BYTES = 1 << 18
_SOCKET_BYTES = 1 << 20
_ERROR_TAIL_BYTES = 4096


@dataclass(slots=True)
class Job:
    """The order of a child, and its results so far. ``entries`` go to the store when the answer is sent,
    because the compile uses all processors."""

    order: Order
    store: ContentStore
    deadline: float
    image: bytes | None = None
    entries: list[tuple[str, bytes]] = field(default_factory=list)
    entries_used: list[str] = field(default_factory=list)
    answered: bool = False
    timed_out: bool = False
    overflowed: bool = False

    def fill_store(self) -> None:
        for key, entry in self.entries:
            self.store.put(key, entry)
        for key in self.entries_used:
            self.store.used(key)
        self.entries, self.entries_used = [], []


@dataclass(slots=True)
class Child:
    pid: int
    pidfd: int
    connection: socket.socket
    error_file: int
    limits: Limits
    rehearsing: bool
    job: Job | None = None
    finished: bool = False  # READY came, perhaps together with a result that is not answered yet
    received: bytearray = field(default_factory=bytearray)
    bytes_received: int = 0

    @property
    def ready(self) -> bool:
        """Whether the child waits for a job."""
        return self.job is None and not self.rehearsing

    def give(self, order: Order, store: ContentStore) -> None:
        self.job = Job(order, store, time.monotonic() + self.limits.wall_s)
        self.bytes_received = 0
        self.connection.setblocking(True)
        try:
            self.connection.sendall(child.encode_order(order))
        except OSError:
            pass  # it died; the event of its pidfd leads to the answer
        self.connection.setblocking(False)

    def listen(self) -> Outcome | None:
        """Reads the child's frames. Returns the outcome once, when it is complete."""
        outcome = None
        while data := self._read():
            self.received += data
            self.bytes_received += len(data)
            for kind, content in child.take_frames(self.received):
                outcome = self._take(kind, content) or outcome
            if self.bytes_received > RESULT_BYTES_MAX and self.job is not None:
                self.job.overflowed = True
                self.received.clear()
                self.kill()
                break
        return outcome

    def kill(self) -> None:
        """Kills the child and the processes it started. The child leads its own process group."""
        for kill in (os.killpg, os.kill):
            try:
                kill(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass  # the child has no group yet, or is dead

    def why_it_died(self, status: int) -> str:
        job = self.job
        assert job is not None
        if job.overflowed:
            return f"the result is larger than {RESULT_BYTES_MAX >> 20} MiB"
        return child.explain_death(status, self.limits, job.timed_out, self._errors())

    def denied_call(self, status: int) -> str | None:
        """The child's report if a forbidden system call ended it, else None."""
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGSYS:
            return None
        return self._errors().strip() or "Forbidden system call: the sandbox ended the compiler"

    def _errors(self) -> str:
        size = os.fstat(self.error_file).st_size
        return os.pread(self.error_file, _ERROR_TAIL_BYTES, max(0, size - _ERROR_TAIL_BYTES)).decode(
            "utf-8", "replace"
        )

    def release(self) -> None:
        self.connection.close()
        os.close(self.pidfd)
        os.close(self.error_file)
        self.end_job()

    def send_away(self) -> None:
        """Ends a child that waits for a job."""
        self.connection.shutdown(socket.SHUT_WR)

    def end_job(self) -> None:
        """Makes the child ready for another job. Its last result, if it has one, was answered."""
        self.finished = False
        if self.job is not None:
            self.job.fill_store()
            self.job = None

    def _read(self) -> bytes:
        """Received data; empty if there is none now or the child has ended. The pidfd reports the end."""
        try:
            return self.connection.recv(_READ_BYTES)
        except (BlockingIOError, ConnectionResetError):
            return b""

    def _take(self, kind: bytes, content: bytes) -> Outcome | None:
        job = self.job
        if kind == child.FRAME_READY:
            self.rehearsing = False
            self.finished = job is not None
        elif job is None or job.answered:
            pass  # ignore frames of a child without a job
        elif kind == child.FRAME_IMAGE:
            job.image = content
        elif kind == child.FRAME_ARTEFACT:
            key, entry = content[: child.KEY_CHARACTERS], content[child.KEY_CHARACTERS :]
            job.entries.append((key.decode("ascii", "replace"), entry))
        elif kind == child.FRAME_USED:
            job.entries_used.append(content.decode("ascii", "replace"))
        elif kind == child.FRAME_RESULT:
            job.answered = True
            members: dict[str, Any] = json.loads(content)
            return Outcome(image=job.image, **members)
        return None


def start_child(
    compile_function: CompileFunction, rehearse: Rehearsal | None, limits: Limits, close_in_child: list[int]
) -> Child:
    """Forks a child. ``close_in_child`` are descriptors of the parent that no child may hold."""
    ours, theirs = socket.socketpair()
    for end in (ours, theirs):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SOCKET_BYTES)
    error_file = os.memfd_create("compile-errors")
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        ours.close()
        for descriptor in close_in_child:
            os.close(descriptor)
        child.run_child(compile_function, rehearse, theirs.fileno(), error_file, limits, parent)
    theirs.close()
    ours.setblocking(False)
    return Child(pid, os.pidfd_open(pid), ours, error_file, limits, rehearsing=rehearse is not None)
