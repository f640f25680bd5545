"""The commands `lint` and `rules`: findings about what a policy does to a cache."""

from __future__ import annotations

import argparse

from vernis import pipeline
from vernis.commands.compile import compilation_of
from vernis.commands.findings import plain, print_findings
from vernis.commands.outcome import EXIT_OK, EXIT_REFUSED, Trouble
from vernis.lint.engine import Settings, lint as run_rules, names_a_rule
from vernis.lint.rules import all_rules
from vernis.pipeline import Compilation, UnreadableSource


def lint(options: argparse.Namespace) -> int:
    """Prints the findings of the checker, and those of the rules for policies without errors."""
    settings = Settings(_words(options.select) or ("recommended",), _words(options.ignore))
    for word in (*settings.select, *settings.ignore):
        if not names_a_rule(word, all_rules()):
            raise Trouble(f"no rule, group or profile is named {word}; `vernis rules` lists them")
    unreadable: list[str] = []
    runs: list[Compilation] = []
    for file in options.files:
        run = compilation_of(file, options)
        try:
            runs.append(pipeline.run_stages(run, pipeline.CHECK))
        except UnreadableSource as error:
            unreadable.append(str(error))
            continue
        if run.checked is not None and not run.failed:
            results = run_rules(run.checked, all_rules(), settings)
            run.diagnostics.items += [result.diagnostic for result in results]
    print_findings(runs, options.format)
    if unreadable:
        raise Trouble("; ".join(unreadable))
    return EXIT_REFUSED if any(run.diagnostics.items for run in runs) else EXIT_OK


def _words(given: list[str]) -> tuple[str, ...]:
    return tuple(word for text in given for word in text.split(",") if word)


def rules(options: argparse.Namespace) -> int:
    """One line a rule: id, name, severity, profiles."""
    settings = Settings(_words(options.select) or ("all",))
    for rule in all_rules():
        if any(names_a_rule(word, (rule,)) for word in settings.select):
            profiles = ",".join(rule.profiles)
            print(plain(f"{rule.id}  {rule.severity.value:8s} {rule.name:32s} {profiles}"))
    return EXIT_OK
