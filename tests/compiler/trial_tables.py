"""Makes the tables of docs/test.md from the statements and facts. Run as a script, it writes the page.

    python tests/compiler/trial_tables.py
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/test.md"
MARK = "<!-- The rest of this page is made by `make docs`. -->\n"
sys.path.insert(0, str(ROOT / "build/py"))

from vernis.trial.expect import shown  # noqa: E402
from vernis.trial.facts import FACTS, FAMILIES  # noqa: E402
from vernis.trial.statements import STATEMENTS, Parameter  # noqa: E402


def page(written: str) -> str:
    """The page with its tables made anew; ``written`` is the page as it is."""
    head = written.partition(MARK)[0]
    lines = [head + MARK, "## Statements"]
    for name, statement in STATEMENTS.items():
        lines += ["", f"**{name}** {statement.what}", "", "| Argument | Type | Meaning | Default |", "|---|---|---|---|"]
        lines += [argument(parameter) for parameter in statement.parameters]
    lines += ["", "## Facts", "", "| Name | Meaning |", "|---|---|"]
    lines += [f"| `{name}` | {fact.what} |" for name, fact in FACTS.items()]
    lines += [f"| `{name}NAME` | {fact.what} |" for name, fact in FAMILIES.items()]
    return "\n".join([*lines, ""])


def argument(parameter: Parameter) -> str:
    default = "needed" if parameter.needed else "" if parameter.default is None else f"`{shown(parameter.default)}`"
    what = parameter.what + ("; may be repeated" if parameter.repeats else "")
    return f"| {parameter.name} | {parameter.kind} | {what} | {default} |"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
