"""Bodies of tests as rows: data that the runtime executes, so that thousands of bodies need no code.

The body of most rules counts its rule, sets fields to constant texts or removes fields, and goes on at the
next test, or returns. Such a body becomes a row of its chain (pattern_sets.py). The runtime executes it and
looks for the next test, without a way through compiled code. So a row that goes on must not change the
subjects of its chain, which compiled code gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vernis.ir import ir
from vernis.ir.facts import all_facts, facts_of
from vernis.ir.passes.once import APART
from vernis.ir.passes.subjects import Subject, View

#: The contract has the number of a name, and the length of a text, in two bytes.
NUMBER_MAX = 65535

_ROW_OPS = frozenset(
    (ir.Const, ir.Count, ir.SiteMark, ir.HeaderSet, ir.HeaderUnset, ir.Jump, ir.ReturnAction)
)


@dataclass(slots=True)
class RowMaker:
    """Makes the rows of one function. ``crossing`` are the values of blocks that other blocks use.
    ``endings`` are the blocks that do nothing but return an action."""

    function: ir.Function
    crossing: frozenset[ir.Value] = field(init=False)
    endings: dict[ir.Action, ir.BlockId] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.crossing = frozenset().union(*[facts.foreign for facts in all_facts(self.function)])

    def bodies(
        self,
        tests: Sequence[tuple[ir.BlockId, int]],
        places: Mapping[ir.BlockId, int],
        subjects: Sequence[Subject],
    ) -> tuple[tuple[ir.Row | int, ...], list[ir.BlockId]]:
        """Rows and exits of a chain, and the blocks that its exits lead to. ``tests`` are body and statement
        of each test. ``places`` maps a block to the test that the chain goes on at when a body jumps there;
        the number of tests stands for its end."""
        exits: dict[ir.BlockId, int] = {}
        found: list[ir.Row | int] = []
        watched = _fields(subjects)
        for block, site in tests:
            row = self._row(block, site)
            last = self.function.blocks[block].ops[-1]
            place = places.get(last.target) if row is not None and isinstance(last, ir.Jump) else None
            if row is None or place is not None and _changes_any(row, watched):
                found.append(exits.setdefault(block, len(exits)))
            elif place is not None:
                found.append(ir.Row(row.rule, row.changes, row.site, place))
            else:
                way = exits.setdefault(self._way_out(last), len(exits))
                found.append(ir.Row(row.rule, row.changes, row.site, None, way))
        return tuple(found), list(exits)

    def _row(self, number: ir.BlockId, site: int) -> ir.Row | None:
        """The row of a block, without the place where it goes on. ``site`` is the statement that jumps
        there."""
        block = self.function.blocks[number]
        facts = facts_of(block)
        if not facts.kinds <= _ROW_OPS or not facts.defined.isdisjoint(self.crossing):
            return None
        if facts.row is None or facts.row[0] != site:
            facts.row = site, _row_of(block, site)
        return facts.row[1]

    def _way_out(self, last: ir.Op) -> ir.BlockId:
        if isinstance(last, ir.Jump):
            return last.target
        assert isinstance(last, ir.ReturnAction)
        if last.action not in self.endings:
            self.endings[last.action] = len(self.function.blocks)
            self.function.blocks.append(ir.Block([last]))
        return self.endings[last.action]


def _row_of(block: ir.Block, site: int) -> ir.Row | None:
    rule: int | None = None
    texts: dict[ir.Value, bytes | None] = {}
    changes: list[ir.Change] = []
    for op in block.ops[:-1]:
        match op:
            case ir.Count() if rule is None and not changes:
                rule = op.rule
            case ir.SiteMark():
                site = op.site
            case ir.Const() if op.type is ir.Type.STRING and _fits(op.value):
                texts[op.dst] = op.value  # type: ignore[assignment]
            case ir.HeaderSet() if op.value in texts and op.name <= NUMBER_MAX:
                text = texts[op.value]
                kind = "set_unset" if text is None else "set"
                changes.append(ir.Change(kind, op.msg, op.name, text or b"", site))
            case ir.HeaderUnset() if op.name <= NUMBER_MAX:
                changes.append(ir.Change("remove", op.msg, op.name, b"", site))
            case _:
                return None
    return ir.Row(rule, tuple(changes), site, None) if len(changes) <= NUMBER_MAX else None


def _fits(text: ir.ConstValue) -> bool:
    return text is None or isinstance(text, bytes) and len(text) <= NUMBER_MAX


def _changes_any(row: ir.Row, watched: frozenset[int] | None) -> bool:
    """Whether the row may change a subject."""
    if watched is None:
        return bool(row.changes)
    return not watched.isdisjoint([change.name for change in row.changes])


def _fields(subjects: Sequence[Subject]) -> frozenset[int] | None:
    """The names of the fields that subjects depend on; None if one may depend on any. Two messages may be one
    (``req`` and ``req_top``), so only names tell."""
    names: set[int] = set()
    for subject in subjects:
        while isinstance(subject, View):
            subject = subject.of
        if isinstance(subject, tuple):
            names.add(subject[1])
        elif isinstance(subject, str) and subject not in APART:
            return None
    return frozenset(names)
