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
        lines += [
            "",
            f"**{name}** {statement.what}",
            "",
            "| Argument | Type | Meaning | Default |",
            "|---|---|---|---|",
        ]
        lines += [argument(parameter) for parameter in statement.parameters]
    lines += ["", "## Facts", "", "| Name | Meaning |", "|---|---|"]
    lines += [f"| `{name}` | {fact.what} |" for name, fact in FACTS.items()]
    lines += [f"| `{name}NAME` | {fact.what} |" for name, fact in FAMILIES.items()]
    return "\n".join([*lines, ""])


def argument(parameter: Parameter) -> str:
    default = (
        "needed" if parameter.needed else "" if parameter.default is None else f"`{shown(parameter.default)}`"
    )
    what = parameter.what + ("; may be repeated" if parameter.repeats else "")
    return f"| {parameter.name} | {parameter.kind} | {what} | {default} |"
