"""Chooses the functions that level 2 is worth its time for: those that count the rules in which hooks spend
most of their time (runtime/worker/hot.c)."""

from __future__ import annotations

from collections.abc import Sequence

from vernis.ir import ir

#: Ops that one policy may have compiled at level 2. LLVM takes 0.14 ms of CPU for each, so 6 s at most.
OPTIMISED_OPS_MAX = 40_000


def _rules_of(module: ir.Module, op: ir.Op) -> list[int]:
    """The rules that the op counts, itself or by rows."""
    match op:
        case ir.Count():
            return [op.rule]
        case ir.NextMatch():
            bodies = module.chains[op.chain].bodies
            return [body.rule for body in bodies if isinstance(body, ir.Row) and body.rule is not None]
        case _:
            return []


def hot_functions(
    module: ir.Module, rules: Sequence[int], ops_max: int = OPTIMISED_OPS_MAX
) -> frozenset[str]:
    """The functions that count any of the rules, which come hottest first. Leaves out a function that would
    exceed ``ops_max`` together with the ones before it."""
    if not rules:
        return frozenset()
    counted = {
        rule: name
        for name, function in module.functions.items()
        for block in function.blocks
        for op in block.ops
        for rule in _rules_of(module, op)
    }
    chosen: dict[str, int] = {}
    for name in dict.fromkeys(counted[rule] for rule in rules if rule in counted):
        n_ops = sum(len(block.ops) for block in module.functions[name].blocks)
        if n_ops + sum(chosen.values()) <= ops_max:
            chosen[name] = n_ops
    return frozenset(chosen)
