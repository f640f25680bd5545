"""Reads the shared memory of a daemon. It has two sets of segments, the manager's and the worker's. Each set
is a directory with an index file that its owner appends to or replaces. `refresh` follows both through
restarts. A mapped segment stays readable after its daemon has ended.

This file does not trust the daemon's files: it ignores an invalid line of the index, and does not map a
segment that is shorter than its index says.
"""

from __future__ import annotations

import mmap
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from vernis.trouble import Trouble, helped

MANAGER_SET, WORKER_SET, INDEX = "_.vsm_mgt", "_.vsm_child", "_.index"
INDEX_BYTES_MAX = 16 << 20
SEGMENT_BYTES_MAX = 1 << 40
ATTACH_STEP_S = 0.05
PAGE = mmap.PAGESIZE


_NUMBER = re.compile(r"[0-9]{1,18}\Z").match


class VsmError(Trouble):
    """No daemon runs, or its memory cannot be read. The text names the error and the path."""


@dataclass(slots=True, frozen=True)
class Segment:
    set_name: str
    file: str
    offset: int
    length: int
    kind: str
    ident: str


class Mapping:
    """The bytes of one segment, read-only. Stays valid after the segment is removed."""

    __slots__ = ("_map", "memory")

    def __init__(self, path: str, offset: int, length: int) -> None:
        start = offset - offset % PAGE
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as error:
            raise VsmError(helped(f"cannot open {path}: {error.strerror}", error)) from None
        try:
            if os.fstat(descriptor).st_size < offset + length:
                raise VsmError(f"{path} is shorter than its index says")
            self._map = mmap.mmap(
                descriptor, offset - start + length, mmap.MAP_SHARED, mmap.PROT_READ, offset=start
            )
        except (OSError, ValueError) as error:
            raise VsmError(f"cannot map {path}: {error}") from None
        finally:
            os.close(descriptor)
        self.memory = memoryview(self._map)[offset - start :]

    def close(self) -> None:
        self.memory.release()
        self._map.close()


@dataclass(slots=True)
class _Set:
    """One directory. ``index`` stays open until the directory or the index file is replaced."""

    path: str
    name: str
    index: int = -1
    read: int = 0
    rest: bytes = b""
    identity: tuple[int, ...] = ()
    owner: str = ""  # the `#` line: a process and its start time
    segments: dict[Segment, None] = field(default_factory=dict)
    is_closed: bool = False  # this user may not read it

    @property
    def running(self) -> bool:
        return self.index >= 0

    @property
    def incarnation(self) -> tuple[object, ...]:
        """Identifies the directory and its owner. It does not change when the owner rewrites the index."""
        return (*self.identity[:2], self.owner)

    def close(self) -> None:
        if self.index >= 0:
            os.close(self.index)
        self.index, self.read, self.rest, self.owner = -1, 0, b"", ""
        self.segments.clear()

    def refresh(self) -> None:
        if self.running and (self._look() != self.identity or os.fstat(self.index).st_size < self.read):
            self.close()
        if not self.running:
            self._open()
        if self.running:
            self._read_lines()

    def _look(self) -> tuple[int, ...]:
        try:
            directory, index = os.lstat(self.path), os.lstat(f"{self.path}/{INDEX}")
        except OSError:
            return ()
        return directory.st_dev, directory.st_ino, index.st_dev, index.st_ino

    def _open(self) -> None:
        self.identity = self._look()
        try:
            self.index = os.open(f"{self.path}/{INDEX}", os.O_RDONLY | os.O_CLOEXEC)
            self.is_closed = False
        except OSError as error:
            self.is_closed = isinstance(error, PermissionError)

    def _read_lines(self) -> None:
        while self.read < INDEX_BYTES_MAX and (data := os.read(self.index, 1 << 16)):
            self.read += len(data)
            *lines, self.rest = (self.rest + data).split(b"\n")
            for line in lines:
                self._take(line.decode("utf-8", "surrogateescape"))

    def _take(self, line: str) -> None:
        if line.startswith("#"):
            self.owner = line[1:].strip()
            return
        words = split_words(line)
        if (
            not 4 <= len(words) <= 6
            or not all(map(_NUMBER, words[2:4]))
            or "/" in words[1]
            or "\0" in words[1]
        ):
            return
        kind, ident = (words[4:] + ["", ""])[:2]
        segment = Segment(self.name, words[1], int(words[2]), int(words[3]), kind, ident)
        if words[0] == "+" and 0 < segment.length < SEGMENT_BYTES_MAX:
            self.segments[segment] = None
        elif words[0] == "-":
            self.segments.pop(segment, None)


