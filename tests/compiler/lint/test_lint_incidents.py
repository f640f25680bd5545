"""Faults of published policies, rebuilt in our own words: each cause is found once. Each file has a link to the report,
what happened, and a mark at the line of the cause: the id of a rule, or the code of a message of the checker."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from lint_helpers import HEAD, TODAY
from vernis.lint.engine import Settings, lint
from vernis.lint.rules import all_rules, rule_of
from vernis.pipeline import CHECK, Compilation, Options, run_stages

HERE = Path(__file__).parent
FILES = sorted((HERE / "incidents").glob("*.vcl"))
#: The same without a public report. NAME.fine.vcl is a policy much like NAME.vcl in which nothing is wrong.
MISSED = sorted((HERE / "missed").glob("*.vcl"))
PROFILES = ("recommended", "security", "migration")
GROUPS = {"BE", "CK", "CS", "DEP", "FL", "RE", "SEC", "TY", "UN"}
#: What the checker reports instead of a rule.
OF_THE_CHECKER = {"V405": "DEP006", "V602": "UN001"}
_MARK = re.compile(r"#! (.+)$", re.M)


def marks_in(text: str) -> Counter[tuple[int, str]]:
    return Counter((number, code) for number, line in enumerate(text.splitlines(), 1)
                   for match in _MARK.finditer(line) for code in match[1].split())


def found_in(text: str, select: tuple[str, ...]) -> Counter[tuple[int, str]]:
    """Line and code of all that `vernis check` and `vernis lint` report."""
    run = run_stages(Compilation("test", "test.vcl", (HEAD + text).encode(), Options(err_unref=False)), CHECK)
    found = [(item.span.start, item.code) for item in run.diagnostics.items]
    if not run.failed and run.checked is not None:
        settings = Settings(select, today=TODAY)
        found += [(result.finding.span.start, result.rule.id) for result in lint(run.checked, all_rules(), settings)]
    return Counter((((HEAD + text).encode())[:at].count(b"\n"), code) for at, code in found)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_cause_of_an_incident_is_found_once(path: Path) -> None:
    text = path.read_text()
    assert text.startswith("# https://")
    marks = marks_in(text)
    assert marks
    # Rules of the profile strict judge style: only the one that is marked runs.
    assert found_in(text, (*PROFILES, *(code for _, code in marks))) == marks


@pytest.mark.parametrize("path", MISSED, ids=lambda path: path.stem)
def test_a_kind_without_a_report_is_found_once_and_its_twin_is_silent(path: Path) -> None:
    text = path.read_text()
    marks = marks_in(text)
    assert bool(marks) is not path.stem.endswith(".fine")
    assert found_in(text, (*PROFILES, *(code for _, code in marks))) == marks


def test_all_groups_have_incidents() -> None:
    marked = {code for path in FILES for _, code in marks_in(path.read_text())}
    assert len(FILES) >= 60
    assert all(rule_of(code) or code in OF_THE_CHECKER for code in marked)
    assert {re.sub("[0-9]", "", OF_THE_CHECKER.get(code, code)) for code in marked} == GROUPS
