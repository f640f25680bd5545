"""Runs rules over a checked policy, and leaves out what comments suppress.

``lint`` is the only entry for commands. It expects a policy that the checker accepts: a policy with errors is
not linted, because each rule would have to doubt the tree.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence

from vernis.lint.rule import Finding, Rule, joined
from vernis.lint.suppress import Suppressions
from vernis.lint.view import View
from vernis.record import field, record
from vernis.semantics.check import deep_walk
from vernis.semantics.typed import Checked
from vernis.syntax.diagnostics import Diagnostic, Edit, Label, Severity


ALL = "all"  # every rule, whatever its profiles
DEFAULT_SELECT = ("recommended",)


@record(frozen=True)
class Settings:
    """``select`` and ``ignore`` are beginnings of ids, names, or profiles; the longest one that fits a rule
    decides. Between equals those of a file (``file_select``, ``file_ignore``) yield, and ``ignore`` decides.
    ``severity`` replaces that of rules by id. ``today`` decides which suppressions have expired."""

    select: tuple[str, ...] = DEFAULT_SELECT
    ignore: tuple[str, ...] = ()
    severity: dict[str, Severity] = field(default_factory=dict)
    today: datetime.date = field(default_factory=datetime.date.today)
    file_select: tuple[str, ...] = ()
    file_ignore: tuple[str, ...] = ()


@record(frozen=True)
class Result:
    """A finding with its rule. ``diagnostic`` is what commands print."""

    rule: Rule
    finding: Finding
    diagnostic: Diagnostic


@record
class Memory:
    """The view of the latest run over a policy, for a process that lints it again after an edit."""

    view: View | None = None


def lint(
    checked: Checked, rules: Iterable[Rule], settings: Settings | None = None, memory: Memory | None = None
) -> list[Result]:
    """The findings in the order of the text."""
    settings = settings or Settings()
    view = View(checked, None if memory is None else memory.view, settings.today)
    if memory is not None:
        memory.view = view
    rules = list(rules)
    chosen = [rule for rule in rules if is_chosen(rule, settings)]
    suppressions = Suppressions(view, rules, settings.today)
    results: list[Result] = []
    with deep_walk():
        for rule in chosen:
            for found in dict.fromkeys(_checked(rule, view)):  # the same finding from two paths counts once
                shown = [one for one in (found, *found.same) if not suppressions.hides(rule, one)]
                if shown:
                    results.append(_result(rule, joined(shown), settings))
    ran = frozenset(rule.id for rule in chosen)
    for rule in chosen:
        results += [_result(rule, one, settings) for one in suppressions.findings(rule, ran)]
    results.sort(key=lambda result: (view.sources.order(result.finding.span), result.rule.id))
    return results


class RuleFailed(Exception):
    """A rule of a third party raised an exception, or yielded something that is no finding."""


def _checked(rule: Rule, view: View) -> Iterator[Finding]:
    """The findings of a rule. An exception in one of our own rules is a bug, and passes."""
    if not rule.origin:
        yield from rule.check(view)
        return
    try:
        for found in rule.check(view):
            if not isinstance(found, Finding) or not 0 <= found.span.file < len(view.sources.files):
                raise RuleFailed(f"{rule.origin}: it yielded {found!r}, which is no finding in this policy")
            yield found
    except RuleFailed:
        raise
    except Exception as error:
        where = error.__traceback__
        while where is not None and where.tb_next is not None:
            where = where.tb_next
        line = f", line {where.tb_lineno}" if where is not None else ""
        raise RuleFailed(f"{rule.origin}: its check failed{line}: {type(error).__name__}: {error}") from error


def is_chosen(rule: Rule, settings: Settings) -> bool:
    fit, _, is_ignored = max(
        (how_exactly(rule, settings.select), True, False),
        (how_exactly(rule, settings.ignore), True, True),
        (how_exactly(rule, settings.file_select), False, False),
        (how_exactly(rule, settings.file_ignore), False, True),
    )
    return fit > 0 and not is_ignored


def how_exactly(rule: Rule, words: Sequence[str]) -> int:
    """How exactly one of the words names the rule: its profile less than its group, its group less than its
    id or name; 0 if none does."""
    return max((_word_fit(rule, word) for word in words), default=0)


def _word_fit(rule: Rule, word: str) -> int:
    if word == rule.name:
        return len(rule.id)
    if word == ALL or word in rule.profiles:
        return 1
    return len(word) if word.isupper() and rule.id.startswith(word) else 0


def names_a_rule(word: str, rules: Iterable[Rule]) -> bool:
    return any(_word_fit(rule, word) for rule in rules)


def _result(rule: Rule, one: Finding, settings: Settings) -> Result:
    edits: tuple[Edit, ...] = one.fix.edits if one.fix is not None and one.fix.safe else ()
    return Result(
        rule,
        one,
        Diagnostic(
            rule.id,
            settings.severity.get(rule.id, one.severity or rule.severity),
            one.message,
            one.span,
            one.help or rule.remedy,
            tuple(Label(span, text) for span, text in one.labels),
            edits,
        ),
    )
