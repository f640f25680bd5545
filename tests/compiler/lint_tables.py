"""Makes the list of rules in docs/lint.md from the rules. Run as a script, it writes the page.

    python tests/compiler/lint_tables.py
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/lint.md"
MARK = "<!-- The rest of this page is made by `make docs`. -->\n"
sys.path.insert(0, str(ROOT / "build/py"))

from vernis.lint.rule import Rule  # noqa: E402
from vernis.lint.rules import all_rules  # noqa: E402


def page(written: str) -> str:
    """The page with its list made anew; ``written`` is the page as it is."""
    head = written.partition(MARK)[0]
    rows = [f"| [{rule.id}](#{rule.id.lower()}) | {rule.name} | {rule.severity.value} | {rule.what} |" for rule in all_rules()]
    table = "\n".join(["| Rule | Name | Severity | Finds |", "|---|---|---|---|", *rows])
    return "\n".join([head + MARK, table, *map(section, all_rules()), ""])


def section(rule: Rule) -> str:
    of_five = "; vcl 5.0" if rule.version == "5.0" else ""
    lines = ["", f"## {rule.id}", "", f"**{rule.name}** ({rule.severity.value}; {', '.join(rule.profiles)}{of_five})", "",
             f"{rule.what} {rule.why}", "", f"Remedy: {rule.remedy}. [Source]({rule.source})."]
    if rule.changes:
        lines += ["", f"After the fix {rule.changes}."]
    for label, text in (("Wrong", rule.bad), ("Right", rule.good)):
        lines += ["", f"{label}:", "", *("    " + line for line in text.splitlines())]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
