"""A fix changes decisions only as its rule says: each rule's bad example and each incident in several forms, on random
requests. `make compare-fixes` runs it with 1,000 requests each, and on the policies of a folder."""

from __future__ import annotations

import os
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "format")]
from fix_behaviour import (  # noqa: E402
    DECLARATIONS,
    MEANT,
    UNNOTICED,
    Pair,
    Step,
    changed_decisions,
    fixed,
    fixes_at_once,
    fixes_of,
    harm_at_once,
    lowered,
    rerun,
)
from lint_five import HEAD_FIVE, in_five  # noqa: E402
from lint_helpers import TODAY, head_of  # noqa: E402
from random_text import scrambled  # noqa: E402

from vernis.ir.ir import Module  # noqa: E402
from vernis.lint.engine import Result, Settings, lint  # noqa: E402
from vernis.lint.rules import all_rules  # noqa: E402
from vernis.pipeline import CHECK, Compilation, Options, rendered_diagnostics, run_stages  # noqa: E402
from vernis.record import replace  # noqa: E402

REQUESTS = int(os.environ.get("FIX_REQUESTS", "40"))
FINDINGS = 5        # rules whose examples make one policy
AT_ONCE = int(os.environ.get("FIX_POLICIES", "8"))      # such policies
SCRAMBLED = 2       # forms with other spaces and comments between the tokens


@dataclass(slots=True, frozen=True)
class Form:
    title: str
    text: bytes

    def run(self) -> Compilation:
        return run_stages(Compilation("test", "test.vcl", self.text, Options(err_unref=False)), CHECK)


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
    "a field of the origin that clients get": "sub vcl_backend_response { set beresp.http.X-Url = bereq.url; } sub vcl_deliver { }",
    "one suffix in two hooks": r'sub vcl_recv { if (req.url ~ "\.(css|js)$") { unset req.http.Cookie; } } '
    r'sub vcl_backend_response { if (bereq.url ~ "\.(css|js)$") { unset beresp.http.Set-Cookie; } }',
    "a host without an end": 'sub vcl_recv { if (req.http.host ~ "^shop.example") { return (pass); } }',
}


FORMS = list(forms())


def outcome_of(form: Form, run: Compilation, result: Result, requests: int) -> str:
    """What is wrong with a fix; empty if nothing is."""
    step = Step(run, result)
    after = step.after()
    if after.failed or after.checked is None:
        return f"{result.rule.id}: {rendered_diagnostics(after)}"
    return step.harm(lowered(run), lowered(after), requests, random.Random(form.title))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.title)
def test_a_fix_changes_what_its_rule_says(form: Form) -> None:
    run = form.run()
    for result in fixes_of(run) if not run.failed else ():      # the checker finds the cause of some incidents
        assert outcome_of(form, run, result, REQUESTS) == ""


# ---- what `lint --fix` applies at once ---------------------------------------------------------------------------------


def policies_of_many_findings(number: int) -> Iterator[Form]:
    """The examples of some rules, which have no finding in common, as one policy."""
    rng = random.Random("at once")
    rules = [rule for rule in all_rules() if rule.version == "4.1"]
    while number:
        texts = [rule.bad for rule in rng.sample(rules, FINDINGS)]
        imports = sorted({found for text in texts for found in re.findall(r"import \w+;", text)})
        text = " ".join([*imports, *(re.sub(r"import \w+;", "", text) for text in texts)])
        form = Form("", (head_of("4.1") + text + "\n").encode())
        if not form.run().failed:        # two examples may have the same names
            yield Form(f"many findings {number}", form.text)
            number -= 1


MANY = list(policies_of_many_findings(AT_ONCE))


@pytest.mark.parametrize("form", [form for form in FORMS if form.title in MORE] + MANY, ids=lambda form: form.title)
def test_plain_fix_changes_what_its_findings_are_about_and_nothing_else(form: Form) -> None:
    run = form.run()
    fixer = fixes_at_once(run, unsafe=False)
    applied = [fix.result for _, fixes in fixer.applied for fix in fixes]
    assert all(result.finding.fix.safe for result in applied)
    assert list(harm_at_once(fixer, REQUESTS, random.Random(form.title))) == []
    left = [result for result in fixes_of(rerun(run, fixer.texts)) if result.finding.fix.safe]
    assert len(left) == len(fixer.refused)


@pytest.mark.parametrize("form", MANY, ids=lambda form: form.title)
def test_all_fixes_at_once_change_what_their_rules_say(form: Form) -> None:
    fixer = fixes_at_once(form.run(), unsafe=True)
    assert sum(len(fixes) for _, fixes in fixer.applied) >= 2
    assert list(harm_at_once(fixer, REQUESTS, random.Random(form.title))) == []


