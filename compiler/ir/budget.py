"""Bounds the work of a hook.

The length of a policy's text usually bounds its work. The exception: each sub of a chain calls the next one
twice, so each further line doubles the work. If the longest run of a hook could exceed ``WORK_MAX`` plus one
run of the whole policy, each call of a sub that the hook can reach is charged to the hook. The hook fails at
the call that exceeds the budget. Other policies carry no charges.

The canonical module contains the charges, so the reference interpreter of the tests stops where native code
does."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from vernis.ir import ir
from vernis.ir.externs import internal
from vernis.ir.facts import blocks_with, ops_of
from vernis.ir.ir import Type

#: About 5 ms of native code. The budget adds one run of the whole policy, so each statement may always run
#: once.
WORK_MAX = 1_000_000

WORK_BEGIN, WORK = internal("work_begin"), internal("work")


def bound_work(module: ir.Module) -> bool:
    """Adds charges to the subs that a hook reaches if the hook could exceed its budget. Returns whether it
    added any."""
    calls = {
        name: [op.sub for op in ops_of(function, ir.CallSub)] for name, function in module.functions.items()
    }
    times = Counter(chain.from_iterable(calls.values()))
    again = _reach([name for name, count in times.items() if count > 1], calls)
    # Others run at most once in a hook. So a hook exceeds its budget only if it does so without their work.
    own = {name: _work_of(f) if name in again else 0 for name, f in module.functions.items()}
    if not _over(own, calls):
        return False
    own = {name: _work_of(function) for name, function in module.functions.items()}
    charged = _reach(_over(own, calls), calls)
    if not charged:
        return False
    budget = _budget(own)
    for name in charged:
        if calls[name]:
            _charge(module.functions[name], own)
    for hook in ir.HOOKS:
        if hook in module.functions and not charged.isdisjoint(_reach([hook], calls)):
            _begin(module.functions[hook], budget)
    return True


def work_of_op(op: ir.Op) -> int:
    """The work of one op, without that of a called sub."""
    if isinstance(op, ir.Call) and Type.REGEX in op.extern.params:
        return ir.PATTERN_WORK
    return ir.OPS[type(op)].work


def _work_of(function: ir.Function) -> int:
    """The work of all ops of a function."""
    kinds = Counter([type(op) for block in function.blocks for op in block.ops])
    calls = ops_of(function, ir.Call)
    with_patterns = sum(Type.REGEX in op.extern.params for op in calls)
    work = sum(count * ir.OPS[kind].work for kind, count in kinds.items())
    return work + with_patterns * (ir.PATTERN_WORK - ir.CALL_WORK)


def _budget(own: dict[str, int]) -> int:
    return WORK_MAX + sum(own.values())


def _over(own: dict[str, int], calls: dict[str, list[str]]) -> list[str]:
    """The hooks whose longest run could exceed the budget."""
    budget = _budget(own)
    worst = _worst(own, calls, budget)
    return [hook for hook in ir.HOOKS if hook in worst and worst[hook] > budget]


def _worst(own: dict[str, int], calls: dict[str, list[str]], enough: int) -> dict[str, int]:
    """The cost of the longest run of each function, cut at ``enough + 1``. Subs called as values may form a
    cycle; its members count as ``enough + 1``."""
    worst: dict[str, int] = {}
    for name in own:
        stack = [name]
        begun: set[str] = set()
        while stack:
            at = stack[-1]
            open_calls = [callee for callee in calls[at] if callee not in worst]
            if at in worst:
                stack.pop()
            elif not open_calls:
                worst[at] = min(own[at] + sum(worst[callee] for callee in calls[at]), enough + 1)
                stack.pop()
            elif at in begun:
                worst[at] = enough + 1  # a cycle: its callees wait for this function
                stack.pop()
            else:
                begun.add(at)
                stack += dict.fromkeys(open_calls)
    return worst


def _reach(names: list[str], calls: dict[str, list[str]]) -> set[str]:
    found: set[str] = set()
    stack = list(names)
    while stack:
        name = stack.pop()
        if name not in found:
            found.add(name)
            stack += calls[name]
    return found


def _charge(function: ir.Function, own: dict[str, int]) -> None:
    for number, block in blocks_with(function, ir.CallSub):
        ops: list[ir.Op] = []
        for op in block.ops:
            if isinstance(op, ir.CallSub):
                amount, name = _const(function, Type.INT), _const(function, Type.STRING)
                ops += [
                    ir.Const(amount, Type.INT, own[op.sub], op.site),
                    ir.Const(name, Type.STRING, op.sub.encode(), op.site),
                    ir.Call(None, WORK, (amount, name), op.site),
                ]
            ops.append(op)
        function.blocks[number] = ir.Block(ops)


def _begin(function: ir.Function, budget: int) -> None:
    amount, first = _const(function, Type.INT), function.blocks[0].ops
    begin: list[ir.Op] = [
        ir.Const(amount, Type.INT, budget, first[0].site),
        ir.Call(None, WORK_BEGIN, (amount,), first[0].site),
    ]
    function.blocks[0] = ir.Block([*begin, *first])


def _const(function: ir.Function, type: Type) -> ir.Value:
    function.types.append(type)
    return len(function.types) - 1
