"""How much slower this machine is now than a quiet machine of the project: for tests that bound a time.

The work is always the same and takes about as long as a load of a small policy. Whoever measures a time several
times and takes the best one measures this beside it, so that other programs slow both.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable

# The least CPU time of forty runs on the Xeon of docs/benchmarks.md.
QUIET_MS = 38.0
_LINES = [f"set req.http.X-{i} = req.url + {i};" for i in range(200)]


class Pace:
    """``clock`` is the one that measures the other time, too."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.best_ms = float("inf")
        self._clock = clock

    def measure(self) -> None:
        began = self._clock()
        counts: dict[str, int] = {}
        for _ in range(150):
            for line in _LINES:
                for word in line.split():
                    counts[word] = counts.get(word, 0) + 1
            hashlib.sha256(repr(counts).encode()).hexdigest()
        self.best_ms = min(self.best_ms, (self._clock() - began) * 1000)

    @property
    def slowness(self) -> float:
        """1 on a quiet machine, and on a faster one; 1 too before the first measurement."""
        return 1.0 if self.best_ms == float("inf") else max(1.0, self.best_ms / QUIET_MS)
