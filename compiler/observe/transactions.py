"""Joins records to transactions, and transactions to groups: a request with its fetches and includes, or a
whole session. The rules are those of vsl-query(7), also for the VSL records added for missing parts, so that
this output equals that of the stock tools.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, IntEnum

from vernis.observe import tags
from vernis.observe.records import BACKEND, CLIENT, Record, VXID_MASK

UNFINISHED_MAX = 1000  # -L: transactions kept; beyond it the oldest is shown incomplete
UNFINISHED_S_MAX = 120.0  # -T
_ADDED_BYTES_MAX = 64


class Grouping(IntEnum):
    RAW, VXID, REQUEST, SESSION = range(4)


class Kind(Enum):
    UNKNOWN, SESSION, REQUEST, FETCH, RAW = "unknown", "sess", "req", "bereq", "raw"


UNKNOWN = "unknown"
_STRUCTURE = frozenset((tags.BEGIN, tags.LINK, tags.END))
_KINDS = {kind.value: kind for kind in Kind}
_LINK = re.compile(rb"\s*(\S{1,15})(?:\s*([+-]?\d{1,20})(?:\s*(\S{1,15}))?)?")


@dataclass(slots=True, eq=False)
class Transaction:
    vxid: int
    kind: Kind = Kind.UNKNOWN
    reason: str = UNKNOWN
    level: int = 0  # 0 in raw grouping, else from 1
    parent_vxid: int = 0
    records: list[Record] = field(default_factory=list)
    # Used only while records arrive:
    began_at: float = 0.0
    parent: Transaction | None = None
    children: list[Transaction] = field(default_factory=list)
    ready_children: int = 0
    scanned: int = 0  # records scanned
    added: int = 0  # VSL records of ours after `scanned`
    begun: bool = False
    ended: bool = False

    @property
    def ready(self) -> bool:
        return self.ended and self.ready_children == len(self.children)


Group = list[Transaction]


@dataclass(slots=True)
class _Link:
    fields: int  # number of fields present
    kind: Kind = Kind.UNKNOWN
    vxid: int = 0
    reason: str = UNKNOWN


def _parse_link(text: bytes) -> _Link:
    found = _LINK.match(text)
    if found is None:
        return _Link(0)
    kind = _KINDS.get(found[1].decode("latin-1"), Kind.UNKNOWN)
    if found[2] is None:
        return _Link(1, kind)
    vxid = int(found[2]) & VXID_MASK
    if found[3] is None:
        return _Link(2, kind, vxid)
    return _Link(3, kind, vxid, found[3].decode("latin-1"))


@dataclass(slots=True)
class Sides:
    """-c, -b, -E: the sides whose transactions are shown."""

    client: bool = False
    backend: bool = False
    includes: bool = False

    @property
    def some(self) -> bool:
        return self.client or self.backend

    def wants(self, transaction: Transaction) -> bool:
        if not self.some or transaction.kind is Kind.RAW:
            return True
        if transaction.kind is Kind.REQUEST:
            return self.client and (transaction.reason != "esi" or self.includes)
        return transaction.kind is Kind.FETCH and self.backend


class Grouper:
    """Takes records in the order of the log and yields complete groups."""

    def __init__(
        self,
        grouping: Grouping,
        sides: Sides | None = None,
        unfinished_max: int = UNFINISHED_MAX,
        unfinished_s_max: float = UNFINISHED_S_MAX,
        clock: Callable[[], float] = time.monotonic,
        untied: Callable[[Record], object] | None = None,  # gets the records of no transaction
    ) -> None:
        self._untied = untied
        self._grouping = grouping
        self._sides = sides or Sides()
        self._max, self._s_max, self._clock = unfinished_max, unfinished_s_max, clock
        self._known: dict[int, Transaction] = {}
        self._incomplete: dict[int, Transaction] = {}  # in order of appearance
        self._ready: list[Transaction] = []

    def feed(self, records: Iterable[Record]) -> Iterator[Group]:
        if self._grouping is Grouping.RAW:
            for record in records:
                yield [Transaction(record.vxid, Kind.RAW, records=[record])]
            return
        now = self._clock()
        self._time_out(now)
        yield from self._emit()
        for record in records:
            self._take(record, now)
            while len(self._known) > self._max and self._incomplete:
                self._force(next(iter(self._incomplete.values())), "store overflow")
                yield from self._emit()
            if self._ready:
                yield from self._emit()

    def flush(self) -> Iterator[Group]:
        """Ends all incomplete transactions and yields their groups."""
        while self._incomplete:
            self._force(next(iter(self._incomplete.values())), "flush")
        yield from self._emit()

    def forget(self) -> None:
        self._known.clear()
        self._incomplete.clear()
        self._ready.clear()

    # ---- records in ----

    def _take(self, record: Record, now: float) -> None:
        vxid = record.owner & VXID_MASK
        if vxid == 0:
            if self._untied is not None:
                self._untied(record)
            return
        transaction = self._known.get(vxid)
        if transaction is None:
            if record.tag != tags.BEGIN or not self._is_candidate(record):
                return
            transaction = self._add(vxid, now)
        transaction.records.append(record)
        if (
            record.tag in _STRUCTURE
            or transaction.ended
            or transaction.scanned != len(transaction.records) - 1
        ):
            self._scan(transaction)
        else:
            transaction.scanned += 1  # the common case

    def _is_candidate(self, record: Record) -> bool:
        """Whether a transaction with this Begin record can be shown."""
        if self._grouping is Grouping.SESSION:
            return True
        if self._grouping is Grouping.VXID:
            if not self._sides.some:
                return True
            if (
                not self._sides.backend
                and record.side != "c"
                or not self._sides.client
                and not record.owner & BACKEND
            ):
                return False
        link = _parse_link(record.text)
        if link.fields != 3 or link.kind in (Kind.UNKNOWN, Kind.SESSION):
            return False
        return self._grouping is not Grouping.VXID or link.reason != "esi" or self._sides.includes

    def _add(self, vxid: int, now: float) -> Transaction:
        transaction = Transaction(vxid, began_at=now)
        self._known[vxid] = self._incomplete[vxid] = transaction
        return transaction

    def _scan(self, transaction: Transaction) -> None:
        records = transaction.records
        while not transaction.ended and transaction.scanned < len(records):
            record = records[transaction.scanned]
            transaction.scanned += 1
            if transaction.added:
                transaction.added -= 1
            tag = record.tag
            if tag == tags.BEGIN:
                if transaction.begun:
                    _complain(transaction, "duplicate begin", record)
                else:
                    self._begin(transaction, record)
                    transaction.begun = True
            elif tag == tags.LINK:
                self._link(transaction, record)
            elif tag == tags.END:
                self._complete(transaction)

    def _begin(self, transaction: Transaction, record: Record) -> None:
        link = _parse_link(record.text)
        if link.fields != 3:
            return _complain(transaction, "parse error", record)
        if link.kind is Kind.UNKNOWN:
            _complain(transaction, "unknown vxid type", record)
        if transaction.kind not in (Kind.UNKNOWN, link.kind):
            _complain(transaction, "type mismatch", record)
        transaction.kind, transaction.reason = link.kind, link.reason
        if link.vxid == 0:
            return None
        if link.vxid == transaction.vxid:
            return _complain(transaction, "link to self", record)
        if self._grouping is Grouping.VXID or self._stands_alone(transaction):
            return None
        if transaction.parent is not None:
            return (
                None
                if transaction.parent.vxid == link.vxid
                else _complain(transaction, "link mismatch", record)
            )
        parent = self._known.get(link.vxid) or self._add(link.vxid, transaction.began_at)
        if parent.ended:
            return _complain(transaction, "link too late", record)
        return _adopt(parent, transaction)

    def _stands_alone(self, transaction: Transaction) -> bool:
        return (
            self._grouping is Grouping.REQUEST
            and transaction.kind is Kind.REQUEST
            and transaction.reason == "rxreq"
        )

    def _link(self, transaction: Transaction, record: Record) -> None:
        link = _parse_link(record.text)
        if link.fields != 3:
            return _complain(transaction, "parse error", record)
        if link.kind is Kind.UNKNOWN:
            _complain(transaction, "unknown vxid type", record)
        if (
            self._grouping is Grouping.VXID
            or self._grouping is Grouping.REQUEST
            and transaction.kind is Kind.SESSION
        ):
            return None
        if link.vxid == 0:
            return _complain(transaction, "illegal link vxid", record)
        if link.vxid == transaction.vxid:
            return _complain(transaction, "link to self", record)
        child = self._known.get(link.vxid)
        if child is None:
            child = self._add(link.vxid, transaction.began_at)
        elif child.parent is transaction:
            return None
        elif child.parent is not None:
            return _complain(transaction, "duplicate link", record)
        elif child.ended:
            return _complain(transaction, "link too late", record)
        elif child.kind not in (Kind.UNKNOWN, link.kind):
            _complain(transaction, "type mismatch", record)
        child.kind, child.reason = link.kind, link.reason
        return _adopt(transaction, child)

    # ---- groups out ----

    def _complete(self, transaction: Transaction) -> None:
        if transaction.kind is Kind.UNKNOWN:
            _complain(transaction, "vtx of unknown type marked complete")
        transaction.ended = True
        del self._incomplete[transaction.vxid]
        top = transaction
        while top.ready:
            if top.parent is None:
                self._ready.append(top)
                return
            top = top.parent
            top.ready_children += 1

    def _force(self, transaction: Transaction, reason: str) -> None:
        if not transaction.begun:
            _add_record(transaction, tags.BEGIN, f"{transaction.kind.value} 0 synth")
        _complain(transaction, reason)
        _add_record(transaction, tags.END, "synth")
        self._scan(transaction)

    def _time_out(self, now: float) -> None:
        while self._incomplete:
            oldest = next(iter(self._incomplete.values()))
            if now - oldest.began_at < self._s_max:
                return
            self._force(oldest, "timeout")

    def _emit(self) -> Iterator[Group]:
        while self._ready:
            top = self._ready.pop(0)
            group = _flat(top)
            for transaction in group:
                self._known.pop(transaction.vxid, None)
            if self._grouping is Grouping.SESSION and top.kind is not Kind.SESSION:
                continue
            if self._grouping is Grouping.REQUEST and top.kind is not Kind.REQUEST:
                continue
            yield group


def _adopt(parent: Transaction, child: Transaction) -> None:
    """Links the child. Leaves out a link that closes a circle (in a damaged log), because such a group would
    never be ready."""
    above: Transaction | None = parent
    while above is not None:
        if above is child:
            return _complain(parent, "circular link")
        above = above.parent
    child.parent = parent
    parent.children.append(child)
    return None


def _flat(top: Transaction) -> Group:
    """The transactions of a group, level by level. A restart has the level of its request."""
    top.level, top.parent_vxid = 1, 0
    group = [top]
    for transaction in group:
        for child in transaction.children:
            child.level = transaction.level + (child.reason != "restart")
            child.parent_vxid = transaction.vxid
            group.append(child)
    return group


def _add_record(transaction: Transaction, tag: int, text: str) -> None:
    """Inserts a record of ours after the scanned records and after earlier inserted ones."""
    side = {Kind.REQUEST: CLIENT, Kind.FETCH: BACKEND}.get(transaction.kind, 0)
    data = text.encode("utf-8", "surrogateescape")[: _ADDED_BYTES_MAX - 1] + b"\0"
    transaction.records.insert(
        transaction.scanned + transaction.added, Record(tag, side | transaction.vxid, data)
    )
    transaction.added += 1


def _complain(transaction: Transaction, reason: str, record: Record | None = None) -> None:
    if record is not None:
        text = record.text.decode("utf-8", "surrogateescape")
        reason = f'{reason} ({record.vxid}:{tags.name_of(record.tag)} "{text}")'
    _add_record(transaction, tags.VSL, reason)
