"""Rules by third parties: classes that installed packages register under the entry point ``vernis.lint``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from vernis.lint.rule import ID, NAME, PROFILES, Rule
from vernis.lint.rules import all_rules
from vernis.syntax.diagnostics import Severity

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "vernis.lint"
_TEXTS = ("id", "name", "what", "why", "remedy", "source", "bad", "good")


class WrongPlugin(Exception):
    """The text names the entry point, its package and the mistake."""


@cache
def installed_rules() -> tuple[Rule, ...]:
    """Our rules and those of installed packages, by id. Raises WrongPlugin."""
    rules = {rule.id: rule for rule in all_rules()}
    names = {rule.name: rule.id for rule in all_rules()}
    for entry in _entry_points():
        rule = _loaded(entry)
        for known, word in ((rules.get(rule.id), rule.id), (rules.get(names.get(rule.name, "")), rule.name)):
            if known is not None:
                other = known.origin or "vernis"
                raise WrongPlugin(f"{rule.origin}: {other} has a rule {word} already")
        rules[rule.id] = rule
        names[rule.name] = rule.id
    return tuple(rules[code] for code in sorted(rules))


def _entry_points() -> Iterator[EntryPoint]:
    if not _has_plugins():
        return
    from importlib.metadata import entry_points

    yield from sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value))


def _has_plugins() -> bool:
    """Whether an installed package may have entry points for us. Python's own search imports modules that
    take a tenth of the time of a short run."""
    head = f"[{GROUP}]".encode()
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            if not name.endswith((".dist-info", ".egg-info")):
                if name.endswith((".zip", ".egg")):
                    return True
                continue
            try:
                with open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
                    if head in file.read():
                        return True
            except OSError:
                continue
    return False


def _loaded(entry: EntryPoint) -> Rule:
    package = entry.dist.name if entry.dist is not None else "an unknown package"
    origin = f"rule {entry.name} of {package} ({entry.value})"
    try:
        made: Any = entry.load()
    except Exception as error:
        raise WrongPlugin(f"{origin}: cannot load it: {_said(error)}") from error
    if not (isinstance(made, type) and issubclass(made, Rule)):
        raise WrongPlugin(f"{origin}: not a class derived from vernis.lint.rule.Rule")
    refusal = refusal_of(made)
    if refusal:
        raise WrongPlugin(f"{origin}: {refusal}")
    try:
        rule = made()
    except Exception as error:
        raise WrongPlugin(f"{origin}: cannot make it: {_said(error)}") from error
    rule.origin = origin
    return rule


def refusal_of(made: type[Rule]) -> str:
    """Says what is wrong with the attributes of a rule; empty if they are right."""
    for name in _TEXTS:
        if not isinstance(getattr(made, name, None), str):
            return f"its attribute {name} is not a text"
    if not ID.fullmatch(made.id):
        return f"its id {made.id!r} is not two to four capitals and three digits"
    if not NAME.fullmatch(made.name):
        return f"its name {made.name!r} is not lower-case words joined by hyphens"
    if not isinstance(getattr(made, "severity", None), Severity):
        return "its severity is not a Severity"
    if not isinstance(made.profiles, tuple) or not set(made.profiles) <= set(PROFILES):
        return f"its profiles are not a tuple of {', '.join(PROFILES)}"
    return "" if made.check is not Rule.check else "it has no method check"


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
