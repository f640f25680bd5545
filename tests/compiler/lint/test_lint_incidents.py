"""Faults of policies, rebuilt in our own words: each cause is found once. A file has what happened, and a mark at the line of the cause: the id of a
rule, or the code of a message of the checker. Those in incidents/ have a link to a public report. Those in missed/ have none, and most end with the
same policy without the fault."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from lint_five import HEAD_FIVE, results_of_five
from lint_helpers import HEAD, TODAY, rule_of
from vernis.lint.engine import Settings, lint
from vernis.lint.rules import all_rules
from vernis.pipeline import CHECK, Compilation, Options, run_stages

HERE = Path(__file__).parent
FILES = sorted((HERE / "incidents").glob("*.vcl"))
MISSED = sorted((HERE / "missed").glob("*.vcl"))
TWIN = "#### without the fault\n"
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
    bad, *twins = path.read_text().split(TWIN)
    marks = marks_in(bad)
    assert marks
    codes = {code for _, code in marks}
    assert found_in(bad, (*PROFILES, *codes)) == marks
    for twin in twins:
        left = marks_in(twin)                       # the twin lacks one of the faults
        assert found_in(twin, (*PROFILES, *codes)) == left and codes - {code for _, code in left}


def test_there_are_kinds_without_a_report() -> None:
    marked = [code for path in MISSED for _, code in marks_in(path.read_text())]
    assert len(MISSED) >= 180 and sum(TWIN in path.read_text() for path in MISSED) >= 60
    assert all(marked.count(code) >= least for code, least in (("FL011", 14), ("UN010", 5), ("TY008", 7), ("TY001", 6), ("V325", 7)))


def test_all_groups_have_incidents() -> None:
    marked = {code for path in FILES for _, code in marks_in(path.read_text())}
    assert len(FILES) >= 60
    assert all(rule_of(code) or code in OF_THE_CHECKER for code in marked)
    assert {re.sub("[0-9]", "", OF_THE_CHECKER.get(code, code)) for code in marked} == GROUPS


# In 5.0, mostly a switch: no case that an earlier one shadows.
CASES = [
    ('sub vcl_recv { switch (req.method) { case ~ "^P": { return (pass); }\n case "POST": { return (pipe); } #! FL002\n default: { } } }',
     'sub vcl_recv { switch (req.method) { case "POST": { return (pipe); } case ~ "^P": { return (pass); } default: { } } }'),
    ('sub vcl_recv { switch (req.url.path) { case ~ "^/shop": { return (pass); }\n case "/shop/sale": { return (pipe); } #! FL002\n'
     " default: { } } }",
     'sub vcl_recv { switch (req.url.path) { case "/shop/sale": { return (pipe); } case ~ "^/shop": { return (pass); } default: { } } }'),
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
    ('sub vcl_recv { switch (req.url.path.lower()) {\n case ~ "^/API/": { return (pass); } #! TY008\n default: { } } }',
     'sub vcl_recv { switch (req.url.path.lower()) { case ~ "^/api/": { return (pass); } default: { } } }'),
    ('sub vcl_recv { let host = req.http.host.lower();\n if (host == "WWW.example.com") { return (pass); } #! TY008\n }',
     'sub vcl_recv { let host = req.http.host.lower(); if (host == "www.example.com") { return (pass); } }'),
    ('sub vcl_recv { switch (req.http.User-Agent) { case ~ "(?i)bot": { return (synth(429)); }\n'
     ' case ~ "Googlebot": { return (pass); } #! FL002\n default: { } } }',
     'sub vcl_recv { switch (req.http.User-Agent) { case ~ "Googlebot": { return (pass); } case ~ "(?i)bot": { return (synth(429)); } default: { } } }'),
    ('sub vcl_recv { switch (req.http.host) { case ~ "example\\.com$": { }\n case "api.example.com": { return (pass); } #! FL002\n default: { } } }',
     'sub vcl_recv { switch (req.http.host) { case ~ "^www\\.example\\.com$": { } case "api.example.com": { return (pass); } default: { } } }'),
    ('sub vcl_recv { switch (req.url.path) { case ~ "^/(de|en|fr)/": { }\n case ~ "^/(fr|en)/account": { return (pass); } #! FL002\n default: { } } }',
     'sub vcl_recv { switch (req.url.path) { case ~ "^/(de|en|fr)/": { } case ~ "^/(it|en)/account": { return (pass); } default: { } } }'),
    ("sub vcl_recv { unset req.http.Cookie;\n if (req.http.Cookie is set) { return (pass); } #! FL011\n }",
     "sub vcl_recv { if (req.http.Cookie is set) { return (pass); } unset req.http.Cookie; }"),
    ("sub vcl_recv { let member = req.http.X-Member is set; switch (member) { case true: { return (pass); } case false: { unset req.http.X-A; }\n"
     " default: { return (pipe); } #! FL001\n } }",
     "sub vcl_recv { let member = req.http.X-Member is set; switch (member) { case true: { return (pass); } case false: { unset req.http.X-A; }\n"
     " default: { } } }"),
    ("sub vcl_recv { let member = req.http.X-Member is set; switch (member) { case false: { return (hash); } case true: { return (pass); } }\n"
     " set req.http.X-A = \"1\"; #! FL001\n }",
     "sub vcl_recv { let member = req.http.X-Member is set; switch (member) { case false: { return (hash); } default: { } }\n"
     " set req.http.X-A = \"1\"; }"),
    ('sub vcl_synth {\n set resp.body = "<p>" + req.url.path + "</p>"; #! SEC008\n return (deliver); }',
     'sub vcl_synth { set resp.body = "<p>" + resp.status + "</p>"; return (deliver); }'),
]


@pytest.mark.parametrize("bad, good", CASES)
def test_a_kind_in_five_is_found_once_and_its_twin_is_silent(bad: str, good: str) -> None:
    ((line, code),) = marks_in(bad)
    (result,) = results_of_five(bad, code)
    assert (HEAD_FIVE + bad).encode()[:result.finding.span.start].count(b"\n") == line
    assert not results_of_five(good, code)
