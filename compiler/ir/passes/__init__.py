"""Rewrites between lowering and native code. Each takes a function and gives an equal one; the canonical module stays as it
is, for the interpreter and all tools read that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from vernis.ir import ir
from vernis.ir.passes.deadcode import remove_dead_blocks, remove_dead_values
from vernis.ir.passes.fold import fold
from vernis.ir.passes.forward import forward_slots
from vernis.ir.passes.inline import inline_subs
from vernis.ir.passes.joins import flatten_joins

Pass = Callable[[ir.Module, ir.Function], ir.Function]
ModulePass = Callable[[ir.Module], ir.Module]

MODULE_PASSES: tuple[ModulePass, ...] = (inline_subs,)

#: After those, for each function, in the order they run. Blocks are merged first, since slots are forwarded within blocks, and
#: what comes through a slot may be a constant; folding may decide branches.
PASSES: tuple[Pass, ...] = (remove_dead_blocks, forward_slots, flatten_joins, fold, remove_dead_blocks, forward_slots, flatten_joins,
                            fold, remove_dead_values)


def run_passes(module: ir.Module, passes: tuple[Pass, ...] = PASSES, module_passes: tuple[ModulePass, ...] = MODULE_PASSES,
               after_each: Callable[[ir.Module], None] | None = None) -> ir.Module:
    """A new module with rewritten functions. ``after_each`` (the verifier, in tests) sees it after every pass."""
    result = replace(module, functions=dict(module.functions))
    for rewrite_module in module_passes:
        result = rewrite_module(result)
        if after_each is not None:
            after_each(result)
    settled: dict[tuple[Pass, str], ir.Function] = {}       # what a pass made last; it would not change it now
    for rewrite in passes:
        for name, function in result.functions.items():
            if settled.get((rewrite, name)) is not function:
                function = rewrite(result, function)
                result.functions[name] = settled[rewrite, name] = function
        if after_each is not None:
            after_each(result)
    return result
