"""What lint says against a changed policy: the errors that the policy did not have before the change."""

from __future__ import annotations

from collections import Counter

from vernis.lint.engine import Result, lint
from vernis.lint.rules import all_rules
from vernis.syntax.diagnostics import Severity
from vernis.why.play import Policy


class Objections:
    """Compares policies with the policy of an inquiry."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._before: Counter[str] | None = None

    def to(self, changed: Policy) -> list[str]:
        """The new errors, each with its rule."""
        if self._before is None:
            self._before = _sites(_errors(self._policy))
        errors = _errors(changed)
        new = _sites(errors) - self._before
        lines = [f"{one.rule.id}: {one.finding.message}" for one in errors if one.rule.id in new]
        return list(dict.fromkeys(lines))


def _errors(policy: Policy) -> list[Result]:
    assert policy.run.checked is not None
    return [one for one in lint(policy.run.checked, all_rules()) if one.diagnostic.severity is Severity.ERROR]


def _sites(errors: list[Result]) -> Counter[str]:
    """Places by rule: a finding may have several, as labels. An edit moves them, so they are only counted."""
    found: Counter[str] = Counter()
    for one in errors:
        found[one.rule.id] += 1 + len(one.finding.labels)
    return found
