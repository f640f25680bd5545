"""Choice of rules, suppressions, and walks that stay small."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings

from lint_helpers import check_marks, results_of, rule_of
from vernis.lint.engine import Settings, is_chosen, lint
from vernis.lint.facts import ABSENT, PRESENT, Facts, Knowledge, facts
from vernis.lint.paths import STATES_MAX, Paths
from vernis.lint.rules import all_rules
from vernis.lint.view import View
from vernis.pipeline import CHECK, Compilation, Options, run_stages

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "native"))
from random_policies import policies

BAN = 'sub vcl_recv { if (req.http.X) { ban("obj.http.a == b"); } }'


@pytest.mark.parametrize(("select", "ignore", "runs"), [
    (("recommended",), (), True),
    (("migration",), (), False),
    (("all",), ("SEC",), False),
    (("SEC",), ("all",), True),
    (("SEC",), ("SEC001",), False),
    (("SEC",), ("purge-without-acl",), False),
    (("SEC001",), ("SEC",), True),
    (("CS",), (), False),
])
def test_the_most_exact_word_decides(select: tuple[str, ...], ignore: tuple[str, ...], runs: bool) -> None:
    rule = rule_of("SEC001")
    assert rule is not None
    assert is_chosen(rule, Settings(select, ignore)) == runs


# ---- suppressions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [
    "sub vcl_recv {\n  return (purge); # vernis: ignore[SEC001] a private network\n}",
    "sub vcl_recv {\n  # vernis: ignore[SEC001] a private network\n  return (purge);\n}",
    "sub vcl_recv {\n  // vernis: ignore[purge-without-acl]\n  # another comment\n  return (purge);\n}",
    "/* vernis: ignore-file[SEC] */\nsub vcl_recv {\n  return (purge);\n}",
    "sub vcl_recv {\n  return (purge); # vernis: ignore[SEC001] until 2030-01-01\n}",
])
def test_a_comment_suppresses_a_finding(text: str) -> None:
    assert results_of(text, ("SEC", "LN")) == []


@pytest.mark.parametrize("text", [
    "sub vcl_recv {\n  # vernis: ignore[SEC001]\n  set req.http.X = \"1\";\n  return (purge);\n}",
    "sub vcl_recv {\n  return (purge); # vernis: ignore[SEC005]\n}",
    "sub vcl_recv {\n  return (purge); # vernis: ignore[SEC001] until 2029-12-31\n}",
])
def test_a_comment_elsewhere_or_too_late_suppresses_nothing(text: str) -> None:
    assert "SEC001" in [result.rule.id for result in results_of(text)]


@pytest.mark.parametrize(("comment", "found"), [
    ("ignore[SEC001]", ["LN001"]),
    ("ignore[SEC001, SEC005]", ["LN001", "LN001"]),
    ("ignore[SEC001] until 2029-12-31", ["LN002"]),
    ("ignore[SEC001] until 2029-13-31", ["LN002"]),
    ("ignore[NOPE1]", ["LN003"]),
    ("ignore", ["LN003"]),
    ("ignore: the office only", ["LN003"]),
    ("ignore-file[ ]", ["LN003"]),
    ("ignored, said somebody", []),
])
def test_a_comment_without_effect_is_a_finding(comment: str, found: list[str]) -> None:
    assert [result.rule.id for result in results_of(f"# vernis: {comment}\nsub vcl_recv {{ return (pass); }}", ("SEC", "LN"))] == found


def test_a_suppression_of_a_rule_that_does_not_run_is_not_unused() -> None:
    assert results_of("# vernis: ignore[SEC001]\nsub vcl_recv { return (pass); }", ("LN",)) == []


# ---- walks -------------------------------------------------------------------------------------------------


def view_of(text: str) -> View:
    run = run_stages(Compilation("t", "t.vcl", text.encode(), Options(err_unref=False)), CHECK)
    assert run.checked is not None and not run.failed
    return View(run.checked)


HEAD = 'vcl 4.1; backend origin { .host = "192.0.2.1"; }\n'


def test_equal_states_join_again() -> None:
    """Forty tests of one field leave two states, not 2 to the 40."""
    body = 'if (req.http.A) { set req.http.B = "1"; } ' * 40
    view = view_of(f"{HEAD}sub vcl_recv {{ {body} return (pass); }}")
    ends = Paths(view, Knowledge(view, {"req.http.a"})).of_hook("vcl_recv", Facts())
    assert {end.state for end in ends} == {facts({"req.http.a": PRESENT}), facts({"req.http.a": ABSENT})}


def test_the_number_of_states_is_limited() -> None:
    names = [f"req.http.a{n}" for n in range(20)]
    body = "".join(f"if ({name}) {{ }} " for name in names)
    view = view_of(f"{HEAD}sub vcl_recv {{ {body} return (pass); }}")
    ends = Paths(view, Knowledge(view, names)).of_hook("vcl_recv", Facts())
    assert len(ends) == STATES_MAX


@pytest.mark.parametrize(("test", "left"), [
    ("req.http.A", [PRESENT]),
    ("!req.http.A", [ABSENT]),
    ("!(req.http.A && req.http.A)", [ABSENT]),
    ("req.http.A || req.url == \"/\"", [PRESENT, ABSENT]),
    ("req.http.A && !req.http.A", []),
    ("req.http.A ~ \"x\"", [PRESENT]),
    ("req.http.A !~ \"x\"", [None]),
    ("req.http.A == \"x\"", ["=x"]),
    ("req.http.A != \"x\"", [None]),
])
def test_what_a_test_tells(test: str, left: list[str | None]) -> None:
    view = view_of(f"{HEAD}sub vcl_recv {{ if ({test}) {{ return (pass); }} return (hash); }}")
    ends = Paths(view, Knowledge(view, {"req.http.a"})).of_hook("vcl_recv", Facts())
    states = {end.state.get("req.http.a") for end in ends if end.action == "pass"}
    assert states == set(left)


@settings(max_examples=150, deadline=None)
@given(policies())
def test_no_policy_breaks_a_rule(drawn: tuple[str, str]) -> None:
    run = run_stages(Compilation("t", "t.vcl", drawn[1].encode(), Options(err_unref=False)), CHECK)
    assert run.checked is not None and not run.failed
    lint(run.checked, all_rules(), Settings(("all",)))


def test_time_grows_with_the_length() -> None:
    """Twice the rules take at most three times as long, beside a second of noise."""
    def seconds(n: int) -> float:
        text = HEAD + "sub vcl_recv {" + "".join(
            f'if (req.url ~ "^/a{i}/" && req.http.Cookie) {{ set req.http.X = "{i}"; unset req.http.Cookie; }}\n'
            for i in range(n)) + "return (hash); }"
        run = run_stages(Compilation("t", "t.vcl", text.encode(), Options(err_unref=False)), CHECK)
        assert run.checked is not None
        began = time.process_time()
        lint(run.checked, all_rules(), Settings(("all",)))
        return time.process_time() - began
    assert seconds(2000) < 3 * seconds(1000) + 1


def test_marks_are_compared() -> None:
    with pytest.raises(AssertionError):
        check_marks(BAN, "SEC001")


@pytest.mark.parametrize("name", ["quickstart", "site"])
def test_the_examples_have_no_findings(name: str) -> None:
    path = Path(__file__).resolve().parents[3] / "examples" / name / f"{name}.vcl"
    run = run_stages(Compilation(name, str(path)), CHECK)
    assert run.checked is not None
    assert [result.diagnostic.message for result in lint(run.checked, all_rules(), Settings())] == []
