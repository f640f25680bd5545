"""What an op defines, uses and jumps to, and how to rewrite those: shared by the verifier, the passes and the back end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from vernis.ir import ir


def defined(op: ir.Op) -> ir.Value | None:
    """The value the op defines, if any."""
    return getattr(op, "dst", None)


def uses(op: ir.Op) -> tuple[ir.Value, ...]:
    match op:
        case ir.Arith() | ir.CompareOp():
            return (op.a, op.b)
        case ir.Convert() | ir.NotOp() | ir.Store() | ir.ReturnValue():
            return (op.a,)
        case ir.Concat():
            return op.parts
        case ir.HeaderSet():
            return (op.value,)
        case ir.Match():
            return (op.subject,)
        case ir.AclMatch():
            return (op.ip,)
        case ir.Call() | ir.NewInstance():
            return op.args
        case ir.Branch():
            return (op.cond,)
        case _:
            return ()


def is_terminator(op: ir.Op) -> bool:
    return isinstance(op, (ir.Jump, ir.Branch, ir.ReturnAction, ir.ReturnValue))


def targets(op: ir.Op) -> tuple[ir.BlockId, ...]:
    match op:
        case ir.Jump():
            return (op.target,)
        case ir.Branch():
            return (op.then, op.other)
        case _:
            return ()


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
    """Gives ops with other value or block numbers where they *use* them; what they define stays."""

    value: Callable[[ir.Value], ir.Value] = _same
    block: Callable[[ir.BlockId], ir.BlockId] = _same

    def op(self, op: ir.Op) -> ir.Op:
        v = self.value
        match op:
            case ir.Arith() | ir.CompareOp():
                return replace(op, a=v(op.a), b=v(op.b))
            case ir.Convert() | ir.NotOp() | ir.Store() | ir.ReturnValue():
                return replace(op, a=v(op.a))
            case ir.Concat():
                return replace(op, parts=tuple(map(v, op.parts)))
            case ir.HeaderSet():
                return replace(op, value=v(op.value))
            case ir.Match():
                return replace(op, subject=v(op.subject))
            case ir.AclMatch():
                return replace(op, ip=v(op.ip))
            case ir.Call() | ir.NewInstance():
                return replace(op, args=tuple(map(v, op.args)))
            case ir.Branch():
                return replace(op, cond=v(op.cond), then=self.block(op.then), other=self.block(op.other))
            case ir.Jump():
                return replace(op, target=self.block(op.target))
            case _:
                return op


def pruned(function: ir.Function) -> ir.Function:
    """The function without blocks that are never reached; itself when there are none."""
    keep = sorted(reachable(function))
    if len(keep) == len(function.blocks):
        return function
    number_of = {old: new for new, old in enumerate(keep)}
    rewriter = Rewriter(block=lambda target: number_of[target])
    blocks = [ir.Block([*function.blocks[old].ops[:-1], rewriter.op(function.blocks[old].ops[-1])]) for old in keep]
    return ir.Function(function.name, list(function.types), list(function.slots), blocks)


def has_loop(function: ir.Function) -> bool:
    """The language has none; who relies on that asks."""
    state: dict[int, bool] = {0: True}                      # True while on the way
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
