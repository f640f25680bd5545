"""The rules visit only what they need, and find the same as if they visited everything."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lint_mixtures import HEAD, PARTS, joined, mixtures

from vernis.lint import ambiguity, paths, values
from vernis.lint.ambiguity import attack_on, may_exceed_square
from vernis.lint.engine import Result, Settings, lint
from vernis.lint.facts import ABSENT, Facts, Knowledge
from vernis.lint.paths import Paths, steps_of
from vernis.lint.quick import begins_otherwise, needs_bytes
from vernis.lint.automata import language_of
from vernis.lint.rules import all_rules, inputs
from vernis.lint.view import View
from vernis.lint.where import Where
from vernis.pipeline import CHECK, Compilation, Options, run_stages
from vernis.semantics.typed import Checked

ROOT = Path(__file__).resolve().parents[3]
POLICIES = [path.read_text("latin-1") for path in sorted([*ROOT.glob("examples/**/*.vcl"), *ROOT.glob("tests/**/*.vcl")])]


def checked(text: str) -> Checked | None:
    """None for a policy with errors."""
    run = run_stages(Compilation("test", "test.vcl", text.encode("latin-1", "replace"), Options(err_unref=False)), CHECK)
    return None if run.failed else run.checked


def findings(policy: Checked) -> list[Result]:
    return lint(policy, all_rules(), Settings(("all",)))


def findings_of_full_walks(policy: Checked, monkeypatch: pytest.MonkeyPatch) -> list[Result]:
    """The findings if no walk steps over anything and no rule ends early."""
    with monkeypatch.context() as patch:
        patch.setattr(Where, "concerned", lambda self, names: None)
        patch.setattr(Where, "has_any", lambda self, *names: True)
        patch.setattr(Where, "returns", lambda self, action: True)
        patch.setattr(inputs, "_reads_more_than_the_key", lambda view: True)
        return findings(policy)


@pytest.mark.slow
def test_stepping_over_text_changes_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0
    for text in [*POLICIES, *(joined([part]) for part in PARTS)]:
        policy = checked(text)
        if policy is not None:
            seen += len(found := findings(policy))
            assert findings_of_full_walks(policy, monkeypatch) == found, text
    assert seen > 400


@settings(max_examples=150, deadline=None)
@given(mixtures())
def test_stepping_over_text_changes_no_finding_of_mixtures(text: str) -> None:
    policy = checked(text)
    if policy is not None:
        with pytest.MonkeyPatch.context() as patch:
            assert findings_of_full_walks(policy, patch) == findings(policy)


SETS = 'if (req.url ~ "^/a") { set req.http.X-Site = "a"; } else { set req.http.X-Site = "b"; }'


@pytest.mark.parametrize(("hooks", "is_walked"), [
    (f"sub vcl_recv {{ {SETS} }}", False),
    (f'sub vcl_recv {{ if (req.http.Host == "a") {{ {SETS} }} }} sub vcl_deliver {{ set resp.http.X-A = req.http.X-A; }}', False),
    (f"sub vcl_recv {{ {SETS} set req.url = \"/\"; }}", True),
    (f"sub vcl_recv {{ {SETS} }} sub vcl_hash {{ hash_data(req.http.Host); return (lookup); }}", True),
    (f"sub vcl_recv {{ {SETS} }} sub vcl_builtin_hash {{ hash_data(req.http.Host); return; }}", True),
    (f"sub vcl_recv {{ {SETS} set req.http.X-Site += req.http.Host; }}", True),
    ("import std; sub vcl_recv { set req.http.X-Site = std.tolower(req.http.X-Lang); }", True),
    ('import cookie; sub vcl_recv { cookie.parse(req.http.Cookie); set req.http.X-Site = cookie.get("a"); }', True),
])
def test_inputs_are_followed_only_if_the_policy_reads_one_that_the_key_may_lack(hooks: str, is_walked: bool) -> None:
    policy = checked(HEAD + hooks)
    assert policy is not None and inputs._reads_more_than_the_key(View(policy)) is is_walked


def test_a_key_of_many_nested_choices_is_read_once() -> None:
    """Each pair of ifs doubled the work: the outer one chooses between the value before and the inner choice."""
    pairs = "".join(f'if (req.http.A{i}) {{ if (req.http.B{i}) {{ set req.http.X = "{i}"; }} }}' for i in range(60))
    policy = checked(f"{HEAD} sub vcl_recv {{ set req.http.X = \"a\"; {pairs} }} sub vcl_hash {{ hash_data(req.http.X); }}")
    assert policy is not None and "CK001" not in {found.rule.id for found in findings(policy)}


TWO_HOOKS = HEAD + """
sub other { if (req.url ~ "^/b") { set req.http.X-B = "1"; if (req.http.X-C) { set req.http.X-D = "1"; } } }
sub vcl_recv {
    if (req.url ~ "^/a" && req.http.X-A) { set req.http.X-B = "1"; } else { unset req.http.X-B; }
    call other;
    if (req.http.Cookie) { return (pass); }
    if (req.method == "PURGE") { return (purge); }
}
"""


def walked(about: bool, monkeypatch: pytest.MonkeyPatch) -> tuple[list[tuple[object, ...]], int]:
    """The exits of vcl_recv with their steps, and the number of tests that the walk asked for."""
    policy = checked(TWO_HOOKS)
    assert policy is not None
    view, n_tests = View(policy), 0
    domain = Knowledge(view, ("req.http.cookie",), also=() if about else None)
    assume = domain.assume

    def counted(*args: object) -> Facts | None:
        nonlocal n_tests
        n_tests += 1
        return assume(*args)

    monkeypatch.setattr(domain, "assume", counted)
    ends = Paths(view, domain).of_hook("vcl_recv", Facts((("req.http.cookie", ABSENT),)))
    return [(end.action, end.at, end.state, list(steps_of(end.trail))) for end in ends], n_tests


def test_a_walk_steps_over_text_without_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exits, states and the shown paths are those of a walk that visits everything."""
    with_names, few = walked(True, monkeypatch)
    without, many = walked(False, monkeypatch)
    assert with_names == without
    assert any(len(steps) > 3 for *_, steps in without)
    assert few < many / 3


