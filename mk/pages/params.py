"""The table of parameters in docs/daemon.md, from the params.toml of the rooms.

The built daemon prints the defaults.
"""

from __future__ import annotations

import re
import subprocess
import tomllib

from pages import ROOT

PAGE = ROOT / "docs/daemon.md"
HEAD = "| parameter | default | meaning |\n|---|---|---|\n"
#: Signs behind the name, which the page explains.
SIGNS = {"ours": " *", "must_restart": " †", "must_reload": " ‡"}
MACHINE = {"loops": "the CPUs of the process"}  # defaults that depend on the machine

Row = dict[str, object]


def flags(row: Row) -> list[str]:
    found = row.get("flags", [])
    assert isinstance(found, list)
    return found


def parameters() -> dict[str, Row]:
    """All parameters that an operator can set, by name."""
    rows: dict[str, Row] = {}
    for path in (ROOT / "runtime").glob("*/params.toml"):
        rows |= tomllib.loads(path.read_text())
    return {name: row for name, row in sorted(rows.items()) if "hidden" not in flags(row)}


def defaults() -> dict[str, str]:
    argv = [str(ROOT / "build/bin/vernisd"), "-x", "parameter"]
    shown = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    values = re.findall(r"^(\w+)\n +Value is: ?(.*)$", shown, re.M)
    return {name: plain(value.removesuffix("(default)").strip()) for name, value in values} | MACHINE


def plain(value: str) -> str:
    """A default as the page has it: 60 s for 60.000 [seconds]. The meaning tells what is counted."""
    number, _, unit = value.removesuffix("]").partition(" [")
    if unit == "seconds":
        return f"{float(number):g} s"
    return f"{number} %" if unit == "percent" else number


def table() -> str:
    values, lines = defaults(), []
    for name, row in parameters().items():
        if "no_effect" not in row:
            signs = "".join(sign for flag, sign in SIGNS.items() if flag in flags(row))
            lines.append(f"| `{name}`{signs} | {values[name]} | {row['doc']} |\n")
    return HEAD + "".join(lines)


def page() -> str:
    """The page with a new table."""
    before, mark, rest = PAGE.read_text().partition(HEAD)
    assert mark, f"{PAGE.name} lacks the head of the table of parameters"
    return before + table() + re.sub(r"\A(\|.*\n)*", "", rest)
