"""The differential test finds mistakes: each one seeded into the code generator is found within a few hundred
modules."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from native_bench import Transaction, load, run_interpreted, run_native
from random_modules import HOOK, modules, transactions
from vernis.ir import ir
from vernis.native import Options, codegen, compile_module, ops, split

Rewrite = Callable[[ir.Op], ir.Op]


def swapped_branch(op: ir.Op) -> ir.Op:
    return replace(op, then=op.other, other=op.then) if isinstance(op, ir.Branch) else op


def strict_order(op: ir.Op) -> ir.Op:
    return replace(op, op=op.op[0]) if isinstance(op, ir.CompareOp) and op.op in ("<=", ">=") else op


def reversed_difference(op: ir.Op) -> ir.Op:
    return replace(op, a=op.b, b=op.a) if isinstance(op, ir.Arith) and op.op == "-" else op


def lost_last_part(op: ir.Op) -> ir.Op:
    return replace(op, parts=op.parts[:-1]) if isinstance(op, ir.Concat) and len(op.parts) > 3 else op


def no_site(op: ir.Op) -> ir.Op:
    return replace(op, site=0) if isinstance(op, ir.SiteMark) else op


def unset_is_empty(op: ir.Op) -> ir.Op:
    return replace(op, value=b"") if isinstance(op, ir.Const) and op.type is ir.Type.STRING and op.value is None else op


def ignored_mask(op: ir.Op) -> ir.Op:
    return replace(op, given=7) if isinstance(op, ir.Call) and op.given is not None else op


OPS: list[Rewrite] = [swapped_branch, strict_order, reversed_difference, lost_last_part, no_site, unset_is_empty, ignored_mask]


def rewrite_ops(monkeypatch: pytest.MonkeyPatch, rewrite: Rewrite) -> None:
    parts = codegen.parts_of_policy

    def wrong(module: ir.Module, *rest: Any) -> Iterator[codegen.Part]:
        return parts(replace(module, functions={
            name: replace(function, blocks=[ir.Block([rewrite(op) for op in block.ops]) for block in function.blocks])
            for name, function in module.functions.items()}), *rest)

    monkeypatch.setattr("vernis.native.compile.parts_of_policy", wrong)


def failures_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ops.OpWriter, "end_if_failed", lambda self: None)


def infinity_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ops.OpWriter, "end_if_not_finite", lambda self, value: None)


def values_lost_between_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = split._block_in_slots

    def without_stores(function: ir.Function, block_ops: list[ir.Op], slot_of: dict[int, int], home: dict[int, int], number: int) -> list[ir.Op]:
        # that one would crash
        crossing = {slot for slot in slot_of.values() if function.slots[slot] is not ir.Type.REGEX}
        return [op for op in kept(function, block_ops, slot_of, home, number) if not (isinstance(op, ir.Store) and op.slot in crossing)]

    monkeypatch.setattr(split, "_block_in_slots", without_stores)


PATCHES = [failures_ignored, infinity_ignored, values_lost_between_chunks]


@pytest.mark.parametrize("mistake", [*OPS, *PATCHES], ids=lambda mistake: mistake.__name__)
def test_mistake_is_found(mistake: Callable, bench: ctypes.CDLL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if mistake in OPS:
        rewrite_ops(monkeypatch, mistake)
    else:
        mistake(monkeypatch)
    count = 0

    @seed(1)
    @settings(max_examples=2000, deadline=None, database=None, phases=[Phase.generate],
              suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large])
    @given(module=modules(), found=st.lists(transactions(), min_size=3, max_size=3))
    def agree(module: ir.Module, found: list[Transaction]) -> None:
        nonlocal count
        count += 1
        out = tmp_path / f"{count}.so"
        compile_module(module, out, Options(level=0, chunk_ops=12))
        load(bench, out)
        for transaction in found:
            if run_native(bench, HOOK, transaction) != run_interpreted(module, HOOK, transaction):
                raise AssertionError("found")

    with pytest.raises(AssertionError, match="found"):
        agree()
