"""The list of rules in docs/lint.md, from the rules."""

from __future__ import annotations

from vernis.lint.rule import Rule
from vernis.lint.rules import all_rules

from pages import MARK, ROOT

PAGE = ROOT / "docs/lint.md"


def page() -> str:
    head = PAGE.read_text().partition(MARK)[0]
    rows = [
        f"| [{rule.id}](#{rule.id.lower()}) | {rule.name} | {rule.severity.value} | {rule.what} |"
        for rule in all_rules()
    ]
    table = "\n".join(["| Rule | Name | Severity | Finds |", "|---|---|---|---|", *rows])
    return "\n".join([head + MARK, table, *map(section, all_rules()), ""])


def section(rule: Rule) -> str:
    of_five = "; vcl 5.0" if rule.version == "5.0" else ""
    lines = [
        "",
        f"## {rule.id}",
        "",
        f"**{rule.name}** ({rule.severity.value}; {', '.join(rule.profiles)}{of_five})",
        "",
        f"{rule.what} {rule.why}",
        "",
        f"Remedy: {rule.remedy}. [Source]({rule.source}).",
    ]
    if rule.changes:
        lines += ["", f"After the fix {rule.changes}."]
    for label, text in (("Wrong", rule.bad), ("Right", rule.good)):
        lines += ["", f"{label}:", "", *("    " + line for line in text.splitlines())]
    return "\n".join(lines)
