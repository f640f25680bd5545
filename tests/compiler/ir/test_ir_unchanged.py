"""Passes take unchanged functions from the last compile. The result is that of a compile from nothing."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from vernis.ir import ir
from vernis.ir.passes import run_passes
from vernis.ir.passes.unchanged import Unchanged
from vernis.pipeline import LOWER, Compilation, Options, run_stages

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "native"))
from random_language import random_policy

POLICY = """vcl 4.1;
import std;
backend default none;
acl own { "192.0.2.0"/24; }
sub tidy { unset req.http.X-Tidy; }
sub twice { set req.http.A = "a"; set req.http.B = "b"; set req.http.C = req.http.A + req.http.B; }
sub vcl_recv {
    call tidy;
    if (client.ip ~ own) { set req.http.Own = "yes"; }
    set req.http.Real = 0.0;
}
sub vcl_deliver { set resp.http.X = "x"; }
sub vcl_hash { call twice; }
"""


def lowered(text: str, syntax: str = "4.1") -> ir.Module:
    text = text.replace("vcl 4.1", f"vcl {syntax}")
    run = run_stages(Compilation("", "<text>", text.encode(), Options(err_unref=False)), LOWER)
    assert run.module is not None, [item.message for item in run.diagnostics.items]
    return run.module


def same(text: str, unchanged: Unchanged) -> ir.Module:
    """The module after the passes, which is that of a compile from nothing."""
    module = run_passes(lowered(text), unchanged=unchanged)
    assert module.functions == run_passes(lowered(text)).functions
    return module


def changed(text: str, edit: tuple[str, str]) -> set[str]:
    """The functions that passes work on after an edit."""
    assert edit[0] in text
    unchanged = Unchanged()
    before = same(text, unchanged)
    after = same(text.replace(*edit), unchanged)
    return {name for name, function in after.functions.items() if before.functions.get(name) is not function}


def test_an_unchanged_policy_keeps_all_functions() -> None:
    unchanged = Unchanged()
    before, after = same(POLICY, unchanged), same(POLICY, unchanged)
    assert all(before.functions[name] is function for name, function in after.functions.items())
    assert unchanged.n_found == len(lowered(POLICY).functions) > len(after.functions) >= len(ir.HOOKS)


def test_a_text_changes_its_hook_only() -> None:
    assert changed(POLICY, ('"x"', '"y"')) == {"vcl_deliver"}


def test_a_sub_changes_its_callers() -> None:
    assert changed(POLICY, ("unset req.http.X-Tidy", 'set req.http.X-Tidy = "t"')) == {"vcl_recv"}


def test_another_number_of_calls_changes_the_callers() -> None:
    """A sub that is called once is inlined, however long it is."""
    more = "".join(f'set req.http.D{n} = "d"; ' for n in range(4))
    longer = POLICY.replace("set req.http.C", more + "set req.http.C") + 'sub vcl_synth { set resp.http.A = "a"; }\n'
    found = changed(longer, ('set resp.http.A = "a"', "call twice"))
    assert {"vcl_hash", "vcl_synth"} <= found and "vcl_recv" not in found


def test_another_statement_leaves_the_built_in_policy_alone() -> None:
    """Although it has a site of its own."""
    more = 'set resp.http.X = "x"; set resp.http.More = "more"'
    found = changed(POLICY, ('set resp.http.X = "x"', more))
    assert found == {"vcl_deliver", "vcl_hash"}  # vcl_hash stands behind it


def test_an_acl_changes_all_functions() -> None:
    """A pass drops a test of an acl that writes no log."""
    assert changed(POLICY, ("acl own {", "acl own +log {")) == set(same(POLICY, Unchanged()).functions)


def test_a_negative_zero_is_another_value() -> None:
    """Although the two are equal."""
    module = lowered(POLICY)
    function = module.functions["vcl_recv"]
    zeros = [op for block in function.blocks for op in block.ops if isinstance(op, ir.Const) and op.value == 0.0 and op.type is ir.Type.REAL]
    assert zeros
    negative = lowered(POLICY)
    for block in negative.functions["vcl_recv"].blocks:
        block.ops[:] = [
            ir.Const(op.dst, op.type, -0.0, op.site) if isinstance(op, ir.Const) and op.type is ir.Type.REAL else op
            for op in block.ops
        ]
    assert negative.functions == module.functions
    unchanged = Unchanged()
    before, after = (run_passes(one, unchanged=unchanged) for one in (module, negative))
    assert before.functions["vcl_recv"] is not after.functions["vcl_recv"]
    assert before.functions["vcl_hash"] is after.functions["vcl_hash"]


def test_functions_of_5_0_are_not_kept() -> None:
    """There a statement may waive a check of all functions."""
    unchanged = Unchanged()
    five = 'backend default none;\nsub vcl_recv { set req.http.A = "a"; }\n'
    before, after = (run_passes(lowered("vcl 4.1;\n" + five, "5.0"), unchanged=unchanged) for _ in range(2))
    assert before.functions == after.functions
    assert unchanged.n_found == 0


@pytest.mark.parametrize("seed", range(12))
def test_random_policies_after_edits(seed: int) -> None:
    """An edit drops a line of a policy, or repeats one."""
    rng, unchanged = random.Random(seed), Unchanged()
    text = random_policy(rng).text
    for _ in range(8):
        lines = text.splitlines(keepends=True)
        at = rng.randrange(1, len(lines))
        other = "".join([*lines[:at], *rng.choice([[], [lines[at]] * 2]), *lines[at + 1 :]])
        run = run_stages(Compilation("", "<text>", other.encode(), Options(err_unref=False)), LOWER)
        if run.failed:
            continue
        same(other, unchanged)
        text = other
