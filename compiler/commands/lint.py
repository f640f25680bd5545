"""The commands `lint` and `rules`: findings about what a policy does to a cache."""

from __future__ import annotations

import argparse

from vernis import pipeline
from vernis.commands.compile import compilation_of
from vernis.commands.findings import plain, print_report, report_of
from vernis.commands.lint_settings import PolicySettings, SettingsReader, check_words, words
from vernis.commands.outcome import EXIT_OK, EXIT_REFUSED, Trouble
from vernis.lint.engine import ALL, Result, how_exactly, lint as run_rules
from vernis.lint.rules import all_rules
from vernis.pipeline import Compilation, UnreadableSource


def lint(options: argparse.Namespace) -> int:
    """Prints the findings of the checker, and those of the rules for policies without errors."""
    settings = SettingsReader(options, all_rules())
    unreadable: list[str] = []
    runs: list[tuple[Compilation, list[Result]]] = []
    for file in options.files:
        run = compilation_of(file, options)
        chosen = settings.of(file)
        try:
            pipeline.run_stages(run, pipeline.CHECK)
        except UnreadableSource as error:
            unreadable.append(str(error))
            continue
        is_right = run.checked is not None and not run.failed
        runs.append((run, _results(run, chosen) if is_right else []))
    report = report_of(runs)
    print_report(report, options.format, options.output, options.statistics)
    if unreadable:
        raise Trouble("; ".join(unreadable))
    return EXIT_REFUSED if any(report.all()) else EXIT_OK


def _results(run: Compilation, chosen: PolicySettings) -> list[Result]:
    assert run.checked is not None
    files = run.sources.files
    return [
        result
        for result in run_rules(run.checked, all_rules(), chosen.engine)
        if not chosen.hides(result.rule, files[result.finding.span.file].name)
    ]


def rules(options: argparse.Namespace) -> int:
    """One line a rule: id, name, severity, profiles."""
    selected = words(options.select) or (ALL,)
    check_words(selected, all_rules())
    for rule in all_rules():
        if how_exactly(rule, selected):
            profiles = ",".join(rule.profiles)
            print(plain(f"{rule.id}  {rule.severity.value:8s} {rule.name:32s} {profiles}"))
    return EXIT_OK
