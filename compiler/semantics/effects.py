"""What each sub can do, over everything it calls. Hooks' summaries go into the image, where the runtime reads them."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.semantics.typed import Effects, Facts


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


def _with_callees(own: Facts, known: dict[str, Effects]) -> Effects:
    called = [known[callee] for callee in own.calls if callee in known]
    return Effects(
        reads=frozenset(own.reads).union(*(effects.reads for effects in called)),
        writes=frozenset(own.writes).union(*(effects.writes for effects in called)),
        actions=frozenset(own.actions).union(*(effects.actions for effects in called)),
        may_wait=own.may_wait or any(effects.may_wait for effects in called),
        unknown=own.unknown or any(effects.unknown for effects in called),
    )
