"""The table of options in docs/daemon.md, from runtime/manager/options.toml."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from pages import ROOT

PAGE = ROOT / "docs/daemon.md"
HEAD = "| option | meaning |\n|---|---|\n"


def options() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tomllib.loads((ROOT / "runtime/manager/options.toml").read_text())["option"]
    return rows


def as_typed(row: dict[str, Any], forms: list[str]) -> str:
    """The first cell: each form of the option."""
    words = [f"-{row['letter']} {form}".rstrip() for form in forms or [""]]
    words += [f"--{row['long']}"] if "long" in row else []
    return ", ".join(f"`{word}`" for word in words).replace("|", "\\|")


def table() -> str:
    lines = []
    for row in options():
        for part in [row, *row.get("also", ())]:
            lines.append(f"| {as_typed(row, part['forms'])} | {part['doc']} |\n")
    return HEAD + "".join(lines)


def page() -> str:
    """The page with a new table."""
    before, mark, rest = PAGE.read_text().partition(HEAD)
    assert mark, f"{PAGE.name} lacks the head of the table of options"
    return before + table() + re.sub(r"\A(\|.*\n)*", "", rest)
