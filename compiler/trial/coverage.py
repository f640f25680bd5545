"""Coverage of policies: which lines, branches and hooks the tests ran.

The counts are those of the policy's rule counters. A policy that is compiled with ``Options.coverage`` has
one at each place of ``Module.spots``. Bytes of a policy that are not UTF-8 become U+FFFD.
"""

from __future__ import annotations

from collections.abc import Sequence

from vernis.ir.ir import Module, Rule, SpotKind
from vernis.record import field, record

UNREAD = "vcl_fini"  # runs when a world ends, after its counters are read


@record
class Branch:
    """A way through an ``if``. ``decision`` is the line and the column of the ``if``, from 1; ``head`` is the
    head of the arm, or "no arm" for the way around an ``if`` without an ``else``. ``is_reached``: the ``if``
    ran."""

    decision: tuple[int, int]
    line: int
    column: int
    head: str
    hits: int = 0
    is_reached: bool = False


@record
class Hook:
    """A sub of the policy: a hook, or one that hooks call."""

    name: str
    line: int
    hits: int = 0


@record
class FileCoverage:
    """One source file. ``lines``: hits by number, for each line on which a statement, a condition or a sub
    begins."""

    name: str
    text: str
    lines: dict[int, int] = field(default_factory=dict)
    branches: list[Branch] = field(default_factory=list)
    hooks: list[Hook] = field(default_factory=list)


class Coverage:
    """The sum over suites. Suites of the same policy, and policies with the same include, share a file."""

    def __init__(self) -> None:
        self._lines: dict[str, dict[int, int]] = {}
        self._branches: dict[str, dict[tuple[int, int, bool], Branch]] = {}
        self._hooks: dict[str, dict[tuple[int, str], Hook]] = {}
        self._texts: dict[str, str] = {}
        self.not_counted = 0  # places beyond the limit of counters

    def add(self, module: Module, tests: Sequence[tuple[int, ...]]) -> None:
        """Adds the hits of tests. A test that crashed has none."""
        hits = [sum(column) for column in zip(*filter(None, tests), strict=True)] or [0] * len(module.spots)
        self.not_counted += module.rules_left
        self._add_lines(module, hits)
        self._add_branches(module, hits)
        for number, (spot, rule) in enumerate(zip(module.spots, module.rules, strict=True)):
            name, line, _ = self._place(module, rule)
            if spot.kind is SpotKind.SUB and spot.sub != UNREAD:
                self._hooks[name].setdefault((line, spot.sub), Hook(spot.sub, line)).hits += hits[number]

    def files(self) -> list[FileCoverage]:
        """All files with something to cover, by name."""
        return [
            FileCoverage(
                name,
                text,
                dict(sorted(self._lines[name].items())),
                [branch for _, branch in sorted(self._branches[name].items(), key=_order)],
                [hook for _, hook in sorted(self._hooks[name].items())],
            )
            for name, text in sorted(self._texts.items())
        ]

    def _place(self, module: Module, rule: Rule) -> tuple[str, int, int]:
        """File, line and column where a rule begins."""
        site = module.sites[rule.site]
        source = module.sources[site.file]
        if source.name not in self._texts:
            self._texts[source.name] = source.text.decode("utf-8", "replace")
            self._lines[source.name], self._branches[source.name], self._hooks[source.name] = {}, {}, {}
        return source.name, site.line, site.column

    def _add_lines(self, module: Module, hits: list[int]) -> None:
        """A line with several places has the hits of that which ran most."""
        most: dict[tuple[str, int], int] = {}
        for number, (spot, rule) in enumerate(zip(module.spots, module.rules, strict=True)):
            if spot.kind in _OF_LINES and spot.sub != UNREAD:
                name, line, _ = self._place(module, rule)
                most[name, line] = max(most.get((name, line), 0), hits[number])
        for (name, line), ran in most.items():
            self._lines[name][line] = self._lines[name].get(line, 0) + ran

    def _add_branches(self, module: Module, hits: list[int]) -> None:
        begins: dict[int, tuple[int, int]] = {}
        ran: dict[int, int] = {}
        for number, (spot, rule) in enumerate(zip(module.spots, module.rules, strict=True)):
            if spot.kind is SpotKind.CONDITION and spot.decision not in begins:
                begins[spot.decision], ran[spot.decision] = self._place(module, rule)[1:], hits[number]
        for number, (spot, rule) in enumerate(zip(module.spots, module.rules, strict=True)):
            if spot.kind not in _OF_BRANCHES or spot.sub == UNREAD:
                continue
            name, line, column = self._place(module, rule)
            is_around = spot.kind is SpotKind.AROUND
            fresh = Branch(begins[spot.decision], line, column, _head(module, rule, is_around))
            branch = self._branches[name].setdefault((line, column, is_around), fresh)
            branch.hits += hits[number]
            branch.is_reached |= ran[spot.decision] > 0


_OF_LINES = (SpotKind.SUB, SpotKind.CONDITION, SpotKind.STATEMENT)
_OF_BRANCHES = (SpotKind.ARM, SpotKind.AROUND)


def _order(entry: tuple[tuple[int, int, bool], Branch]) -> tuple[tuple[int, int], bool, int, int]:
    """Branches of one ``if`` stand together, in the order of its arms; the way around is the last."""
    (line, column, is_around), branch = entry
    return branch.decision, is_around, line, column


def _head(module: Module, rule: Rule, is_around: bool) -> str:
    if is_around:
        return "no arm"
    text = module.sources[module.sites[rule.site].file].text[rule.start : rule.start + rule.length]
    return " ".join(text.decode("utf-8", "replace").split())
