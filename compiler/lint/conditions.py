"""Walks through subs and finds tests that can have only one answer.

The walk knows which tests held or failed on the way to a statement, and forgets those of a variable that the
policy sets. It visits each statement once. Behind branches that meet again it knows what it knew before them.
"""

from __future__ import annotations

from typing import Any

from vernis.lint.values import WALKS_MAX, Test, Values, one_of_texts, test_of
from vernis.lint.view import View, bare, walk
from vernis.record import record, replace
from vernis.syntax import nodes

FACTS_MAX = 16  # tests of one variable that are remembered, the latest ones

# Calls that change no variable.
QUIET = frozenset(("std.log", "std.syslog", "std.timestamp", "hash_data", "synthetic", "ban", "std.ban"))


@record(frozen=True)
class Fact:
    """A test that held or failed since its variable was set. ``node`` is the expression, and ``node_holds``
    its answer, which is the contrary for an operator such as ``!=``. ``arm``: the one that every request with
    the contrary answer takes; None if it may take another."""

    test: Test
    holds: bool
    node: nodes.Expr
    node_holds: bool
    arm: nodes.IfArm | None = None


@record(frozen=True)
class Answer:
    """The only answer of ``node``. ``because``: an earlier test, or None if the expression alone decides.
    ``shadowed``: the earlier test failed, and takes every value that this one would. ``repeats``: the earlier
    test is this one, or its negation. ``arm``: the one for which ``node`` holds. It is
    None behind a negation."""

    node: nodes.Expr
    holds: bool
    because: Fact | None
    repeats: bool = False
    arm: nodes.IfArm | None = None

    @property
    def shadowed(self) -> bool:
        return self.because is not None and not self.because.node_holds and not self.holds


@record(frozen=True)
class _Inside:
    """A block with all blocks in it: the variables that it changes besides the subs that it calls (None: any
    may change), these subs, and whether it has an ``if``."""

    changed: frozenset[str] | None
    callees: tuple[str, ...]
    has_if: bool


def answers_of(view: View) -> tuple[Answer, ...]:
    """The tests of the author with only one answer, each once."""
    memory = view.memory("condition answers")
    walk_ = _Walk(view, memory)
    if walk_.values.walks > WALKS_MAX:  # what was compared for older texts must not count
        walk_ = _Walk(view, {})
        memory.clear()
    return tuple(walk_.found)


