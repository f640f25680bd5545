"""Forwards slots within a block. A load after a store or load of the same slot becomes that value. A store is
removed if another store follows before any load. Slots belong to their function, so no call can change
them."""

from __future__ import annotations

from vernis.ir import ir
from vernis.ir.facts import blocks_with
from vernis.ir.flow import with_values


def forward_slots(module: ir.Module, function: ir.Function) -> ir.Function:
    if not function.slots:
        return function
    same: dict[ir.Value, ir.Value] = {}
    blocks = list(function.blocks)
    changed = False
    for number, block in blocks_with(function, ir.Load, ir.Store):
        ops = _without_overwritten(_forwarded(block.ops, same))
        if len(ops) != len(block.ops):  # both steps only remove ops
            blocks[number], changed = ir.Block(ops), True
    if not changed:
        return function
    if same:
        blocks = with_values(blocks, same)
    return ir.Function(function.name, function.types, function.slots, blocks)


def _forwarded(ops: list[ir.Op], same: dict[ir.Value, ir.Value]) -> list[ir.Op]:
    """Removes loads whose value is known, and enters the value in ``same``, where an entry never leads to
    another entry."""
    holds: dict[int, ir.Value] = {}
    result: list[ir.Op] = []
    for op in ops:
        match op:
            case ir.Store():
                holds[op.slot] = same.get(op.a, op.a)
                result.append(op)
            case ir.Load() if op.slot in holds:
                same[op.dst] = holds[op.slot]
            case ir.Load():
                holds[op.slot] = op.dst
                result.append(op)
            case _:
                result.append(op)
    return result


def _without_overwritten(ops: list[ir.Op]) -> list[ir.Op]:
    overwritten: set[int] = set()
    kept: list[ir.Op] = []
    for op in reversed(ops):
        match op:
            case ir.Store():
                if op.slot in overwritten:
                    continue
                overwritten.add(op.slot)
            case ir.Load():
                overwritten.discard(op.slot)
            case _:
                pass
        kept.append(op)
    return kept[::-1]
