"""Remembers the tests that decide whether a guard is asked, so that later tests of the same variable can rule
out paths that went round the guard.

In ``if (req.method ~ "PURGE") { if (client.ip !~ purgers) { return (synth(405)); } }`` the test of the method
is a gate. A later ``req.method == "PURGE"`` holds only where the gate held.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from vernis.lint.conditions import QUIET
from vernis.lint.facts import FALSE, TRUE, Facts, Knowledge
from vernis.lint.kept import Change, change_of
from vernis.lint.paths import Trail
from vernis.lint.values import Test, Values, passes, test_of
from vernis.lint.view import View, bare, expressions_of
from vernis.record import replace
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
                return any(is_guard(leaf) for one in conditions for leaf in leaves_of(one)) or any(
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
                before += () if arm.condition is None else leaves_of(arm.condition)
                if any(map(is_guard, before)) or any(map(asks, arm.body.statements)):
                    tests = (test_of(view, leaf) for leaf in before if not is_guard(leaf))
                    found.update((test[0], None) for test in tests if test is not None)
    return tuple(found)[:GATES_MAX]


def leaves_of(expr: nodes.Expr) -> Iterator[nodes.Expr]:
    """The tests of a condition."""
    expr = bare(expr)
    match expr:
        case nodes.Not():
            yield from leaves_of(expr.operand)
        case nodes.And() | nodes.Or():
            for operand in expr.operands:
                yield from leaves_of(operand)
        case _:
            yield expr


class Gates:
    """Tests whose results a walk remembers as facts. They tell the results of other tests of the same
    variable, and are forgotten when the policy sets it to something unknown. ``shared`` gives a variable the
    name that it has in the tests."""

    def __init__(
        self, view: View, tests: tuple[Test, ...], shared: Callable[[str], str] = lambda name: name
    ) -> None:
        self.view, self.tests, self.shared = view, tests, shared
        self.variables = frozenset(test.name for test in tests)
        self.values = Values(view)
        self._numbers = {test: number for number, test in enumerate(tests)}
        self._of_name: dict[str, list[int]] = {}
        for number, test in enumerate(tests):
            self._of_name.setdefault(test.name, []).append(number)
        self._read: dict[int, tuple[Test, bool] | None] = {}
        self._changes: dict[int, Change | None] = {}

    def test_of(self, expr: nodes.Expr) -> tuple[Test, bool] | None:
        """The test of a variable that has gates, and its sign."""
        if id(expr) not in self._read:
            found = test_of(self.view, expr)
            if found is not None:
                found = replace(found[0], name=self.shared(found[0].name)), found[1]
            self._read[id(expr)] = found if found is not None and found[0].name in self.variables else None
        return self._read[id(expr)]

    def assume(self, state: Facts, expr: nodes.Expr, holds: bool) -> Facts | None:
        found = self.test_of(expr) if self.tests else None
        if found is None:
            return state
        test, sign = found
        holds = holds == sign
        known = self._known(state, test.name)
        for gate, held in known:
            answer = self.values.answer(test, gate, held)
            if answer is not None and answer != holds:
                return None
        near = [(gate, held) for gate, held in known if self.values.are_related(test, gate)]
        if len(near) > 1 and not self.values.is_possible((*near, (test, holds))):
            return None
        number = self._numbers.get(test)
        return state if number is None else state.with_fact(f"{_GATE}{number}", TRUE if holds else FALSE)

    def do(self, state: Facts, statement: nodes.Stmt) -> Facts:
        for name in self._changed(statement) if self.tests else ():
            known = self._known(state, name)
            for number in self._of_name.get(name, ()):
                result = self._after(statement, self.tests[number], known)
                fact = None if result is None else TRUE if result else FALSE
                state = state.with_fact(f"{_GATE}{number}", fact)
        return state

    def facts_of(self, state: Facts) -> Iterator[tuple[str, str, str]]:
        """The remembered results: key and fact in the state, and the variable."""
        for number, test in enumerate(self.tests):
            key = f"{_GATE}{number}"
            fact = state.get(key)
            if fact is not None:
                yield key, fact, test.name

    def _changed(self, statement: nodes.Stmt) -> Iterable[str]:
        """The variables of gates that a statement may change. A call may change each one that it is given."""
        match statement:
            case nodes.Set() | nodes.Unset():
                return (self.shared(self.view.name(statement.target)),)
            case nodes.CallStmt() if self.view.call_of(statement) not in QUIET:
                read = (name for one in expressions_of(statement) for name, _ in self.view.reads(one))
                return self.variables.intersection(map(self.shared, read))
        return ()

    def _after(self, statement: nodes.Stmt, test: Test, known: list[tuple[Test, bool]]) -> bool | None:
        """The result of a test behind a statement that changes its variable; None if that is unknown.
        ``known`` are the results before it."""
        if isinstance(statement, nodes.Unset):
            return passes(test, None)
        if not isinstance(statement, nodes.Set):
            return None
        text = self.view.text(statement.value) if statement.op == "=" else None
        if text is not None:
            return passes(test, text)
        change = self._change_of(statement) if known else None
        if change is None:
            return None
        for gate, held in known:
            result = self.values.answer(test, gate, held)
            if result is not None:
                return result if change.keeps(test, result) else None
        return None

    def _change_of(self, statement: nodes.Set) -> Change | None:
        if id(statement) not in self._changes:
            self._changes[id(statement)] = change_of(self.view, statement)
        return self._changes[id(statement)]

    def _known(self, state: Facts, name: str) -> list[tuple[Test, bool]]:
        numbers = ((number, state.get(f"{_GATE}{number}")) for number in self._of_name.get(name, ()))
        return [(self.tests[number], fact == TRUE) for number, fact in numbers if fact is not None]


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
        self.gates = Gates(view, gates_of(view, lambda test: test_name(test) is not None))
        super().__init__(view, names, test_name, watch, self.gates.variables.union(also))

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        told = super().assume(state, test, holds)
        return None if told is None else self.gates.assume(told, test, holds)

    def do(self, state: Facts, statement: nodes.Stmt, trail: Trail) -> Facts:
        return self.gates.do(super().do(state, statement, trail), statement)
