"""Spreads the texts of a policy over this process and a second one, so that LLVM uses two processors.

The second process (service/second.py) runs :func:`do_job` for each job that it is given. It makes the same
object as this process would. If it cannot, or has ended, this process compiles the text itself. The owner of
the policy gets each object as soon as it is made.
"""

from __future__ import annotations

import heapq
import pickle
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from vernis.native.abi import Contract, load_contract
from vernis.native.stages import Stages

if TYPE_CHECKING:
    from vernis.native.optimise import Emitter

#: This process compiles longer texts itself. So a job always fits into the socket, and the two processes
#: never wait for each other to read.
TEXT_LENGTH_MAX = 128 << 10
#: With so many texts left the second process gets a job in advance, because this process may be busy when
#: it is done. With fewer, the last job of the second process would end late.
MANY_TEXTS = 4


class Second(Protocol):
    """The second process. All raise OSError or EOFError if it has ended."""

    def give(self, job: bytes) -> None: ...
    def ready(self) -> bool: ...  # a result can be taken without waiting
    def take(self) -> bytes: ...  # the result of the oldest job; empty if it failed


@dataclass(slots=True)
class Spread:
    """``emit`` compiles a text in this process, ``job`` makes a job of it for the second one. ``done`` gets
    the number of a text and its object."""

    emit: Callable[[str], bytes]
    job: Callable[[str], bytes]
    done: Callable[[int, bytes], None]
    second: Second | None = None
    _waiting: list[tuple[int, int, str]] = field(default_factory=list)  # a heap, the longest first
    _given: deque[tuple[int, str]] = field(default_factory=deque)

    def add(self, number: int, text: str) -> None:
        if self.second is None or len(text) > TEXT_LENGTH_MAX:
            self.done(number, self.emit(text))
            return
        heapq.heappush(self._waiting, (-len(text), number, text))
        self._feed()

    def work(self) -> None:
        """Compiles here what the second process has not begun. Returns when it has the last text, or none."""
        while self._waiting:
            _, number, text = heapq.heappop(self._waiting)
            self.done(number, self.emit(text))
            self._feed()

    def finish(self) -> None:
        """Returns when all texts are compiled."""
        self.work()
        while self._given:
            self._take()

    def _feed(self) -> None:
        try:
            while self.second is not None and self._given and self.second.ready():
                self._take()
            while self.second is not None and self._waiting and len(self._given) < self._places():
                _, number, text = heapq.heappop(self._waiting)
                self._given.append((number, text))
                self.second.give(self.job(text))
        except (OSError, EOFError):
            self._lost()

    def _places(self) -> int:
        return 2 if len(self._waiting) > MANY_TEXTS else 1

    def _take(self) -> None:
        assert self.second is not None
        number, text = self._given[0]
        try:
            code = self.second.take()
        except (OSError, EOFError):
            self._lost()
            return
        self._given.popleft()
        self.done(number, code or self.emit(text))

    def _lost(self) -> None:
        """Compiles here what the second process was given."""
        self.second = None
        while self._given:
            number, text = self._given.popleft()
            self.done(number, self.emit(text))


# ---- jobs --------------------------------------------------------------------------------------------------

_emitters: dict[tuple[int, bool, bytes], Emitter] = {}


def encode_job(text: str, level: int, contract: Contract, verify: bool) -> bytes:
    return pickle.dumps((text, level, verify, contract.digest))


def do_job(job: bytes) -> bytes:
    """The object of the text; empty if this process has another contract than the one that gave the job."""
    from vernis.native.optimise import Emitter

    text, level, verify, digest = pickle.loads(job)
    emitter = _emitters.get((level, verify, digest))
    if emitter is None:
        contract = load_contract()
        if contract.digest != digest:
            return b""
        emitter = _emitters[level, verify, digest] = Emitter(level, contract, Stages(), verify)
    return emitter.object_code(text)
