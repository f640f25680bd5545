"""What each sub can do, over everything it calls. Hooks' summaries go into the image, where the runtime reads them."""

from __future__ import annotations

from vernis.semantics.typed import Effects, Facts


def summarise(facts: dict[str, Facts]) -> dict[str, Effects]:
    """The effects of each sub from its own facts and those of what it calls, by sub key."""
    return {name: _closure(name, facts) for name in facts}


def _closure(start: str, facts: dict[str, Facts]) -> Effects:
    """Everything that can be reached, each sub once."""
    seen = {start}
    stack = [start]
    while stack:
        for callee in facts[stack.pop()].calls:
            if callee in facts and callee not in seen:
                seen.add(callee)
                stack.append(callee)
    reached = [facts[name] for name in seen]
    return Effects(
        reads=frozenset().union(*(item.reads for item in reached)),
        writes=frozenset().union(*(item.writes for item in reached)),
        actions=frozenset().union(*(item.actions for item in reached)),
        may_wait=any(item.may_wait for item in reached),
        unknown=any(item.unknown for item in reached),
    )