def test_a_fix_that_does_harm_beside_others_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fix alone would be right: the second one hides behind the first."""
    run = next(form for form in MANY if "SEC005" in {one.rule.id for one in fixes_of(form.run())}).run()
    fixer = fixes_at_once(run, unsafe=True)
    (one, fixes), *_ = fixer.applied
    (at,) = (n for n, fix in enumerate(fixes) if fix.result.rule.id == "SEC005")
    fix = fixes[at].result.finding.fix
    wrong = replace(fixes[at].result, finding=replace(fixes[at].result.finding, fix=replace(fix, edits=tuple(replace(edit, text="unset req.http.Cookie;") for edit in fix.edits))))
    fixer.applied[0] = (one, [*fixes[:at], replace(fixes[at], result=wrong), *fixes[at + 1:]])
    assert [said.partition(":")[0] for said in harm_at_once(fixer, 100, random.Random(1))][:1] == ["SEC005"]


def test_a_rule_says_what_its_fixes_change() -> None:
    meant = MEANT.keys() | DECLARATIONS.keys()
    assert {rule.id for rule in all_rules() if rule.changes} == meant - UNNOTICED


# ---- the comparison sees what a fix changes besides -----------------------------------------------------------------

#: Statements that a fix must not bring, by hook.
BESIDES = {
    "vcl_recv": ['set req.http.Other = "o";', 'if (req.url ~ "a") { return (synth(403)); }'],
    "vcl_hash": ['hash_data("o");'],
    "vcl_purge": ['set req.http.Other = "o";'],
    "vcl_deliver": ['set resp.http.Other = "o";', "unset resp.http.Content-Type;"],
    "vcl_backend_response": ["set beresp.grace = 77s;", 'set beresp.http.Other = "o";', "if (beresp.status == 301) { return (retry); }"],
}
#: What a fix may have written wrongly: (text of the fix, wrong text), by rule.
MISWRITTEN = {
    "SEC006": [(b"if (req.restarts == 0 && req.esi_level == 0) { unset", b"if (true) { unset"), (b"unset req.http.", b"unset req.http.Cookie; unset req.http.")],
    "SEC015": [(b"unset resp.http.X-Url", b"unset resp.http.Vary")],
    "RE001": [(rb"^www\.example\.com$", rb"^www\.example\.com"), (rb"^www\.example\.com$", rb"(?i)^www\.example\.com$")],
    "RE002": [(b"(:[0-9]+)?$", b"(:[0-9]+)?"), (rb"(^|\.)example", b"example"), (b"(?i)", b"")],
    "RE007": [(b"(?i)^www", b"(?i)www")],
    "RE010": [(b"^(/admin|/login)", b"^(/admin)")],
    "CS013": [(b"^[^?]*", b"^[^?]+/"), (b"(css|js)$", b"(css)$")],
    "CS003": [(b"call vcl_req_method;", b'if (req.method != "GET") { return (pass); }'), (b"call vcl_req_method;", b'if (req.method == "POST") { return (pipe); }'),
              (b"call vcl_req_cookie;", b"if (req.http.Cookie) { return (synth(403)); }")],
    "CS009": [(b"set beresp.ttl = 1h; }", b"set beresp.ttl = 1h; } else { set beresp.ttl = 9s; }"), (b"beresp.status < 400", b"beresp.status < 300")],
    "FL006": [(b"return (restart); }", b"return (restart); } else { return (synth(503)); }"), (b"req.restarts < 1", b"req.restarts > 1")],
    "TY001": [(b' != ""', b' != "x"'), (b' != ""', b' == ""')],
}


def meant_rules() -> list[str]:
    return sorted(MEANT.keys() - UNNOTICED)


@dataclass(slots=True)
class Fixed:
    """A policy with a fix of a rule: mostly the rule's example."""

    run: Compilation
    result: Result
    before: Module
    text: bytes

    def lowered(self, text: bytes) -> Module:
        return lowered(rerun(self.run, {os.path.realpath("test.vcl"): text}))

    def harm(self, text: bytes) -> str:
        return Step(self.run, self.result).harm(self.before, self.lowered(text), 100, random.Random(1))


def fixed_by(rule: str) -> Fixed:
    title = "a field of the origin that clients get" if rule == "SEC015" else rule
    form = next(form for form in FORMS if form.title == title)
    run = form.run()
    result = fixes_of(run, (rule,))[0]
    (text,) = fixed(run, result).values()
    return Fixed(run, result, lowered(run), text)


@pytest.mark.parametrize("rule", meant_rules())
def test_a_fix_that_does_something_besides_is_found(rule: str) -> None:
    right = fixed_by(rule)
    head, _, rest = right.text.partition(b"\n")
    assert right.harm(right.text) == ""
    for hook, statements in BESIDES.items():
        for statement in statements:
            besides = f"\nsub {hook} {{ {statement} }}\n".encode()
            assert right.harm(head + besides + rest) != "", (hook, statement)


@pytest.mark.parametrize(("rule", "right", "wrong"), [(rule, *pair) for rule, pairs in MISWRITTEN.items() for pair in pairs])
def test_a_fix_that_writes_something_else_is_found(rule: str, right: bytes, wrong: bytes) -> None:
    one = fixed_by(rule)
    assert one.text.count(right) == 1, one.text
    assert one.harm(one.text.replace(right, wrong)) != ""


@pytest.mark.parametrize("rule", meant_rules())
def test_the_meant_difference_is_seen(rule: str) -> None:
    """Else a row of MEANT would hold for nothing."""
    one = fixed_by(rule)
    assert next(changed_decisions(Pair(one.before, one.lowered(one.text)), 300, random.Random(1)), None) is not None


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
        hidden = others(run, rule) - others(rerun(run, fixed(run, result)), rule)
        assert set(hidden) <= ALSO_MENDED.get(rule, set()), (rule, hidden)
