"""Many clients of HTTP/2 at once, which check every body and record each request without a whole response. A
request that GOAWAY or REFUSED_STREAM gives back unserved is sent again on the next session and is not lost
(RFC 9113, 6.8 and 8.7)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from proxy.h2_client import Answer, Code, Session

PATIENCE_S = 30.0

#: Whether the answer to the request for a target is right.
Check = Callable[[str, Answer], bool]


@dataclass(slots=True)
class Load:
    """Threads that send requests until ``stop``, ``streams`` at once on each session, for the targets in turn. A
    session ends after ``most`` requests, and another one begins."""

    port: int
    targets: list[str]
    check: Check
    streams: int = 10
    most: int = 2000
    answered: int = 0
    sessions: int = 0
    moved: int = 0                      # sessions that the server ended with GOAWAY
    again: int = 0                      # requests that came back unserved
    lost: list[str] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    threads: list[threading.Thread] = field(default_factory=list)

    def start(self, n: int) -> Load:
        for i in range(n):
            thread = threading.Thread(target=self._run, args=(i,), daemon=True)
            thread.start()
            self.threads.append(thread)
        return self

    def stop(self) -> None:
        self.ended.set()
        for thread in self.threads:
            thread.join(PATIENCE_S)
            assert not thread.is_alive(), "a client hangs"

    def _run(self, number: int) -> None:
        at = number
        while not self.ended.is_set():
            try:
                with Session(self.port, timeout=PATIENCE_S) as c:
                    with self.lock:
                        self.sessions += 1
                    at = self._session(c, at)
            except (OSError, EOFError, AssertionError) as error:
                with self.lock:
                    self.lost.append(f"session {number}: {error!r}")

    def _session(self, c: Session, at: int) -> int:
        """Requests on one session, until it ends. Returns the place of the next target."""
        waiting: dict[int, str] = {}
        sent = 0
        while True:
            while len(waiting) < self.streams and sent < self.most and c.goaway is None and not self.ended.is_set():
                target = self.targets[at % len(self.targets)]
                try:
                    waiting[c.request(target)] = target
                except OSError:         # closed while GOAWAY is under way: what counts is what it says
                    c.next_stream = max(waiting, default=c.next_stream - 2) + 2
                    self._read_goaway(c)
                    continue
                at, sent = at + 1, sent + 1
            if not waiting:
                if c.goaway is not None:
                    with self.lock:
                        self.moved += 1
                return at
            self._wait(c, waiting)
            for stream in [s for s in waiting if c.answers[s].over]:
                self._judge(c.answers.pop(stream), waiting.pop(stream))
            self._drop_unserved(c, waiting)

    @staticmethod
    def _read_goaway(c: Session) -> None:
        c.wait(lambda: c.goaway, "GOAWAY before the end")

    def _wait(self, c: Session, waiting: dict[int, str]) -> None:
        c.wait(lambda: any(c.answers[s].over for s in waiting) or c.goaway is not None and max(waiting) > c.goaway.last,
               f"an answer to {sorted(waiting.values())[:3]}")

    def _judge(self, answer: Answer, target: str) -> None:
        with self.lock:
            if answer.reset == Code.REFUSED_STREAM:
                self.again += 1
            elif answer.ended and self.check(target, answer):
                self.answered += 1
            else:
                self.lost.append(f"{target}: status {answer.status}, {len(answer.body)} bytes, reset {answer.reset}")

    def _drop_unserved(self, c: Session, waiting: dict[int, str]) -> None:
        if c.goaway is not None:
            for stream in [s for s in waiting if s > c.goaway.last]:
                del waiting[stream]
                with self.lock:
                    self.again += 1
