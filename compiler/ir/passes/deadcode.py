"""Dead code elimination. Turns branches on constants into jumps, removes unreachable blocks, merges a block
that has one predecessor into it, and removes unused values whose ops have no effect."""

from __future__ import annotations

from collections import Counter

from vernis.ir import ir
from vernis.ir.facts import all_facts, ops_of, use_counts, ways_in
from vernis.ir.flow import defined, pruned, uses
from vernis.ir.ir import Type
from vernis.ir.passes.subjects import plain_subject

#: Some values of these types have no text form.
_FAIL_AS_TEXT = (Type.INT, Type.BYTES, Type.REAL, Type.DURATION, Type.TIME)


def remove_dead_blocks(module: ir.Module, function: ir.Function) -> ir.Function:
    if len(function.blocks) == 1:
        return function
    known = {
        op.dst: bool(op.value)
        for block in function.blocks
        for op in (block.ops if block.facts is None else block.facts.consts)  # most are soon replaced
        if type(op) is ir.Const and op.type is Type.BOOL
    }
    decided = {
        number: ir.Jump(op.then if known.get(op.cond, True) else op.other, op.site)
        for number, block in enumerate(function.blocks)
        if type(op := block.ops[-1]) is ir.Branch and (op.then == op.other or op.cond in known)
    }
    if decided:
        blocks = [
            ir.Block([*block.ops[:-1], decided[number]]) if number in decided else block
            for number, block in enumerate(function.blocks)
        ]
        function = ir.Function(function.name, function.types, function.slots, blocks)
    return _merged(pruned(function))


def _merged(function: ir.Function) -> ir.Function:
    ways = ways_in(function)
    ways[0] += 1
    gone: set[int] = set()
    blocks = list(function.blocks)
    for number in range(len(blocks)):
        last = blocks[number].ops[-1]
        if number in gone or type(last) is not ir.Jump or ways[last.target] != 1:
            continue
        ops = list(blocks[number].ops)
        n_ops = len(ops)
        while isinstance(last := ops[-1], ir.Jump) and ways[last.target] == 1 and last.target != number:
            ops[-1:] = blocks[last.target].ops
            gone.add(last.target)
            blocks[last.target] = ir.Block([ir.Jump(last.target, last.site)])  # unreachable from here on
        if len(ops) != n_ops or ops[-1] is not blocks[number].ops[-1]:
            blocks[number] = ir.Block(ops)
    return pruned(ir.Function(function.name, function.types, function.slots, blocks)) if gone else function


def remove_dead_values(module: ir.Module, function: ir.Function) -> ir.Function:
    loaded = {op.slot for op in ops_of(function, ir.Load)} if function.slots else set()
    used = use_counts(function)
    dead: set[int] = set()  # ids of ops
    work = [
        op
        for block, facts in zip(function.blocks, all_facts(function), strict=True)
        if ir.Store in facts.kinds or not used.keys() >= facts.defined
        for op in block.ops
        if _is_unused(module, function, op, used, loaded)
    ]
    if not work:
        return function
    made_by = {dst: op for block in function.blocks for op in block.ops if (dst := defined(op)) is not None}
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
    blocks = [_without(block, dead) for block in function.blocks]
    return ir.Function(function.name, function.types, function.slots, blocks)


def _without(block: ir.Block, dead: set[int]) -> ir.Block:
    kept = [op for op in block.ops if id(op) not in dead]
    return block if len(kept) == len(block.ops) else ir.Block(kept)


def _is_unused(
    module: ir.Module, function: ir.Function, op: ir.Op, used: Counter[ir.Value], loaded: set[int]
) -> bool:
    if isinstance(op, ir.Store):
        return op.slot not in loaded
    dst = defined(op)
    return dst is not None and used[dst] == 0 and _has_no_effect(module, function, op)


def _has_no_effect(module: ir.Module, function: ir.Function, op: ir.Op) -> bool:
    """Whether the op can be dropped. Failing and writing to the log are effects."""
    match op:
        case ir.Const() | ir.Ref() | ir.CompareOp() | ir.NotOp() | ir.Concat() | ir.HeaderGet() | ir.Load():
            return True
        case ir.Convert():
            return not (op.type is Type.STRING and function.types[op.a] in _FAIL_AS_TEXT)
        case ir.Arith():
            return op.type in (Type.INT, Type.BYTES) and op.op in ("+", "-", "*") and not op.checked
        case ir.AclMatch():
            return not module.acls[op.acl].log
        case ir.Call():
            return op.extern.pure and not op.extern.may_fail or plain_subject(op) is not None
        case _:
            return False
