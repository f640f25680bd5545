"""Rewrites a policy of 4.1 in 5.0 with the edits that the checker suggests, and lints it."""

from __future__ import annotations

from collections import Counter

from lint_helpers import HEAD, MARK, TODAY

from vernis.lint.edits import applied, changes_of
from vernis.lint.engine import Result, Settings, lint
from vernis.lint.rules import all_rules
from vernis.pipeline import CHECK, Compilation, Options, rendered_diagnostics, run_stages
from vernis.syntax.diagnostics import Edit, Span

HEAD_FIVE = HEAD.replace("vcl 4.1", "vcl 5.0")
#: The help of V755 names two tests, so that it has no edit. The text of 4.1 means the first of them.
IS_SET = {"V755": lambda span: (Edit(Span(span.file, span.end, span.end), " is set"),)}
ROUNDS_MAX = 12  # each round applies the edits of all messages of the round before


def checked_five(text: str) -> Compilation:
    data = (HEAD_FIVE + text).encode()
    return run_stages(Compilation("test", "test.vcl", data, Options(err_unref=False)), CHECK)


def results_of_five(text: str, *select: str) -> list[Result]:
    run = checked_five(text)
    assert run.checked is not None and not run.failed, rendered_diagnostics(run)
    return lint(run.checked, all_rules(), Settings(select or ("all",), today=TODAY))


def in_five(text: str) -> str | None:
    """The policy in 5.0; None if the checker has no edit for an error, because the author must decide."""
    for _ in range(ROUNDS_MAX):
        run = checked_five(text)
        if not run.failed:
            return text
        file = run.sources.files[0]
        changes = []
        for item in run.diagnostics.items:
            edits = item.edits[:1] or IS_SET.get(item.code, lambda span: ())(item.span)
            more = changes_of(file, edits)
            if all(change.start >= end for end in [changes[-1].end if changes else 0] for change in more):
                changes += more
        if not changes:
            return None
        text = applied(file.data, changes).decode().removeprefix(HEAD_FIVE)
    return None


def check_five(text: str, *select: str) -> None:
    """The chosen rules find something in a policy of 5.0 exactly at the marked lines."""
    expected = Counter((number, code) for number, line in enumerate(text.splitlines(), 1)
                       for match in MARK.finditer(line) for code in match[1].split())
    file = (HEAD_FIVE + text).encode()
    assert Counter((file[:one.finding.span.start].count(b"\n"), one.rule.id)
                   for one in results_of_five(text, *select)) == expected
