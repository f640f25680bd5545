"""Faults that need the flow of values, as reviewers meet them: small whole policies in lost_values/. Each file has what
happened, a policy with a mark at the line of the cause, and the same policy without the fault, in which the rule is silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from lint_five import HEAD_FIVE, results_of_five
from test_lint_incidents import PROFILES, found_in, marks_in

FILES = sorted((Path(__file__).parent / "lost_values").glob("*.vcl"))
TWIN = "#### without the fault\n"

# A switch of 5.0: no case that an earlier one shadows.
CASES = [
    ('sub vcl_recv { switch (req.method) { case ~ "^P": { return (pass); }\n case "POST": { return (pipe); } #! FL002\n default: { } } }',
     'sub vcl_recv { switch (req.method) { case "POST": { return (pipe); } case ~ "^P": { return (pass); } default: { } } }'),
    ('sub vcl_recv { switch (req.http.X-A.lower()) { case ~ "^ad": { return (pass); }\n case "admin": { return (pipe); } #! FL002\n'
     " default: { } } }",
     'sub vcl_recv { switch (req.http.X-A.lower()) { case ~ "^ad$": { return (pass); } case "admin": { return (pipe); } default: { } } }'),
    ('sub vcl_recv { switch (req.url.path) { case ~ "^/a/": { return (pass); }\n case "/b", "/a/b": { return (pipe); } #! FL002\n'
     " default: { } } }",
     'sub vcl_recv { switch (req.url.path) { case ~ "^/a/": { return (pass); } case "/b", "/a": { return (pipe); } default: { } } }'),
    ('sub vcl_recv { let path = req.url.path; if (path ~ "^/a") { return (pass); }\n if (path == "/a/b") { return (pipe); } #! FL002\n }',
     'sub vcl_recv { let path = req.url.path; if (path ~ "^/a") { return (pass); } if (path == "/b") { return (pipe); } }'),
    ('sub vcl_recv { switch (req.http.X-A.lower()) {\n case "Yes": { return (pass); } #! TY008\n default: { } } }',
     'sub vcl_recv { switch (req.http.X-A.lower()) { case "yes": { return (pass); } default: { } } }'),
]


def halves(path: Path) -> tuple[str, str]:
    bad, twin, good = path.read_text().partition(TWIN)
    assert twin and good
    return bad, good


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_fault_is_found_once_and_its_twin_is_silent(path: Path) -> None:
    bad, good = halves(path)
    marks = marks_in(bad)
    assert sum(marks.values()) == 1
    ((line, code),) = marks
    found = found_in(bad, PROFILES)
    assert {place: times for place, times in found.items() if line == place[0] or code == place[1]} == marks
    assert code not in {found for _, found in found_in(good, PROFILES)}


def test_there_are_faults_of_each_kind() -> None:
    marked = [code for path in FILES for _, code in marks_in(halves(path)[0])]
    assert all(marked.count(code) >= least for code, least in (("FL011", 14), ("UN010", 5), ("TY008", 7), ("TY001", 6), ("V325", 7)))


@pytest.mark.parametrize("bad, good", CASES)
def test_a_case_of_a_switch_that_never_runs(bad: str, good: str) -> None:
    ((line, code),) = marks_in(bad)
    (result,) = results_of_five(bad, code)
    assert (HEAD_FIVE + bad).encode()[:result.finding.span.start].count(b"\n") == line
    assert not results_of_five(good, code)
