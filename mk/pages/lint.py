"""The list of rules in docs/lint.md, from the rules."""

from __future__ import annotations

import difflib
import re
from itertools import groupby

from vernis.format.format import format_source
from vernis.format.layout import Style
from vernis.lint.rule import Rule
from vernis.lint.rules import all_rules
from vernis.syntax.source import SourceFile

from pages import MARK, ROOT

PAGE = ROOT / "docs/lint.md"
#: So many lines of an example that differ only in numbers are shortened.
ALIKE_MIN = 4
#: What an example needs to be a policy, but is not about.
SURROUNDINGS = ("import ", "backend ", "probe ", "acl ")


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
    return "\n".join([*lines, "", "```diff", *example(rule), "```"])


def example(rule: Rule) -> list[str]:
    """The diff from the wrong policy to the right one. Declarations that a rule is not about, and that stay, are left out."""
    wrong, right = declarations(rule, rule.bad), declarations(rule, rule.good)
    kept = [one for one in wrong if one in right and one.startswith(SURROUNDINGS)]
    before, after = ("\n".join(one for one in side if one not in kept).split("\n") for side in (wrong, right))
    _, _, _, *lines = difflib.unified_diff(before, after, lineterm="", n=len(before))
    return [
        line
        for _, alike in groupby(lines, lambda line: re.sub("[0-9]+", "", line))
        for line in shortened(list(alike))
    ]


def shortened(alike: list[str]) -> list[str]:
    """Only the first and the last of many lines that differ in numbers."""
    if len(alike) < ALIKE_MIN:
        return alike
    indent = re.match(r".\s*", alike[0])
    return [alike[0], f"{indent[0] if indent else ''}...", alike[-1]]


def declarations(rule: Rule, policy: str) -> list[str]:
    formatted = format_source(
        SourceFile(rule.id, f"vcl {rule.version};\n\n{policy}\n".encode()), Style()
    ).data
    assert formatted is not None, f"{rule.id} has an example with an error"
    text = formatted.decode().partition("\n")[2].strip("\n")
    return re.split(r"\n+(?=[^\s}])", text)
