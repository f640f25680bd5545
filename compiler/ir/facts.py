"""Facts about a block that several passes ask for, found once.

Blocks outlive passes that do not change them, and even compiles (fragments.py). So most passes look at the
facts of a block and skip its ops. They also have what passes and native/numbers.py made of the block, for
the next compile. The ops of a block that has facts never change; the verifier of the tests checks this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from vernis.ir import ir
from vernis.ir.roles import used, with_role


@dataclass(slots=True)
class Facts:
    """``kinds`` are the classes of the ops. ``uses`` are the values that they use, in order; ``foreign``
    those that other blocks define. ``targets`` are those of the last op. ``derived`` is the block that
    passes/pattern_sets.py has made of this one, with its other inputs. ``test`` is the test that it has
    found, with the text of the pattern. ``row`` is the row that passes/rows.py has made of it, with the
    statement before it. ``moved`` is the block with other targets (``flow.pruned``). ``numbered`` is what
    native/numbers.py has made of the chunk that begins with the block."""

    kinds: frozenset[type]
    uses: tuple[ir.Value, ...]
    defined: frozenset[ir.Value]
    foreign: frozenset[ir.Value]
    consts: tuple[ir.Const, ...]
    targets: tuple[ir.BlockId, ...]
    derived: tuple[tuple[int, ...], ir.Block] | None = field(default=None, compare=False)
    test: tuple[bytes, Any] | None = field(default=None, compare=False)
    row: tuple[int, ir.Row | None] | None = field(default=None, compare=False)
    moved: tuple[tuple[ir.BlockId, ...], ir.Block] | None = field(default=None, compare=False)
    numbered: object = field(default=None, compare=False)


def facts_of(block: ir.Block) -> Facts:
    found: Facts | None = block.facts
    if found is None:
        found = block.facts = make_facts(block)
    return found


def kept_block(ops: list[ir.Op]) -> ir.Block:
    """A block for several compiles. It has facts from the start, since those without are not kept."""
    block = ir.Block(ops)
    block.facts = make_facts(block)
    return block


def all_facts(function: ir.Function) -> list[Facts]:
    return [block.facts or facts_of(block) for block in function.blocks]


def make_facts(block: ir.Block) -> Facts:
    """One walk over the ops, because a compile makes the facts of thousands of blocks."""
    ops = block.ops
    rows, makers, const = USES, _MAKERS, ir.Const
    uses: list[ir.Value] = []
    made: list[ir.Value | None] = []
    consts: list[ir.Const] = []
    for op in ops:
        kind = type(op)
        if kind is const:
            consts.append(op)  # type: ignore[arg-type]
        elif kind in rows:
            uses += rows[kind](op)
        if kind in makers:
            made.append(op.dst)  # type: ignore[union-attr]
    defined = frozenset([value for value in made if value is not None])
    targets = targets_at(ops)
    foreign = frozenset(uses) - defined
    return Facts(frozenset(map(type, ops)), tuple(uses), defined, foreign, tuple(consts), targets)


def blocks_with(function: ir.Function, *kinds: type) -> list[tuple[ir.BlockId, ir.Block]]:
    """The blocks that have an op of one of the classes, with their numbers."""
    wanted = frozenset(kinds)
    blocks = function.blocks
    return [
        (number, blocks[number])
        for number, facts in enumerate(all_facts(function))
        if not wanted.isdisjoint(facts.kinds)
    ]


def ops_of(function: ir.Function, *kinds: type) -> list[Any]:
    """The ops of these classes, in order. Finds no facts, because the first pass replaces many blocks."""
    if len(kinds) == 1:  # nearly all calls; a set would take twice as long
        (kind,) = kinds
        return [
            op
            for block in function.blocks
            if block.facts is None or kind in block.facts.kinds
            for op in block.ops
            if type(op) is kind
        ]
    wanted = frozenset(kinds)
    return [
        op
        for block in function.blocks
        if block.facts is None or not wanted.isdisjoint(block.facts.kinds)
        for op in block.ops
        if type(op) in wanted
    ]


def constants(function: ir.Function) -> Iterator[ir.Const]:
    return chain.from_iterable([facts.consts for facts in all_facts(function)])


def use_counts(function: ir.Function) -> Counter[ir.Value]:
    return Counter(chain.from_iterable([facts.uses for facts in all_facts(function)]))


def all_targets(function: ir.Function) -> list[tuple[ir.BlockId, ...]]:
    """The targets of each block. Finds no facts, because the first passes replace many blocks."""
    return [
        facts.targets if (facts := block.facts) is not None else targets_at(block.ops)
        for block in function.blocks
    ]


def targets_at(ops: list[ir.Op]) -> tuple[ir.BlockId, ...]:
    """The targets of the last op."""
    last = ops[-1] if ops else None
    return TARGETS[type(last)](last) if type(last) in TARGETS else ()


def ways_in(function: ir.Function) -> Counter[ir.BlockId]:
    """How many jumps lead to each block."""
    return Counter(chain.from_iterable(all_targets(function)))


# Tables by class are faster than ``match``.
USES = used("Value", "Values")
TARGETS = used("BlockId", "BlockIds")
_MAKERS = frozenset(kind for kind in ir.OPS if with_role(kind, "Made", "MadeIfAny"))
