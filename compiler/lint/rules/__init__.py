"""The rules, a module for each group."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module

from vernis.lint.rule import Rule

# pkgutil lists modules, too, but imports `inspect` for that, which takes longer than these rules.
GROUPS = tuple(
    sorted(
        name.removesuffix(".py")
        for name in os.listdir(os.path.dirname(__file__))
        if name.endswith(".py") and name != "__init__.py"
    )
)


@cache
def all_rules() -> tuple[Rule, ...]:
    """One object of each rule, by id."""
    rules = [
        made()
        for group in GROUPS
        for made in vars(import_module(f"vernis.lint.rules.{group}")).values()
        if isinstance(made, type) and issubclass(made, Rule) and "id" in vars(made)
        if made.__module__.endswith(f".{group}")  # not one that a module imports
    ]
    return tuple(sorted(rules, key=lambda rule: rule.id))
