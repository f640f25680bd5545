"""One run of the checker and of the rules over a policy, for the steps of `lint`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from vernis import pipeline
from vernis.commands.compile import compilation_of, look_into_tables
from vernis.commands.lint_settings import SettingsReader
from vernis.commands.outcome import Trouble
from vernis.lint.engine import Result, RuleFailed, is_chosen, lint as run_rules
from vernis.lint.plugins import WrongPlugin, installed_rules
from vernis.lint.rule import Rule
from vernis.pipeline import Compilation
from vernis.record import field, record
from vernis.syntax.splice import TokenCache

if TYPE_CHECKING:
    from vernis.service.linting import Kept


@record(frozen=True)
class Linted:
    """A policy after a run. A policy with errors has no results. ``ran`` are the ids of the rules
    that ran."""

    file: str
    run: Compilation
    results: list[Result]
    ran: frozenset[str] = frozenset()


@record
class Linter:
    """Lints policies again and again: tokens of files that did not change are kept between runs."""

    options: argparse.Namespace
    rules: tuple[Rule, ...]
    settings: SettingsReader
    tokens: TokenCache = field(default_factory=TokenCache)
    on_lint: Callable[[], None] = lambda: None  # a policy is done
    kept: dict[str, Kept] | None = None  # by file, for a process that lints again; None for a single run

    def lint(self, file: str, changed: Mapping[str, bytes]) -> Linted:
        """``changed`` are texts in place of those on disk, by real path. Raises UnreadableSource, Trouble."""
        chosen = self.settings.of(file)
        run = self.checked(file, changed)
        if run.checked is None or run.failed:
            self.on_lint()
            return Linted(file, run, [])
        files = run.sources.files
        try:
            memory = None if self.kept is None else self.kept[file].memory
            results = run_rules(run.checked, self.rules, chosen.engine, memory)
        except RuleFailed as error:
            raise Trouble(f"{file}: {error}") from None
        shown = [one for one in results if not chosen.hides(one.rule, files[one.finding.span.file].name)]
        ran = frozenset(rule.id for rule in self.rules if is_chosen(rule, chosen.engine))
        self.on_lint()
        return Linted(file, run, shown, ran)

    def checked(self, file: str, changed: Mapping[str, bytes]) -> Compilation:
        """The policy after the checker."""
        run = compilation_of(file, self.options)
        run.changed, run.token_cache = changed, self.tokens
        if self.kept is not None:
            from vernis.service.linting import Kept

            run.known = self.kept.setdefault(file, Kept()).known
        pipeline.run_stages(run, pipeline.CHECK)
        look_into_tables(run)
        return run


def known_rules() -> tuple[Rule, ...]:
    """Our rules and those of installed packages. Raises Trouble."""
    try:
        return installed_rules()
    except WrongPlugin as error:
        raise Trouble(str(error)) from None
