"""docs/no_effect.md, from grammar/no_effect.toml and from the rows that name its groups."""

from __future__ import annotations

import textwrap
import tomllib
from dataclasses import dataclass, field

from pages import ROOT
from pages.params import parameters

PAGE = ROOT / "docs/no_effect.md"
LINE_COLUMNS = 110

HEAD = """# Accepted without effect

After this page you know which options and parameters of Varnish do nothing in Vernis, and what to do instead.

The answer to `param.set` and one line in the daemon's log name each use. `vernisd -x parameter` says what a parameter
does in Varnish. `make docs` makes this page from `grammar/no_effect.toml`.
"""


@dataclass(slots=True)
class Group:
    """A group, with the parameters, bits and options that belong to it."""

    title: str
    varnish: str
    here: str
    instead: str
    parameters: list[str] = field(default_factory=list)
    bits: list[tuple[str, str]] = field(default_factory=list)  # parameter, bit
    options: list[str] = field(default_factory=list)

    def names(self) -> list[str]:
        """All names of the group, in the README's form."""
        return [*self.parameters, *(bit for _, bit in self.bits), *self.options]


def groups() -> dict[str, Group]:
    raw = tomllib.loads((ROOT / "grammar/no_effect.toml").read_text())
    found = {
        key: Group(row["title"], row["varnish"], row["here"], row["instead"], options=row.get("options", []))
        for key, row in raw.items()
    }
    for name, param in parameters().items():
        if "no_effect" in param:
            found[str(param["no_effect"])].parameters.append(name)
        bits = param.get("no_effect_bits", {})
        assert isinstance(bits, dict)
        for group, names in bits.items():
            found[group].bits += [(name, bit) for bit in names]
    return found


def _filled(text: str) -> str:
    return textwrap.fill(text, LINE_COLUMNS, break_long_words=False, break_on_hyphens=False) + "\n"


def section(group: Group) -> str:
    lines = [
        f"\n## {group.title}\n\n",
        _filled(f"* Varnish: {group.varnish}"),
        _filled(f"* Here: {group.here}"),
        _filled(f"* Instead: {group.instead}."),
    ]
    rows = []
    for param in dict.fromkeys(param for param, _ in group.bits):
        rows.append(
            (f"bits of `{param}`", ", ".join(f"`{bit}`" for owner, bit in group.bits if owner == param))
        )
    rows += [("option", f"`{option}`") for option in group.options]
    if group.parameters:
        rows.append(("parameters", ", ".join(f"`{name}`" for name in group.parameters)))
    return "".join([*lines, *(_filled(f"* {what[0].upper()}{what[1:]}: {text}") for what, text in rows)])


def anchor(title: str) -> str:
    """The anchor that GitHub makes of a heading."""
    return "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c == "-")


GROUP_ANCHORS = {key: anchor(group.title) for key, group in groups().items()}


def page() -> str:
    return HEAD + "".join(section(group) for group in groups().values())
