"""Subs that are small, or called once, become part of their callers; what nobody calls any more goes. The built-in policy is
made of many small subs for users to hook into: as a rule nothing of them is left but the hooks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from vernis.ir import ir
from vernis.ir.flow import Rewriter, has_loop, pruned, uses

SMALL_SUB_OPS = 12          # always inlined
ONCE_SUB_OPS = 300          # inlined when there is one call
CALLER_OPS_MAX = 2000       # a caller does not grow beyond


def inline_subs(module: ir.Module) -> ir.Module:
    """Callees first, so that a sub which became small counts as small."""
    result = replace(module, functions=dict(module.functions))
    calls = Counter(op.sub for function in module.functions.values() for op in _calls(function))
    for name in _callees_first(module):
        function = result.functions[name]
        for callee in dict.fromkeys(op.sub for op in _calls(function)):
            body = result.functions[callee]
            size = _size(body)
            small = size <= SMALL_SUB_OPS or calls[callee] == 1 and size <= ONCE_SUB_OPS
            while small and callee not in ir.HOOKS and _can_be_inlined(body, function) and _size(function) + size <= CALLER_OPS_MAX:
                inlined = _inlined_once(function, body)
                if inlined is None:
                    break
                function = inlined
        result.functions[name] = function
    return _without_uncalled(result)


def _size(function: ir.Function) -> int:
    return sum(len(block.ops) for block in function.blocks)


def _calls(function: ir.Function) -> list[ir.CallSub]:
    return [op for block in function.blocks for op in block.ops if isinstance(op, ir.CallSub)]


def _callees_first(module: ir.Module) -> list[str]:
    """There is no recursion in the language."""
    done: dict[str, None] = {}
    stack = [(name, False) for name in reversed(module.functions)]
    while stack:
        name, callees_done = stack.pop()
        if callees_done:
            done[name] = None
        elif name not in done:
            stack.append((name, True))
            stack += [(op.sub, False) for op in _calls(module.functions[name]) if op.sub not in done]
    return list(done)


def _without_uncalled(module: ir.Module) -> ir.Module:
    needed: set[str] = set()
    stack = [hook for hook in ir.HOOKS if hook in module.functions]
    while stack:
        name = stack.pop()
        if name not in needed:
            needed.add(name)
            stack += [op.sub for op in _calls(module.functions[name])]
    return replace(module, functions={name: f for name, f in module.functions.items() if name in needed})


def _can_be_inlined(body: ir.Function, caller: ir.Function) -> bool:
    """A body that returns what a sub of its own gave might return "go on" that way; lowering never writes that, but here it
    is not seen. Slots begin as zero at each call, so a body with slots must not run twice in one caller."""
    returns_value = any(isinstance(block.ops[-1], ir.ReturnValue) for block in body.blocks)
    return not returns_value and not (body.slots and has_loop(caller))


# ---- one call ------------------------------------------------------------------------------------------------------------


def _inlined_once(caller: ir.Function, body: ir.Function) -> ir.Function | None:
    """The form lowering gives to a call is the only one looked for: the call ends its block with a branch on its result, and
    the way of "not NONE" returns it. None when there is no such call of this sub."""
    use_count: Counter[int] | None = None
    for number, block in enumerate(caller.blocks):
        if len(block.ops) < 2:
            continue
        call, branch = block.ops[-2], block.ops[-1]
        if not (isinstance(call, ir.CallSub) and call.sub == body.name and isinstance(branch, ir.Branch) and branch.cond == call.dst):
            continue
        returns = [op for op in caller.blocks[branch.then].ops if not isinstance(op, ir.SiteMark)]
        if use_count is None:
            use_count = Counter(value for b in caller.blocks for op in b.ops for value in uses(op))
        if use_count[call.dst] == 2 and len(returns) == 1 and returns[0] == ir.ReturnValue(call.dst, returns[0].site):
            return _spliced(caller, number, branch, body)
    return None


@dataclass(slots=True)
class _Shift:
    """Numbers of the body in its caller."""

    values: int
    slots: int
    blocks: int
    on: ir.BlockId


def _spliced(caller: ir.Function, number: int, branch: ir.Branch, body: ir.Function) -> ir.Function:
    shift = _Shift(len(caller.types), len(caller.slots), len(caller.blocks), branch.other)
    blocks = list(caller.blocks)
    blocks[number] = ir.Block([*blocks[number].ops[:-2], ir.Jump(shift.blocks, branch.site)])
    blocks += [ir.Block([_moved(op, shift) for op in block.ops]) for block in body.blocks]
    return pruned(ir.Function(caller.name, [*caller.types, *body.types], [*caller.slots, *body.slots], blocks))


def _moved(op: ir.Op, shift: _Shift) -> ir.Op:
    if isinstance(op, ir.ReturnAction) and op.action is ir.Action.NONE:
        return ir.Jump(shift.on, op.site)
    moved = Rewriter(lambda value: value + shift.values, lambda block: block + shift.blocks).op(op)
    if isinstance(moved, (ir.Load, ir.Store)):
        moved = replace(moved, slot=moved.slot + shift.slots)
    dst = getattr(moved, "dst", None)
    return moved if dst is None else replace(moved, dst=dst + shift.values)    # type: ignore[call-arg]
