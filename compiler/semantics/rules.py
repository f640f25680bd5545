"""Names of rules in vcl 5.0: ``@rule("name", owner = "...", until = "2027-01-01")`` before a statement."""

from __future__ import annotations

import re

from vernis.semantics.context import Context
from vernis.syntax import nodes

_DATE_RE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_NAME_RE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/-]{0,63}")


def check_label(cx: Context, node: nodes.Annotation, statement: nodes.Stmt) -> None:
    """Checks an annotation of a statement, and notes the name of the rule."""
    if node.name.text != "rule":
        cx.report.error(
            "V761", node.name.at, f"there is no annotation @{node.name.text} here", 'write @rule("name")'
        )
        return
    if isinstance(statement, nodes.Allow | nodes.Block | nodes.RunBuiltin):
        cx.report.error(
            "V761",
            node.at,
            "@rule names one statement",
            "write it before a statement that runs, such as an if",
        )
        return
    given: dict[str, str] = {}
    for position, arg in enumerate(node.args):
        name = arg.name or ("name" if position == 0 else "")
        if name not in ("name", "owner", "until") or not isinstance(arg.value, nodes.StringLit):
            cx.report.error(
                "V761",
                arg.at,
                "@rule takes a name, an owner and a date",
                '@rule("name", owner = "web", until = "2027-01-01")',
            )
            return
        given[name] = arg.value.value
    if not _NAME_RE.fullmatch(given.get("name", "")):
        cx.report.error(
            "V761", node.at, "a rule has a name of letters, digits and _.:/-", 'write @rule("name")'
        )
        return
    if "until" in given and not _DATE_RE.fullmatch(given["until"]):
        cx.report.error("V761", node.at, f'"{given["until"]}" is not a date', 'write until = "2027-01-31"')
        return
    known = cx.rules.get(given["name"])
    if known is not None and known != node.at:
        cx.report.error(
            "V761",
            node.at,
            f"the rule {given['name']} exists already",
            "choose another name",
            labels=[(known, "here")],
        )
        return
    cx.rules[given["name"]] = node.at
    cx.checked.rule_names[statement.at] = given["name"]
