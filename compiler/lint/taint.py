"""Which request inputs decide what the origin sees, and which of them the cache key settles.

A value is a set of atoms. An atom is an input of the request, a text that a statement set, the result of a
test, or a choice between two values that tests made. A choice knows its tests, so an input that only decides
which constant is set still reaches the value. A copy keeps the atoms of its source. That is why a normalised
field in the key settles every use of this field, and none of the field that it was made from.

An atom is settled if all requests that share a stored response agree on it: the key contains it, the path
fixes it ("requests with the field were passed"), or all the atoms it was made from are settled. The walk
follows one request to the origin: recv, hash, miss, backend_fetch, backend_response, in the first round
(``req.restarts`` is zero) and only on paths that can store. Where an ``if`` joins, two values become a
choice, so the cost is the number of statements, not of paths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import cached_property, reduce
from operator import or_
from typing import TypeAlias

from vernis.lint.automata import language_of
from vernis.lint.first_round import RESTARTS, first_round
from vernis.lint.view import View, bare
from vernis.record import field, record
from vernis.syntax import nodes

STEPS_MAX = 20_000  # statements of one walk; over it the walk tells nothing
STEP_BITS = (
    7  # so many bits of entries that a state copies count as a step, because states grow with the text
)
SIDES_MAX = 32  # choices inside of choices that a test decides at once; the ones further in stay open

Value: TypeAlias = frozenset[int]
NOTHING: Value = frozenset()
Constants: TypeAlias = frozenset[str | None]  # None: the field is absent
Fixed: TypeAlias = frozenset[tuple[int, object]]
# What a result of a test fixes, None if the test cannot have it, and the atoms of all tests in it.
Told: TypeAlias = tuple[Fixed | None, Value]

# Inputs besides the fields of the request. The method is none: it is GET.
INPUTS = frozenset(
    ("req.url", "client.ip", "client.identity", "remote.ip", "local.ip", "local.endpoint", "local.socket")
)
COOKIES = "cookie."  # the jar of vmod cookie
# The result of these methods does not tell their arguments: members of a director are meant to be equal.
_PICKS_MEMBER = ".backend"
_UNCACHEABLE = "beresp.uncacheable"
_METHODS = ("req.method", "bereq.method")
_BACKENDS = ("req.backend_hint", "bereq.backend")
_NEVER = ("bereq.uncacheable", "server.rfc9111")  # false on every path that the walk follows


class Kind(Enum):
    INPUT = "input"
    SET = "set"
    TEST = "test"
    CHOICE = "choice"


@record
class Atom:
    """``made_of`` are the atoms behind it. A choice has its ``sides``, and the tests that ``decide`` are
    behind it, too: the choices of an ``if`` with many arms share the set of all its tests. ``text`` is the
    constant that a statement set, None for others; ``absent`` is an ``unset``."""

    kind: Kind
    name: str
    made_of: Value
    node: nodes.Stmt | nodes.Expr | None = None
    text: str | None = None
    absent: bool = False
    sides: tuple[Value, Value] = (NOTHING, NOTHING)
    decide: Value = NOTHING


@record
class State:
    """Values by name, the atoms that the path has fixed, each with what it is, and those in the key."""

    values: dict[str, Value] = field(default_factory=dict)
    fixed: Fixed = frozenset()
    keyed: Value = NOTHING

    def fixing(self, more: Fixed) -> State:
        """This state of a path that has also fixed more. Both share the table of values."""
        return State(self.values, self.fixed | more, self.keyed) if more else self

    def copy(self) -> State:
        return State(dict(self.values), self.fixed, self.keyed)


@record
class _Test:
    """``known``: its result, if that is the same on every path. ``negated``: its operator begins with ``!``.
    ``question`` is what it asks its atoms. ``fixes`` is the name that may have only one value behind it, or
    None, and ``text`` that value; None asks whether a field is there."""

    known: bool | None
    negated: bool
    question: tuple[str, ...]
    fixes: str | None
    text: str | None


class Way:
    """How a block can be left. Not an Enum, whose members are slow as keys."""

    FALL = "fall"  # behind its last statement
    BACK = "back"  # by return;
    STORE = "store"  # by the action that goes on to a stored response


@record
class Ends:
    """The state of each way out of a block. ``decide`` are the tests that choose between falling out of it
    and the other ways."""

    ways: dict[str, State] = field(default_factory=dict)
    decide: Value = NOTHING


# The hooks before a stored response, each with the action that leads on.
ROUTE = (
    ("vcl_recv", "hash"),
    ("vcl_hash", "lookup"),
    ("vcl_miss", "fetch"),
    ("vcl_backend_fetch", "fetch"),
    ("vcl_backend_response", "deliver"),
)


UNTOLD: Told = frozenset(), NOTHING
IMPOSSIBLE: Told = None, NOTHING


class TooLong(Exception):
    """The walk took more than STEPS_MAX steps."""


class Taint:
    """One walk. ``sent`` holds what the origin sees of requests whose response may be stored; None if there
    are none, or the walk is too long."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.atoms: list[Atom] = []
        self._known: dict[tuple[object, ...], int] = {}
        self._inputs: dict[str, Value] = {}
        self._names: dict[int, tuple[str, ...]] = view.memory("taint names")
        self._tests: dict[int, _Test] = view.memory("taint tests")
        self._steps, self._action = 0, ""
        self._left: dict[tuple[int, str | None, bool], tuple[Fixed, ...]] = {}  # of choices, outer ones first
        self._joins: dict[int, set[int]] = {}  # the numbers of the joins that made a choice
        self._n_joins = 0
        self._constant: dict[int, Constants | None] = {}
        self.sent: State | None = None
        try:
            self.sent = self._route()
        except TooLong:
            pass

    # ---- atoms -----------------------------------------------------------------------------------------

    def _atom(self, key: tuple[object, ...], atom: Atom) -> int:
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self.atoms)
            self.atoms.append(atom)
        return number

    def input(self, name: str) -> Value:
        """The value of a name as the client sent it."""
        known = self._inputs.get(name)
        if known is None:
            known = self._inputs[name] = self._input(name)
        return known

    def _input(self, name: str) -> Value:
        if name.startswith(COOKIES):
            name = "req.http.cookie"
        name = name.removeprefix("be") if name.startswith("bereq.") else name
        if name.startswith("req.http.") or name in INPUTS:
            return frozenset((self._atom(("input", name), Atom(Kind.INPUT, name, NOTHING)),))
        return NOTHING

    def inputs(self, state: State, through: bool = True) -> Callable[[Value], frozenset[str]]:
        """Tells the inputs behind a value that nothing settles. ``through`` tests: with those that only a
        test has read. An atom is made of atoms before it, so that one pass knows all."""
        settled = state.keyed | {number for number, _ in state.fixed}
        told_joins = self._told_joins(state)
        names = [atom.name for atom in self.atoms if atom.kind is Kind.INPUT]
        bits = {name: 1 << index for index, name in enumerate(names)}
        masks: list[int] = []
        of_tests: dict[int, int] = {}  # the masks of the tests of choices, by the ids of their sets
        a_test = Kind.TEST  # an Enum is slow to read
        for number, atom in enumerate(self.atoms):
            mask = 0
            if number not in settled and (through or atom.kind is not a_test):
                mask = bits[atom.name] if atom.kind is Kind.INPUT else 0
                for part in atom.made_of:
                    mask |= masks[part]
                if atom.decide and not self._is_told(number, told_joins):
                    key = id(atom.decide)
                    if key not in of_tests:
                        of_tests[key] = reduce(or_, (masks[test] for test in atom.decide))
                    mask |= of_tests[key]
            masks.append(mask)

        def told(value: Value) -> frozenset[str]:
            mask = 0
            for number in value:
                mask |= masks[number]
            return frozenset(name for name, bit in zip(names, reversed(f"{mask:b}")) if bit == "1")

        return told

    def unsettled(self, value: Value, state: State) -> Value:
        """The atoms that a value depends on and that neither key nor path settles."""
        settled = state.keyed | {number for number, _ in state.fixed}
        told_joins = self._told_joins(state)
        found: set[int] = set()
        tests: set[int] = set()  # the ids of sets of tests
        stack = list(value)
        while stack:
            number = stack.pop()
            if number not in settled and number not in found:
                found.add(number)
                atom = self.atoms[number]
                stack += atom.made_of
                if id(atom.decide) not in tests and not self._is_told(number, told_joins):
                    tests.add(id(atom.decide))
                    stack += atom.decide
        return frozenset(found)

    def _is_told(self, number: int, told_joins: set[int]) -> bool:
        """Whether the key tells the join of a choice: then it is one of its sides, whatever decides."""
        return bool(told_joins) and number in self._joins and not told_joins.isdisjoint(self._joins[number])

    def _told_joins(self, state: State) -> set[int]:
        """The joins of which the key tells the path that was taken: it contains a value that has other
        constants on each path."""
        told: set[int] = set()
        for number in state.keyed:
            if self.atoms[number].kind is Kind.CHOICE:
                self._add_told(frozenset((number,)), told)
        return told

    def _add_told(self, value: Value, told: set[int]) -> Constants | None:
        """Adds the joins that a value tells. Returns its constants."""
        number = next(iter(value)) if len(value) == 1 else None
        if number is None or self.atoms[number].kind is not Kind.CHOICE:
            return self._constants(value)
        one, other = (self._add_told(side, told) for side in self.atoms[number].sides)
        if one is None or other is None:
            return None
        if one.isdisjoint(other):
            told |= self._joins[number]
        return one | other

    def _constants(self, value: Value) -> Constants | None:
        """All constants that a value may be; None if it may be something else."""
        if len(value) != 1:
            return None
        (number,) = value
        if number not in self._constant:
            atom = self.atoms[number]
            found: Constants | None = None
            if atom.absent or atom.text is not None:
                found = frozenset((atom.text,))
            elif atom.kind is Kind.CHOICE:
                one, other = map(self._constants, atom.sides)
                found = None if one is None or other is None else one | other
                if found is not None and len(found) > SIDES_MAX:
                    found = None
            self._constant[number] = found
        return self._constant[number]

    # ---- expressions -----------------------------------------------------------------------------------

    def value(self, expr: nodes.Expr, state: State) -> Value:
        """The atoms of all that an expression reads."""
        names = self._names.get(id(expr))
        if names is None:
            names = self._names[id(expr)] = tuple(self._names_in(expr))
        if len(names) == 1:
            return self._read(names[0], state)
        return NOTHING.union(*(self._read(name, state) for name in names))

    def _names_in(self, expr: nodes.Expr) -> Iterator[str]:
        expr = bare(expr)
        if isinstance(expr, nodes.CallExpr) and self.view.name(expr.name).endswith(_PICKS_MEMBER):
            return
        for name, part in self.view.reads(expr):
            if isinstance(part, nodes.CallExpr):
                yield from self._names_of_call(part)
            else:
                yield name

    def _read(self, name: str, state: State) -> Value:
        known = state.values.get(name)
        return self.input(name) if known is None else known

    def _names_of_call(self, call: nodes.CallExpr) -> Iterator[str]:
        """The names that a call reads besides its arguments: the jar of cookies, or its own field."""
        name = self.view.name(call.name)
        owner = name.rpartition(".")[0]
        if name.startswith(COOKIES):
            yield COOKIES
        elif owner.startswith(("req.", "bereq.")):
            yield owner

    # ---- tests -----------------------------------------------------------------------------------------

    def _split(self, test: nodes.Expr, state: State) -> tuple[Told, Told]:
        """What a test tells if it holds, and what if it fails."""
        test = bare(test)
        if isinstance(test, nodes.Not):
            held, failed = self._split(test.operand, state)
            return failed, held
        if isinstance(test, nodes.And | nodes.Or):
            return self._split_all(test, state)
        one = self._tests.get(id(test))
        if one is None:
            one = self._tests[id(test)] = self._read_test(test)
        value = self.value(test, state)
        if not value:
            return IMPOSSIBLE if one.known is False else UNTOLD, IMPOSSIBLE if one.known else UNTOLD
        key = ("test", one.question, value)
        number = self._known.get(key)
        if number is None:
            number = self._atom(key, Atom(Kind.TEST, "", value, node=test))
        tests: Value = frozenset((number,))
        yes: Told = frozenset(((number, True),)), tests
        no: Told = frozenset(((number, False),)), tests
        if one.fixes is not None:
            yes, no = self._compared(one, value, True, yes), self._compared(one, value, False, no)
        if one.known is not None:
            yes, no = (yes, IMPOSSIBLE) if one.known != one.negated else (IMPOSSIBLE, no)
        return (no, yes) if one.negated else (yes, no)

    def _compared(self, test: _Test, value: Value, holds: bool, told: Told) -> Told:
        """What a test of ``==`` or of a field's presence tells, besides its result."""
        if not self._can_be(test, value, holds):
            return IMPOSSIBLE
        fixed, tests = told
        return (None if fixed is None else fixed | self._fixes(test, holds, value)), tests

    def _can_be(self, test: _Test, value: Value, holds: bool) -> bool:
        """Whether a test of a value can have this result. It cannot if all its constants have the other. A
        copy of an absent field is an empty text, so an absent one may pass what such a text passes."""
        constants = self._constants(value)
        if constants is None:
            return True
        if test.text is None:
            return holds or None in constants
        if holds:
            return test.text in constants or (None in constants and not test.text)
        return constants != {test.text}

    def _read_test(self, test: nodes.Expr) -> _Test:
        """The facts about a test that do not depend on the state of the walk. Its question is about its
        atoms, so that the same test of a copy is the same."""
        view = self.view
        if not isinstance(test, nodes.Compare):
            name = view.variable(test)
            known = False if name in _NEVER else view.truth(test)
            asks = ("is", view.written(test)) if name is None else ("present",)
            return _Test(known, False, asks, name, None)
        name, text = view.variable(test.left), view.text(test.right)
        if name is not None and text is not None:
            self._names[id(test)] = (name,)
        known = view.truth(test)
        if name in _METHODS:
            known = self._holds_for_get(test)
        elif name == RESTARTS:
            known = first_round(view, test)
        left = view.written(test.left) if name is None else ""
        right = view.written(test.right) if text is None else text
        question = (left, test.op.lstrip("!").replace("==", "="), right)
        fixes = name if text is not None and test.op in ("==", "!=") else None
        return _Test(known, test.op.startswith("!"), question, fixes, text)

    def _split_all(self, test: nodes.And | nodes.Or, state: State) -> tuple[Told, Told]:
        """A test of several: all of them have one result, or at least one has the other."""
        held, failed = zip(*(self._split(operand, state) for operand in test.operands), strict=True)
        return (_all(held), _any(failed)) if isinstance(test, nodes.And) else (_any(held), _all(failed))

    def _holds_for_get(self, test: nodes.Compare) -> bool | None:
        """The result of a test of the method: what may be stored was asked for, and fetched, with GET."""
        text = self.view.text(test.right)
        if text is None or any(name in self.view.sets for name in _METHODS):
            return None
        if test.op in ("==", "!="):
            return (text == "GET") == (test.op == "==")
        language = language_of(text)
        return None if language is None else language.matches(b"GET") == (test.op == "~")

    def _fixes(self, test: _Test, holds: bool, value: Value) -> Fixed:
        """The atoms that have only one value after a test of ``==`` or of a field's presence."""
        fixed = self._sides_left(value, test.text, holds)
        if holds == (test.text is not None):
            fixed |= {(number, test.text) for number in value}
        return fixed

    def _sides_left(self, value: Value, text: str | None, holds: bool) -> Fixed:
        """The tests of choices of which only one side agrees with a test. ``text`` None: is the field
        there? Otherwise: is it this text?"""
        told: list[Fixed] = []
        first: tuple[int, str | None, bool] | None = None
        while len(value) == 1 and len(told) < SIDES_MAX:
            (number,) = value
            key = (number, text, holds)
            known = self._left.get(key)
            if known is not None:
                told += known
                break
            first = first or key
            side, tests = self._side_left(*key)
            if side is None:
                break
            told.append(tests)
            value = side
        if first is not None:
            self._left[first] = tuple(told[:SIDES_MAX])
        return frozenset[tuple[int, object]]().union(*told[:SIDES_MAX])

    def _side_left(self, number: int, text: str | None, holds: bool) -> tuple[Value | None, Fixed]:
        """The only side of a choice that agrees with a test, and what that tells of the tests that decide."""
        atom = self.atoms[number]
        if atom.kind is not Kind.CHOICE:
            return None, frozenset()
        left = [side for side in atom.sides if self._agrees(side, text, holds)]
        if len(left) != 1:
            return None, frozenset()
        return left[0], frozenset((decided, (number, left[0])) for decided in atom.decide)

    def _agrees(self, value: Value, text: str | None, holds: bool) -> bool:
        atom = self.atoms[next(iter(value))] if len(value) == 1 else None
        if atom is None or (atom.text is None and not atom.absent):
            return True
        return (not atom.absent if text is None else atom.text == text) == holds

    # ---- statements ------------------------------------------------------------------------------------

    def _route(self) -> State | None:
        state = State()
        if self.view.checked.backends:
            chosen = self.view.checked.backends[self.view.checked.default_backend].name.lower()
            atom = Atom(Kind.SET, "req.backend_hint", NOTHING, text=chosen)
            state = State({"req.backend_hint": frozenset((self._atom(("default backend",), atom),))})
        if any(name in self.view.sets for name in _METHODS):  # a test tells requests whose method was set
            method = Atom(Kind.SET, "req.method", NOTHING)
            state.values["req.method"] = frozenset((self._atom(("method",), method),))
        values: dict[str, Value] = {}
        for hook, action in ROUTE:
            if hook == "vcl_backend_fetch":
                self._copy_request(state)
            self._action = action
            stored = self._sub(hook, state).ways.get(Way.STORE)
            if stored is None:
                return None
            state = stored
            if hook == "vcl_backend_fetch":
                values = dict(state.values)
        return State(values, state.fixed, state.keyed)

    def _copy_request(self, state: State) -> None:
        """The request to the origin begins as a copy of the client's."""
        for name, value in list(state.values.items()):
            if name.startswith("req."):
                state.values["be" + name] = value
        state.values["bereq.backend"] = state.values.get("req.backend_hint", NOTHING)

    def _sub(self, key: str, state: State) -> Ends:
        ends = Ends()
        here: State | None = state
        for definition in self.view.subs.get(key, ()):
            if here is None:
                break
            here = self._into(ends, self._block(definition.body, here))
        self._add(ends, Way.FALL, here)
        return ends

    def _block(self, block: nodes.Block, state: State) -> Ends:
        ends = Ends()
        for statement in block.statements:
            self._spend(1)
            if isinstance(statement, nodes.Set | nodes.Unset | nodes.CallStmt):
                if not self._do(statement, state):
                    return ends
                continue
            behind = self._into(ends, self._statement(statement, state))
            if behind is None:
                return ends
            state = behind
        self._add(ends, Way.FALL, state)
        return ends

    def _into(self, ends: Ends, more: Ends) -> State | None:
        """Adds the ends of a statement to those of its block. Returns the state behind the statement."""
        ways = more.ways
        if Way.BACK in ways or Way.STORE in ways:
            if not more.decide <= ends.decide:
                ends.decide |= more.decide
            for way in (Way.BACK, Way.STORE):
                self._add(ends, way, ways.get(way))
        return ways.get(Way.FALL)

    def _add(self, ends: Ends, way: str, state: State | None) -> None:
        if state is not None:
            known = ends.ways.get(way)
            if known is None or known is state:
                ends.ways[way] = state
            else:
                ends.ways[way] = self._join(known, state, ends.decide)

    def _spend(self, n: int) -> None:
        self._steps += n
        if self._steps > STEPS_MAX:
            raise TooLong

    def _statement(self, statement: nodes.Stmt, state: State) -> Ends:
        match statement:
            case nodes.If():
                return self._if(statement, state)
            case nodes.Block():
                return self._block(statement, state)
            case nodes.For():  # two rounds: a value may go from one to the next
                return self._block(nodes.Block(statement.at, (statement.body, statement.body)), state)
            case nodes.CallSub() if statement.value is None:
                ends = self._sub(statement.name.text.lower(), state)
                self._add(ends, Way.FALL, ends.ways.pop(Way.BACK, None))
                return ends
            case nodes.Return():
                if statement.action is None:
                    return Ends({Way.BACK: state})
                stores = statement.action.text.lower() == self._action
                return Ends({Way.STORE: state} if stores else {})
        return Ends({Way.FALL: state})

    def _do(self, statement: nodes.Set | nodes.Unset | nodes.CallStmt, state: State) -> bool:
        """Changes the state. Returns whether a response may be stored behind the statement."""
        if isinstance(statement, nodes.Set):
            return self._set(statement, state)
        if isinstance(statement, nodes.Unset):
            name = self.view.name(statement.target)
            state.values[name] = self._made(statement, name, NOTHING, absent=True)
        else:
            self._call_statement(statement, state)
        return True

    def _made(
        self, statement: nodes.Stmt, name: str, made_of: Value, text: str | None = None, absent: bool = False
    ) -> Value:
        atom = Atom(Kind.SET, name, made_of, statement, text, absent)
        return frozenset((self._atom(("set", statement.at, made_of), atom),))

    def _set(self, statement: nodes.Set, state: State) -> bool:
        name = self.view.name(statement.target)
        if name == _UNCACHEABLE and self.view.written(statement.value).lower() == "true":
            return False
        copied = self.view.variable(statement.value)
        value = self.value(statement.value, state)
        if statement.op != "=":
            value |= self._read(name, state)
        elif copied is not None and value:
            state.values[name] = value
            return True
        text = None
        if name in _BACKENDS:
            text = self._backend(statement.value)
        elif statement.op == "=":
            text = self.view.text(statement.value)
        state.values[name] = self._made(statement, name, value, text)
        return True

    def _backend(self, expr: nodes.Expr) -> str | None:
        """A text for the backend, or for the director, that a value names."""
        if self._only_backend is not None:
            return self._only_backend
        expr = bare(expr)
        if isinstance(expr, nodes.CallExpr):
            is_constant = not self.value(expr, State())
            return self.view.written(expr).lower() if is_constant else None
        name = self.view.variable(expr)
        return name if name in self.view.backends else None

    @cached_property
    def _only_backend(self) -> str | None:
        """The name of the only backend that any director can choose."""
        objects = (place.statement for place in self.view.places if isinstance(place.statement, nodes.New))
        plain = all(self.view.name(one.constructor).startswith("directors.") for one in objects)
        return next(iter(self.view.backends)) if len(self.view.backends) == 1 and plain else None

    def _call_statement(self, statement: nodes.CallStmt, state: State) -> None:
        name = self.view.name(statement.call.name)
        value: Value = NOTHING
        for argument in statement.call.args:
            value |= self.value(argument.value, state)
        if name == "hash_data":
            state.keyed |= value | self._made(statement, name, value)
        elif name.startswith(COOKIES):
            state.values[COOKIES] = value if name == "cookie.parse" else self._read(COOKIES, state) | value

    def _if(self, statement: nodes.If, state: State) -> Ends:
        rest: State | None = state
        arms: list[Ends] = []
        asked: list[Value] = []  # the tests that choose between an arm and those behind it
        for arm in statement.arms:
            if rest is None:
                break
            taken: State | None
            tests: Value = NOTHING
            if arm.condition is None:
                taken, rest = rest, None
            else:
                self._spend(len(rest.fixed) >> STEP_BITS)
                (held, tests), (failed, _) = self._split(arm.condition, rest)
                taken = None if held is None else rest.fixing(held).copy()
                rest = None if failed is None else rest.fixing(failed)
            if taken is not None:
                arms.append(self._block(arm.body, taken))
                asked.append(tests)
        if rest is not None:
            arms.append(Ends({Way.FALL: rest}))
            asked.append(NOTHING)
        # A test that only leads some requests to a pass or an answer chooses nothing for the others.
        live = [index for index, one in enumerate(arms) if one.ways]
        own = NOTHING.union(*(asked[index] for index in live[:-1]))
        # Tests inside an arm do not choose between the arms.
        through = Ends(decide=own)
        ends = Ends(decide=own.union(*(one.decide for one in arms)))
        for one in arms:
            self._add(through, Way.FALL, one.ways.pop(Way.FALL, None))
            self._into(ends, one)
        ends.ways |= through.ways
        return ends

    # ---- joins -----------------------------------------------------------------------------------------

    def _join(self, one: State, other: State, decide: Value) -> State:
        """The state behind two paths of which ``decide`` takes one."""
        self._spend(len(one.values) >> STEP_BITS)
        values, others = dict(one.values), other.values
        self._n_joins += 1
        different = [name for name, value in values.items() if others.get(name) is not value]
        if not others.keys() <= values.keys():
            different += [name for name in others if name not in values]
        for name in different:
            sides = self._known_side(name, one), self._known_side(name, other)
            values[name] = self._choice(name, *sides, decide)
        return State(values, one.fixed & other.fixed, self._keys(one, other, decide))

    def _choice(self, name: str, one: Value, other: Value, decide: Value) -> Value:
        if one == other:
            return one
        known = self._constants(one)
        if known is not None and len(known) == 1 and known == self._constants(other):
            return one
        atom = Atom(Kind.CHOICE, name, one | other, sides=(one, other), decide=decide)
        number = self._atom(("choice", name, one, other, decide), atom)
        self._joins.setdefault(number, set()).add(self._n_joins)
        return frozenset((number,))

    def _known_side(self, name: str, state: State) -> Value:
        """The value of a name, which is absent if a test of the path has found it so, or this method."""
        value = self._read(name, state)
        if len(value) == 1 and (next(iter(value)), None) in state.fixed:
            return frozenset((self._atom(("absent", name), Atom(Kind.SET, name, NOTHING, absent=True)),))
        if len(value) == 1 and name in _METHODS:
            (number,) = value
            for one, text in state.fixed:
                if one == number and isinstance(text, str):
                    atom = Atom(Kind.SET, name, NOTHING, text=text)
                    return frozenset((self._atom(("method", text), atom),))
        return value

    def _keys(self, one: State, other: State, decide: Value) -> Value:
        """The atoms that both keys settle. Keys that differ also tell which path was taken."""
        if one.keyed == other.keyed:
            return one.keyed
        keyed = one.keyed | other.keyed
        return (keyed - self.unsettled(keyed, one) - self.unsettled(keyed, other)) | decide


def _all(told: Iterable[Told]) -> Told:
    """What several tests tell that all have their result."""
    fixed, tests = zip(*told, strict=True)
    every = None if None in fixed else frozenset[tuple[int, object]]().union(*fixed)
    return every, NOTHING.union(*tests)


def _any(told: Iterable[Told]) -> Told:
    """What several tests tell of which at least one has its result: something if no other can have it."""
    fixed, tests = zip(*told, strict=True)
    possible = [one for one in fixed if one is not None]
    one_of = possible[0] if len(possible) == 1 else frozenset[tuple[int, object]]() if possible else None
    return one_of, NOTHING.union(*tests)
