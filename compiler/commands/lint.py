"""The commands `lint` and `rules`: findings about what a policy does to a cache."""

from __future__ import annotations

import argparse

from vernis import pipeline
from vernis.commands.compile import compilation_of
from vernis.commands.findings import plain, print_findings
from vernis.commands.lint_settings import PolicySettings, SettingsReader, check_words, words
from vernis.commands.outcome import EXIT_OK, EXIT_REFUSED, Trouble
from vernis.lint.engine import ALL, Result, how_exactly, lint as run_rules
from vernis.lint.rules import all_rules
from vernis.pipeline import Compilation, UnreadableSource
from vernis.semantics.typed import Checked


def lint(options: argparse.Namespace) -> int:
    """Prints the findings of the checker, and those of the rules for policies without errors."""
    settings = SettingsReader(options, all_rules())
    unreadable: list[str] = []
    runs: list[Compilation] = []
    for file in options.files:
        run = compilation_of(file, options)
        chosen = settings.of(file)
        try:
            runs.append(pipeline.run_stages(run, pipeline.CHECK))
        except UnreadableSource as error:
            unreadable.append(str(error))
            continue
        if run.checked is not None and not run.failed:
            run.diagnostics.items += [result.diagnostic for result in _results(run, run.checked, chosen)]
    print_findings(runs, options.format)
    if unreadable:
        raise Trouble("; ".join(unreadable))
    return EXIT_REFUSED if any(run.diagnostics.items for run in runs) else EXIT_OK


def _results(run: Compilation, checked: Checked, chosen: PolicySettings) -> list[Result]:
    files = run.sources.files
    return [
        result
        for result in run_rules(checked, all_rules(), chosen.engine)
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
