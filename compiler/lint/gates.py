"""Remembers the tests that decide whether a guard is asked, so that later tests of the same variable can rule
out paths that went round the guard.

In ``if (req.method ~ "PURGE") { if (client.ip !~ purgers) { return (synth(405)); } }`` the test of the method
is a gate. A later ``req.method == "PURGE"`` holds only where the gate held.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from vernis.lint.facts import FALSE, TRUE, Facts, Knowledge
from vernis.lint.paths import Trail
from vernis.lint.values import Test, Values, test_of
from vernis.lint.view import View, bare, expressions_of
from vernis.syntax import nodes

GATES_MAX = 6  # each may double the states of a walk; of more, the first ones are remembered
_GATE = "gate "


def gates_of(view: View, is_guard: Callable[[nodes.Expr], bool]) -> tuple[Test, ...]:
    """The tests of variables in the conditions around guards, the same condition or an outer one."""
    if not any(map(is_guard, view.comparisons)):
        return ()
    guarded: dict[str, bool] = {}

    def asks(statement: nodes.Stmt) -> bool:
        match statement:
            case nodes.If():
                conditions = [arm.condition for arm in statement.arms if arm.condition is not None]
                return any(is_guard(leaf) for one in conditions for leaf in _leaves(one)) or any(
                    any(map(asks, arm.body.statements)) for arm in statement.arms
                )
            case nodes.Block():
                return any(map(asks, statement.statements))
            case nodes.For():
                return any(map(asks, statement.body.statements))
            case nodes.CallSub() if statement.value is None:
                key = statement.name.text.lower()
                if key not in guarded:
                    guarded[key] = False  # the answer for a sub that calls itself, which the checker refuses
                    guarded[key] = any(any(map(asks, one.body.statements)) for one in view.defines(key))
                return guarded[key]
        return False

    found: dict[Test, None] = {}
    for block in view.blocks():
        for statement in block.statements:
            if not isinstance(statement, nodes.If):
                continue
            before: list[nodes.Expr] = []
            for arm in statement.arms:
                before += () if arm.condition is None else _leaves(arm.condition)
                if any(map(is_guard, before)) or any(map(asks, arm.body.statements)):
                    tests = (test_of(view, leaf) for leaf in before if not is_guard(leaf))
                    found.update((test[0], None) for test in tests if test is not None)
    return tuple(found)[:GATES_MAX]


def _leaves(expr: nodes.Expr) -> Iterator[nodes.Expr]:
    expr = bare(expr)
    match expr:
        case nodes.Not():
            yield from _leaves(expr.operand)
        case nodes.And() | nodes.Or():
            for operand in expr.operands:
                yield from _leaves(operand)
        case _:
            yield expr


class Gated(Knowledge):
    """Knowledge of tests that have a name, the guards, and of their gates. ``names`` hold their answers."""

    def __init__(
        self,
        view: View,
        test_name: Callable[[nodes.Expr], str | None],
        watch: Callable[[Facts, nodes.Stmt, Trail], None],
        also: Collection[str],
        names: Collection[str] = (),
    ) -> None:
        self.gates = gates_of(view, lambda test: test_name(test) is not None)
        self.variables = frozenset(gate.name for gate in self.gates)
        self.values = Values(view)
        super().__init__(view, names, test_name, watch, self.variables.union(also))

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        told = super().assume(state, test, holds)
        found = test_of(self.view, test) if told is not None and self.gates else None
        if told is None or found is None or found[0].name not in self.variables:
            return told
        one, sign = found
        holds = holds == sign
        for gate, held in self._known(state, one.name):
            answer = self.values.answer(one, gate, held)
            if answer is not None and answer != holds:
                return None
        return told.with_fact(self._fact(one), TRUE if holds else FALSE) if one in self.gates else told

    def do(self, state: Facts, statement: nodes.Stmt, trail: Trail) -> Facts:
        state = super().do(state, statement, trail)
        for gate in self.gates:
            if gate.name in self._changed(statement):
                state = state.with_fact(self._fact(gate), None)
        return state

    def _changed(self, statement: nodes.Stmt) -> frozenset[str]:
        """The variables of gates that a statement may change. A call may change each one that it is given."""
        match statement:
            case nodes.Set() | nodes.Unset():
                return frozenset((self.view.name(statement.target),))
            case nodes.CallStmt():
                read = (name for one in expressions_of(statement) for name, _ in self.view.reads(one))
                return self.variables.intersection(read)
        return frozenset()

    def _fact(self, gate: Test) -> str:
        return f"{_GATE}{self.gates.index(gate)}"

    def _known(self, state: Facts, name: str) -> Iterator[tuple[Test, bool]]:
        for key, fact in state.known:
            if key.startswith(_GATE):
                gate = self.gates[int(key.removeprefix(_GATE))]
                if gate.name == name:
                    yield gate, fact == TRUE
