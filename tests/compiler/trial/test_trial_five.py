"""`vernis test` on policies of vcl 5.0: what a suite covers, and which changes of the policy there are."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from vernis.pipeline import Options
from vernis.syntax.parser import ParseOptions, parse_program
from vernis.syntax.source import SourceFile
from vernis.trial import mutation
from vernis.trial import suite as suites
from vernis.trial.coverage import Coverage, FileCoverage
from vernis.trial.mutate import mutants
from vernis.trial.mutation import Outcome
from vernis.trial.suite import Suite

ROOT = Path(__file__).resolve().parents[3]
HEAD = 'vcl 5.0;\nbackend main { .host = "main.invalid"; .port = "81"; }\n'


# ---- mutants -----------------------------------------------------------------------------------------------


def changes(text: str, before: str = "", after: str = "") -> set[tuple[str, str]]:
    """Each change of a part of a policy: its kind, and the part after it."""
    program, items = parse_program(SourceFile("p.vcl", (HEAD + before + text + after).encode()), ParseOptions())
    assert not items.items
    return {
        (one.what, one.data.decode().removeprefix(HEAD + before).removesuffix(after)) for one in mutants(program, random.Random(1))
    }


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("allow (cookie);", {("statement dropped", "")}),
        ("builtin;", {("statement dropped", "")}),
        ('let a = "x";', {("other text", 'let a = "xx";')}),
        ("req.url.query.sort();", {("statement dropped", "")}),
        ("if (let a = req.http.A) { }", set()),
        ("if (req.http.A is set) { }", {("condition negated", "if (!(req.http.A is set)) { }"), ("other test", "if (req.http.A is empty) { }")}),
        (
            'if (req.url starts "/a") { }',
            {
                ("condition negated", 'if (!(req.url starts "/a")) { }'),
                ("other operator", 'if (req.url contains "/a") { }'),
                ("other text", 'if (req.url starts "/ax") { }'),
            },
        ),
        (
            'if (req.url in ["a", "b"]) { }',
            {
                ("condition negated", 'if (!(req.url in ["a", "b"])) { }'),
                ("other text", 'if (req.url in ["ax", "b"]) { }'),
                ("other text", 'if (req.url in ["a", "bx"]) { }'),
            },
        ),
        (
            'switch (req.url) { case "a": { } default: { } }',
            {
                ("case dropped", "switch (req.url) {  default: { } }"),
                ("case dropped", 'switch (req.url) { case "a": { }  }'),
                ("other text", 'switch (req.url) { case "ax": { } default: { } }'),
            },
        ),
        ('for (x in ["a"]) { unset req.http.A; }', {("statement dropped", 'for (x in ["a"]) {  }'), ("other text", 'for (x in ["ax"]) { unset req.http.A; }')}),
        ('@rule("a") unset req.http.A;', {("statement dropped", '@rule("a") ')}),
        ('log { a = "b" };', set()),
        ('invariant "a" { req.url == "b" }', set()),
    ],
)
def test_the_changes_of_a_statement(statement: str, found: set[tuple[str, str]]) -> None:
    assert changes(statement, "sub vcl_recv { ", " }\n") == found


@pytest.mark.parametrize(
    ("declaration", "found"),
    [
        ('set S ["a"];', {("other text", 'set S ["ax"];')}),
        ('const C = "a";', {("other text", 'const C = "ax";')}),
        ("param P = 10s;", {("other quantity", "param P = 20s;")}),
        ('table t : INT by exact ["a" => 1];', {("other number", 'table t : INT by exact ["a" => 2];')}),
        ('table t : INT by exact from "a.csv";', set()),
        ("fn f() -> INT { return (1); }", {("other number", "fn f() -> INT { return (2); }")}),
        ("counter c by (a);", set()),
    ],
)
def test_the_changes_of_a_declaration(declaration: str, found: set[tuple[str, str]]) -> None:
    assert changes(declaration) == found


POLICY = HEAD + """set ASSETS [".css", ".js"];
table moved : STRING by exact ["/old" => "/new"];
fn shard(name : STRING) -> STRING {
    if (name starts "a") { return ("first"); }
    return ("last");
}
sub deny(status : INT) {
    return (synth(status));
}
sub vcl_recv {
    switch (req.method) {
        case "GET", "HEAD": { }
        case ~ "^P": { call deny(405); }
        default: { return (pass); }
    }
    if (req.url.path ends ASSETS) {
        unset req.http.Cookie;
    }
    if (let to = moved[req.url]) {
        return (synth(301, to));
    }
    for (word in ["news", "sport"]) {
        if (req.url == "/" + word) { set req.http.X-Section = word; }
    }
    if (req.url ~ "^/shop/(\\w+)" as m) {
        set req.http.X-Shard = shard(m[1] ?? "none");
    }
}
"""
TESTS = """vcl 4.1;
test "assets" { request("/a.css", header = "Cookie: a=b"); expect(miss && !bereq.http.Cookie); }
test "moved" { request("/old"); expect(synth && resp.status == 301 && resp.body ~ "301 /new</h1>"); }
test "posts" { request("/", method = "POST"); expect(synth && resp.status == 405); }
test "shop" { request("/shop/abc"); expect(bereq.http.X-Shard == "first"); }
"""


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    (tmp_path / "p.vcl").write_text(POLICY)
    (tmp_path / "p.test.vcl").write_text(TESTS)
    return suites.load(tmp_path / "p.test.vcl")


def test_tests_miss_what_they_do_not_ask(suite: Suite) -> None:
    """No test asks for a script, for /news or /sport, for another shop, for HEAD or for a method without a case."""
    tried = mutation.try_mutants(suite, suite.cases, Options(), 60, 1, 2)
    missed = {(one.mutant.what, one.mutant.text.decode()) for one in tried if one.outcome is Outcome.MISSED}
    assert missed == {
        ("other text", text) for text in ('".jsx"', '"sportx"', '"/x"', '"nonex"', '"HEADx"', '"newsx"', '"lastx"')
    } | {("other operator", "contains"), ("other operator", "!="), ("case dropped", ""), ("statement dropped", ""), ("other action", "return (hash);")}
    places = [one.mutant.place.split(":")[1] for one in tried if one.outcome is Outcome.MISSED]
    assert sorted(places, key=int) == ["3", "6", "7", "14", "16", "16", "16", "18", "24", "24", "25", "25", "25", "28"]


# ---- coverage ----------------------------------------------------------------------------------------------


@pytest.fixture
def covered(suite: Suite) -> FileCoverage:
    coverage = Coverage()
    suites.run_suite(suite, suite.cases, Options(), 1, coverage)
    (found,) = coverage.files()
    return found


def test_lines_of_all_forms_are_covered(covered: FileCoverage) -> None:
    left = {POLICY.splitlines()[line - 1].strip() for line, hits in covered.lines.items() if hits == 0}
    assert left == {'return ("last");', "default: { return (pass); }"}
    ran = {POLICY.splitlines()[line - 1].strip() for line, hits in covered.lines.items() if hits}
    assert {"return (synth(status));", "unset req.http.Cookie;", "return (synth(301, to));", 'set req.http.X-Shard = shard(m[1] ?? "none");'} <= ran


def test_a_branch_that_no_test_takes_is_named(covered: FileCoverage) -> None:
    left = {(branch.line, branch.head) for branch in covered.branches if not branch.hits}
    lines = POLICY.splitlines()
    assert {lines[line - 1].strip().partition(" {")[0] for line, _ in left} == {
        "default:", 'if (name starts "a")', 'if (req.url == "/" + word)'}
