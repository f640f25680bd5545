"""Values an op defines and uses, its jump targets, and how to renumber them. The verifier, the passes and the
back end share this."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vernis.ir import ir


def defined(op: ir.Op) -> ir.Value | None:
    """The value the op defines, if any."""
    return getattr(op, "dst", None)


def _none(op: Any) -> tuple[ir.Value, ...]:
    return ()


# Tables by class are faster than ``match``; every pass looks up every op several times.
_USES: dict[type, Callable[[Any], tuple[ir.Value, ...]]] = {
    **dict.fromkeys((ir.Arith, ir.CompareOp), lambda op: (op.a, op.b)),
    **dict.fromkeys((ir.Convert, ir.NotOp, ir.Store, ir.ReturnValue), lambda op: (op.a,)),
    **dict.fromkeys((ir.Call, ir.NewInstance), lambda op: op.args),
    **dict.fromkeys(
        (
            ir.Const,
            ir.Ref,
            ir.HeaderGet,
            ir.HeaderUnset,
            ir.CallSub,
            ir.Load,
            ir.Count,
            ir.SiteMark,
            ir.Jump,
            ir.ReturnAction,
        ),
        _none,
    ),
    ir.Concat: lambda op: op.parts,
    ir.HeaderSet: lambda op: (op.value,),
    **dict.fromkeys((ir.Match, ir.PatternTest), lambda op: (op.subject,)),
    ir.NextMatch: lambda op: (op.start, *op.subjects),
    ir.AclMatch: lambda op: (op.ip,),
    ir.Branch: lambda op: (op.cond,),
    ir.Switch: lambda op: (op.value,),
}


def uses(op: ir.Op) -> tuple[ir.Value, ...]:
    return _USES[type(op)](op)


def uses_of(block: ir.Block) -> list[ir.Value]:
    """The uses of all ops, in order."""
    rows = _USES
    return [value for op in block.ops for value in rows[type(op)](op)]


def use_counts(function: ir.Function) -> Counter[ir.Value]:
    return Counter([value for block in function.blocks for value in uses_of(block)])


def is_terminator(op: ir.Op) -> bool:
    return isinstance(op, (ir.Jump, ir.Branch, ir.Switch, ir.ReturnAction, ir.ReturnValue))


_TARGETS: dict[type, Callable[[Any], tuple[ir.BlockId, ...]]] = {
    ir.Jump: lambda op: (op.target,),
    ir.Branch: lambda op: (op.then, op.other),
    ir.Switch: lambda op: (*op.targets, op.other),
}


def targets(op: ir.Op) -> tuple[ir.BlockId, ...]:
    return _TARGETS.get(type(op), _none)(op)


def reachable(function: ir.Function) -> list[ir.BlockId]:
    """Blocks reached from the entry, in the order of a depth-first walk."""
    seen: set[int] = set()
    order: list[int] = []
    stack = [0]
    while stack:
        number = stack.pop()
        if number in seen:
            continue
        seen.add(number)
        order.append(number)
        stack.extend(reversed(targets(function.blocks[number].ops[-1])))
    return order


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


# The constructors are written out because dataclasses.replace takes five times as long.
_REWRITES: dict[type, Callable[[Any, Rewriter], ir.Op]] = {
    ir.Const: lambda o, r: ir.Const(r.made(o.dst), o.type, o.value, o.site),
    ir.Ref: lambda o, r: ir.Ref(r.made(o.dst), o.type, o.index, o.site),
    ir.Arith: lambda o, r: ir.Arith(r.made(o.dst), o.type, o.op, r.value(o.a), r.value(o.b), o.site),
    ir.Convert: lambda o, r: ir.Convert(r.made(o.dst), o.type, r.value(o.a), o.site),
    ir.CompareOp: lambda o, r: ir.CompareOp(r.made(o.dst), o.op, r.value(o.a), r.value(o.b), o.site),
    ir.NotOp: lambda o, r: ir.NotOp(r.made(o.dst), r.value(o.a), o.site),
    ir.Concat: lambda o, r: ir.Concat(r.made(o.dst), tuple(map(r.value, o.parts)), o.site),
    ir.HeaderGet: lambda o, r: ir.HeaderGet(r.made(o.dst), o.msg, o.name, o.site),
    ir.HeaderSet: lambda o, r: ir.HeaderSet(o.msg, o.name, r.value(o.value), o.site),
    ir.HeaderUnset: lambda o, r: o,
    ir.Match: lambda o, r: ir.Match(r.made(o.dst), o.regex, r.value(o.subject), o.site),
    ir.PatternTest: lambda o, r: ir.PatternTest(r.made(o.dst), o.set, o.pattern, r.value(o.subject), o.site),
    ir.NextMatch: lambda o, r: ir.NextMatch(
        r.made(o.dst), o.chain, r.value(o.start), tuple(map(r.value, o.subjects)), o.site
    ),
    ir.AclMatch: lambda o, r: ir.AclMatch(r.made(o.dst), o.acl, r.value(o.ip), o.site),
    ir.Call: lambda o, r: ir.Call(
        None if o.dst is None else r.made(o.dst), o.extern, tuple(map(r.value, o.args)), o.site, o.given
    ),
    ir.CallSub: lambda o, r: ir.CallSub(r.made(o.dst), o.sub, o.site),
    ir.NewInstance: lambda o, r: ir.NewInstance(
        o.instance, o.extern, tuple(map(r.value, o.args)), o.site, o.given
    ),
    ir.Load: lambda o, r: ir.Load(r.made(o.dst), r.slot(o.slot), o.site),
    ir.Store: lambda o, r: ir.Store(r.slot(o.slot), r.value(o.a), o.site),
    ir.Count: lambda o, r: o,
    ir.SiteMark: lambda o, r: o,
    ir.Jump: lambda o, r: ir.Jump(r.block(o.target), o.site),
    ir.Branch: lambda o, r: ir.Branch(r.value(o.cond), r.block(o.then), r.block(o.other), o.site),
    ir.Switch: lambda o, r: ir.Switch(
        r.value(o.value), tuple(map(r.block, o.targets)), r.block(o.other), o.site
    ),
    ir.ReturnAction: lambda o, r: o,
    ir.ReturnValue: lambda o, r: ir.ReturnValue(r.value(o.a), o.site),
}


def pruned(function: ir.Function) -> ir.Function:
    """The function without unreachable blocks. Returns the same object if every block is reachable."""
    keep = sorted(reachable(function))
    if len(keep) == len(function.blocks):
        return function
    number_of = {old: new for new, old in enumerate(keep)}
    rewriter = Rewriter(block=lambda target: number_of[target])
    blocks = [
        ir.Block([*function.blocks[old].ops[:-1], rewriter.op(function.blocks[old].ops[-1])]) for old in keep
    ]
    return ir.Function(function.name, list(function.types), list(function.slots), blocks)


def has_loop(function: ir.Function) -> bool:
    """Whether the blocks form a loop. The language has no loops; passes that rely on it check here."""
    state: dict[int, bool] = {0: True}  # True while the block is on the current path
    stack = [(0, iter(targets(function.blocks[0].ops[-1])))]
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
            stack.append((target, iter(targets(function.blocks[target].ops[-1]))))
    return False
