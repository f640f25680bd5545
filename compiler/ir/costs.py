"""The most that one run of each hook may cost: steps, header fields that it sets, and patterns that it tries.

The language has no loops and no recursion, so the blocks of a function form no cycle, and the cost of the
longest way through them is a sum. Steps are those of ``budget.py``: one is about one operation of the
processor. The canonical code is measured, before any pass makes it cheaper.
"""

from __future__ import annotations

from dataclasses import dataclass

from vernis.ir import ir
from vernis.ir.budget import work_of_op
from vernis.ir.flow import targets


@dataclass(slots=True, frozen=True)
class Cost:
    """The most of each that one run can need."""

    steps: int = 0
    headers: int = 0
    patterns: int = 0


LIMITS = ("steps", "headers", "patterns")


def costs_of(module: ir.Module) -> dict[str, Cost]:
    """The cost of each hook and sub, by key."""
    known: dict[str, Cost] = {}
    for name in module.functions:
        _function(module, name, known, set())
    return known


def _function(module: ir.Module, name: str, known: dict[str, Cost], open_: set[str]) -> Cost:
    """The cost of a function. Subs called as values may call each other: such a cycle has a limit of its own
    at run time, and counts as nothing here."""
    if name in known or name in open_:
        return known.get(name, Cost())
    open_.add(name)
    function = module.functions[name]
    costs: dict[int, Cost] = {}
    for number in reversed(_in_order(function)):
        block = function.blocks[number]
        after = [costs[target] for target in targets(block.ops[-1]) if target in costs]
        costs[number] = _plus(_block(module, block, known, open_), _worst(after))
    open_.discard(name)
    known[name] = costs[0]
    return costs[0]


def _in_order(function: ir.Function) -> list[int]:
    """Reachable blocks, each before those that it leads to."""
    done: list[int] = []
    seen: set[int] = set()
    stack = [(0, iter(targets(function.blocks[0].ops[-1])))]
    seen.add(0)
    while stack:
        number, rest = stack[-1]
        target = next(rest, None)
        if target is None:
            stack.pop()
            done.append(number)
        elif target not in seen:
            seen.add(target)
            stack.append((target, iter(targets(function.blocks[target].ops[-1]))))
    return done[::-1]


def _block(module: ir.Module, block: ir.Block, known: dict[str, Cost], open_: set[str]) -> Cost:
    total = Cost()
    for op in block.ops:
        headers = isinstance(op, ir.HeaderSet)
        pattern = isinstance(op, ir.Match) or isinstance(op, ir.Call) and ir.Type.REGEX in op.extern.params
        total = _plus(total, Cost(work_of_op(op), int(headers), int(pattern)))
        if isinstance(op, ir.CallSub):
            total = _plus(total, _function(module, op.sub, known, open_))
    return total


def _plus(a: Cost, b: Cost) -> Cost:
    return Cost(a.steps + b.steps, a.headers + b.headers, a.patterns + b.patterns)


def _worst(costs: list[Cost]) -> Cost:
    """The largest of each number; they may come from different ways."""
    if not costs:
        return Cost()
    return Cost(max(c.steps for c in costs), max(c.headers for c in costs), max(c.patterns for c in costs))
