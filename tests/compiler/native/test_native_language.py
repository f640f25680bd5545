"""Random policies of the whole language, of 4.x and of 5.0, have the same results in both ways to run them: a few here, any
number with language_run.py."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from both_ways import random_start
from language_coverage import CountingEngine, count_policy, wanted
from goals_five import NOT_GENERATED_OF_FIVE
from language_run import Runner
from random_goals import goals
from random_language import LEFT_OUT, NOT_GENERATED, Policy, random_policy
from random_language_five import random_policy_of_five
from vernis.pipeline import CHECK, Compilation, Options, run_stages
from vernis.syntax.parser import ParseOptions, parse_text

EXAMPLES = int(os.environ.get("VERNIS_LANGUAGE_EXAMPLES", "8"))

POLICY = """vcl 4.1;
import std;
backend b none;
acl near { "10.0.0.0"/8; }
sub vcl_recv {
    if (client.ip == "10.9.9.9" || !(client.ip ~ near)) { set req.ttl = req.grace + 5s; }
    set req.http.X = "" + std.bytes(integer = 5);
    return (synth(404));
}
"""


POLICY_OF_FIVE = """vcl 5.0;
import std;
backend b none;
table t : INT by prefix ["/a" => 5];
fn f(a : STRING) -> INT? { return (int(a)); }
sub s(n : INT) { std.log("" + n); }
sub vcl_recv {
    let a : STRING? = req.http.A;
    let mut n = t[req.url.path] ?? f(a.before("/") ?? "7") ?? 3;
    set n += 1;
    call s(n);
    allow (cookie);
    req.url.query.remove("utm_*");
    req.url.query.sort();
    req.cookie.keep("a");
    set req.http.V = req.http.B ?? req.http.C ?? "none";
    if (a is set) { log { a = a, age = 5s, n = n }; }
    if (let c = req.cookie["a"]) { set req.http.X = c + text(5s); }
    if (req.url ~ "^/(a)" as m) { set req.http.Y = m[1]; }
    for (word in ["a", "b"]) { if (req.url ends "b" && word == "b") { set req.http.Z = word; } }
    switch (a) { case ~ "^x": { set req.http.W = "x"; } default: { return (pass); } }
}
"""


def test_policies_run_the_same(tmp_path: Path) -> None:
    runner = Runner(tmp_path)

    @settings(max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
    @given(st.integers(0, 2**64), st.sampled_from([0, 2]))
    def agree(number: int, level: int) -> None:
        rng = random.Random(number)
        policy = random_policy(rng)
        assert runner.difference(policy, [random_start(rng) for _ in range(3)], level) == {}, policy.text
        assert not runner.refused, runner.refused

    agree()
    runner.close()


@pytest.mark.parametrize("number", range(EXAMPLES))
def test_policies_of_five_run_the_same(number: int, tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    rng = random.Random(number)
    policy = random_policy_of_five(rng, runner.steering_of_five)
    assert runner.difference(policy, [random_start(rng) for _ in range(3)], rng.choice([0, 2])) == {}, policy.text
    assert not runner.refused, runner.refused
    runner.close()


def test_addresses_as_constants_hold_in_the_ir(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    starts = [random_start(random.Random(number)) for number in range(8)]
    assert len({start.client for start in starts}) > 2
    assert runner.difference(Policy("vcl_recv", (4, 1), POLICY), starts, 0) == {} and not runner.refused
    runner.close()


def test_long_string_behind_a_name_that_ends_in_backend() -> None:
    text = POLICY.replace("vcl_recv", "vcl_backend_fetch").split("    if")[0] + """set bereq.url = bereq.backend + {"/x"};\n}\n"""
    assert not run_stages(Compilation("p", "p.vcl", text=text.encode(), options=Options(err_unref=False)), CHECK).failed


def test_coverage_counts_the_parts_of_a_policy() -> None:
    run = run_stages(Compilation("p", "p.vcl", text=POLICY.encode(), options=Options(builtin=False, err_unref=False)), CHECK)
    assert run.checked is not None and not run.failed
    engine = CountingEngine()
    parse_text(POLICY, options=ParseOptions(engine=engine))
    found = set(count_policy(run.checked, "vcl_recv")) | engine.seen
    assert found & set(wanted()) >= {
        "operator DURATION + DURATION", "comparison IP ==", "match acl", "or", "not", "set req.ttl 0-1 in vcl_recv",
        "read req.grace 0-1 in vcl_recv", "read client.ip 0-1 in vcl_recv", "set req.http.* 0-1 in vcl_recv", "assignment HEADER =",
        "alternative argument by name", "return synth in vcl_recv", "module std.bytes", "join", "rule ifStatement", "rule acl",
            "token OR", "token NOT"}
    assert "operator INT + INT" not in found and "token MINUS" not in found and "module std.log" not in found


def counted_of_five(text: str, hook: str) -> set[str]:
    run = run_stages(Compilation("p", "p.vcl", text=text.encode(), options=Options(builtin=True, err_unref=False)), CHECK)
    assert run.checked is not None and not run.failed, [item.message for item in run.diagnostics.items]
    engine = CountingEngine()
    parse_text(text, options=ParseOptions(engine=engine))
    return (set(count_policy(run.checked, hook)) | engine.seen) & set(wanted(True))


def test_coverage_counts_the_forms_of_five() -> None:
    found = counted_of_five(POLICY_OF_FIVE, "vcl_recv")
    assert found >= {
        "let STRING?", "let mut INT", "coalesce STRING", "is set STRING", "fn INT?", "table INT by prefix", "convert DURATION", "function int",
        "method STRING.before", "view read req.url.path", "view remove req.url.query", "view sort req.url.query", "view keep req.cookie",
        "view read req.cookie", "group", "allow cookie", "node CallWith", "rule forStatement", "rule binding", "token ENDS",
        "alternative pattern as a label", "alternative two defaults", "alternative group by number", "node Give", "rule logStatement"}
    assert not found & {"view remove req.cookie", "allow private", "table INT by exact", "fn INT", "let INT?", "view set req.url.path"}


def test_policies_of_4_are_not_counted_as_five() -> None:
    assert {"rule letStatement", "token QUESTION", "alternative optional type"} & set(wanted()) == set()
    assert {"rule letStatement", "token QUESTION", "alternative optional type", "operator INT + INT"} <= set(wanted(True))


def test_exceptions_are_parts_of_the_language() -> None:
    assert set(NOT_GENERATED) <= {*wanted(), "inlineC"}
    assert set(NOT_GENERATED_OF_FIVE) <= set(wanted(True))


def test_everything_has_a_goal() -> None:
    """A thing that no goal contains must occur by chance, in at most so many policies."""
    for five in (False, True):
        aimed = {*goals(five), *LEFT_OUT}
        by_itself = {name for name in wanted(five) if name not in aimed}
        assert {name.split()[0] for name in by_itself} <= {"rule", "token", "alternative", "node", "match", "not", "and", "or", "join", "group"}


def counted(progress: Path, policies: int) -> Any:
    """The progress file after a run of language_run.py up to a number of policies."""
    command = [sys.executable, str(Path(__file__).with_name("language_run.py")), "--policies", str(policies), "--progress", str(progress)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    return json.loads(progress.read_text())


def test_a_run_goes_on_with_the_counts_it_had(tmp_path: Path) -> None:
    assert counted(tmp_path / "stopped", 3) != counted(tmp_path / "whole", 6)
    assert counted(tmp_path / "stopped", 6) == counted(tmp_path / "whole", 6)
