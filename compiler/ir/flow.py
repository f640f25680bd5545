"""Values an op defines and uses, its jump targets, and how to renumber them. The passes and the back end
share this. facts.py has the same for whole blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vernis.ir import ir
from vernis.ir.facts import TARGETS, USES, Facts, all_targets, facts_of, targets_at
from vernis.ir.roles import constructors


def defined(op: ir.Op) -> ir.Value | None:
    """The value the op defines, if any."""
    return getattr(op, "dst", None)


def uses(op: ir.Op) -> tuple[ir.Value, ...]:
    row = USES.get(type(op))
    return () if row is None else row(op)


def targets(op: ir.Op) -> tuple[ir.BlockId, ...]:
    row = TARGETS.get(type(op))
    return () if row is None else row(op)


def reachable(
    function: ir.Function, leads_to: list[tuple[ir.BlockId, ...]] | None = None
) -> list[ir.BlockId]:
    """Blocks reached from the entry, in the order of a depth-first walk. ``leads_to`` are the targets of
    each block, if the caller has them."""
    leads_to = all_targets(function) if leads_to is None else leads_to
    seen: set[int] = set()
    order: list[int] = []
    stack = [0]
    while stack:
        number = stack.pop()
        if number in seen:
            continue
        seen.add(number)
        order.append(number)
        stack += leads_to[number][::-1]
    return order


def reverse_postorder(function: ir.Function) -> list[ir.BlockId]:
    """Reachable blocks, each before those that it leads to, unless there is a loop."""
    seen = {0}
    finished: list[int] = []
    stack = [(0, iter(targets(function.blocks[0].ops[-1])))]
    while stack:
        number, rest = stack[-1]
        for target in rest:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(targets(function.blocks[target].ops[-1]))))
                break
        else:
            finished.append(number)
            stack.pop()
    return finished[::-1]


def immediate_dominators(function: ir.Function) -> dict[int, int]:
    """For each reachable block, the last block that every path to it goes through. The entry is its own
    dominator."""
    order = reverse_postorder(function)
    position = {number: place for place, number in enumerate(order)}
    before: dict[int, list[int]] = {number: [] for number in order}
    for number in order:
        for target in targets(function.blocks[number].ops[-1]):
            before[target].append(number)
    dominator: dict[int, int] = {0: 0}
    changed = True
    while changed:
        changed = False
        for number in order[1:]:
            known = [p for p in before[number] if p in dominator]
            common = known[0]
            for other in known[1:]:
                while common != other:
                    if position[common] > position[other]:
                        common = dominator[common]
                    else:
                        other = dominator[other]
            if dominator.get(number) != common:
                dominator[number] = common
                changed = True
    return dominator


def _same(number: int) -> int:
    return number


@dataclass(slots=True, frozen=True)
class Rewriter:
    """Renumbers the values, blocks and slots of ops. ``value`` maps the values an op uses, ``made`` those it
    defines."""

    value: Callable[[ir.Value], ir.Value] = _same
    block: Callable[[ir.BlockId], ir.BlockId] = _same
    made: Callable[[ir.Value], ir.Value] = _same
    slot: Callable[[int], int] = _same

    def op(self, op: ir.Op) -> ir.Op:
        return _REWRITES[type(op)](op, self)


_REWRITES = constructors(
    {
        "Made": "s.made({0})",
        "MadeIfAny": "None if {0} is None else s.made({0})",
        "Value": "s.value({0})",
        "Values": "tuple(map(s.value, {0}))",
        "BlockId": "s.block({0})",
        "BlockIds": "tuple(map(s.block, {0}))",
        "SlotId": "s.slot({0})",
    }
)


def with_values(blocks: list[ir.Block], same: dict[ir.Value, ir.Value]) -> list[ir.Block]:
    """The blocks with each use of a key of ``same`` as a use of its value. Other blocks stay as they are."""
    rewriter = Rewriter(value=lambda value: same.get(value, value))
    return [
        block
        if same.keys().isdisjoint(facts_of(block).uses)
        else ir.Block([rewriter.op(op) for op in block.ops])
        for block in blocks
    ]


def _leads_on(leads_to: list[tuple[ir.BlockId, ...]]) -> bool:
    """Whether an earlier block leads to each block but the first. Then all are reachable, and no walk is
    needed."""
    later = {target for number, targets in enumerate(leads_to) for target in targets if target > number}
    return len(later) == len(leads_to) - 1


def pruned(function: ir.Function, last: bool = False) -> ir.Function:
    """The function without unreachable blocks. Returns the same object if every block is reachable. ``last``:
    no pass replaces the blocks any more, so compiles share them, too."""
    leads_to = all_targets(function)
    if _leads_on(leads_to):
        return function
    keep = sorted(reachable(function, leads_to))
    if len(keep) == len(function.blocks):
        return function
    number_of = {old: new for new, old in enumerate(keep)}
    first = next((new for new, old in enumerate(keep) if new != old), len(keep))  # with another number
    rewriter = Rewriter(block=lambda target: number_of[target])
    blocks = [
        function.blocks[number]
        if max(leads_to[number], default=0) < first
        else _renumbered(function.blocks[number], number_of, rewriter, last)
        for number in keep
    ]
    return ir.Function(function.name, list(function.types), list(function.slots), blocks)


def _renumbered(
    block: ir.Block, number_of: dict[ir.BlockId, ir.BlockId], rewriter: Rewriter, last: bool
) -> ir.Block:
    """The block with other numbers of its targets. Compiles share it, as long as both are the same, if the
    block is kept: then it has facts."""
    facts: Facts | None = facts_of(block) if last else block.facts
    before = targets_at(block.ops) if facts is None else facts.targets
    targets = tuple([number_of[target] for target in before])
    if targets == before:
        return block
    if facts is None:
        return ir.Block([*block.ops[:-1], rewriter.op(block.ops[-1])])
    if facts.moved is None or facts.moved[0] != targets:
        facts.moved = targets, ir.Block([*block.ops[:-1], rewriter.op(block.ops[-1])])
    return facts.moved[1]


def has_loop(function: ir.Function) -> bool:
    """Whether the blocks form a loop. The language has no loops; passes that rely on it check here."""
    state: dict[int, bool] = {0: True}  # True while the block is on the current path
    stack = [(0, iter(facts_of(function.blocks[0]).targets))]
    while stack:
        number, rest = stack[-1]
        target = next(rest, None)
        if target is None:
            state[number] = False
            stack.pop()
        elif state.get(target):
            return True
        elif target not in state:
            state[target] = True
            stack.append((target, iter(facts_of(function.blocks[target]).targets)))
    return False
