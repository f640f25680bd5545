"""Decides safety checks that no statement of the policy waives: without an ``allow (cookie);`` anywhere, each
question whether it was allowed is answered by no."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from vernis.ir import ir
from vernis.ir.facts import blocks_with, ops_of
from vernis.ir.ir import Type
from vernis.ir.passes.deadcode import remove_dead_blocks

FIRST_WITH_CHECKS = 50  # Module.syntax of vcl 5.0


def settle_checks(module: ir.Module) -> ir.Module:
    if module.syntax < FIRST_WITH_CHECKS:
        return module
    waived = 0
    for function in module.functions.values():
        for op in ops_of(function, ir.Call):
            if op.extern.symbol == "allow":
                waived |= _mask(function, op)
    functions = {name: _settled(module, function, waived) for name, function in module.functions.items()}
    return replace(module, functions=functions)


def _mask(function: ir.Function, call: ir.Call) -> int:
    """The bits of Vocabulary.safety that the call is about."""
    (mask,) = (op.value for op in ops_of(function, ir.Const) if op.dst == call.args[0])
    assert isinstance(mask, int)
    return mask


def _settled(module: ir.Module, function: ir.Function, waived: int) -> ir.Function:
    """The function without the steps that a decided question skips, so that inlining sees its real size."""
    asking = [number for number, block in blocks_with(function, ir.Call) if any(map(_asks, block.ops))]
    if not asking:
        return function
    blocks = list(function.blocks)
    for number in asking:
        blocks[number] = ir.Block(
            [
                ir.Const(op.dst, Type.BOOL, False, op.site)
                if _asks(op) and op.dst is not None and _mask(function, op) & ~waived
                else op
                for op in blocks[number].ops
            ]
        )
    return remove_dead_blocks(module, replace(function, blocks=blocks))


def _asks(op: ir.Op) -> TypeGuard[ir.Call]:
    return isinstance(op, ir.Call) and op.extern.symbol == "allowed"
