"""What each sub can do, over everything it calls. Hooks' summaries go into the image, where the runtime reads them."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.semantics.typed import Effects, Facts
from vernis.semantics.vocabulary import HookMask


def summarise(facts: dict[str, Facts]) -> dict[str, Effects]:
    """The effects of each sub from its own facts and those of what it calls, by sub key.

    What is called comes first, each sub once, with a stack of our own. A sub that calls itself was reported; its summary
    lacks what it does in a later round, which nobody reads.
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
    """These subs, and all that they call by name."""
    found: set[str] = set()
    stack = list(keys)
    while stack:
        key = stack.pop()
        if key not in found and key in facts:
            found.add(key)
            stack += facts[key].calls
    return found


def hooks_of(facts: dict[str, Facts], key: str) -> HookMask:
    """The hooks in which all is there that a sub uses, and what it calls by name."""
    mask = facts[key].hooks
    for callee in reached(facts, [key]):
        mask &= facts[callee].hooks
    return mask


def add_values(facts: dict[str, Facts], values: list[str]) -> None:
    """Whatever calls a sub that is a value may do what any of them does. They may call each other, so each caller is given the sum
    of all."""
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
