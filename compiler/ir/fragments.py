"""The code of a statement, kept between compiles.

Lowering numbers values, blocks, slots, sites and rules in the order of the text. So the code of a statement
is a run of each, and it is the same code wherever the statement is, but for the numbers before it. A
:class:`Fragment` has this code and the numbers that it was made with. Lowering a kept statement copies the
code; where the numbers differ, it shifts them. semantics/pieces.py decides which statements are kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from vernis.ir import ir
from vernis.ir.builder import FunctionBuilder
from vernis.ir.facts import facts_of, kept_block
from vernis.ir.flow import targets, uses
from vernis.ir.ir import Type
from vernis.ir.lower_values import Values
from vernis.ir.roles import constructors, with_role
from vernis.semantics import pieces, typed
from vernis.syntax.tokens import TokenTable


class Base(NamedTuple):
    """How many of each a module and a function have in front of a statement."""

    values: int
    blocks: int
    slots: int
    sites: int
    rules: int


class Indices(NamedTuple):
    """Indices of the header names and patterns of a statement, each in the order of first use."""

    names: tuple[int, ...]
    regexes: tuple[int, ...]


class Mark(NamedTuple):
    base: Base
    names: int  # heard so far
    block: ir.BlockId
    ops: int  # in that block


@dataclass(slots=True)
class Lowered:
    """A statement between two marks of a function."""

    noted: pieces.Noted
    function: ir.Function
    module: ir.Module
    begin: Mark
    end: Mark
    site: int  # of the code behind the statement
    names: list[str]  # in order of use, as written
    numbers: dict[str, int]  # of the names


@dataclass(slots=True)
class Fragment:
    """``ops`` are added to the block in front of the statement; ``blocks`` follow. Functions share them. The
    next statement goes on in the block ``at``, relative to ``base``, with ``site`` its site. Lines
    are those of a text in which the statement begins at ``line`` and byte ``start``. ``names`` and
    ``regexes`` belong to ``indices``."""

    base: Base
    indices: Indices
    line: int
    start: int
    names: tuple[str, ...]
    regexes: tuple[bytes, ...]
    types: list[Type]
    slots: list[Type]
    ops: list[ir.Op]
    blocks: list[ir.Block]
    at: int
    site: int
    sites: list[ir.Site]
    rules: list[ir.Rule]
    entered: tuple[ir.Block, list[ir.Op], ir.Block] | None = None  # by ``entry``

    def entry(self, before: ir.Block) -> ir.Block:
        """The block ``before`` with ``ops`` behind it. Compiles share it while both are the same, so that the
        facts of the block, and what passes make of it, are found once."""
        known = self.entered
        if known is None or known[0] is not before or known[1] is not self.ops:
            known = self.entered = before, self.ops, kept_block([*before.ops, *self.ops])
        return known[2]


class Recorder:
    """Copies the code of kept statements into a module, and notes where the code of others is. ``shared`` is
    the block behind the last kept statement. It belongs to the fragment."""

    __slots__ = ("module", "numbers", "reuse", "shared", "values")

    def __init__(self, module: ir.Module, values: Values, reuse: pieces.Reuse) -> None:
        self.module = module
        self.values = values
        self.reuse = reuse
        self.shared: ir.Block | None = None
        self.numbers = {pattern: number for number, pattern in enumerate(module.regexes)}

    def noted(self, statement: typed.Statement) -> pieces.Noted | None:
        return self.reuse.notes.get(id(statement))

    def base(self, function: ir.Function) -> Base:
        module = self.module
        return Base(
            len(function.types),
            len(function.blocks),
            len(function.slots),
            len(module.sites),
            len(module.rules),
        )

    def mark(self, code: FunctionBuilder) -> Mark:
        base, heard = self.base(code.function), len(self.values.heard)
        return Mark(base, heard, code.at, len(code.function.blocks[code.at].ops))

    def lowered(self, noted: pieces.Noted, code: FunctionBuilder, begin: Mark) -> None:
        end = self.mark(code)
        names = self.values.heard[begin.names : end.names]
        self.reuse.work.append(
            Lowered(noted, code.function, self.module, begin, end, code.site, names, self.values.names)
        )

    def own(self, code: FunctionBuilder) -> None:
        """Lets code be added to the current block."""
        block = code.function.blocks[code.at]
        if block is self.shared:
            code.function.blocks[code.at] = ir.Block(list(block.ops))

    def replay(self, code: FunctionBuilder, kept: typed.Kept, line: int) -> None:
        """Adds the code of a statement whose first line is ``line``. Call ``own`` before other code is
        added."""
        fragment, function = kept.code, code.function
        assert isinstance(fragment, Fragment)
        module, numbers = self.module, self.numbers
        base = (
            len(function.types),
            len(function.blocks),
            len(function.slots),
            len(module.sites),
            len(module.rules),
        )
        indices = (
            tuple(self.values.all_names(fragment.names)),
            tuple([numbers[pattern] for pattern in fragment.regexes]),
        )
        if base != fragment.base or indices != fragment.indices:
            _renumber(fragment, Base(*base), Indices(*indices))
        if (line, kept.start) != (fragment.line, fragment.start):
            _move(fragment, line, kept.start)
        function.types += fragment.types
        function.slots += fragment.slots
        before = function.blocks[code.at]
        if before is self.shared:
            function.blocks[code.at] = fragment.entry(before)
        else:
            before.ops += fragment.ops
        function.blocks += fragment.blocks
        self.shared = fragment.blocks[fragment.at]
        module.sites += fragment.sites
        module.rules += fragment.rules
        code.at, code.site = fragment.base.blocks + fragment.at, fragment.site


def keep_lowered(reuse: pieces.Reuse) -> None:
    """Makes pieces of the statements of a compile. Call it when the answer is sent."""
    for item in reuse.work:
        assert isinstance(item, Lowered)
        fragment = _fragment(item, reuse)
        if fragment is not None:
            reuse.keep(item.noted, fragment)
    reuse.work.clear()
    reuse.notes.clear()


# ---- a fragment of lowered code ----------------------------------------------------------------------------


def _fragment(item: Lowered, reuse: pieces.Reuse) -> Fragment | None:
    """The code of a statement; None if the code belongs to no other place."""
    base, end, function, module = item.begin.base, item.end.base, item.function, item.module
    ops = function.blocks[item.begin.block].ops[item.begin.ops :]
    blocks = function.blocks[base.blocks : end.blocks]
    last = item.end.block - base.blocks
    if last >= 0:
        # The block behind the statement has ops of the next one.
        blocks[last] = ir.Block(blocks[last].ops[: item.end.ops])
    whole = [*ops, *(op for block in blocks for op in block.ops)]
    sites = module.sites[base.sites : end.sites]
    if last < 0 or not sites or not _stands_alone(whole, item) or any(site.file for site in sites):
        return None
    first_spelled = {name.lower(): name for name in reversed(item.names)}
    names = tuple(first_spelled[key] for key in dict.fromkeys(map(str.lower, item.names)))
    regexes = tuple(dict.fromkeys(number for op in whole if (number := _regex(op)) is not None))
    for block in blocks:
        facts_of(block)
    table = reuse.table
    assert isinstance(table, TokenTable)
    first: int = item.noted.statement.at[0]  # type: ignore[union-attr]
    return Fragment(
        base=base,
        indices=Indices(tuple(item.numbers[name] for name in names), regexes),
        line=table.lines[first],
        start=table.starts[first],
        names=names,
        regexes=tuple(module.regexes[number] for number in regexes),
        types=function.types[base.values : end.values],
        slots=function.slots[base.slots : end.slots],
        ops=ops,
        blocks=blocks,
        at=last,
        site=item.site,
        sites=sites,
        rules=module.rules[base.rules : end.rules],
    )


def _stands_alone(ops: Iterable[ir.Op], item: Lowered) -> bool:
    """Whether the code refers only to values, blocks, slots and sites of its own, and to no declaration."""
    base = item.begin.base
    for op in ops:
        if type(op) not in _MOVED or op.site < base.sites or any(value < base.values for value in uses(op)):
            return False
        if (
            any(target < base.blocks for target in targets(op))
            or getattr(op, "slot", base.slots) < base.slots
        ):
            return False
        if isinstance(op, ir.Ref) and op.type not in (Type.REGEX, Type.HTTP):
            return False
        if isinstance(op, ir.Const) and op.type in (Type.SUB, Type.IP):
            return False  # a number of the policy; an address that may come from a host name
    return True


def _regex(op: ir.Op) -> int | None:
    if isinstance(op, ir.Match):
        return op.regex
    return op.index if isinstance(op, ir.Ref) and op.type is Type.REGEX else None


# ---- another place -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Shift:
    values: int
    blocks: int
    slots: int
    sites: int
    rules: int
    names: dict[int, int]
    regexes: dict[int, int]


def _renumber(fragment: Fragment, base: Base, indices: Indices) -> None:
    old = fragment.base
    by = Base._make(new - before for new, before in zip(base, old))
    shift = _Shift(
        by.values,
        by.blocks,
        by.slots,
        by.sites,
        by.rules,
        dict(zip(fragment.indices.names, indices.names)),
        dict(zip(fragment.indices.regexes, indices.regexes)),
    )
    fragment.ops = [_SHIFTED[type(op)](op, shift) for op in fragment.ops]
    fragment.blocks = [
        kept_block([_SHIFTED[type(op)](op, shift) for op in block.ops]) for block in fragment.blocks
    ]
    fragment.site += shift.sites
    if shift.sites:
        fragment.rules = [
            ir.Rule(
                rule.site + shift.sites, rule.start, rule.length, rule.end_line, rule.end_column, rule.name
            )
            for rule in fragment.rules
        ]
    fragment.base, fragment.indices = base, indices


def _move(fragment: Fragment, line: int, start: int) -> None:
    lines, length = line - fragment.line, start - fragment.start
    if lines:
        fragment.sites = [ir.Site(site.file, site.line + lines, site.column) for site in fragment.sites]
    fragment.rules = [
        ir.Rule(
            rule.site, rule.start + length, rule.length, rule.end_line + lines, rule.end_column, rule.name
        )
        for rule in fragment.rules
    ]
    fragment.line, fragment.start = line, start


#: Roles that name a declaration. A fragment has no op with one.
_NAMING = ("AclId", "InstanceId", "SetId", "PatternId", "ChainId", "SubName")
_MOVED = frozenset(kind for kind in ir.OPS if not with_role(kind, *_NAMING))
_SHIFTED = constructors(
    {
        "Made": "{0} + s.values",
        "MadeIfAny": "None if {0} is None else {0} + s.values",
        "Value": "{0} + s.values",
        "Values": "tuple([value + s.values for value in {0}])",
        "BlockId": "{0} + s.blocks",
        "BlockIds": "tuple([block + s.blocks for block in {0}])",
        "SlotId": "{0} + s.slots",
        "SiteId": "{0} + s.sites",
        "RuleId": "{0} + s.rules",
        "NameId": "s.names[{0}]",
        "RegexId": "s.regexes[{0}]",
        "DeclaredId": f"s.regexes[{{0}}] if o.type.value == {Type.REGEX.value!r} else {{0}}",
    }
)