def test_a_walk_that_meets_none_of_its_names_visits_no_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = checked(HEAD + 'sub vcl_deliver { if (req.url ~ "^/a") { set resp.http.X-A = "1"; } }')
    assert policy is not None
    visited: list[object] = []
    view = View(policy)
    domain = Knowledge(view, ("beresp.ttl",), watch=lambda facts, statement, trail: visited.append(statement), also=())
    ends = paths.Paths(view, domain).of_hook("vcl_deliver", Facts())
    assert [end.action for end in ends] == ["deliver"] and not visited


@pytest.mark.parametrize("pattern", ["", "a", "^$", "a?", "(a|b)", "(a|)", "a{0,2}", "(a?b)+", "(^|x)", "[^/]*$", "x{2}"])
def test_needs_bytes_agrees_with_the_automaton(pattern: str) -> None:
    language = language_of(pattern)
    assert language is not None and needs_bytes(pattern) is not language.matches(b"")


def test_tests_that_an_empty_text_fails_are_compared_without_automata(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "_language", lambda one: pytest.fail(f"an automaton was asked for {one}"))
    tests = [values.Test("req.url", "match", "^/a/"), values.Test("req.url", "match", "^/b/"), values.Test("req.url", "text", "/c")]
    policy = checked(HEAD + "sub vcl_recv { return (pass); }")
    assert policy is not None
    compared = values.Values(View(policy))
    assert not any(compared.cover_all(one, other) for one in tests for other in tests)


PIECES = ["a", "b", "ab", "[ab]", ".", "a*", "[ab]+", ".*", "(a|b)", "(a|ab)*", "(a*b)+", "(a+)+", "(ab?){2,}", "(a*){3}", "\\w+",
          "(?:a|b)?", "/", "^", "$"]
PATTERNS = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)


@settings(max_examples=600, deadline=None)
@given(PATTERNS)
def test_what_is_not_searched_for_an_attack_has_none_that_a_rule_reports(pattern: str) -> None:
    attack = attack_on(pattern)
    assert may_exceed_square(pattern) or attack is None or (attack.power is not None and attack.power < 3)


def test_patterns_with_few_loops_get_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ambiguity, "_Places", lambda *args: pytest.fail("an automaton was made"))
    policy = checked(HEAD + 'sub vcl_recv { if (req.url ~ "^/a(b|c)/[0-9]+[.]x(\\?.*)?$") { return (pass); } }')
    assert policy is not None and not [one for one in findings(policy) if one.rule.id in ("RE003", "RE011")]


@settings(max_examples=600, deadline=None)
@given(PATTERNS, st.text("ab/", max_size=4), st.text("ab/", max_size=3))
def test_a_pattern_that_begins_otherwise_does_not_match(pattern: str, begin: str, rest: str) -> None:
    language = language_of("^" + pattern)
    if language is not None and begins_otherwise("^" + pattern, begin):
        assert not language.matches((begin + rest).encode())
