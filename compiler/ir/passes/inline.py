"""Inlines subs that are small or called once, and removes subs without callers. The built-in policy consists
of many small subs that users can extend; inlining usually leaves only the hooks.

The subs of a long hook stay subs: an edit of one then compiles this sub only, and subs of one shape share
their code (native/numbers.py)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from vernis.ir import ir
from vernis.ir.facts import ops_of
from vernis.ir.flow import Rewriter, has_loop, pruned
from vernis.ir.ir import Type

SMALL_SUB_OPS = 12  # always inlined
ONCE_SUB_OPS = 300  # inlined if called once, and if the caller with all such subs does not get too long:
ONCE_CALLER_OPS = 600  # a longer function is cut, see native/split.py
CALLER_OPS_MAX = 2000  # limit of a caller's size with small subs
_HOOKS = frozenset(ir.HOOKS)


def inline_subs(module: ir.Module) -> ir.Module:
    """Visits callees first, so that the size of a sub includes the subs inlined into it."""
    result = replace(module, functions=dict(module.functions))
    calls_in = {name: _calls(function) for name, function in module.functions.items()}
    count = Counter(op.sub for calls in calls_in.values() for op in calls)
    for name in _callees_first(calls_in):
        if not calls_in[name]:
            continue
        bodies = {
            callee: body
            for callee in {op.sub for op in calls_in[name]} - _HOOKS
            if _is_worth_inlining(body := result.functions[callee], count[callee])
        }
        caller = result.functions[name]
        sizes = [_size(bodies[op.sub]) for op in calls_in[name] if op.sub in bodies]
        if _size(caller) + sum(sizes) > ONCE_CALLER_OPS:
            bodies = {callee: body for callee, body in bodies.items() if _size(body) <= SMALL_SUB_OPS}
        if bodies:
            result.functions[name] = _with_bodies(caller, bodies)
    return _without_uncalled(result)


def _is_worth_inlining(body: ir.Function, calls: int) -> bool:
    """Whether a body is small enough. A body with ReturnValue is not inlined: the value might be NONE, for
    which the caller must continue. Lowering never writes that, but this function cannot prove it."""
    size = _size(body)
    if size > SMALL_SUB_OPS and not (calls == 1 and size <= ONCE_SUB_OPS):
        return False
    return not any(isinstance(block.ops[-1], ir.ReturnValue) for block in body.blocks)


def _size(function: ir.Function) -> int:
    return sum([len(block.ops) for block in function.blocks])


def _calls(function: ir.Function) -> list[ir.CallSub]:
    return ops_of(function, ir.CallSub)


def _callees_first(calls_in: dict[str, list[ir.CallSub]]) -> list[str]:
    """Names in an order that puts callees first. Subs called as values may form a cycle; their order does not
    matter, because they are too long to be inlined."""
    done: dict[str, None] = {}
    begun: set[str] = set()
    stack = [(name, False) for name in reversed(calls_in)]
    while stack:
        name, callees_done = stack.pop()
        if callees_done:
            done[name] = None
        elif name not in begun:
            begun.add(name)
            stack.append((name, True))
            stack += [(op.sub, False) for op in calls_in[name] if op.sub not in begun]
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


# ---- one caller --------------------------------------------------------------------------------------------


def _with_bodies(caller: ir.Function, bodies: dict[str, ir.Function]) -> ir.Function:
    """Inlines calls of the form that lowering writes: the block ends with the call and a branch on its
    result, and the target for "not NONE" returns the result. Slots start as zero at each call, so a body with
    slots must not run twice in one caller."""
    used = _action_uses(caller)
    size = _size(caller)
    with_slots = any(body.slots for body in bodies.values())
    loops = with_slots and has_loop(caller)
    result = ir.Function(caller.name, list(caller.types), list(caller.slots), list(caller.blocks))
    for number, block in enumerate(caller.blocks):
        if len(block.ops) < 2 or not isinstance(call := block.ops[-2], ir.CallSub):
            continue
        branch = block.ops[-1]
        if not (isinstance(branch, ir.Branch) and branch.cond == call.dst):
            continue
        body = bodies.get(call.sub)
        if (
            body is None
            or body.slots
            and loops
            or used[call.dst] != 2
            or not _only_returns(caller.blocks[branch.then], call.dst)
        ):
            continue
        size += _size(body)
        if size > CALLER_OPS_MAX:
            break
        loops = loops or with_slots and has_loop(body)
        marks = caller.blocks[branch.then].ops[:-1]
        _splice(result, number, branch, body, marks)
    return pruned(result)


def _action_uses(function: ir.Function) -> Counter[ir.Value]:
    """The uses of actions. Only the end of a block uses one, since no slot holds actions."""
    assert Type.ACTION not in function.slots
    ends = [block.ops[-1] for block in function.blocks]
    return Counter(
        end.cond if isinstance(end, ir.Branch) else end.a
        for end in ends
        if isinstance(end, (ir.Branch, ir.ReturnValue))
    )


def _only_returns(block: ir.Block, value: ir.Value) -> bool:
    *marks, last = block.ops
    return (
        isinstance(last, ir.ReturnValue)
        and last.a == value
        and all(isinstance(op, ir.SiteMark) for op in marks)
    )


def _splice(
    caller: ir.Function, number: int, branch: ir.Branch, body: ir.Function, marks: list[ir.Op]
) -> None:
    """``marks`` are the site that the caller sets when the call has returned an action."""
    values, slots, blocks = len(caller.types), len(caller.slots), len(caller.blocks)
    rewriter = Rewriter(values.__add__, blocks.__add__, values.__add__, slots.__add__)
    caller.blocks[number] = ir.Block([*caller.blocks[number].ops[:-2], ir.Jump(blocks, branch.site)])
    for block in body.blocks:
        ops = [rewriter.op(op) for op in block.ops]
        last = ops[-1]
        if isinstance(last, ir.ReturnAction) and last.action is ir.Action["NONE"]:
            ops[-1] = ir.Jump(branch.other, last.site)
        elif isinstance(last, ir.ReturnAction | ir.ReturnValue):
            ops[-1:] = [*marks, last]
        caller.blocks.append(ir.Block(ops))
    caller.types += body.types
    caller.slots += body.slots
