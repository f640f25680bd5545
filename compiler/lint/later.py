"""Whether a request gets to a statement of vcl_recv in any round: the first one, or one after a restart.

A policy takes notes in the first round, and a later round finds them. A client that sends such a note itself
is refused in the first round, so a test of both the counter and the note holds for few requests.
"""

from __future__ import annotations

from vernis.lint.facts import Facts, Knowledge
from vernis.lint.first_round import RESTARTS, first_round
from vernis.lint.gates import Gates, leaves_of
from vernis.lint.paths import Paths, Trail
from vernis.lint.values import Test, test_of
from vernis.lint.view import Place, View, bare, field_of
from vernis.syntax import nodes

ROUNDS_MAX = 4  # restarts of one request; beyond them every statement counts as reached
TESTS_MAX = 8  # that the walk remembers
_RECV = "vcl_recv"
# Actions behind which only this hook can restart the request.
_ENDS = {"pipe": "vcl_pipe", "synth": "vcl_synth", "purge": "vcl_purge"}
_LATER = {"==": False, "!=": True, ">": True, ">=": True, "<": False, "<=": False}  # against zero


class Round:
    """The domain of a rule in the first round, or in the later ones, with what the policy noted."""

    def __init__(self, inner: Knowledge, gates: Gates, is_first: bool) -> None:
        self.inner, self.gates, self.is_first = inner, gates, is_first
        self.about = None if inner.about is None else inner.about | gates.variables | {RESTARTS}

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        view = self.inner.view
        answer = first_round(view, test, (RESTARTS,)) if self.is_first else _later(view, test)
        if answer is not None and answer is not holds:
            return None
        told = self.inner.assume(state, test, holds)
        return None if told is None else self.gates.assume(told, test, holds)

    def do(self, state: Facts, statement: nodes.Stmt, trail: Trail) -> Facts:
        return self.gates.do(self.inner.do(state, statement, trail), statement)


def _later(view: View, test: nodes.Expr) -> bool | None:
    """The answer of a test of the counter after a restart; None for any other test."""
    if not isinstance(test, nodes.Compare):
        return True if view.variable(test) == RESTARTS else None
    right = bare(test.right)
    is_zero = isinstance(right, nodes.NumberLit) and float(right.digits) == 0
    return _LATER.get(test.op) if is_zero and view.variable(test.left) == RESTARTS else None


def is_reached(view: View, inner: Knowledge, start: Facts, at: nodes.Return) -> bool:
    """Whether a request with these facts gets to a return of vcl_recv. True if that is unknown."""
    place = next((one for one in view.places if one.statement is at), None)
    conditions = () if place is None else view.enclosing.told(place)
    asked = [name for one, _ in conditions for name, _ in view.reads(one)]
    if RESTARTS not in asked or view.where.has_any("std.rollback()"):
        return True
    if any(_changes(view, one, {*inner.names, *asked}) for one in view.places):
        return True
    gates = Gates(view, tests_in(view, (_RECV,), frozenset(asked)))
    states, seen = [start], set[Facts]()
    for count in range(ROUNDS_MAX):
        paths = Paths(view, Round(inner, gates, count == 0))
        ends = [end for state in states for end in paths.of_hook(_RECV, state)]
        if paths.is_capped or any(end.at is at for end in ends):
            return True
        left = [end.state for end in ends if end.action not in _ENDS or restarts(view, _ENDS[end.action])]
        states = [state for state in dict.fromkeys(left) if state not in seen]
        seen.update(states)
        if not states:
            return False
    return True


def tests_in(view: View, hooks: tuple[str, ...], names: frozenset[str]) -> tuple[Test, ...]:
    """The tests of fields in hooks."""
    found: dict[Test, None] = {}
    for place in view.places:
        if not isinstance(place.statement, nodes.If) or not place.in_hook(*hooks):
            continue
        for arm in place.statement.arms:
            for leaf in leaves_of(arm.condition) if arm.condition is not None else ():
                test = test_of(view, leaf)
                if test is not None and test[0].name in names and field_of(test[0].name) is not None:
                    found[test[0]] = None
    return tuple(found)[:TESTS_MAX]


def _changes(view: View, place: Place, names: set[str]) -> bool:
    """Whether a statement of a later hook of the client's request changes one of the names."""
    one = place.statement
    return (
        isinstance(one, nodes.Set | nodes.Unset)
        and view.name(one.target).startswith("req.")
        and view.name(one.target) in names
        and not place.in_hook(_RECV)
    )


def restarts(view: View, hook: str) -> bool:
    return any(
        isinstance(place.statement, nodes.Return)
        and place.statement.action is not None
        and place.statement.action.text.lower() == "restart"
        and place.in_hook(hook)
        for place in view.places
    )