class Vsm:
    """The shared memory below one working directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._manager = _Set(str(directory / MANAGER_SET), MANAGER_SET)
        self._worker = _Set(str(directory / WORKER_SET), WORKER_SET)

    def close(self) -> None:
        self._manager.close()
        self._worker.close()

    def refresh(self) -> None:
        """Reads changes of both sets. Call it before the other methods."""
        self._manager.refresh()
        if self.running:
            self._worker.refresh()
        else:
            self._worker.close()

    @property
    def running(self) -> bool:
        """Whether a manager has written its line to the index."""
        return self._manager.running and bool(self._manager.owner)

    @property
    def is_closed(self) -> bool:
        """Whether this user may not read it: waiting does not help."""
        return self._manager.is_closed

    @property
    def incarnation(self) -> tuple[object, ...]:
        """Changes when the manager or the worker restarts."""
        return self._manager.incarnation, self._worker.incarnation

    def segments(self, kind: str, ident: str | None = None) -> Iterator[Segment]:
        """Segments in index order, the manager's first."""
        for segment in (*self._manager.segments, *self._worker.segments):
            if segment.kind == kind and ident in (None, segment.ident):
                yield segment

    def alive(self, segment: Segment, incarnation: tuple[object, ...]) -> bool:
        """Whether a segment that was found at ``incarnation`` is still in the index."""
        return incarnation == self.incarnation and (
            segment in self._manager.segments or segment in self._worker.segments
        )

    def map(self, segment: Segment) -> Mapping:
        return Mapping(f"{self.directory}/{segment.set_name}/{segment.file}", segment.offset, segment.length)

    def argument(self, ident: str) -> str | None:
        """An argument of the manager: ``-T`` for its CLI addresses, ``-S`` for its secret file, ``-i`` for
        its identity."""
        for segment in self.segments("Arg", ident):
            mapping = self.map(segment)
            try:
                return bytes(mapping.memory).split(b"\0", 1)[0].decode("utf-8", "surrogateescape")
            finally:
                mapping.close()
        return None


def attach(directory: Path, patience_s: float | None) -> Vsm:
    """Waits for a daemon in ``directory``. ``patience_s`` None: without limit."""
    vsm = Vsm(directory)
    end = None if patience_s is None else time.monotonic() + patience_s
    while True:
        vsm.refresh()
        if vsm.running:
            return vsm
        if vsm.is_closed or (end is not None and time.monotonic() >= end):
            raise VsmError(_why_not(directory))
        time.sleep(ATTACH_STEP_S)


def _why_not(directory: Path) -> str:
    hint = "give its working directory with -n"
    index = directory / MANAGER_SET / INDEX
    try:
        os.close(os.open(index, os.O_RDONLY | os.O_CLOEXEC))
    except PermissionError as error:
        return helped(f"cannot read the log and the counters: {index}: {error.strerror}", error)
    except OSError:
        what = "it has no shared memory" if os.path.isdir(directory) else "there is no such directory"
        return f"no daemon runs in {directory}: {what} ({hint})"
    return f"no daemon runs in {directory}: its manager has ended, or only begins ({hint})"


def split_words(line: str) -> list[str]:
    """Splits at blanks. A word with blanks is in double quotes; a backslash escapes the next character."""
    words: list[str] = []
    at = 0
    while True:
        while at < len(line) and line[at].isspace():
            at += 1
        if at >= len(line):
            return words
        quoted = line[at] == '"'
        at += quoted
        word = ""
        while at < len(line) and not (line[at] == '"' if quoted else line[at].isspace()):
            if line[at] == "\\" and at + 1 < len(line):
                at += 1
            word += line[at]
            at += 1
        at += quoted
        words.append(word)
