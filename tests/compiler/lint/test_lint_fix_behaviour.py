"""A fix changes decisions only as its rule says: each rule's bad example and each incident in several forms, on random
requests. `make compare-fixes` runs it with 1,000 requests each, and on the policies of a folder."""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "format")]
from fix_behaviour import DECLARATIONS, MEANT, UNNOTICED, fixed, fixes_of, harm  # noqa: E402
from lint_five import HEAD_FIVE, in_five  # noqa: E402
from lint_helpers import TODAY, head_of  # noqa: E402
from random_text import scrambled  # noqa: E402

from vernis.ir.lower import lower  # noqa: E402
from vernis.lint.engine import Result, Settings, lint  # noqa: E402
from vernis.lint.rules import all_rules  # noqa: E402
from vernis.pipeline import CHECK, Compilation, Options, rendered_diagnostics, run_stages  # noqa: E402

REQUESTS = int(os.environ.get("FIX_REQUESTS", "40"))
SCRAMBLED = 2       # forms with other spaces and comments between the tokens


@dataclass(slots=True, frozen=True)
class Form:
    title: str
    text: bytes

    def run(self) -> Compilation:
        return self.fixed({})

    def fixed(self, texts: dict[str, bytes]) -> Compilation:
        text = texts.get(os.path.realpath("test.vcl"), self.text)
        return run_stages(Compilation("test", "test.vcl", text, Options(err_unref=False)), CHECK)


def forms() -> Iterator[Form]:
    for rule in all_rules():
        yield from _forms(rule.id, rule.bad, rule.version)
    for title, text in MORE.items():
        yield from _forms(title, text, "4.1")
    for path in sorted((HERE / "incidents").glob("*.vcl")):
        yield from _forms(path.stem, path.read_text(), "4.1")


def _forms(title: str, text: str, version: str) -> Iterator[Form]:
    rng = random.Random(title)
    data = (head_of(version) + text + "\n").encode()
    yield Form(title, data)
    for number in range(SCRAMBLED):
        yield Form(f"{title} with other spaces {number}", scrambled(rng, data, with_includes=False))
    five = in_five(text) if version != "5.0" else None
    if five is not None:
        yield Form(f"{title} in 5.0", (HEAD_FIVE + five + "\n").encode())


#: Faults beside the one that a fix is for.
MORE = {
    "a lifetime for errors beside a grace": "sub vcl_backend_response { set beresp.ttl = 6h; set beresp.grace = 1h; }",
    "a policy that is switched off": 'sub vcl_recv { return (pass); if (req.url ~ "^/static/") { unset req.http.Cookie; } }',
    "a host without an end": 'sub vcl_recv { if (req.http.host ~ "^shop.example") { return (pass); } }',
}


FORMS = list(forms())


def outcome_of(form: Form, result: Result, requests: int) -> str:
    """What is wrong with a fix; empty if nothing is."""
    before = form.run()
    after = form.fixed(fixed(before, result))
    assert before.checked is not None
    if after.failed or after.checked is None:
        return f"{result.rule.id}: {rendered_diagnostics(after)}"
    return harm(result, lower(before.checked), lower(after.checked), requests, random.Random(form.title))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.title)
def test_a_fix_changes_what_its_rule_says(form: Form) -> None:
    run = form.run()
    for result in fixes_of(run) if not run.failed else ():      # the checker finds the cause of some incidents
        assert outcome_of(form, result, REQUESTS) == ""


def test_a_rule_says_what_its_fixes_change() -> None:
    meant = MEANT.keys() | DECLARATIONS.keys()
    assert {rule.id for rule in all_rules() if rule.changes} == meant - UNNOTICED


#: Other findings that end with a fix: it mends their cause as well, or they are about the form that it replaces.
ALSO_MENDED = {"CS013": {"FIVE013"}, "FIVE014": {"RE004", "RE006", "RE007", "UN009"}, "RE002": {"FIVE014", "RE007"},
               "RE004": {"FIVE014"}, "RE007": {"FIVE014"}}


def others(run: Compilation, rule: str) -> Counter[str]:
    assert run.checked is not None
    found = lint(run.checked, all_rules(), Settings(("all",), today=TODAY))
    return Counter(one.rule.id for one in found if one.rule.id != rule)


@pytest.mark.parametrize("form", [form for form in FORMS if " with other spaces" not in form.title], ids=lambda form: form.title)
def test_a_fix_hides_no_finding_of_another_cause(form: Form) -> None:
    run = form.run()
    for result in fixes_of(run) if not run.failed else ():
        rule = result.rule.id
        hidden = others(run, rule) - others(form.fixed(fixed(run, result)), rule)
        assert set(hidden) <= ALSO_MENDED.get(rule, set()), (rule, hidden)
