"""Effect summary of each sub, including the subs it calls. The image carries the summaries of hooks, and the
runtime reads them."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.semantics.typed import Effects, Facts
from vernis.semantics.vocabulary import HookMask


def summarise(facts: dict[str, Facts]) -> dict[str, Effects]:
    """Returns the effects of each sub, by key, from its own facts and those of its callees.

    The walk visits callees first and each sub once, with its own stack. A sub that calls itself was reported;
    its summary may miss effects of later rounds, and no stage reads it.
    """
    known: dict[str, Effects] = {}
    for start in facts:
        path: dict[str, Iterator[str]] = {}
        if start not in known:
            path[start] = iter(facts[start].calls)
        while path:
            current = next(reversed(path))
            callee = next(path[current], None)
            if callee is None:
                known[current] = _with_callees(facts[current], known)
                del path[current]
            elif callee not in known and callee not in path and callee in facts:
                path[callee] = iter(facts[callee].calls)
    return known


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


def _with_callees(own: Facts, known: dict[str, Effects]) -> Effects:
    called = [known[callee] for callee in own.calls if callee in known]
    return Effects(
        reads=frozenset(own.reads).union(*(effects.reads for effects in called)),
        writes=frozenset(own.writes).union(*(effects.writes for effects in called)),
        actions=frozenset(own.actions).union(*(effects.actions for effects in called)),
        may_wait=own.may_wait or any(effects.may_wait for effects in called),
        unknown=own.unknown or any(effects.unknown for effects in called),
    )
