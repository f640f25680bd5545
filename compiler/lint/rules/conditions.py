"""FL: tests that can have only one answer, judged by the walk of conditions.py."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.conditions import Answer, answers_of
from vernis.lint.rule import Finding, Rule
from vernis.lint.view import View
from vernis.syntax.diagnostics import Severity, Span


class ShadowedCondition(Rule):
    id = "FL002"
    name = "shadowed-condition"
    severity = Severity.WARNING
    what = "A test never holds, because an earlier test takes every value that it would take."
    why = (
        "The statements behind it never run, although they look as if they did: a rule for /api/public after "
        "one for /api, an address in an ACL after the ACL that includes it."
    )
    remedy = "move the narrower test before the wider one, or delete it"
    source = "https://batfish.readthedocs.io/en/latest/notebooks/filters.html"
    bad = (
        'sub vcl_recv { if (req.url ~ "^/api") { return (pass); } elseif (req.url ~ "^/api/public") '
        "{ return (hash); } }"
    )
    good = (
        'sub vcl_recv { if (req.url ~ "^/api/public") { return (hash); } elseif (req.url ~ "^/api") '
        "{ return (pass); } }"
    )

    def check(self, view: View) -> Iterator[Finding]:
        for answer in answers_of(view):
            if answer.shadowed:
                yield _found(view, answer, "this never holds here: an earlier test takes all such values")


class ConstantCondition(Rule):
    id = "FL003"
    name = "constant-condition"
    severity = Severity.WARNING
    what = "A test always has the same answer."
    why = (
        "The statements behind it always run, or never do. A test such as a != 1 || a != 2 lets everything "
        "through, and url ~ ^/a && url ~ ^/b nothing."
    )
    remedy = "delete the test, or write the one that you mean: && instead of ||, or the reverse"
    source = "https://openpolicyagent.org/projects/regal/rules/bugs/constant-condition"
    bad = 'sub vcl_recv { if (req.method != "GET" || req.method != "HEAD") { return (pass); } }'
    good = 'sub vcl_recv { if (req.method != "GET" && req.method != "HEAD") { return (pass); } }'

    def check(self, view: View) -> Iterator[Finding]:
        for answer in answers_of(view):
            if not answer.shadowed:
                yield _found(view, answer, f"this {'always' if answer.holds else 'never'} holds here")


def _found(view: View, answer: Answer, message: str) -> Finding:
    labels: tuple[tuple[Span, str], ...] = ()
    if answer.because is not None:
        how = "held" if answer.because.node_holds else "failed"
        labels = ((view.span(answer.because.node), f"this test {how} before"),)
    return Finding(view.span(answer.node), message, labels=labels)
