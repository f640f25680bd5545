"""Random modules have the same results in the interpreter, after the passes, and as native code at both
levels, whole or in chunks.

VERNIS_DIFF_EXAMPLES sets the number of modules. Each runs several transactions.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from native_bench import Transaction, load, run_interpreted, run_native
from random_modules import HOOK, modules, transactions
from vernis.ir import ir
from vernis.ir.passes import run_passes
from support.reference.verify import check_module
from vernis.native import Options, compile_module

EXAMPLES = int(os.environ.get("VERNIS_DIFF_EXAMPLES", "60"))
UNHURRIED = settings(max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate, Phase.shrink],
                     suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large])


class Objects(dict[str, bytes]):
    def put(self, key: str, content: bytes) -> None:
        self[key] = content


several = st.lists(transactions(), min_size=3, max_size=3)


@UNHURRIED
@given(module=modules(), found=several)
@pytest.mark.slow
def test_passes_change_no_result(module: ir.Module, found: list[Transaction]) -> None:
    check_module(module)
    shorter = run_passes(module, after_each=check_module)
    for transaction in found:
        assert run_interpreted(shorter, HOOK, transaction) == run_interpreted(module, HOOK, transaction)


@pytest.mark.parametrize("chunk_ops", [600, 12])
@pytest.mark.parametrize("level", [0, 2])
def test_native_code_agrees_with_the_interpreter(level: int, chunk_ops: int, bench: ctypes.CDLL, tmp_path: Path) -> None:
    """Reuses objects of earlier modules, so that a number of another policy in an object would change a
    result."""
    count = 0
    objects = Objects()

    @UNHURRIED
    @given(module=modules(), found=several, passes=st.booleans())
    def agree(module: ir.Module, found: list[Transaction], passes: bool) -> None:
        nonlocal count
        count += 1
        check_module(module)
        out = tmp_path / f"{count}.so"
        compile_module(run_passes(module) if passes else module, out, Options(level=level, chunk_ops=chunk_ops, verify=True, objects=objects))
        load(bench, out)
        for transaction in found:
            assert run_native(bench, HOOK, transaction) == run_interpreted(module, HOOK, transaction)
        bench.bench_unload()
        out.unlink()

    agree()
