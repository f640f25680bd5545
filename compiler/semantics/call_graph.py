"""Calls of subs by subs: cycles, depth, and the hooks that can run a sub."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.semantics.report import Reporter
from vernis.semantics.resolve import Scope
from vernis.semantics.vocabulary import HOOKS
from vernis.syntax import nodes
from vernis.syntax.stock import phrase

# Limit of nested calls, including the hook.
CALL_DEPTH_MAX = 100


def check_calls_of_subs(scope: Scope, report: Reporter) -> None:
    """Reports each call that closes a cycle, and hooks with too many nested calls. The walk is depth-first,
    with its own stack."""
    depths: dict[str, int] = {}
    for start in scope.subs:
        path: dict[str, Iterator[tuple[str, nodes.At]]] = {}
        if start not in depths:
            path[start] = iter(scope.subs[start].calls.items())
        while path:
            current = next(reversed(path))
            call = next(path[current], None)
            if call is None:
                depths[current] = 1 + max(
                    (depths.get(callee, 0) for callee in scope.subs[current].calls), default=0
                )
                del path[current]
                continue
            callee, at = call
            if callee in path:
                _report_cycle(scope, report, list(path), callee, at)
            elif callee not in depths and callee in scope.subs:
                path[callee] = iter(scope.subs[callee].calls.items())
    _check_depth(scope, report, depths)


def _check_depth(scope: Scope, report: Reporter, depths: dict[str, int]) -> None:
    """Reports hooks with too many nested calls. A hook has a small stack, and each nested call uses a part of
    it."""
    for hook in HOOKS:
        if depths.get(hook, 0) > CALL_DEPTH_MAX:
            callee, at = max(scope.subs[hook].calls.items(), key=lambda call: depths.get(call[0], 0))
            report.error(
                "V603",
                at,
                f"{hook} nests {depths[hook]} calls of subs; the limit is {CALL_DEPTH_MAX}",
                f"{scope.subs[callee].name} nests too many calls; call some subs one after the other",
            )


def _report_cycle(scope: Scope, report: Reporter, path: list[str], callee: str, at: nodes.At) -> None:
    cycle = path[path.index(callee) :]
    names = [scope.subs[key].name for key in cycle]
    labels = [
        (scope.subs[caller].calls[called], f"{scope.subs[caller].name} calls {scope.subs[called].name} here")
        for caller, called in zip(cycle, cycle[1:])
    ]
    report.error(
        "V601",
        at,
        f"{names[0]} calls itself: {' -> '.join([*names, names[0]])}",
        "subs cannot recurse; remove the call",
        labels=labels,
        trace=_stock_trace(scope, cycle, at),
    )


def _stock_trace(scope: Scope, cycle: list[str], closing: nodes.At) -> list[tuple[nodes.At, str]]:
    """Returns a cycle backwards, as Varnish shows it: the repeated sub, the call of it, and the earlier
    calls."""
    trace = [(scope.subs[cycle[0]].at, phrase("recursion"))]
    callees = [*cycle[1:], cycle[0]]
    for caller, callee in reversed(list(zip(cycle, callees))):
        place = closing if caller == cycle[-1] else scope.subs[caller].calls[callee]
        trace.append((place, phrase("called from", name=scope.subs[caller].name)))
    return trace


def spread_reach(scope: Scope) -> None:
    """Records for every sub the hooks that can run it."""
    for bit, hook in enumerate(HOOKS):
        stack = [hook] if hook in scope.subs else []
        while stack:
            sub = scope.subs[stack.pop()]
            if sub.reach >> bit & 1:
                continue
            sub.reach |= 1 << bit
            stack.extend(callee for callee in sub.calls if callee in scope.subs)
