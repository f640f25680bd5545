"""Which request inputs decide what the origin sees, and which of them the cache key settles.

A value is a set of atoms. An atom is an input of the request, a text that a statement set, the result of a
test, or a choice between values that tests made. A choice knows its tests, so an input that only decides
which constant is set still reaches the value. A copy keeps the atoms of its source. That is why a normalised
field in the key settles every use of this field, and none of the field that it was made from.

An atom is settled if all requests that share a stored response agree on it: the key contains it, the path
fixes it ("requests with the field were passed"), or all the atoms it was made from are settled. The walk
follows one request to the origin: recv, hash, miss, backend_fetch, backend_response, in the first round
(``req.restarts`` is zero) and only on paths that can store. Where paths meet, their values become a choice,
so the cost is the number of statements, not of paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TypeAlias

from vernis.lint.atoms import COOKIES, NOTHING, Atom, Atoms, Join, Kind, Value, input_of
from vernis.lint.automata import language_of
from vernis.lint.first_round import RESTARTS, first_round
from vernis.lint.joins import METHODS, Branch, Fact, Mark, Path, RuledOut, TooLong
from vernis.lint.view import Parts, View, bare
from vernis.record import field, record
from vernis.syntax import nodes

SIDES_MAX = 32  # sides of choices that a test rules out at once; the ones further in stay open

_SIMPLE = (nodes.Set, nodes.Unset, nodes.CallStmt)

Facts: TypeAlias = tuple[Fact, ...]
# The facts that a result of a test fixes, None if the test cannot have it, and the atoms of all tests in it.
Told: TypeAlias = tuple[Facts | None, Value]

# The result of these methods does not tell their arguments: members of a director are meant to be equal.
_PICKS_MEMBER = ".backend"
_UNCACHEABLE = "beresp.uncacheable"
_BACKENDS = ("req.backend_hint", "bereq.backend")
_METHOD = ("method",)  # the key of the method that the client sent
_NEVER = ("bereq.uncacheable", "server.rfc9111")  # false on every path that the walk follows


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
    """How a block can be left, besides its end. Not an Enum, whose members are slow as keys."""

    BACK = "back"  # by return;
    STORE = "store"  # by the action that goes on to a stored response


@record(frozen=True)
class Ends:
    """How a statement is left. ``falls``: behind its end, where the path is then. ``ways`` has a branch from
    its begin for each other way. ``decide`` are the tests that choose between its end and these."""

    falls: bool
    ways: dict[str, Branch] = field(default_factory=dict)
    decide: Value = NOTHING


FALLS, ENDS = Ends(True), Ends(False)


class _Leaving:
    """Collects the branches that leave a block one after another, and the tests that choose between them."""

    def __init__(self, path: Path, at: Mark) -> None:
        self.path, self.at = path, at
        self.branches: dict[str, list[tuple[Branch, int, int]]] = {}
        self.tests: dict[int, None] = {}
        self.choice = 0

    def decide(self, tests: Value) -> None:
        more = tests.difference(self.tests)
        if more:
            self.tests.update(dict.fromkeys(more))
            self.choice = self.path.atoms.choice_of_tests(self.choice, more)

    def add(self, way: str, branch: Branch, at: Mark, facts: Sequence[Fact] = ()) -> None:
        """A branch that left the path at a place, and fixed more facts first."""
        found = Branch(at, branch.values, [*facts, *branch.facts], branch.keyed)
        self.branches.setdefault(way, []).append((found, len(self.tests), self.choice))

    def joined(self, way: str) -> Branch:
        branches, lengths, choices = zip(*self.branches[way], strict=True)
        return self.path.joined(list(branches), self.at, Join(tuple(self.tests), lengths, choices))

    def ends(self, falls: bool) -> Ends:
        """Tests that lead all requests to one end choose nothing between it and the ends of others."""
        ways = {way: self.joined(way) for way in self.branches}
        return Ends(falls, ways, frozenset(self.tests) if falls + len(ways) > 1 else NOTHING)


# The hooks before a stored response, each with the action that leads on.
ROUTE = (
    ("vcl_recv", "hash"),
    ("vcl_hash", "lookup"),
    ("vcl_miss", "fetch"),
    ("vcl_backend_fetch", "fetch"),
    ("vcl_backend_response", "deliver"),
)


_HOOKS = tuple(hook for hook, _ in ROUTE)

UNTOLD: Told = (), NOTHING
IMPOSSIBLE: Told = None, NOTHING


@record
class Sent:
    """The end of the walk: what the origin sees, by name, the atoms that the path has fixed, and those in the
    key."""

    values: dict[str, Value]
    fixed: set[int]
    keyed: Value


class Taint:
    """One walk. ``sent`` holds what the origin sees of requests whose response may be stored; None if there
    are none, or the walk is too long."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.atoms = Atoms()
        self.path = Path(self.atoms)
        self._names: dict[int, tuple[str, ...]] = view.memory("taint names")
        self._sets_method = any(name in view.sets for name in METHODS)
        self._tests: dict[int, _Test] = view.memory(("taint tests", self._sets_method))
        self._action = ""
        self._ruled_out: dict[tuple[Value, str | None, bool], tuple[int, RuledOut] | None] = {}
        self.sent: Sent | None = None
        try:
            self.sent = self._route()
        except TooLong:
            pass

    # ---- expressions -----------------------------------------------------------------------------------

    def value(self, expr: nodes.Expr) -> Value:
        """The atoms of all that an expression reads."""
        names = self._names_of(expr)
        if len(names) == 1:
            return self.path.read(names[0])
        return NOTHING.union(*map(self.path.read, names))

    def _names_of(self, expr: nodes.Expr) -> tuple[str, ...]:
        names = self._names.get(id(expr))
        if names is None:
            names = self._names[id(expr)] = tuple(_names_in(self.view, expr))
        return names

    # ---- tests -----------------------------------------------------------------------------------------

    def _split(self, test: nodes.Expr) -> tuple[Told, Told]:
        """What a test tells if it holds, and what if it fails."""
        test = bare(test)
        if isinstance(test, nodes.Not):
            held, failed = self._split(test.operand)
            return failed, held
        if isinstance(test, nodes.And | nodes.Or):
            return self._split_all(test)
        one = self._tests.get(id(test))
        if one is None:
            one = self._tests[id(test)] = self._read_test(test)
        value = self.value(test)
        if not value:
            return IMPOSSIBLE if one.known is False else UNTOLD, IMPOSSIBLE if one.known else UNTOLD
        key = ("test", one.question, value)
        number = self.atoms.number(key)
        if number is None:
            number = self.atoms.add(key, Atom(Kind.TEST, "", value, node=test))
        tests: Value = frozenset((number,))
        yes: Told = ((number, True),), tests
        no: Told = ((number, False),), tests
        if one.fixes is not None:
            yes, no = self._compared(one, value, True, yes), self._compared(one, value, False, no)
        if one.known is not None:
            yes, no = (yes, IMPOSSIBLE) if one.known != one.negated else (IMPOSSIBLE, no)
        return (no, yes) if one.negated else (yes, no)

    def _compared(self, test: _Test, value: Value, holds: bool, told: Told) -> Told:
        """What a test of ``==`` or of a field's presence tells, besides its result."""
        if not self._can_be(test, value, holds):
            return IMPOSSIBLE
        facts, tests = told
        return (None if facts is None else facts + self._fixes(test, holds, value)), tests

    def _can_be(self, test: _Test, value: Value, holds: bool) -> bool:
        """Whether a test of a value can have this result. It cannot if all its constants have the other. A
        copy of an absent field is an empty text, so an absent one may pass what such a text passes."""
        constants = self.atoms.constants(value)
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
        if name in METHODS:
            known = self._holds_for_get(test)
        elif name == RESTARTS:
            known = first_round(view, test)
        left = view.written(test.left) if name is None else ""
        right = view.written(test.right) if text is None else text
        question = (left, test.op.lstrip("!").replace("==", "="), right)
        fixes = name if text is not None and test.op in ("==", "!=") else None
        return _Test(known, test.op.startswith("!"), question, fixes, text)

    def _split_all(self, test: nodes.And | nodes.Or) -> tuple[Told, Told]:
        """A test of several: all of them have one result, or at least one has the other."""
        held, failed = zip(*(self._split(operand) for operand in test.operands), strict=True)
        return (_every(held), _one(failed)) if isinstance(test, nodes.And) else (_one(held), _every(failed))

    def _holds_for_get(self, test: nodes.Compare) -> bool | None:
        """The result of a test of the method: what may be stored was asked for, and fetched, with GET."""
        text = self.view.text(test.right)
        if text is None or self._sets_method:
            return None
        if test.op in ("==", "!="):
            return (text == "GET") == (test.op == "==")
        language = language_of(text)
        return None if language is None else language.matches(b"GET") == (test.op == "~")

    def _fixes(self, test: _Test, holds: bool, value: Value) -> Facts:
        """The atoms that have only one value after a test of ``==`` or of a field's presence."""
        facts: Facts = ()
        if len(value) == 1 and self.atoms.all[next(iter(value))].sides:
            ruled_out = self._ruled_out_by(value, test.text, holds)
            facts = (ruled_out,) if ruled_out is not None else ()
        if holds == (test.text is not None):
            facts += tuple((number, test.text) for number in value)
        return facts

    def _ruled_out_by(self, value: Value, text: str | None, holds: bool) -> Fact | None:
        """The sides of choices that do not agree with a test, the last ones first, up to one that may.
        ``text`` None: is the field there? Otherwise: is it this text?"""
        key = (value, text, holds)
        if key not in self._ruled_out:
            found: list[tuple[int, int]] = []
            inner: Value | None = value
            while inner is not None and len(found) < SIDES_MAX:
                known = self._ruled_out.get((inner, text, holds))
                if known is not None:
                    found += known[1].sides
                    break
                inner = self._rule_out(inner, text, holds, found)
            (number,) = value
            self._ruled_out[key] = (number, RuledOut(tuple(found[:SIDES_MAX]))) if found else None
        return self._ruled_out[key]

    def _rule_out(
        self, value: Value, text: str | None, holds: bool, found: list[tuple[int, int]]
    ) -> Value | None:
        """Adds the sides of one choice. Returns the only side that agrees; None if there is none."""
        atom = self.atoms.all[next(iter(value))] if len(value) == 1 else None
        if atom is None or not atom.sides:
            return None
        (number,) = value
        last = len(atom.sides) - 1
        while last and not self._agrees(atom.sides[last], text, holds):
            if last == 1 and not self._agrees(atom.sides[0], text, holds):
                return None
            found.append((number, last))
            last -= 1
        if last == 0:
            return atom.sides[0]
        if last == 1 and atom.is_one_path(1) and not self._agrees(atom.sides[0], text, holds):
            found.append((number, 0))
            return atom.sides[1]
        return None

    def _agrees(self, value: Value, text: str | None, holds: bool) -> bool:
        atom = self.atoms.all[next(iter(value))] if len(value) == 1 else None
        if atom is None or (atom.text is None and not atom.absent):
            return True
        return (not atom.absent if text is None else atom.text == text) == holds

    # ---- statements ------------------------------------------------------------------------------------

    def _route(self) -> Sent | None:
        path, atoms = self.path, self.atoms
        if self.view.checked.backends:
            chosen = self.view.checked.backends[self.view.checked.default_backend].name.lower()
            atom = Atom(Kind.SET, "req.backend_hint", text=self.view.servers.get(chosen, chosen))
            path.assign("req.backend_hint", atoms.one(("default backend",), atom))
        if self._sets_method:  # a test tells requests whose method was set
            path.assign("req.method", atoms.one(_METHOD, Atom(Kind.SET, "req.method")))
        values: dict[str, Value] = {}
        for hook, action in ROUTE:
            if hook == "vcl_backend_fetch":
                self._copy_request()
            self._action = action
            begin = path.mark()
            stored = self._sub(hook).ways.get(Way.STORE)
            if stored is None:
                return None
            path.back(begin)
            path.go(stored)
            if hook == "vcl_backend_fetch":
                values = dict(path.values)
        return Sent(values, path.fixed(path.facts), path.keyed)

    def _copy_request(self) -> None:
        """The request to the origin begins as a copy of the client's."""
        for name, value in list(self.path.values.items()):
            if name.startswith("req."):
                self.path.assign("be" + name, value)
        self.path.assign("bereq.backend", self.path.values.get("req.backend_hint", NOTHING))

    def _sub(self, key: str) -> Ends:
        """All definitions of a sub, one after another."""
        bodies = [definition.body for definition in self.view.subs.get(key, ())]
        return self._all(bodies[0].statements if len(bodies) == 1 else bodies)

    def _all(self, statements: Sequence[nodes.Stmt]) -> Ends:
        path = self.path
        begin = path.mark()
        leaving: _Leaving | None = None
        falls = True
        for statement in statements:
            path.spend(1)
            if isinstance(statement, _SIMPLE):
                if not self._do(statement):
                    falls = False
                    break
                continue
            at = path.mark()
            ends = self._statement(statement)
            if ends.ways:
                leaving = leaving or _Leaving(path, begin)
                leaving.decide(ends.decide)
                for way, branch in ends.ways.items():
                    leaving.add(way, branch, at)
            if not ends.falls:
                falls = False
                break
        if leaving is not None:
            return leaving.ends(falls)
        return FALLS if falls else ENDS

    def _statement(self, statement: nodes.Stmt) -> Ends:
        match statement:
            case nodes.If():
                return self._if(statement)
            case nodes.Block():
                return self._all(statement.statements)
            case nodes.For():  # two rounds: a value may go from one to the next
                return self._all((statement.body, statement.body))
            case nodes.CallSub() if statement.value is None:
                return self._call(statement)
            case nodes.Return():
                way = Way.BACK
                if statement.action is not None:
                    if statement.action.text.lower() != self._action or self._is_other_method():
                        return ENDS
                    way = Way.STORE
                here = self.path.mark()
                return Ends(False, {way: Branch(here, {}, [], here.keyed)})
        return FALLS

    def _is_other_method(self) -> bool:
        """Whether tests have told that the client sent no GET. CS003 is about the look-up of such a one."""
        sent = self.atoms.number(_METHOD)
        if sent is None or self.path.values["req.method"] != {sent}:
            return False
        return any((sent, text) in self.path.facts for text in self._other_methods)

    @cached_property
    def _other_methods(self) -> frozenset[str | None]:
        """The methods besides GET and HEAD with which the policy compares that of a request."""
        compared = [one for one in self.view.comparisons if self.view.variable(one.left) == "req.method"]
        return frozenset(self.view.text(one.right) for one in compared) - {"GET", "HEAD", None}

    def _call(self, statement: nodes.CallSub) -> Ends:
        begin = self.path.mark()
        ends = self._sub(statement.name.text.lower())
        back = ends.ways.pop(Way.BACK, None)
        if back is None:
            return ends
        leaving = _Leaving(self.path, begin)
        leaving.decide(ends.decide)
        if ends.falls:
            leaving.add(Way.BACK, self.path.since(begin), begin)
        leaving.add(Way.BACK, back, begin)
        self.path.back(begin)
        self.path.go(leaving.joined(Way.BACK))
        return Ends(True, ends.ways, ends.decide if ends.ways else NOTHING)

    def _do(self, statement: nodes.Set | nodes.Unset | nodes.CallStmt) -> bool:
        """Changes the path. Returns whether a response may be stored behind the statement."""
        if isinstance(statement, nodes.Set):
            return self._set(statement)
        if isinstance(statement, nodes.Unset):
            name = self.view.name(statement.target)
            self.path.assign(name, self._made(statement, name, NOTHING, absent=True))
        else:
            self._call_statement(statement)
        return True

    def _made(
        self, statement: nodes.Stmt, name: str, made_of: Value, text: str | None = None, absent: bool = False
    ) -> Value:
        return self.atoms.one(
            ("set", statement.at, made_of), Atom(Kind.SET, name, made_of, statement, text, absent)
        )

    def _set(self, statement: nodes.Set) -> bool:
        name = self.view.name(statement.target)
        if name == _UNCACHEABLE and self.view.written(statement.value).lower() == "true":
            return False
        copied = self.view.variable(statement.value)
        value = self.value(statement.value)
        if statement.op != "=":
            value |= self.path.read(name)
        elif copied is not None and value:
            self.path.assign(name, value)
            return True
        text = None
        if name in _BACKENDS:
            text = self._backend(statement.value)
        elif statement.op == "=":
            text = self.view.text(statement.value)
        call = bare(statement.value)
        if value and statement.op == "=" and isinstance(call, nodes.CallExpr) and name not in _BACKENDS:
            key = ("call", self._shape(call), tuple(map(self.path.read, self._names_of(call))))
            made = self.atoms.one(key, Atom(Kind.SET, name, value, statement))
        else:
            made = self._made(statement, name, value, text)
        self.path.assign(name, made)
        return True

    def _shape(self, call: nodes.CallExpr) -> str:
        """A call without the names that it reads: with the same values it has the same result, as when the
        URL for the key and the one for the origin are sorted each."""
        view, at = self.view, self.view.span(call)
        text = view.written(call)
        for span in sorted(
            (view.span(part) for _, part in view.reads(call) if isinstance(part, nodes.NameExpr)),
            key=lambda span: span.start,
            reverse=True,
        ):
            text = f"{text[: span.start - at.start]}\0{text[span.end - at.start :]}"
        return "".join(text.split())

    def _backend(self, expr: nodes.Expr) -> str | None:
        """A text for the backend, or for the director, that a value names."""
        if self._only_backend is not None:
            return self._only_backend
        expr = bare(expr)
        if isinstance(expr, nodes.CallExpr):
            is_constant = not any(map(self.atoms.input, self._names_of(expr)))
            return self.view.written(expr).lower() if is_constant else None
        return self.view.servers.get(self.view.variable(expr) or "")

    @cached_property
    def _only_backend(self) -> str | None:
        """The name of the only backend that any director can choose."""
        objects = (place.statement for place in self.view.places if isinstance(place.statement, nodes.New))
        plain = all(self.view.name(one.constructor).startswith("directors.") for one in objects)
        return next(iter(self.view.backends)) if len(set(self.view.servers.values())) == 1 and plain else None

    def _call_statement(self, statement: nodes.CallStmt) -> None:
        name = self.view.name(statement.call.name)
        value = NOTHING.union(*(self.value(argument.value) for argument in statement.call.args))
        if name == "hash_data":
            self.path.keyed |= value | self._made(statement, name, value)
        elif name.startswith(COOKIES):
            self.path.assign(COOKIES, value if name == "cookie.parse" else self.path.read(COOKIES) | value)

    def _if(self, statement: nodes.If) -> Ends:
        path = self.path
        begin = path.mark()
        live: list[tuple[Mark, list[Fact], Ends, Branch | None, Value]] = []
        for arm in statement.arms:
            facts: Facts | None = ()
            others: Facts | None = None
            tests = NOTHING  # that choose between an arm and those behind it
            if arm.condition is not None:
                (facts, tests), (others, _) = self._split(arm.condition)
            if facts is not None:
                at = path.mark()
                path.fix(facts)
                own = path.facts_since(at)
                ends = self._all(arm.body.statements)
                falls = path.since(at) if ends.falls else None
                path.back(at)
                if falls is not None or ends.ways:
                    live.append((at, own, ends, falls, tests))
            if others is None:
                break
            path.fix(others)
        else:
            rest = path.mark()
            if not live:
                return FALLS
            live.append((rest, [], FALLS, path.since(rest), NOTHING))
        return self._left(begin, live)

    def _left(self, begin: Mark, live: list[tuple[Mark, list[Fact], Ends, Branch | None, Value]]) -> Ends:
        """How the arms are left that may be left at all. A test that only leads some requests to a pass or an
        answer chooses nothing for the others, and tests inside an arm do not choose between the arms."""
        path = self.path
        own = NOTHING.union(*(tests for *_, tests in live[:-1]))
        through = [falls for _, _, _, falls, _ in live if falls is not None]
        behind = path.joined(through, begin, self._join_of(own, len(through))) if through else None
        left = FALLS if through else ENDS
        if any(ends.ways for _, _, ends, _, _ in live):
            leaving = _Leaving(path, begin)
            leaving.decide(own.union(*(ends.decide for _, _, ends, _, _ in live)))
            for at, facts, ends, _, _ in live:
                for way, branch in ends.ways.items():
                    leaving.add(way, branch, at, facts)
            left = leaving.ends(behind is not None)
        path.back(begin)
        if behind is not None:
            path.go(behind)
        return left

    def _join_of(self, tests: Value, n_paths: int) -> Join:
        """The join of paths between which the same tests choose."""
        choice = self.atoms.choice_of_tests(0, tests)
        return Join(tuple(tests), (len(tests),) * n_paths, (choice,) * n_paths)


