"""Constant folding: an op whose operands are all constants becomes a constant. An op that fails stays,
because it must fail at run time."""

from __future__ import annotations

from vernis.ir import ir, values
from vernis.ir.facts import blocks_with, constants
from vernis.ir.ir import Type

_ORDERED = frozenset((Type.INT, Type.BYTES, Type.REAL, Type.DURATION, Type.TIME))
_PLAIN = _ORDERED | {Type.STRING, Type.BOOL}
_FOLDABLE = frozenset((ir.Arith, ir.Convert, ir.CompareOp, ir.NotOp, ir.Concat))


def fold(module: ir.Module, function: ir.Function) -> ir.Function:
    foldable = [number for number, _ in blocks_with(function, *_FOLDABLE)]
    if not foldable:
        return function
    known = {op.dst: op for op in constants(function)}
    blocks: list[ir.Block] | None = None
    changed = bool(known)
    while changed:  # repeat: a block may stand before the blocks that define its operands
        changed = False
        for number in foldable:
            block = (blocks or function.blocks)[number]
            folded = [_folded(function, op, known) if type(op) in _FOLDABLE else op for op in block.ops]
            if any(new is not old for new, old in zip(folded, block.ops, strict=True)):
                blocks = blocks or list(function.blocks)
                blocks[number] = ir.Block(folded)
                changed = True
    return function if blocks is None else ir.Function(function.name, function.types, function.slots, blocks)


def _folded(function: ir.Function, op: ir.Op, known: dict[ir.Value, ir.Const]) -> ir.Op:
    value = _value(function, op, known)
    if value is None:
        return op
    dst: int = getattr(op, "dst")  # noqa: B009 -- each op that is folded has one
    constant = ir.Const(dst, function.types[dst], value, op.site)
    known[dst] = constant
    return constant


def _value(function: ir.Function, op: ir.Op, known: dict[ir.Value, ir.Const]) -> ir.ConstValue:
    """The constant result of the op, or None if it is unknown. (No op folds to an unset text.)"""
    match op:
        case ir.Arith() if op.a in known and op.b in known:
            a, b = known[op.a].value, known[op.b].value
            assert isinstance(a, (int, float)) and isinstance(b, (int, float))
            try:
                return values.arith(op.type, op.op, a, b, op.checked)
            except values.Failed:
                return None
        case ir.Convert() if op.a in known and function.types[op.a] in _PLAIN:
            try:
                return values.convert_plain(function.types[op.a], op.type, known[op.a].value)
            except values.Failed:
                return None
        case ir.CompareOp() if op.a in known and op.b in known:
            return _compared(function.types[op.a], op.op, known[op.a].value, known[op.b].value)
        case ir.NotOp() if op.a in known:
            return not known[op.a].value
        case ir.Concat() if all(part in known for part in op.parts):
            return b"".join(part for p in op.parts if isinstance(part := known[p].value, bytes))
        case _:
            return None


def _compared(type: Type, op: str, a: ir.ConstValue, b: ir.ConstValue) -> bool | None:
    if type is Type.STRING:
        assert a is None or isinstance(a, bytes)
        assert b is None or isinstance(b, bytes)
        return values.compare_texts(op, a, b)
    if type in _ORDERED or type is Type.BOOL:
        assert isinstance(a, (int, float)) and isinstance(b, (int, float))
        return values.ordered(op, a, b)
    return None
