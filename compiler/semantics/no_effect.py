"""Warnings about what a policy reads or sets in vain: rows of the vocabulary say what, ``grammar/no_effect.toml`` what to do instead.

A finding is made once for each variable and use, at its first place: a policy that sets ``beresp.do_gzip`` in ten places needs one
word, and findings are limited.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from vernis.semantics.context import Context
from vernis.semantics.typed import Expr, Literal
from vernis.semantics.vocabulary import NoEffect, VariableRow, grammar_text
from vernis.syntax import nodes

PAGE = "docs/no_effect.md"


@cache
def groups() -> dict[str, dict[str, Any]]:
    """The groups of ``no_effect.toml``. Read when the first warning is made: most policies need none."""
    import tomllib

    return tomllib.loads(grammar_text("no_effect.toml").decode())


def anchor(title: str) -> str:
    """How a page is linked to at a heading."""
    return "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c == "-")


def note(group: str) -> str:
    """The advice for something without effect: another way, and the page to read."""
    row = groups()[group]
    return f"{row['instead']} ({PAGE}#{anchor(row['title'])})"


def warn(cx: Context, at: nodes.At, row: VariableRow, use: str, value: Expr | None = None) -> None:
    """Warns if this use of a variable has no effect. ``value`` is what it is set to."""
    facts = row.no_effect
    if facts is None or use not in facts.groups or at[0] >= cx.builtin_at or (row.key, use) in cx.in_vain:
        return
    if use == "set" and not _in_vain(facts, value):
        return
    cx.in_vain.add((row.key, use))
    manner = "setting it" if use == "set" else "its value"
    cx.report.warning("V410", at, f"{row.name}: {manner} {_words(facts)}has no effect here", note(facts.groups[use]))


def _words(facts: NoEffect) -> str:
    return f"to {' or '.join(facts.words)} " if facts.words else ""


def _in_vain(facts: NoEffect, value: Expr | None) -> bool:
    constant = value.value if isinstance(value, Literal) else None
    text = constant.decode("latin-1") if isinstance(constant, bytes) else constant
    if facts.words:
        return isinstance(text, str) and any(word in text.split() for word in facts.words)
    return facts.but is None or text != facts.but