def _names_in(view: View, expr: nodes.Expr) -> Iterator[str]:
    expr = bare(expr)
    if isinstance(expr, nodes.CallExpr) and view.name(expr.name).endswith(_PICKS_MEMBER):
        return
    for name, part in view.reads(expr):
        if isinstance(part, nodes.CallExpr):
            yield from _names_of_call(view, part)
        else:
            yield name


def _names_of_call(view: View, call: nodes.CallExpr) -> Iterator[str]:
    """The names that a call reads besides its arguments: the jar of cookies, or its own field."""
    name = view.name(call.name)
    owner = name.rpartition(".")[0]
    if name.startswith(COOKIES):
        yield COOKIES
    elif owner.startswith(("req.", "bereq.")):
        yield owner


def inputs_read(view: View, group: Sequence[Parts]) -> set[str]:
    """The inputs that statements on the way to a stored response may read."""
    names: set[str] = set()
    for place, expr, _ in group if group[0][0].in_hook(*_HOOKS) else ():  # all are in one sub
        names.update(_names_in(view, expr))
        if isinstance(place.statement, nodes.Set) and place.statement.op != "=":
            names.add(view.name(place.statement.target))
    return {found for found in map(input_of, names) if found is not None}


def _every(told: Iterable[Told]) -> Told:
    """What several tests tell that all have their result."""
    facts, tests = zip(*told, strict=True)
    every = None if None in facts else tuple(chain(*facts))
    return every, NOTHING.union(*tests)


def _one(told: Iterable[Told]) -> Told:
    """What several tests tell of which at least one has its result: something if no other can have it."""
    facts, tests = zip(*told, strict=True)
    possible = [one for one in facts if one is not None]
    one_of = possible[0] if len(possible) == 1 else () if possible else None
    return one_of, NOTHING.union(*tests)
