"""The arithmetic of a stored response's freshness (RFC 9111, 4.2), from the TTL records of its fetch."""

from __future__ import annotations

import re

from vernis.record import record
from vernis.why.story import Story, Teller

_MAX_AGE = re.compile(r"(?i)[:,\s](s-maxage|max-age)\s*=")
_FIELDS = ("surrogate-control", "cdn-cache-control", "cache-control", "expires", "age")


@record(frozen=True)
class Lifetime:
    """Lifetimes in seconds. ``ttl_s`` counts from ``origin_at``, which is ``age_s`` before the fetch.
    ``max_age_s`` 0: the answer names none, or 0. ``steps`` are lines for people."""

    ttl_s: float
    grace_s: float
    keep_s: float
    age_s: float
    max_age_s: float
    uncacheable: bool
    steps: tuple[str, ...]

    def left_s(self, since_fetch_s: float) -> float:
        """Seconds of freshness left so long after the fetch; negative if it is stale."""
        return self.ttl_s - self.age_s - since_fetch_s


def lifetime_of(fetch: Story, teller: Teller) -> Lifetime | None:
    """None: the fetch has no answer."""
    rows = [text.split() for text in fetch.texts("TTL")]
    first = next((row for row in rows if row[0] == "RFC"), None)
    if first is None:
        return None
    now, origin_at, max_age = float(first[4]), float(first[5]), float(first[8])
    age = max(now - origin_at, 0.0)
    last = rows[-1]
    headed = _headed(fetch)
    steps = [*headed, _proposed(first, max_age, age, headed), *_set(fetch, teller)]
    return Lifetime(
        float(last[1]), float(last[2]), float(last[3]), age, max_age, last[-1] == "uncacheable", tuple(steps)
    )


def _headed(fetch: Story) -> list[str]:
    found = []
    for text in fetch.texts("BerespHeader"):
        if text.partition(":")[0].lower() in _FIELDS:
            found.append(f"the answer has {text}")
    return found


def _proposed(row: list[str], max_age: float, age: float, headed: list[str]) -> str:
    """The record has 0 for max-age=0, and also where none is."""
    ttl = float(row[1])
    is_named = max_age > 0 or any(map(_MAX_AGE.search, headed))
    source = f"max-age or s-maxage is {max_age:g} s" if is_named else "no max-age"
    return f"{source}, so the proposed ttl is {ttl:g} s, of which {age:g} s have passed (Age)"


def _set(fetch: Story, teller: Teller) -> list[str]:
    """The statements that set a lifetime, in their order."""
    found = []
    for run in fetch.runs:
        for statement in run.statements:
            for value in statement.values:
                if value.kind == "set" and value.name in (
                    "beresp.ttl", "beresp.grace", "beresp.keep", "beresp.uncacheable",
                ):  # fmt: skip
                    found.append(f"{teller.name_of(statement.place)} sets {value.name} = {value.text}")
    return found


def now_line(lifetime: Lifetime, since_fetch_s: float) -> str:
    left = lifetime.left_s(since_fetch_s)
    sum_ = f"{lifetime.ttl_s:g} - {lifetime.age_s:g} - {since_fetch_s:g} = {left:g} s of freshness left"
    return f"{since_fetch_s:g} s after the fetch: {sum_}; grace {lifetime.grace_s:g} s"
