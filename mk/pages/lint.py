"""The list of rules in docs/lint.md, from the rules. `vernis explain` adds an example of each."""

from __future__ import annotations

from vernis.lint.rule import Rule
from vernis.lint.rules import all_rules

from pages import MARK, ROOT

PAGE = ROOT / "docs/lint.md"
#: What the rules whose ids begin so are about.
GROUPS = {
    "BE": "Backends, probes and directors",
    "CK": "The cache key and Vary",
    "CS": "What is stored, and for how long",
    "DEP": "Old forms",
    "FIVE": "Policies of vcl 5.0",
    "FL": "Ways through a hook",
    "LN": "Comments that silence rules",
    "RE": "Patterns",
    "SEC": "Security",
    "TY": "Types and texts",
    "UN": "Superfluous and misspelt",
}


def page() -> str:
    head = PAGE.read_text().partition(MARK)[0]
    groups = dict.fromkeys(map(group_of, all_rules()))
    return "\n".join([head + MARK, *map(overview, groups), *map(section, all_rules()), ""])


def group_of(rule: Rule) -> str:
    return rule.id.rstrip("0123456789")


def overview(group: str) -> str:
    rules = [rule for rule in all_rules() if group_of(rule) == group]
    return f"* **{GROUPS[group]}**: {', '.join(f'[{rule.id}](#{rule.id.lower()}) {rule.name}' for rule in rules)}"


def section(rule: Rule) -> str:
    of_five = "vcl 5.0" if rule.version == "5.0" else ""
    assert "strict" in rule.profiles, f"strict has all rules, but not {rule.id}"
    profiles = ", ".join(profile for profile in rule.profiles if profile != "strict")
    lines = [
        "",
        f"## {rule.id}",
        "",
        f"**{rule.name}** ({'; '.join(filter(None, (rule.severity.value, profiles, of_five)))})",
        "",
        f"{rule.what} {rule.why}",
        "",
        f"Remedy: {rule.remedy}. [Source]({rule.source}).",
    ]
    if rule.changes:
        lines += ["", f"After the fix {rule.changes}."]
    return "\n".join(lines)
