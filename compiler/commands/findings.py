"""Prints the findings of `check` and `lint`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from vernis import terminal
from vernis.commands import baseline
from vernis.commands.outcome import EXIT_OK, EXIT_REFUSED, Trouble
from vernis.lint.engine import Result
from vernis.pipeline import Compilation, rendered_diagnostics
from vernis.report.formats import FOR_PEOPLE, FORMATS, STATISTICS, written
from vernis.report.found import Found, Policy, Report, without_repeats
from vernis.shown import encodable, plain


def finish(
    runs: Sequence[tuple[Compilation, Sequence[Result], frozenset[str]]], options: argparse.Namespace
) -> int:
    """Prints the findings of the compiler and those of rules, for each policy with the ids of the rules that
    ran. Leaves out those of the baseline. Returns the exit code. Raises Trouble."""
    report = Report(without_repeats([_policy(run, results) for run, results, _ in runs]))
    ran: dict[str, set[str]] = {}
    for run, _, ids in runs:
        if not run.failed:
            for file in run.sources.files:
                ran.setdefault(file.name, set()).update(ids)
    report = baseline.apply(report, ran, options)
    print_report(report, options.format, options.output, getattr(options, "statistics", False))
    return EXIT_REFUSED if baseline.fails(report, options.fail_on) else EXIT_OK


def tell_findings(run: Compilation) -> None:
    """Writes the findings of the compiler to stderr, for commands whose result is another one."""
    tell_text(rendered_diagnostics(run))


def tell_text(text: str) -> None:
    with terminal.aside():
        sys.stderr.write(terminal.findings(plain(text), sys.stderr))


def _policy(run: Compilation, results: Sequence[Result]) -> Policy:
    found = [Found(item, run.sources) for item in run.diagnostics.items]
    found += [Found(one.diagnostic, run.sources, one.rule, one.finding.fix) for one in results]
    return Policy(run.path, found)


def _dressed(text: str, report: Report) -> str:
    """Adds colours, and a count for a terminal."""
    if text and sys.stdout.isatty():
        from vernis.report.people import summary

        text += f"\n{summary(report)}\n"
    return terminal.findings(text, sys.stdout)


def print_report(report: Report, form: str, output: str | None = None, statistics: bool = False) -> None:
    """``form`` is a key of FORMATS, ``output`` a file in place of stdout. Raises Trouble."""
    table = STATISTICS if statistics else FORMATS
    if form not in table:
        raise Trouble(f"--statistics has no format {form}; it has {', '.join(table)}")
    text = written(report, table[form])
    if output is None:
        if form in FOR_PEOPLE and not statistics:
            text = _dressed(text, report)
        sys.stdout.write(encodable(text))
        return
    try:
        with open(output, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as error:
        raise Trouble(f"cannot write {output}: {error.strerror}") from None
