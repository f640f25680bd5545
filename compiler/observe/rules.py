"""The counts of a policy's rules, from the daemon's answer to ``vernis.rules -j``, for `vernis top --rules`
and the log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(slots=True, frozen=True)
class Rule:
    """``hits`` since the policy was loaded. ``name`` is of ``@rule``. ``ns`` is the estimate from ``timed``
    runs; None without any."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    rule: str
    name: str | None
    hits: int
    timed: int
    ns: int | None

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @property
    def title(self) -> str:
        """The head, after the name if the rule has one."""
        return self.rule if self.name is None else f"@{self.name} {self.rule}"

    def holds(self, file: str, at: tuple[int, int]) -> bool:
        """Whether a line and column of a file are inside."""
        return file == self.file and (self.line, self.column) <= at and at <= (self.end_line, self.end_column)


@dataclass(slots=True)
class Report:
    """All rules of a policy, most hits first. ``not_counted`` rules are beyond the limit of counters."""

    policy: str
    requests: int
    not_counted: int
    rules: list[Rule]

    def share(self, rule: Rule) -> float | None:
        """Hits per request. None before the first request."""
        return rule.hits / self.requests if self.requests else None

    def innermost(self, file: str, at: tuple[int, int]) -> Rule | None:
        """The rule whose body has this place: of those around it, the one that begins last."""
        around = [rule for rule in self.rules if rule.holds(file, at)]
        return max(around, key=lambda rule: (rule.line, rule.column), default=None)


def parse(told: dict[str, Any]) -> Report:
    """``told``: the answer of the daemon to vernis.rules -j."""
    rules = [Rule(**members) for members in told["rules"]]
    rules.sort(key=lambda rule: -rule.hits)
    return Report(told["policy"], told["requests"], told["not_counted"], rules)


def as_json(report: Report) -> str:
    members = {
        "policy": report.policy,
        "requests": report.requests,
        "not_counted": report.not_counted,
        "rules": [asdict(rule) | {"share": report.share(rule)} for rule in report.rules],
    }
    return json.dumps(members, indent=2)


def share_text(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def ns_text(ns: int | None) -> str:
    return "-" if ns is None else str(ns)


def notes(report: Report) -> Iterator[str]:
    """The notes below the table."""
    if report.not_counted:
        yield f"{report.not_counted} more rules have no counter: {len(report.rules)} are the most of a policy"
    elif not report.rules:
        yield "no counters: the policy has no rules, or was loaded with rule_counters off"


def as_text(report: Report) -> Iterator[str]:
    yield f"policy {report.policy}, {report.requests} requests"
    yield f"{'hits':>12} {'share':>8} {'ns':>9}  rule"
    for rule in report.rules:
        share, ns = share_text(report.share(rule)), ns_text(rule.ns)
        yield f"{rule.hits:>12} {share:>8} {ns:>9}  {rule.place}  {rule.title}"
    yield from notes(report)
