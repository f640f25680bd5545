"""A machine of many cores on which loops serve requests that touch shared cache lines. Times are in
nanoseconds.

A line serves one loop after another. It comes from the own cache, from another core of the socket or from
another socket. A loop that finds a lock taken sleeps, as with glibc's mutexes: whoever unlocks pays for
waking it, and it runs some time later.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto

OWN_NS, SOCKET_NS, REMOTE_NS = 5.0, 70.0, 250.0  # until a line is there
WAKE_NS, WAKING_NS = 4000.0, 1000.0  # until a sleeper runs; for whoever wakes it
REQUESTS_EACH = 120  # of a loop that never waits


class Kind(Enum):
    WORK = auto()  # what: a time
    TOUCH = auto()  # what: a line
    LOCK = auto()
    UNLOCK = auto()


@dataclass(slots=True, frozen=True)
class Step:
    kind: Kind
    what: str
    ns: float = 0.0


@dataclass(slots=True)
class Line:
    free_at: float = 0.0
    owner: int | None = None
    is_locked: bool = False
    sleepers: deque[tuple[int, float]] = field(default_factory=deque)  # and since when


@dataclass(slots=True)
class Loop:
    steps: list[Step] = field(default_factory=list)
    at: int = 0


class Machine:
    """Runs requests whose steps `request` makes anew for each."""

    def __init__(
        self, n_loops: int, a_socket: int, request: Callable[[random.Random], list[Step]], seed: int = 1
    ) -> None:
        self._random = random.Random(seed)
        self._request, self._a_socket = request, a_socket
        self._lines: dict[str, Line] = {}
        self._loops = [Loop() for _ in range(n_loops)]
        self._events: list[tuple[float, int]] = []
        self.waited: Counter[str] = Counter()  # by line

    def requests_per_s(self, work_ns: float) -> float:
        """`work_ns` is about the time of a request without waiting."""
        until, done = work_ns * REQUESTS_EACH, 0
        for n in range(len(self._loops)):
            self._push(self._random.random() * work_ns, n)
        while self._events[0][0] <= until:
            now, n = heapq.heappop(self._events)
            loop = self._loops[n]
            if loop.at == len(loop.steps):
                done += bool(loop.steps)
                loop.steps, loop.at = self._request(self._random), 0
            self._step(loop.steps[loop.at], n, now)
        return done / until * 1e9

    def _push(self, at: float, n: int) -> None:
        heapq.heappush(self._events, (at, n))

    def _go_on(self, at: float, n: int) -> None:
        self._loops[n].at += 1
        self._push(at, n)

    def _step(self, step: Step, n: int, now: float) -> None:
        if step.kind is Kind.WORK:
            self._go_on(now + step.ns, n)
            return
        line = self._lines.setdefault(step.what, Line())
        there = self._fetch(line, step.what, n, now)
        match step.kind:
            case Kind.TOUCH:
                self._go_on(there, n)
            case Kind.LOCK if line.is_locked:
                line.sleepers.append((n, there))
            case Kind.LOCK:
                line.is_locked = True
                self._go_on(there, n)
            case Kind.UNLOCK:
                line.is_locked = False
                if line.sleepers:
                    sleeper, since = line.sleepers.popleft()
                    self.waited[step.what] += int(there + WAKE_NS - since)
                    self._push(there + WAKE_NS, sleeper)
                    there += WAKING_NS
                self._go_on(there, n)

    def _fetch(self, line: Line, name: str, n: int, now: float) -> float:
        """When loop `n` has the line."""
        begins = max(now, line.free_at)
        self.waited[name] += int(begins - now)
        line.free_at = begins + self._distance(line.owner, n)
        line.owner = n
        return line.free_at

    def _distance(self, owner: int | None, n: int) -> float:
        if owner == n:
            return OWN_NS
        is_near = owner is None or owner // self._a_socket == n // self._a_socket
        return SOCKET_NS if is_near else REMOTE_NS
