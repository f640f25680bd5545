"""Mutants of policies: the changes, and which of them tests notice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from vernis.pipeline import Options
from vernis.syntax.parser import ParseOptions, parse_program
from vernis.syntax.source import SourceFile
from vernis.syntax.splice import DiskResolver
from vernis.trial import mutation
from vernis.trial import suite as suites
from vernis.trial.mutate import drawn, mutants
from vernis.trial.mutation import Outcome, Tried

ROOT = Path(__file__).resolve().parents[3]
VERNIS = ROOT / "build" / "bin" / "vernis"
Trying = Callable[..., list[Tried]]

HEAD = 'vcl 4.1;\nbackend main { .host = "main.invalid"; .port = "81"; }\n'


def changes(statement: str, sub: str = "vcl_recv") -> set[tuple[str, str]]:
    """Each change of a statement: its kind, and the statement after it."""
    before, after = f"{HEAD}sub {sub} {{ ", " }\n"
    program, _ = parse_program(SourceFile("p.vcl", (before + statement + after).encode()), ParseOptions())
    return {
        (one.what, one.data.decode().removeprefix(before).removesuffix(after)) for one in mutants(program, random.Random(1))
    }


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("unset req.http.A;", {("statement dropped", "")}),
        ("call other;", {("statement dropped", "")}),
        ("if (req.esi) { }", {("condition negated", "if (!(req.esi)) { }")}),
        ("if (req.http.A == req.http.B) { }", {("other operator", "if (req.http.A != req.http.B) { }")}),
        (
            "if (req.http.A && (req.http.B || req.esi)) { }",
            {
                ("condition negated", "if (!(req.http.A && (req.http.B || req.esi))) { }"),
                ("other operator", "if (req.http.A || (req.http.B || req.esi)) { }"),
                ("other operator", "if (req.http.A && (req.http.B && req.esi)) { }"),
            },
        ),
        (
            "if (req.restarts > 3) { }",
            {
                ("condition negated", "if (!(req.restarts > 3)) { }"),
                ("other operator", "if (req.restarts >= 3) { }"),
                ("other number", "if (req.restarts > 4) { }"),
            },
        ),
        ("set req.ttl = 1.5h;", {("statement dropped", ""), ("other quantity", "set req.ttl = 3.000h;")}),
        ("set req.ttl = 0s;", {("statement dropped", ""), ("other quantity", "set req.ttl = 1s;")}),
        (
            "set req.ttl += req.ttl * 2;",
            {
                ("statement dropped", ""),
                ("other operator", "set req.ttl -= req.ttl * 2;"),
                ("other operator", "set req.ttl += req.ttl / 2;"),
                ("other number", "set req.ttl += req.ttl * 3;"),
            },
        ),
        ('set req.url = "a";', {("statement dropped", ""), ("other text", 'set req.url = "ax";')}),
        ('set req.url = {"a"};', {("statement dropped", ""), ("other text", 'set req.url = {"ax"};')}),
        ('set req.url = """a""";', {("statement dropped", ""), ("other text", 'set req.url = """ax""";')}),
    ],
)
def test_the_changes_of_a_statement(statement: str, found: set[tuple[str, str]]) -> None:
    assert changes(statement) == found


def test_a_return_gets_another_action_of_its_hook() -> None:
    (other,) = (text for what, text in changes("return (fetch);", "vcl_pass") if what == "other action")
    assert other == "return (restart);"


def test_declarations_and_the_built_in_policy_do_not_change() -> None:
    assert changes("") == set()


def test_a_seed_gives_one_order(tmp_path: Path) -> None:
    text = (ROOT / "examples/site/site.vcl").read_bytes()
    program, _ = parse_program(SourceFile("p.vcl", text), ParseOptions())
    orders = [[(one.place, one.text) for one in drawn(program, seed)] for seed in (1, 1, 2)]
    assert (orders[0] == orders[1], orders[0] == orders[2]) == (True, False)


def test_included_files_change_too(tmp_path: Path) -> None:
    (tmp_path / "part.vcl").write_text("sub vcl_recv { unset req.http.A; }")
    text = f'{HEAD}include "{tmp_path}/part.vcl";'
    program, _ = parse_program(SourceFile("p.vcl", text.encode()), ParseOptions(resolver=DiskResolver((), True, {})))
    assert [(one.place, one.data) for one in drawn(program, 1)] == [(f"{tmp_path}/part.vcl:1:16", b"sub vcl_recv {  }")]


# ---- runs --------------------------------------------------------------------------------------------------

POLICY = HEAD + 'sub vcl_recv {\n    if (req.url == "/a") { return (pass); }\n    unset req.http.A;\n}\n'
TESTS = 'vcl 4.1;\ntest "a" { request("/a"); expect(pass); request("/b"); expect(miss); }\n'


@pytest.fixture
def tries(tmp_path: Path) -> Trying:
    """Tries mutants of POLICY."""
    (tmp_path / "p.vcl").write_text(POLICY)
    (tmp_path / "p.test.vcl").write_text(TESTS)
    suite = suites.load(tmp_path / "p.test.vcl")

    def tries(number: int = 100, jobs: int = 2) -> list[Tried]:
        return mutation.try_mutants(suite, suite.cases, Options(), number, 1, jobs)

    return tries


def missed(tried: list[Tried]) -> list[str]:
    return [one.mutant.diff().splitlines()[4] for one in tried if one.outcome is Outcome.MISSED]


def test_a_change_that_no_test_notices_is_missed(tries: Trying) -> None:
    tried = tries()
    assert missed(tried) == ["-    unset req.http.A;"]
    assert len(tried) == 5


def test_the_number_of_processes_does_not_choose_the_mutants(tries: Trying) -> None:
    one, three = tries(3, 1), tries(3, 3)
    assert [(t.mutant.place, t.outcome) for t in one] == [(t.mutant.place, t.outcome) for t in three]
    assert len(one) == 3


def test_a_mutant_that_does_not_compile_does_not_count(tries: Trying, tmp_path: Path) -> None:
    (tmp_path / "p.vcl").write_text(HEAD + "import std;\nsub vcl_recv { set req.http.A = std.integer(s = \"1\", fallback = 2) + now; }")
    assert "other operator" not in {one.mutant.what for one in tries()}


@pytest.mark.parametrize("end", [lambda: os.kill(os.getpid(), signal.SIGKILL), signal.pause], ids=["a crash", "no end"])
def test_a_mutant_that_never_finishes_is_told_apart(tries: Trying, monkeypatch: pytest.MonkeyPatch, end: Callable[[], None]) -> None:
    monkeypatch.setattr(mutation, "LIMIT_S", 0.1)
    monkeypatch.setattr(mutation, "_result", lambda *_: end())
    assert [one.outcome for one in tries(2)] == [Outcome.CRASHED] * 2


def test_a_process_that_fails_otherwise_is_an_error(tries: Trying, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutation, "_result", lambda *_: os._exit(77))
    with pytest.raises(suites.SuiteTrouble, match="exited with 77"):
        tries(1)


def vernis(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(VERNIS), "test", *map(str, arguments)], capture_output=True, text=True, timeout=60, cwd=cwd, check=False
    )


def test_the_command_shows_missed_mutants_as_differences(tries: Trying, tmp_path: Path) -> None:
    found = vernis("--mutate", cwd=tmp_path)
    assert found.returncode == 0
    assert found.stdout.splitlines()[:-1] == [
        "p.vcl:5:5: no test notices: statement dropped",
        "--- p.vcl",
        "+++ p.vcl",
        "@@ -4,3 +4,3 @@",
        '     if (req.url == "/a") { return (pass); }',
        "-    unset req.http.A;",
        "+    ",
        " }",
        "",
        "mutants noticed: 80.0 % (4 of 5)",
    ]
    assert (tmp_path / "p.vcl").read_text() == POLICY


@pytest.mark.parametrize(("limit", "code"), [(80, 0), (81, 1)])
def test_too_few_noticed_mutants_fail(tries: Trying, tmp_path: Path, limit: int, code: int) -> None:
    found = vernis("--mutate", "--fail-under", limit, cwd=tmp_path)
    assert (found.returncode, "mutants: 80.0 % (4 of 5) is less than 81 %" in found.stdout) == (code, code == 1)


def test_a_failing_suite_tries_no_mutants(tries: Trying, tmp_path: Path) -> None:
    (tmp_path / "p.test.vcl").write_text('vcl 4.1;\ntest "a" { request("/a"); expect(hit); }\n')
    found = vernis("--mutate", cwd=tmp_path)
    assert (found.returncode, "no mutants: a test fails" in found.stdout) == (1, True)


def test_the_suites_of_the_examples_notice_most_mutants() -> None:
    """100 mutants: all of the small policy, and the first of the large one."""
    left, noticed = 100, 0
    for path in ("examples/quickstart/quickstart.test.vcl", "examples/site/site.test.vcl"):
        suite = suites.load(ROOT / path)
        tried = mutation.try_mutants(suite, suite.cases, Options(), left, 1, 2)
        left -= len(tried)
        noticed += sum(one.outcome is Outcome.NOTICED for one in tried)
    assert left == 0
    assert noticed > 80
