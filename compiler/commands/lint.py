"""The commands `lint` and `rules`: findings about what a policy does to a cache."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from vernis.commands import baseline
from vernis.commands.files import print_diff
from vernis.commands.findings import finish
from vernis.commands.lint_settings import SettingsReader, check_words, words
from vernis.commands.linting import Linted, Linter, known_rules
from vernis.commands.outcome import EXIT_OK, EXIT_REFUSED, Trouble
from vernis.commands.policy_files import policies_in
from vernis.lint.engine import ALL, how_exactly
from vernis.lint.rule import Rule
from vernis.pipeline import UnreadableSource
from vernis.shown import plain
from vernis.terminal import Progress

if TYPE_CHECKING:
    from vernis.commands.lint_fix import Fixer


def lint(options: argparse.Namespace) -> int:
    """Prints the findings of the checker, and those of the rules for policies without errors."""
    refuse_combinations(options)
    options.files = policies_in(options)
    all_rules = known_rules()
    only_reports = options.watch and not options.fix and not options.diff
    linter = Linter(options, all_rules, SettingsReader(options, all_rules), kept={} if only_reports else None)
    if options.watch:
        from vernis.commands.lint_watch import watch

        return watch(linter, options.files)
    return run_once(linter, options.files)[0]


def refuse_combinations(options: argparse.Namespace) -> None:
    for is_wrong, message in (
        (options.unsafe_fixes and not (options.fix or options.diff), "--unsafe-fixes needs --fix or --diff"),
        (options.fix_in and not (options.fix or options.diff), "--fix-in needs --fix or --diff"),
        (options.fix and "-" in options.files, "--fix cannot change stdin; --diff prints the changes"),
        (options.watch and "-" in options.files, "--watch cannot wait for changes of stdin"),
        (options.diff and options.output is not None, "--output is for findings, not for --diff"),
    ):
        if is_wrong:
            raise Trouble(message)
    baseline.refuse_combinations(options)


def run_once(linter: Linter, files: Sequence[str]) -> tuple[int, list[Linted]]:
    """Lints all files and prints the findings, or with --diff the changes. Returns the exit code and what was
    linted."""
    options = linter.options
    if options.fix or options.diff:
        from vernis.commands.lint_fix import Fixer

        return _run_fixes(linter, Fixer(linter, files, options.unsafe_fixes))
    unreadable: list[str] = []
    linted: list[Linted] = []
    with Progress("linting", len(files)) as progress:
        linter.on_lint = progress.step
        for file in files:
            try:
                linted.append(linter.lint(file, {}))
            except UnreadableSource as error:
                unreadable.append(str(error))
    if unreadable and options.write_baseline:
        raise Trouble("; ".join(unreadable))
    status = _print(linter, linted)
    if unreadable:
        raise Trouble("; ".join(unreadable))
    return status, linted


def _run_fixes(linter: Linter, fixer: Fixer) -> tuple[int, list[Linted]]:
    try:
        with Progress("fixing") as progress:
            linter.on_lint = progress.step
            linted = fixer.run()
    except UnreadableSource as error:
        raise Trouble(str(error)) from None
    if linter.options.diff:
        print_diff(fixer.diff())
        fixer.tell("would fix")
        return EXIT_REFUSED if fixer.texts else EXIT_OK, linted
    fixer.write()
    fixer.tell("fixed")
    return _print(linter, linted), linted


def _print(linter: Linter, linted: Sequence[Linted]) -> int:
    return finish([(one.run, one.results, one.ran) for one in linted], linter.options)


def rules(options: argparse.Namespace) -> int:
    """One line a rule: id, name, severity, profiles; or JSON with what and why, too."""
    selected = words(options.select) or (ALL,)
    all_rules = known_rules()
    check_words(selected, all_rules)
    chosen = [rule for rule in all_rules if how_exactly(rule, selected)]
    if options.format == "json":
        import json

        print(json.dumps([_for_programs(rule) for rule in chosen], indent=2))
        return EXIT_OK
    for rule in chosen:
        profiles = ",".join(rule.profiles)
        print(plain(f"{rule.id}  {rule.severity.value:8s} {rule.name:32s} {profiles}"))
    return EXIT_OK


def _for_programs(rule: Rule) -> dict[str, object]:
    names = ("id", "name", "what", "why", "remedy", "changes", "source")
    texts = {name: getattr(rule, name) for name in names}
    return {**texts, "severity": rule.severity.value, "profiles": rule.profiles}
