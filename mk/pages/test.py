"""The tables of docs/test.md, from the statements and facts of `vernis test`."""

from __future__ import annotations

from vernis.trial.expect import shown
from vernis.trial.facts import FACTS, FAMILIES
from vernis.trial.statements import STATEMENTS, Parameter

from pages import MARK, ROOT

PAGE = ROOT / "docs/test.md"


def page() -> str:
    head = PAGE.read_text().partition(MARK)[0]
    lines = [head + MARK, "## Statements"]
    for name, statement in STATEMENTS.items():
        lines += ["", f"**{name}** {statement.what}", ""]
        lines += [argument(parameter) for parameter in statement.parameters]
    lines += ["", "## Facts", "", "| Name | Meaning |", "|---|---|"]
    lines += [f"| `{name}` | {fact.what} |" for name, fact in FACTS.items()]
    lines += [f"| `{name}NAME` | {fact.what} |" for name, fact in FAMILIES.items()]
    return "\n".join([*lines, ""])


def argument(parameter: Parameter) -> str:
    """A line of the list: the name, the type, whether it is needed, and the meaning."""
    default = "" if parameter.default is None else f", default `{shown(parameter.default)}`"
    needed = ", needed" if parameter.needed else default
    repeated = "; may be repeated" if parameter.repeats and not parameter.what.endswith("repeated") else ""
    return f"* `{parameter.name}` ({parameter.kind}{needed}): {parameter.what}{repeated}"
