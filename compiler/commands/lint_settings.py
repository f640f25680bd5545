"""The settings of `lint` for each policy: those of its vernis.toml and the options. Where both name a
rule equally exactly, the command line decides."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable, Sequence

from vernis import settings as toml
from vernis.commands.outcome import Trouble
from vernis.lint.engine import ALL, DEFAULT_SELECT, Settings, how_exactly, names_a_rule
from vernis.lint.rule import PROFILES, Rule
from vernis.record import field, record
from vernis.syntax.diagnostics import Severity

_TABLE = "lint"


@record(frozen=True)
class PolicySettings:
    """Settings of a policy. ``per_file`` are patterns of paths relative to ``folder``, with the words of the
    rules that are left out there. ``path`` is the file; None without one."""

    engine: Settings
    path: str | None = None
    folder: str = ""
    per_file: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = ()

    def hides(self, rule: Rule, file: str) -> bool:
        """Whether the rule is left out for a file of the policy."""
        if not self.per_file:
            return False
        path = os.path.relpath(os.path.abspath(file), self.folder)
        return any(how_exactly(rule, words) and glob.fullmatch(path) for glob, words in self.per_file)


@record
class SettingsReader:
    """Reads each vernis.toml once."""

    options: argparse.Namespace
    rules: Sequence[Rule]
    known: dict[str | None, PolicySettings] = field(default_factory=dict)

    def of(self, file: str) -> PolicySettings:
        """The settings of a policy; ``-`` has those of the current folder. Raises Trouble."""
        path = self._path(file)
        if path not in self.known:
            self.known[path] = self._read(path)
        return self.known[path]

    def _path(self, file: str) -> str | None:
        if self.options.isolated:
            return None
        return self.options.config or toml.find("" if file == "-" else os.path.dirname(file))

    def _read(self, path: str | None) -> PolicySettings:
        try:
            table = toml.read(path).get(_TABLE, {}) if path is not None else {}
        except toml.WrongSettings as error:
            raise Trouble(str(error)) from None
        if path is not None:
            self._check_words(path, table)
        options = self.options
        select, extend = words(options.select), words(options.extend_select)
        check_words((*select, *extend, *words(options.ignore)), self.rules)
        below = () if select else (*table.get("select", DEFAULT_SELECT), *table.get("extend-select", ()))
        return PolicySettings(
            Settings(
                (*select, *extend),
                words(options.ignore),
                self._severities(table.get("severity", {})),
                file_select=below,
                file_ignore=tuple(table.get("ignore", ())),
            ),
            path,
            os.path.dirname(os.path.abspath(path)) if path is not None else "",
            tuple((glob(text), tuple(words)) for text, words in table.get("per-file-ignores", {}).items()),
        )

    def _severities(self, table: dict[str, str]) -> dict[str, Severity]:
        """The severity of each rule by id, from the word that names it most exactly."""
        found = {}
        for rule in self.rules:
            word = max(table, key=lambda word: how_exactly(rule, (word,)), default="")
            if how_exactly(rule, (word,)):
                found[rule.id] = Severity(table[word])
        return found

    def _check_words(self, path: str, table: toml.Table) -> None:
        lists: list[tuple[tuple[str, ...], Iterable[str]]]
        lists = [((key,), table.get(key, ())) for key in ("select", "extend-select", "ignore")]
        lists += [(("per-file-ignores", key), ws) for key, ws in table.get("per-file-ignores", {}).items()]
        lists += [(("severity", word), (word,)) for word in table.get("severity", {})]
        for keys, words in lists:
            for word in words:
                refusal = refusal_of(word, self.rules)
                if refusal:
                    raise Trouble(f"{toml.place(path, (_TABLE, *keys), word)}: {refusal}")


def check_words(given: Sequence[str], rules: Sequence[Rule]) -> None:
    """Raises Trouble if a word of the command line names no rule."""
    for word in given:
        refusal = refusal_of(word, rules)
        if refusal:
            raise Trouble(refusal)


def refusal_of(word: str, rules: Sequence[Rule]) -> str:
    """The message about a word that names no rule; empty for one that does."""
    if names_a_rule(word, rules):
        return ""
    near = toml.meant(word, _known_words(rules))
    return f"no rule, group or profile is named {word}{near or '; `vernis rules` lists them'}"


def _known_words(rules: Iterable[Rule]) -> list[str]:
    groups = {rule.id.rstrip("0123456789"): None for rule in rules}
    return [ALL, *PROFILES, *groups, *(word for rule in rules for word in (rule.id, rule.name))]


def words(given: list[str]) -> tuple[str, ...]:
    return tuple(word for text in given for word in text.split(",") if word)


def glob(text: str) -> re.Pattern[str]:
    """A pattern of paths: `*` and `?` stay within a folder, `**` does not, and a pattern without a slash is
    for files of that name in any folder."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", text if "/" in text else f"**/{text}")
    meanings = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meanings.get(part) or re.escape(part) for part in parts), re.S)
