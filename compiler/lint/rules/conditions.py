"""FL: tests that can have only one answer, judged by the walk of conditions.py."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.conditions import Answer, answers_of
from vernis.lint.rule import Finding, Rule
from vernis.lint.view import View
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity, Span


class ShadowedCondition(Rule):
    id = "FL002"
    name = "shadowed-condition"
    severity = Severity.WARNING
    what = "A test never holds, because an earlier test takes every value that it would take."
    why = (
        "The statements behind it never run: a rule for /api/public after one for /api, an "
        "address after the ACL that includes it. A note if the earlier test does the same with "
        "these values."
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
        for answer in view.once(answers_of):
            if answer.shadowed:
                yield _found(view, answer, "this never holds here: an earlier test takes all such values")


class ConstantCondition(Rule):
    id = "FL003"
    name = "constant-condition"
    severity = Severity.WARNING
    what = "A test always has the same answer."
    why = (
        "The statements behind it always run, or never do: a != 1 || a != 2 lets everything through, url ~ "
        "^/a && url ~ ^/b nothing. A note if the test repeats an earlier one, or an earlier one does the "
        "same."
    )
    remedy = "delete the test, or write the one that you mean: && instead of ||, or the reverse"
    source = "https://openpolicyagent.org/projects/regal/rules/bugs/constant-condition"
    bad = 'sub vcl_recv { if (req.method != "GET" || req.method != "HEAD") { return (pass); } }'
    good = 'sub vcl_recv { if (req.method != "GET" && req.method != "HEAD") { return (pass); } }'

    def check(self, view: View) -> Iterator[Finding]:
        for answer in view.once(answers_of):
            if not answer.shadowed and not _is_of_pattern(view, answer):
                yield _found(view, answer, f"this {'always' if answer.holds else 'never'} holds here")


def _is_of_pattern(view: View, answer: Answer) -> bool:
    """Whether a pattern that matches nothing decides alone. RE012 says so."""
    return answer.because is None and any(
        view.truth(part) is not None for part in view.inside(answer.node) if isinstance(part, nodes.Compare)
    )


def _found(view: View, answer: Answer, message: str) -> Finding:
    labels: tuple[tuple[Span, str], ...] = ()
    if answer.because is not None:
        how = "held" if answer.because.node_holds else "failed"
        labels = ((view.span(answer.because.node), f"this test {how} before"),)
    if not _is_redundant(view, answer):
        return Finding(view.span(answer.node), message, labels=labels)
    message, help = _REDUNDANT[answer.holds]
    return Finding(view.span(answer.node), message, help, labels, severity=Severity.NOTE)


_REDUNDANT = {  # the message and the help, by the answer
    True: ("this always holds here: it repeats an earlier test", "delete the test, and keep its statements"),
    False: (
        "this never holds here: an earlier test takes all such values, and does the same",
        "delete the test",
    ),
}


def _is_redundant(view: View, answer: Answer) -> bool:
    """Whether the policy does the same without the test, and all that its author wrote."""
    arm, because = answer.arm, answer.because
    if arm is None or because is None:
        return False
    if not answer.holds:
        return because.arm is not None and _does_no_more(view, arm, because.arm)
    return answer.repeats and id(arm) in view.once(_harmless)


_TEXT_MAX = 4000  # bytes of an arm that is compared


def _does_no_more(view: View, arm: nodes.IfArm, other: nodes.IfArm) -> bool:
    """Whether another arm has all statements of an arm."""
    spans = view.span(arm.body), view.span(other.body)
    if any(span.end - span.start > _TEXT_MAX for span in spans):
        return False
    written = {_compact(view, one) for one in other.body.statements}
    return all(_compact(view, one) in written for one in arm.body.statements)


def _compact(view: View, statement: nodes.Stmt) -> str:
    return "".join(view.written(statement).split())


def _harmless(view: View) -> frozenset[int]:
    """The ids of arms that keep no statement of the author from running if they are always taken: no arm
    follows, and if they end the sub, no statement."""
    ends = view.ends
    followed = {id(one.body) for key in view.subs for one in view.defines(key)[:-1]}
    return frozenset(
        id(one.arms[-1])
        for block in view.blocks()
        for one in block.statements
        if isinstance(one, nodes.If)
        and (not ends.block(one.arms[-1].body) or (one is block.statements[-1] and id(block) not in followed))
    )
