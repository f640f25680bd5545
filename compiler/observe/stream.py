"""Reads records from dump files and from a daemon, also through its restarts, and yields the groups to
show."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from vernis.observe import records
from vernis.observe.query import Predicate
from vernis.observe.records import DumpError, Record
from vernis.observe.ring import Ring, RingError, State
from vernis.observe.transactions import UNFINISHED_MAX, UNFINISHED_S_MAX, Group, Grouper, Grouping, Sides
from vernis.observe.vsm import Mapping, Segment, Vsm, VsmError

_IDLE_S, _REOPEN_S, _REPEAT_S = 0.01, 0.1, 5.0
_LOOK_S = 0.25  # period of checks of the index while the log is idle

_BATCH = 1000  # records read from a file at once; a pipe yields each at once

Warn = Callable[[str], None]


def warn_stderr(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@dataclass(slots=True)
class View:
    """Selects the groups to show."""

    grouping: Grouping = Grouping.VXID
    query: Predicate | None = None
    sides: Sides = field(default_factory=Sides)
    unfinished_max: int = UNFINISHED_MAX
    unfinished_s_max: float = UNFINISHED_S_MAX
    count: int | None = None  # -k
    rate: tuple[int, float] | None = None  # -R: groups, seconds
    clock: Callable[[], float] = time.monotonic
    untied: Callable[[Record], object] | None = None  # gets the records of no transaction

    def grouper(self) -> Grouper:
        return Grouper(
            self.grouping, self.sides, self.unfinished_max, self.unfinished_s_max, self.clock, self.untied
        )


class _Sieve:
    """Applies query, rate and count."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._left = view.count
        self._credit, self._last = 1.0, view.clock()

    @property
    def full(self) -> bool:
        return self._left == 0

    def passing(self, groups: Iterator[Group]) -> Iterator[Group]:
        for group in groups:
            if self.full:
                return
            if (self._view.query is None or self._view.query(group)) and self._within_rate():
                if self._left is not None:
                    self._left -= 1
                yield group

    def _within_rate(self) -> bool:
        if self._view.rate is None:
            return True
        limit, period_s = self._view.rate
        now = self._view.clock()
        self._credit = min(self._credit + (now - self._last) / period_s * limit, limit)
        self._last = now
        if self._credit < 1:
            return False
        self._credit -= 1
        return True


def from_file(file: BinaryIO, name: str, view: View) -> Iterator[Group]:
    """The groups of a dump. Yields all readable records before it raises DumpError."""
    grouper, sieve = view.grouper(), _Sieve(view)
    for batch in _batches(records.read_dump(file, name), _BATCH if file.seekable() else 1):
        yield from sieve.passing(grouper.feed(batch))
        if sieve.full:
            return


def _batches(found: Iterator[Record], size: int) -> Iterator[list[Record]]:
    """Records in batches. Yields the records before an error, then raises it."""
    batch: list[Record] = []
    try:
        for record in found:
            batch.append(record)
            if len(batch) >= size:
                yield batch
                batch = []
    except DumpError:
        yield batch
        raise
    yield batch


class LiveLog:
    """Follows the log of a running daemon through restarts of worker and manager."""

    def __init__(
        self,
        vsm: Vsm,
        warn: Warn = warn_stderr,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        on_open: Callable[[], None] = lambda: None,
    ) -> None:
        self._on_open = on_open  # called whenever the log of another worker was opened
        self._vsm, self._warn, self._sleep, self._clock = vsm, warn, sleep, clock
        self._ring: Ring | None = None
        self._mapping: Mapping | None = None
        self._segment: Segment | None = None
        self._incarnation: tuple[object, ...] = ()
        self._warned = -_REPEAT_S
        self._looked = 0.0

    def groups(
        self, view: View, from_head: bool = False, stop: Callable[[], bool] = lambda: False
    ) -> Iterator[Group | None]:
        """Yields groups as they become complete, and None after each batch and while the log is idle.
        ``from_head``: yield only the groups that are in the log now."""
        grouper, sieve = view.grouper(), _Sieve(view)
        lost = False
        while not stop() and not sieve.full:
            if self._ring is None:
                if not self._open(tail=not from_head):
                    yield None
                    self._sleep(_REOPEN_S)
                    continue
                if lost:
                    self._warn("Log reacquired")
                lost = False
            assert self._ring is not None
            found = self._ring.read()
            if self._ring.state is State.MORE:
                yield from sieve.passing(grouper.feed(found))
                yield None  # in a busy log no group may pass; the caller must still poll its keys
            elif self._ring.state is State.IDLE and self._alive():
                if from_head:
                    return
                yield from sieve.passing(grouper.feed(()))
                yield None
                self._sleep(_IDLE_S)
            else:
                abandoned = self._ring.state is State.IDLE or not self._alive(now=True)
                yield from sieve.passing(grouper.flush())
                self._warn("Log abandoned" if abandoned else "Log overrun")
                self.close()
                lost = True

    def close(self) -> None:
        self._ring = None
        self._mapping = self._segment = None

    def _alive(self, now: bool = False) -> bool:
        """Whether the segment still exists. Checks the index at most every ``_LOOK_S`` seconds, unless
        ``now``."""
        if not now and self._clock() - self._looked < _LOOK_S:
            return True
        self._looked = self._clock()
        self._vsm.refresh()
        return self._segment is not None and self._vsm.alive(self._segment, self._incarnation)

    def _open(self, tail: bool) -> bool:
        self._vsm.refresh()
        self._segment = next(self._vsm.segments("Log"), None)
        if self._segment is None:
            self._complain("the worker does not run")
            return False
        try:
            self._mapping = self._vsm.map(self._segment)
            self._ring = Ring(self._mapping, tail)
        except (VsmError, RingError) as error:
            self._complain(str(error))
            return False
        self._incarnation = self._vsm.incarnation
        self._on_open()
        return True

    def _complain(self, text: str) -> None:
        if self._clock() - self._warned >= _REPEAT_S:
            self._warned = self._clock()
            self._warn(f"waiting for the log: {text}")


def open_dump(name: str) -> BinaryIO:
    return sys.stdin.buffer if name == "-" else Path(name).open("rb")
