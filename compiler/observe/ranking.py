"""Counts the most frequent records of the log, for `vernis top`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from vernis.observe import tags
from vernis.observe.records import Record
from vernis.observe.select import Selection
from vernis.observe.transactions import Group

_FIRST = re.compile(rb"[^: \t\n\v\f\r\0]*")
ENTRIES_MAX = 20_000


@dataclass(slots=True)
class Entry:
    tag: int
    text: bytes
    count: float


class Ranking:
    """Counts of records by tag and text. ``first_field``: count by the first word of a record, or by its
    field name."""

    def __init__(self, selection: Selection, first_field: bool = False) -> None:
        self._selection, self._first_field = selection, first_field
        self._counts: dict[tuple[int, bytes], float] = {}
        self._seconds = 0

    def __len__(self) -> int:
        return len(self._counts)

    def add(self, group: Group) -> None:
        counts, shows = self._counts, self._selection.shows
        for transaction in group:
            for record in transaction.records:
                if record.tag not in tags.FLAGGED and shows(record) and (text := self._key(record)):
                    key = record.tag, text
                    counts[key] = counts.get(key, 0.0) + 1.0

    def _key(self, record: Record) -> bytes:
        if self._first_field:
            found = _FIRST.match(record.data)
            return found[0] if found else b""
        return record.data.split(b"\0", 1)[0]

    def entries(self) -> Iterator[Entry]:
        """Most frequent first. Equal counts are in the order of varnishtop."""
        for (tag, text), count in sorted(self._counts.items(), key=_order):
            yield Entry(tag, text, count)

    def age(self, period_s: int, shown: int) -> None:
        """Called once a second. Turns counts into averages over the period, and drops rare entries."""
        self._seconds = min(self._seconds + 1, max(period_s, 1))
        last = 0.0
        for number, (key, count) in enumerate(sorted(self._counts.items(), key=_order)):
            if number < shown:
                last = count
            aged = count + (1 / 3 - count) / self._seconds
            if aged * 10 < last or number > min(shown * 10, ENTRIES_MAX):
                del self._counts[key]
            else:
                self._counts[key] = aged


def _order(item: tuple[tuple[int, bytes], float]) -> tuple[float, int, int, int, bytes]:
    (tag, text), count = item
    return -count, sum(text), tag, len(text), text


def as_text(ranking: Ranking) -> Iterator[bytes]:
    for entry in ranking.entries():
        yield b"%9.2f %s %s\n" % (entry.count, tags.name_of(entry.tag).encode(), entry.text)
