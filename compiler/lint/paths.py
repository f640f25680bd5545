"""Walks along all paths of a hook with a state that a rule chooses.

A walk knows a set of states at each statement. A test lets through the states in which it may hold, so a
state that remembers "Set-Cookie is absent" takes no branch that needs the field. Equal states of two branches
join again, and a called sub is walked once for each state in which it is called. So the cost is the number of
statements times the number of different states, of which a walk keeps at most STATES_MAX.

A trail holds the branches that led to a state for the first time, so that a finding can show one path.

A domain that has an attribute ``about``, a set of names as ``View.reads`` has them, promises to keep each
state at tests and statements without these names. A walk then steps over text without them. Its results are
the same; ``tests/compiler/lint/test_lint_speed.py`` compares them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Generic, Protocol, TypeAlias, TypeVar

from vernis.lint.view import View, bare
from vernis.lint.where import has_token, next_concerned
from vernis.record import record
from vernis.syntax import nodes

STATES_MAX = 256  # a set keeps the first ones: a rule then misses findings, and invents none

S = TypeVar("S", bound=Hashable)


@record(frozen=True)
class Step:
    """A branch that was taken: its condition, and the steps before it."""

    condition: nodes.Expr
    before: Trail


@record(frozen=True)
class Over:
    """Statements that a walk stepped over, and the steps before them. A walk that visits them takes the first
    branch of each."""

    statements: Sequence[nodes.Stmt]
    subs: dict[str, list[nodes.Sub]]
    before: Trail


Trail: TypeAlias = Step | Over | None


def steps_of(trail: Trail) -> Iterator[nodes.Expr]:
    """The conditions of the taken branches, the last one first."""
    while trail is not None:
        if isinstance(trail, Step):
            yield trail.condition
        else:
            yield from reversed(list(_first_branches(trail.statements, trail.subs)))
        trail = trail.before


def _first_branches(
    statements: Sequence[nodes.Stmt], subs: dict[str, list[nodes.Sub]]
) -> Iterator[nodes.Expr]:
    for statement in statements:
        match statement:
            case nodes.If():
                first = statement.arms[0]
                if first.condition is not None:
                    yield first.condition
                yield from _first_branches(first.body.statements, subs)
            case nodes.Block():
                yield from _first_branches(statement.statements, subs)
            case nodes.CallSub() if statement.value is None:
                for definition in subs.get(statement.name.text.lower(), ()):
                    yield from _first_branches(definition.body.statements, subs)


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
        self.is_capped = False  # whether a set of states lost some
        self._subs: dict[tuple[str, S], tuple[States[S], list[Exit[S]]]] = {}
        about: frozenset[str] | None = getattr(domain, "about", None)
        self._tokens = None if about is None else view.where.concerned(about)

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
        result = (self._joined(back, here), list(exits.values()))
        self._subs[key, state] = result
        return result

    def _block(
        self, block: nodes.Block, states: States[S], back: States[S], exits: dict[tuple[int, S], Exit[S]]
    ) -> States[S]:
        """The states behind a block. Adds those of ``return;`` to ``back``."""
        statements, index = block.statements, -1
        while states and (index := index + 1) < len(statements):
            if self._tokens is not None:
                over = next_concerned(self._tokens, statements, index)
                if over > index:
                    skipped = statements[index:over]
                    states = {state: Over(skipped, self.view.subs, trail) for state, trail in states.items()}
                    index = over
                    if index == len(statements):
                        break
            statement = statements[index]
            match statement:
                case nodes.If():
                    states = self._if(statement, states, back, exits)
                case nodes.Block():
                    states = self._block(statement, states, back, exits)
                case nodes.For():  # two rounds: the first may change what the second meets
                    states = self._block(statement.body, states, back, exits)
                    states = self._block(statement.body, states, back, exits)
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
                held, states = self._split(arm.condition, states)
                taken = {state: Step(arm.condition, trail) for state, trail in held.items()}
            after = self._joined(after, self._block(arm.body, taken, back, exits))
        return self._joined(after, states)

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
        return self._capped(after)

    def _return(
        self, statement: nodes.Return, states: States[S], back: States[S], exits: dict[tuple[int, S], Exit[S]]
    ) -> None:
        for state, trail in states.items():
            if statement.action is None:
                back.setdefault(state, trail)
            else:
                action = statement.action.text.lower()
                exits.setdefault((statement.at[0], state), Exit(action, statement, state, trail))

    def _split(self, test: nodes.Expr, states: States[S]) -> tuple[States[S], States[S]]:
        """The states in which a test may hold, and those in which it may fail, each with what the test tells.
        Both together: a walk for each would visit an operand twice, and its operands four times."""
        test = bare(test)
        if self._tokens is not None and not has_token(self._tokens, test):
            return states, states
        match test:
            case nodes.Not():
                held, failed = self._split(test.operand, states)
                return failed, held
            case nodes.And() | nodes.Or():
                return self._split_all(test, states)
        truth = self.view.truth(test)
        if truth is not None:
            return (states, {}) if truth else ({}, states)
        return self._assumed(test, True, states), self._assumed(test, False, states)

    def _split_all(self, test: nodes.And | nodes.Or, states: States[S]) -> tuple[States[S], States[S]]:
        """The first operand decides, or the second after the first did not, and so on."""
        is_and = isinstance(test, nodes.And)
        decided: States[S] = {}
        for operand in test.operands:
            held, failed = self._split(operand, states)
            decided = self._joined(decided, failed if is_and else held)
            states = held if is_and else failed
        return (states, decided) if is_and else (decided, states)

    def _assumed(self, test: nodes.Expr, holds: bool, states: States[S]) -> States[S]:
        after: States[S] = {}
        for state, trail in states.items():
            told = self.domain.assume(state, test, holds)
            if told is not None:
                after.setdefault(told, trail)
        return after

    def _capped(self, states: States[S]) -> States[S]:
        if len(states) <= STATES_MAX:
            return states
        self.is_capped = True
        return dict(list(states.items())[:STATES_MAX])

    def _joined(self, one: States[S], other: States[S]) -> States[S]:
        if not one or not other:
            return one or other
        return self._capped({**other, **one})


def _appended(before: Trail, after: Trail) -> Trail:
    if after is None or before is None:
        return before or after
    steps = []
    while after is not None:
        steps.append(after)
        after = after.before
    for step in reversed(steps):
        if isinstance(step, Step):
            before = Step(step.condition, before)
        else:
            before = Over(step.statements, step.subs, before)
    return before
