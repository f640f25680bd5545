"""Walks along all paths of a hook with a state that a rule chooses.

A walk knows a set of states at each statement. A test lets through the states in which it may hold, so a
state that remembers "Set-Cookie is absent" takes no branch that needs the field. Equal states of two branches
join again, and a called sub is walked once for each state in which it is called. So the cost is the number of
statements times the number of different states, of which a walk keeps at most STATES_MAX.

A trail holds the branches that led to a state for the first time, so that a finding can show one path.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Generic, Protocol, TypeAlias, TypeVar

from vernis.lint.view import View, bare
from vernis.record import record
from vernis.syntax import nodes

STATES_MAX = 256  # a set keeps the first ones: a rule then misses findings, and invents none

S = TypeVar("S", bound=Hashable)


@record(frozen=True)
class Step:
    """A branch that was taken: its condition, and the steps before it."""

    condition: nodes.Expr
    before: Trail


Trail: TypeAlias = Step | None


def steps_of(trail: Trail) -> Iterator[nodes.Expr]:
    """The conditions of the taken branches, the last one first."""
    while trail is not None:
        yield trail.condition
        trail = trail.before


class Domain(Protocol[S]):
    """The state of a rule. ``assume`` returns the state after a test without ``!``, ``&&`` and ``||`` held or
    failed, or None if that is impossible in this state. ``do`` returns the state after a statement other than
    ``if``, ``call`` of a sub, and ``return``."""

    def assume(self, state: S, test: nodes.Expr, holds: bool) -> S | None: ...

    def do(self, state: S, statement: nodes.Stmt, trail: Trail) -> S: ...


class Exit(Generic[S]):
    """A ``return`` with an action, and a state in which it is reached."""

    __slots__ = ("action", "at", "state", "trail")

    def __init__(self, action: str, at: nodes.Return, state: S, trail: Trail) -> None:
        self.action, self.at, self.state, self.trail = action, at, state, trail


States: TypeAlias = dict[S, Trail]


class Paths(Generic[S]):
    """The walks of one rule over one policy. ``exits`` has one entry for each return and state."""

    def __init__(self, view: View, domain: Domain[S]) -> None:
        self.view, self.domain = view, domain
        self._subs: dict[tuple[str, S], tuple[States[S], list[Exit[S]]]] = {}

    def of_hook(self, hook: str, start: S) -> list[Exit[S]]:
        """All exits of a hook, the built-in policy included."""
        return self._sub(hook, start)[1]

    def _sub(self, key: str, state: S) -> tuple[States[S], list[Exit[S]]]:
        """The states in which a sub that was entered in one state returns to its caller, and its exits."""
        known = self._subs.get((key, state))
        if known is not None:
            return known
        exits: dict[tuple[int, S], Exit[S]] = {}
        back: States[S] = {}
        here: States[S] = {state: None}
        for definition in self.view.subs.get(key, ()):
            here = self._block(definition.body, here, back, exits)
        result = (_joined(back, here), list(exits.values()))
        self._subs[key, state] = result
        return result

    def _block(
        self, block: nodes.Block, states: States[S], back: States[S], exits: dict[tuple[int, S], Exit[S]]
    ) -> States[S]:
        """The states behind a block. Adds those of ``return;`` to ``back``."""
        for statement in block.statements:
            if not states:
                break
            match statement:
                case nodes.If():
                    states = self._if(statement, states, back, exits)
                case nodes.Block():
                    states = self._block(statement, states, back, exits)
                case nodes.CallSub() if statement.value is None:
                    states = self._call(statement, states, exits)
                case nodes.Return():
                    self._return(statement, states, back, exits)
                    states = {}
                case _:
                    states = self._each(statement, states)
        return states

    def _each(self, statement: nodes.Stmt, states: States[S]) -> States[S]:
        after: States[S] = {}
        for state, trail in states.items():
            after.setdefault(self.domain.do(state, statement, trail), trail)
        return after

    def _if(
        self, statement: nodes.If, states: States[S], back: States[S], exits: dict[tuple[int, S], Exit[S]]
    ) -> States[S]:
        after: States[S] = {}
        for arm in statement.arms:
            if arm.condition is None:
                taken, states = states, {}
            else:
                held = self._when(arm.condition, True, states)
                taken = {state: Step(arm.condition, trail) for state, trail in held.items()}
                states = self._when(arm.condition, False, states)
            after = _joined(after, self._block(arm.body, taken, back, exits))
        return _joined(after, states)

    def _call(
        self, statement: nodes.CallSub, states: States[S], exits: dict[tuple[int, S], Exit[S]]
    ) -> States[S]:
        after: States[S] = {}
        for state, trail in states.items():
            through, left = self._sub(statement.name.text.lower(), state)
            for exit_ in left:
                exits.setdefault(
                    (exit_.at.at[0], exit_.state),
                    Exit(exit_.action, exit_.at, exit_.state, _appended(trail, exit_.trail)),
                )
            for inner, steps in through.items():
                after.setdefault(inner, _appended(trail, steps))
        return _capped(after)

    def _return(
        self, statement: nodes.Return, states: States[S], back: States[S], exits: dict[tuple[int, S], Exit[S]]
    ) -> None:
        for state, trail in states.items():
            if statement.action is None:
                back.setdefault(state, trail)
            else:
                action = statement.action.text.lower()
                exits.setdefault((statement.at[0], state), Exit(action, statement, state, trail))

    def _when(self, test: nodes.Expr, holds: bool, states: States[S]) -> States[S]:
        """The states in which a test may hold, or fail, each with what the test tells."""
        test = bare(test)
        match test:
            case nodes.Not():
                return self._when(test.operand, not holds, states)
            case nodes.And() | nodes.Or():
                if isinstance(test, nodes.And) == holds:
                    for operand in test.operands:
                        states = self._when(operand, holds, states)
                    return states
                return self._any(test.operands, holds, states)
        truth = self.view.truth(test)
        if truth is not None:
            return states if truth == holds else {}
        after: States[S] = {}
        for state, trail in states.items():
            told = self.domain.assume(state, test, holds)
            if told is not None:
                after.setdefault(told, trail)
        return after

    def _any(self, operands: tuple[nodes.Expr, ...], holds: bool, states: States[S]) -> States[S]:
        """The first operand decides, or the second after the first did not, and so on."""
        after: States[S] = {}
        for operand in operands:
            after = _joined(after, self._when(operand, holds, states))
            states = self._when(operand, not holds, states)
        return after


def _capped(states: States[S]) -> States[S]:
    return states if len(states) <= STATES_MAX else dict(list(states.items())[:STATES_MAX])


def _joined(one: States[S], other: States[S]) -> States[S]:
    if not one or not other:
        return one or other
    return _capped({**other, **one})


def _appended(before: Trail, after: Trail) -> Trail:
    if after is None:
        return before
    return Step(after.condition, _appended(before, after.before))
