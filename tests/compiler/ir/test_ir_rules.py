"""Rules of a policy: what gets a counter, where it is, and what its head is."""

from __future__ import annotations

from pathlib import Path

import pytest

from vernis.ir import ir
from support.reference.interpret import run_hook
from vernis.ir.passes import run_passes
from support.reference.verify import check_module
from support.reference.world import World
from vernis.pipeline import LOWER, Compilation, Options, run_stages

TEXT = """vcl 4.1; backend b none; # é
sub s {
    if (req.http.a # why
        && req.url ~ "{") { return; }
    else if (req.http.b) { }
    else { set req.http.c = "1"; }
}
sub /* s */ vcl_recv { call s; call s; } sub vcl_recv { if (!req.http.c) { return (pass); } }
"""


def lowered(text: str = TEXT, rule_counters: bool = True) -> ir.Module:
    run = run_stages(Compilation("p", "/p.vcl", text.encode(), Options(err_unref=False, rule_counters=rule_counters)), LOWER)
    assert not run.failed and run.module is not None, [str(d) for d in run.diagnostics.items]
    check_module(run.module)
    return run.module


def head(module: ir.Module, rule: ir.Rule) -> str:
    text = module.sources[module.sites[rule.site].file].text
    return text[rule.start:rule.start + rule.length].decode()


def test_subs_and_arms_of_the_author_have_counters() -> None:
    module = lowered()
    found = {head(module, rule): (module.sites[rule.site].line, module.sites[rule.site].column, rule.end_line, rule.end_column)
             for rule in module.rules}
    assert found == {
        "sub s": (2, 1, 6, 34),
        'if (req.http.a # why\n        && req.url ~ "{")': (3, 5, 4, 37),
        "else if (req.http.b)": (5, 5, 5, 28),
        "else": (6, 5, 6, 34),
        "sub /* s */ vcl_recv": (8, 1, 8, 91),
        "if (!req.http.c)": (8, 57, 8, 91),
    }


@pytest.mark.parametrize(("text", "part", "heads"), [
    ('sub vcl_recv { if include "PART"; { return (pass); } }', "# longer than the policy " * 9 + '\n(req.url ~ "a")',
     ["sub vcl_recv", 'if include "PART";']),
    ('sub vcl_recv { if (include "PART"; }', 'req.url ~ "a") { return (pass); }', ["sub vcl_recv", 'if (include "PART";']),
    ('include "PART"; vcl_recv { if (req.url) { } }', "sub", ["sub", "if (req.url)"]),
    ('include "PART"; { if (req.url) { } }', "sub vcl_recv", ["sub vcl_recv", "if (req.url)"]),
])
def test_a_head_with_an_include_ends_in_its_file(tmp_path: Path, text: str, part: str, heads: list[str]) -> None:
    (tmp_path / "part").write_text(part)
    place = str(tmp_path / "part")
    module = lowered("vcl 4.1; backend b none; " + text.replace("PART", place))
    assert [head(module, rule).replace(place, "PART") for rule in module.rules] == heads
    for rule in module.rules:
        assert 0 <= rule.start <= rule.start + rule.length <= len(module.sources[module.sites[rule.site].file].text)


def test_without_counters_no_op_counts() -> None:
    module = lowered(rule_counters=False)
    assert module.rules == []
    assert not any(isinstance(op, ir.Count) for f in module.functions.values() for block in f.blocks for op in block.ops)


def test_rules_beyond_the_limit_have_no_counter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ir, "RULES_MAX", 4)
    module = lowered()
    assert (len(module.rules), module.rules_left) == (4, 2)


@pytest.mark.parametrize(("fields", "hits"), [
    ({}, [1, 2, 0, 0, 2, 0]),
    ({b"b": b"1"}, [1, 2, 0, 2, 0, 1]),
    ({b"a": b"1"}, [1, 2, 2, 0, 0, 1]),
])
def test_a_rule_counts_whenever_its_body_begins(fields: dict[bytes, bytes], hits: list[int]) -> None:
    module = lowered()
    order = ["sub /* s */ vcl_recv", "sub s", 'if (req.http.a # why\n        && req.url ~ "{")', "else if (req.http.b)", "else",
             "if (!req.http.c)"]
    numbers = {head(module, rule): number for number, rule in enumerate(module.rules)}
    for version in (module, run_passes(module, after_each=check_module)):
        world = World(variables={"req_url": b"/{"})
        for name, value in fields.items():
            world.messages[ir.Msg["REQ"]].set(name, value)
        run_hook(version, "vcl_recv", world)
        assert [world.rule_hits[numbers[name]] for name in order] == hits
