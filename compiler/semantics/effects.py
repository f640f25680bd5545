"""Effect summaries of hooks, including the subs that they call. The image carries them, and the runtime reads
them."""

from __future__ import annotations

from vernis.semantics.typed import Effects, Facts
from vernis.semantics.vocabulary import HOOKS, HookMask


def summarise(facts: dict[str, Facts]) -> dict[str, Effects]:
    """Returns the effects of each hook, by key, from its own facts and those of the subs it reaches.
    Summaries of all subs would need the square of their number."""
    return {hook: _sum([facts[key] for key in reached(facts, [hook])]) for hook in HOOKS if hook in facts}


def reached(facts: dict[str, Facts], keys: list[str]) -> set[str]:
    """Returns these subs and all subs that they call by name."""
    found: set[str] = set()
    stack = list(keys)
    while stack:
        key = stack.pop()
        if key not in found and key in facts:
            found.add(key)
            stack += facts[key].calls
    return found


def hooks_of(facts: dict[str, Facts], key: str) -> HookMask:
    """Returns the hooks in which everything exists that a sub and its callees use."""
    mask = facts[key].hooks
    for callee in reached(facts, [key]):
        mask &= facts[callee].hooks
    return mask


def add_values(facts: dict[str, Facts], values: list[str]) -> None:
    """Gives every caller of a sub value the effects of all sub values. The subs may call each other, so each
    caller gets the sum."""
    callers = [own for own in facts.values() if own.calls_values]
    called = [facts[key] for key in reached(facts, values)] if callers else []
    for own in callers:
        own.reads = own.reads.union(*(other.reads for other in called))
        own.writes = own.writes.union(*(other.writes for other in called))
        own.actions = own.actions.union(*(other.actions for other in called))
        own.may_wait |= any(other.may_wait for other in called)
        own.unknown |= any(other.unknown for other in called)


def _sum(all_of: list[Facts]) -> Effects:
    return Effects(
        reads=frozenset().union(*(own.reads for own in all_of)),
        writes=frozenset().union(*(own.writes for own in all_of)),
        actions=frozenset().union(*(own.actions for own in all_of)),
        may_wait=any(own.may_wait for own in all_of),
        unknown=any(own.unknown for own in all_of),
    )