class _Walk:
    """``memory`` has the answers of subs that are as they were, and the comparisons made for them."""

    def __init__(self, view: View, memory: dict[Any, Any]) -> None:
        self.view = view
        self.values: Values = memory.setdefault("values", Values(view))
        self.answers: dict[nodes.Expr, Answer] = {}
        self.facts: dict[str, list[Fact]] = {}
        self.undo: list[tuple[str, list[Fact]]] = []  # the facts of a variable before each change
        self._changes: dict[str, frozenset[str] | None] = {}
        self.found: list[Answer] = []
        for key in view.subs:
            if key in view.unused:
                continue
            known = (key, *map(id, view.defines(key)), *self._changes_of_callees(key))
            if known not in memory:
                memory[known] = self._answers(view.defines(key))
            self.found += memory[known]

    def _answers(self, definitions: list[nodes.Sub]) -> list[Answer]:
        self.answers, self.facts, self.undo = {}, {}, []
        for definition in definitions:
            if not self.block(definition.body):
                break
        return list(self.answers.values())

    def _changes_of_callees(self, key: str) -> list[frozenset[str] | None]:
        callees = [callee for one in self.view.defines(key) for callee in self._inside(one.body).callees]
        return [self.changed_by_sub(callee) for callee in callees]

    def _inside(self, block: nodes.Block) -> _Inside:
        memory = self.view.memory("inside of blocks")
        known: _Inside | None = memory.get(id(block))
        if known is None:
            callees: dict[str, None] = {}
            others: list[nodes.Stmt] = []
            for one in walk(block):
                if isinstance(one, nodes.CallSub) and one.value is None:
                    callees[one.name.text.lower()] = None
                else:
                    others.append(one)
            found = self.changed(*others)
            has_if = any(isinstance(one, nodes.If) for one in others)
            known = _Inside(None if found is None else frozenset(found), tuple(callees), has_if)
            memory[id(block)] = known
        return known

    def changed_in(self, *blocks: nodes.Block) -> set[str] | None:
        """The variables that the statements of blocks change; None if any may change."""
        found: set[str] | None = set()
        for block in blocks:
            inside = self._inside(block)
            found = _union(found, inside.changed)
            for callee in inside.callees:
                found = _union(found, self.changed_by_sub(callee))
        return found

    # ---- statements ------------------------------------------------------------------------------------

    def block(self, block: nodes.Block) -> bool:
        """Whether the end of the block can be reached."""
        return all(map(self.statement, block.statements))

    def statement(self, statement: nodes.Stmt) -> bool:
        match statement:
            case nodes.If():
                return self.branches(statement)
            case nodes.Block():
                return self.block(statement)
            case nodes.For():
                return self.loop(statement)
            case nodes.Return():
                return False
        self.forget(self.changed(statement))
        return True

    def loop(self, statement: nodes.For) -> bool:
        """A round begins with what no round changes."""
        self.forget(self.changed_in(statement.body))
        mark = len(self.undo)
        self.block(statement.body)
        self.take_back(mark)
        return True

    def branches(self, statement: nodes.If) -> bool:
        start = len(self.undo)
        changed: set[str] | None = set()
        ends = 0
        for arm in statement.arms:
            answer = None if arm.condition is None else self.judge(arm.condition, arm)
            if answer is not None and id(arm.condition) not in self.view.added:
                self.note(answer, arm)
            if answer is None or answer.holds:
                mark = len(self.undo)
                if arm.condition is not None and self._inside(arm.body).has_if:
                    self.assume(arm.condition, True, None)
                if self.block(arm.body):
                    ends += 1
                    changed = _union(changed, self.changed_in(arm.body))
                self.take_back(mark)
            if arm.condition is None or (answer is not None and answer.holds):
                self.take_back(start)
                break
            if answer is None:
                self.assume(arm.condition, False, arm)
        else:
            if ends:  # a path through an arm may not have failed the tests
                self.take_back(start)
            ends += 1
        self.forget(changed)
        return ends > 0

    def changed(self, *statements: nodes.Stmt) -> set[str] | None:
        """The variables that statements change; None if any may change."""
        found: set[str] | None = set()
        for statement in statements:
            match statement:
                case nodes.Set() | nodes.Unset():
                    name = self.view.name(statement.target)
                    more: frozenset[str] | None = frozenset((name, name.replace(".status", ".reason")))
                case nodes.CallSub():
                    more = (
                        self.changed_by_sub(statement.name.text.lower()) if statement.value is None else None
                    )
                case nodes.CallStmt():
                    more = frozenset() if self.view.call_of(statement) in QUIET else None
                case _:
                    more = frozenset()
            found = _union(found, more)
        return found

    def changed_by_sub(self, key: str) -> frozenset[str] | None:
        if key not in self._changes:
            found = self.changed_in(*(one.body for one in self.view.subs.get(key, ())))
            self._changes[key] = None if found is None else frozenset(found)
        return self._changes[key]

    # ---- facts -----------------------------------------------------------------------------------------

    def forget(self, names: set[str] | None) -> None:
        for name in list(self.facts) if names is None else names:
            if self.facts.get(name):
                self.undo.append((name, self.facts[name]))
                self.facts[name] = []

    def take_back(self, mark: int) -> None:
        while len(self.undo) > mark:
            name, facts = self.undo.pop()
            self.facts[name] = facts

    def assume(self, test: nodes.Expr, holds: bool, otherwise: nodes.IfArm | None) -> None:
        """Remembers what a test says. ``otherwise``: the arm that is taken with the contrary answer."""
        test = bare(test)
        if isinstance(test, nodes.Not):
            self.assume(test.operand, not holds, otherwise)
        elif isinstance(test, nodes.And | nodes.Or):
            if isinstance(test, nodes.And) == holds:
                for operand in test.operands:
                    self.assume(operand, holds, otherwise)
                return
        if (found := self.test_of(test)) is not None:
            one, sign = found
            known = self.facts.get(one.name, [])
            self.undo.append((one.name, known))
            self.facts[one.name] = [*known[1 - FACTS_MAX :], Fact(one, sign == holds, test, holds, otherwise)]

    def test_of(self, test: nodes.Expr) -> tuple[Test, bool] | None:
        is_one = not isinstance(test, nodes.And | nodes.Or)
        return (test_of if is_one else one_of_texts)(self.view, test)

    # ---- answers ---------------------------------------------------------------------------------------

    def note(self, answer: Answer, arm: nodes.IfArm | None) -> None:
        self.answers.setdefault(answer.node, replace(answer, arm=arm))

    def judge(self, test: nodes.Expr, arm: nodes.IfArm | None) -> Answer | None:
        """The only answer of a condition, if it has one. ``arm``: the one for which it holds."""
        test = bare(test)
        if isinstance(test, nodes.Not):
            inner = self.judge(test.operand, None)
            return None if inner is None else Answer(test, not inner.holds, inner.because, inner.repeats)
        if isinstance(test, nodes.And | nodes.Or):
            answer = self.judge_all(test, isinstance(test, nodes.And), arm)
            if answer is not None:
                return answer
        truth = self.view.truth(test) if isinstance(test, nodes.Compare) else None
        if truth is not None:
            return Answer(test, truth, None)
        found = self.test_of(test)
        return None if found is None else self.judge_one(test, *found)

    def judge_all(
        self, test: nodes.And | nodes.Or, conjunction: bool, arm: nodes.IfArm | None
    ) -> Answer | None:
        """One operand decides alone if it is false in a conjunction, or true in a disjunction; otherwise all
        must have an answer."""
        mark = len(self.undo)
        answers: list[Answer | None] = []
        decided = None
        for operand in test.operands:
            if answers:
                self.assume(test.operands[len(answers) - 1], conjunction, None if conjunction else arm)
            answer = self.judge(operand, arm)
            if answer is not None and answer.holds != conjunction:
                decided = Answer(test, answer.holds, answer.because)
                break
            answers.append(answer)
        self.take_back(mark)
        if decided is not None:
            return decided
        if all(answer is not None for answer in answers):
            return Answer(test, conjunction, answers[-1].because if answers[-1] is not None else None)
        for answer in answers:
            if answer is not None and not conjunction and answer.shadowed:
                self.note(answer, arm)
        return None

    def judge_one(self, node: nodes.Expr, test: Test, sign: bool) -> Answer | None:
        if self.values.is_always(test):
            return Answer(node, sign, None)
        for fact in reversed(self.facts.get(test.name, [])):
            passes = self.values.answer(test, fact.test, fact.holds)
            if passes is not None:
                return Answer(node, passes == sign, fact, test == fact.test)
        return None


def _union(one: set[str] | None, other: frozenset[str] | set[str] | None) -> set[str] | None:
    """The first set with the names of the other one; None if one of them may have any."""
    if one is None or other is None:
        return None
    one.update(other)
    return one
