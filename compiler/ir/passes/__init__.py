"""Rewrites between lowering and native code. Each pass takes a function and returns an equivalent one. Passes
leave the canonical module unchanged, because the interpreter and all tools read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from vernis.ir import ir
from vernis.ir.passes.deadcode import remove_dead_blocks, remove_dead_values
from vernis.ir.passes.fold import fold
from vernis.ir.passes.forward import forward_slots
from vernis.ir.passes.inline import inline_subs
from vernis.ir.passes.joins import flatten_joins
from vernis.ir.passes.once import call_once
from vernis.ir.passes.pattern_sets import use_pattern_sets
from vernis.ir.passes.safety import settle_checks

Pass = Callable[[ir.Module, ir.Function], ir.Function]
ModulePass = Callable[[ir.Module], ir.Module]

MODULE_PASSES: tuple[ModulePass, ...] = (settle_checks, inline_subs)

#: These run after the module passes, on each function, in this order. Blocks are merged first, since
#: forward_slots works within a block. A forwarded slot may yield a constant, and folding may decide a branch,
#: hence the second round.
PASSES: tuple[Pass, ...] = (
    remove_dead_blocks,
    forward_slots,
    flatten_joins,
    fold,
    remove_dead_blocks,
    forward_slots,
    flatten_joins,
    fold,
    remove_dead_values,
)

#: These run at the end, on the whole module.
LAST_PASSES: tuple[ModulePass, ...] = (use_pattern_sets, call_once)


def run_passes(
    module: ir.Module,
    passes: tuple[Pass, ...] = PASSES,
    module_passes: tuple[ModulePass, ...] = MODULE_PASSES,
    after_each: Callable[[ir.Module], None] | None = None,
    last_passes: tuple[ModulePass, ...] = LAST_PASSES,
) -> ir.Module:
    """A new module with rewritten functions. ``after_each`` (the verifier, in tests) sees it after every
    pass."""
    result = replace(module, functions=dict(module.functions))
    # The last result of each pass. Running the pass on it again would change nothing.
    settled: dict[tuple[Pass, str], ir.Function] = {}
    for rewrite_module in module_passes:
        result = rewrite_module(result)
        if after_each is not None:
            after_each(result)
    for rewrite in passes:
        for name, function in result.functions.items():
            if settled.get((rewrite, name)) is not function:
                function = rewrite(result, function)
                result.functions[name] = settled[rewrite, name] = function
        if after_each is not None:
            after_each(result)
    for rewrite_module in last_passes:
        result = rewrite_module(result)
        if after_each is not None:
            after_each(result)
    return result
