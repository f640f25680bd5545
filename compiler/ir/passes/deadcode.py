"""Dead code elimination. Turns branches on constants into jumps, removes unreachable blocks, merges a block
that has one predecessor into it, and removes unused values whose ops have no effect."""

from __future__ import annotations

from collections import Counter

from vernis.ir import ir
from vernis.ir.flow import pruned, targets, use_counts, uses
from vernis.ir.ir import Type

#: Some values of these types have no text form.
_FAIL_AS_TEXT = (Type.INT, Type.BYTES, Type.REAL, Type.DURATION, Type.TIME)


def remove_dead_blocks(module: ir.Module, function: ir.Function) -> ir.Function:
    if len(function.blocks) == 1:
        return function
    known = {
        op.dst: bool(op.value)
        for block in function.blocks
        for op in block.ops
        if isinstance(op, ir.Const) and op.type is Type.BOOL
    }
    decided = [_decided(block.ops[-1], known) for block in function.blocks]
    if any(new is not block.ops[-1] for new, block in zip(decided, function.blocks, strict=True)):
        blocks = [
            ir.Block([*block.ops[:-1], last]) for block, last in zip(function.blocks, decided, strict=True)
        ]
        function = ir.Function(function.name, function.types, function.slots, blocks)
    return _merged(pruned(function))


def _decided(op: ir.Op, known: dict[ir.Value, bool]) -> ir.Op:
    if isinstance(op, ir.Branch) and (op.cond in known or op.then == op.other):
        return ir.Jump(op.then if known.get(op.cond, True) else op.other, op.site)
    return op


def _merged(function: ir.Function) -> ir.Function:
    ways_in: Counter[int] = Counter(target for block in function.blocks for target in targets(block.ops[-1]))
    ways_in[0] += 1
    gone: set[int] = set()
    blocks = list(function.blocks)
    for number in range(len(blocks)):
        if number in gone:
            continue
        if not isinstance(blocks[number].ops[-1], ir.Jump):
            continue
        ops = list(blocks[number].ops)
        while isinstance(last := ops[-1], ir.Jump) and ways_in[last.target] == 1 and last.target != number:
            ops[-1:] = blocks[last.target].ops
            gone.add(last.target)
            blocks[last.target] = ir.Block([ir.Jump(last.target, last.site)])  # unreachable from here on
        blocks[number] = ir.Block(ops)
    return pruned(ir.Function(function.name, function.types, function.slots, blocks)) if gone else function


def remove_dead_values(module: ir.Module, function: ir.Function) -> ir.Function:
    loaded = (
        {op.slot for block in function.blocks for op in block.ops if isinstance(op, ir.Load)}
        if function.slots
        else set()
    )
    used = use_counts(function)
    dead: set[int] = set()  # ids of ops
    made_by: dict[ir.Value, ir.Op] = {}
    work: list[ir.Op] = []
    for block in function.blocks:
        for op in block.ops:
            dst = getattr(op, "dst", None)
            if dst is not None:
                made_by[dst] = op
            if (dst is None or used[dst] == 0) and _is_unused(module, function, op, used, loaded):
                work.append(op)
    while work:
        op = work.pop()
        if id(op) in dead:
            continue
        dead.add(id(op))
        for value in uses(op):
            used[value] -= 1
            maker = made_by[value]
            if _is_unused(module, function, maker, used, loaded):
                work.append(maker)
    if not dead:
        return function
    blocks = [ir.Block([op for op in block.ops if id(op) not in dead]) for block in function.blocks]
    return ir.Function(function.name, function.types, function.slots, blocks)


def _is_unused(
    module: ir.Module, function: ir.Function, op: ir.Op, used: Counter[ir.Value], loaded: set[int]
) -> bool:
    if isinstance(op, ir.Store):
        return op.slot not in loaded
    dst = getattr(op, "dst", None)
    return dst is not None and used[dst] == 0 and _has_no_effect(module, function, op)


def _has_no_effect(module: ir.Module, function: ir.Function, op: ir.Op) -> bool:
    """Whether the op can be dropped. Failing and writing to the log are effects."""
    match op:
        case ir.Const() | ir.Ref() | ir.CompareOp() | ir.NotOp() | ir.Concat() | ir.HeaderGet() | ir.Load():
            return True
        case ir.Convert():
            return not (op.type is Type.STRING and function.types[op.a] in _FAIL_AS_TEXT)
        case ir.Arith():
            return op.type in (Type.INT, Type.BYTES) and op.op in ("+", "-", "*")
        case ir.AclMatch():
            return not module.acls[op.acl].log
        case ir.Call():
            return op.extern.pure and not op.extern.may_fail
        case _:
            return False
