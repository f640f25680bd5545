"""Policies made of tests of texts have the same results in the interpreter, without pattern sets, and with
them at both levels."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from both_ways import CLIENTS, METHODS, URLS, VALUES, Behind, Start, interpreted, native
from harness import Harness
from random_chains import chain_policies
from random_policies import NAMES
from random_view_chains import view_chain_policies
from test_native_policies import lowered
from vernis.ir.ir import Msg
from vernis.ir.passes import pattern_sets, run_passes
from support.reference.verify import check_module
from vernis.native import Options, compile_module

EXAMPLES = int(os.environ.get("VERNIS_DIFF_EXAMPLES", "6"))
MORE_VALUES = [*VALUES, b"/admin", b"GET", b"aa"]

requests = st.builds(
    Start, st.sampled_from(METHODS), st.sampled_from([*URLS, b"/a\n", b"/foo/b", b"/a1", b"a", b"/admin\n"]),
    st.lists(st.tuples(st.sampled_from([Msg.REQ, Msg.BEREQ, Msg.BERESP, Msg.RESP]),
                       st.sampled_from([name.encode() for name in NAMES]), st.sampled_from(MORE_VALUES)), max_size=8),
    st.sampled_from(CLIENTS), st.integers(0, 2))


class Objects(dict[str, bytes]):
    """Objects of functions, kept so that the built-in hooks are compiled once."""

    def put(self, key: str, content: bytes) -> None:
        self[key] = content


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("policies", [chain_policies, view_chain_policies])
def test_pattern_sets_change_no_result(policies: Callable, level: int, harness: Harness, behind: Behind, tmp_path: Path,
                                       monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the policies use sets wherever possible, also for a single test."""
    count = 0
    objects = Objects()

    @settings(max_examples=EXAMPLES // (1 + level), deadline=None, database=None, phases=[Phase.generate],
              suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large])
    @given(policy=policies(), found=st.lists(requests, min_size=6, max_size=6), least=st.sampled_from([0, 48]),
           chunk_ops=st.sampled_from([12, 600]))
    def agree(policy: tuple[str, str], found: list[Start], least: int, chunk_ops: int) -> None:
        nonlocal count
        count += 1
        hook, text = policy
        module = lowered(text, tmp_path / "policy.vcl")
        monkeypatch.setattr(pattern_sets, "WORK_MIN", least)
        monkeypatch.setattr(pattern_sets, "SUBJECT_WORK", least // 8)
        passed = run_passes(module, after_each=check_module)
        plain = run_passes(module, last_passes=())
        options = Options(level=level, chunk_ops=chunk_ops, objects=objects)
        out = compile_module(passed, tmp_path / f"{count}.so", options).path
        unoptimised = compile_module(plain, tmp_path / f"{count}plain.so", Options(level=0, objects=objects)).path
        behind.harness.load(out)
        for request in found:
            harness.load(unoptimised)
            without = native(harness, hook, request)
            assert without == interpreted(module, hook, request, behind)
            harness.load(out)
            assert native(harness, hook, request) == without
        out.unlink()
        unoptimised.unlink()

    agree()
