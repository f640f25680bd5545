"""The log ring: follows the records of a worker in its shared memory.

The ring has 8 parts of equal size. A counter tells the part that the writer is in; a reader that is 6 parts
behind can no longer trust its data. The writer writes word 0 of a record last, so all records before an end
mark are complete. After each copy the reader checks that the writer has not overtaken it. A failure of this
scheme is an overrun; it never shows half a record.
"""

from __future__ import annotations

from enum import Enum

from vernis.observe import tags
from vernis.observe.records import Record, head_words, parse, words_of
from vernis.observe.vsm import Mapping

PARTS = 8
_HEAD_BYTES = 88
_MAGICS = {b"VSLHEAD1": False, b"VSLHEAD2": True}  # the later form of records: records.py
_PART_WORDS, _COUNTER, _OFFSETS = 8, 16, 24  # byte offsets in the head
_COUNTER_MASK = 0xFFFFFFFF
_NO_OFFSET = (1 << 64) - 1
_MARKS = tags.RESERVED << 24
_END = _MARKS | 0x454545
_WRAP = _MARKS | 0x575757
_READ_WORDS = 16 << 10  # words copied per read


class RingError(Exception):
    """The segment is not a log."""


class State(Enum):
    MORE = "records were read"
    IDLE = "nothing new"
    OVERRUN = "the writer has come round"


class Ring:
    """A position in the log. ``tail`` starts after the last record, otherwise the ring starts at the oldest
    records that are safe to read."""

    def __init__(self, mapping: Mapping, tail: bool) -> None:
        memory = mapping.memory
        later = _MAGICS.get(bytes(memory[:8]))
        if len(memory) < _HEAD_BYTES + 4 * PARTS or later is None:
            raise RingError("the segment is not a log")
        self._later = later
        self._head = memory[:_HEAD_BYTES].cast("I")
        self._part = int.from_bytes(memory[_PART_WORDS : _PART_WORDS + 8], "little")
        self._limit = self._part * PARTS
        if not 0 < self._limit <= (len(memory) - _HEAD_BYTES) // 4:
            raise RingError("the head of the log makes no sense")
        self._memory = memory[_HEAD_BYTES : _HEAD_BYTES + 4 * self._limit]
        self._words = self._memory.cast("I")
        self._at = self._number = 0
        self.state = State.IDLE
        self._start(tail)

    def read(self) -> list[Record]:
        """The new records, a bounded number of them. ``state`` tells the reason if the list is empty."""
        self.state = State.OVERRUN
        if self._behind() >= PARTS - 2:
            return []
        end = self._extent()
        if end < 0:
            return []
        if end == self._at:
            self.state = State.IDLE
            return []
        copy = bytes(self._memory[4 * self._at : 4 * end])
        self._advance(end)
        if self._behind() >= PARTS - 2:
            return []
        self.state = State.MORE
        return parse(copy, self._later)

    # ---- position ----

    def _counter(self) -> int:
        return self._head[_COUNTER // 4]

    def _offset(self, part: int) -> int:
        """Offset of the first record of a part; -1 if the part is empty."""
        at = _OFFSETS // 4 + 2 * part
        value = self._head[at] | self._head[at + 1] << 32
        return -1 if value == _NO_OFFSET or value >= self._limit else value

    def _behind(self) -> int:
        return (self._counter() - self._number) & _COUNTER_MASK

    def _advance(self, at: int) -> None:
        self._at = at
        while at // self._part > self._number % PARTS:
            self._number += 1

    def _wrap(self) -> None:
        self._at = 0
        self._number = (self._number + -self._number % PARTS) & _COUNTER_MASK

    def _start(self, tail: bool) -> None:
        counter = self._counter()
        self._number = counter if tail else (counter - (PARTS - 3)) & _COUNTER_MASK
        while (offset := self._offset(self._number % PARTS)) < 0:
            if self._number % PARTS == 0 or self._number == counter:
                raise RingError("the head of the log makes no sense")
            self._number += 1
        self._at = offset
        if tail:
            self._skip_all()

    def _skip_all(self) -> None:
        while self._behind() <= 1 and (end := self._extent()) > self._at:
            self._advance(end)

    def _extent(self) -> int:
        """End of the records from the current position, or of a bounded part of them. -1 if the position
        holds no record."""
        words, limit = self._words, self._limit
        at = self._at
        if words[at] == _WRAP:
            if at == 0:
                return -1
            self._wrap()
            at = 0
        stop = min(at + _READ_WORDS, limit - 1)
        head = head_words(self._later)
        while at < stop:
            word = words[at]
            if word >= _MARKS:
                if word == _END or word == _WRAP:
                    return at
                if word >> 24 != tags.BATCH:
                    return -1
                at += head + words_of(words[at + 1])
            elif word >> 24 == 0:
                return -1
            else:
                at += head + ((word & 0xFFFF) + 3 >> 2)
        return at if at < limit else -1
