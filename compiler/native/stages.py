"""Times the stages of one compile."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Stages:
    """Milliseconds by stage, in order of first use. The times of a repeated stage add up."""

    times_ms: dict[str, float] = field(default_factory=dict)
    _last: float = field(default_factory=time.perf_counter)

    def done(self, name: str) -> None:
        now = time.perf_counter()
        self.times_ms[name] = self.times_ms.get(name, 0.0) + (now - self._last) * 1000
        self._last = now
