"""A checked policy as rules read it: the author's statements with the hooks that run them, canonical names,
constant texts, and places.

Names of variables and subs are in lower case, and functions have the name of their module even if the policy
imports it under another. A policy of 5.0 has the forms of 4.1 here (``forms.py``).

The built-in policy is part of every walk along paths (``paths.py``), and of no list of statements here,
because a rule never judges it.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar, TypeVarTuple

from vernis.lint.automata import matches_nothing
from vernis.lint.forms import plain
from vernis.record import record
from vernis.semantics.effects import reached
from vernis.semantics.ends import Ends
from vernis.semantics.typed import Checked
from vernis.semantics.vocabulary import HOOKS, HookMask, load_vocabulary
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Span
from vernis.syntax.source import SourceMap
from vernis.syntax.tokens import TokenTable

if TYPE_CHECKING:
    from vernis.lint.enclosing import Enclosing
    from vernis.lint.where import Where

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

BIT_OF_HOOK = {name: bit for bit, name in enumerate(HOOKS)}
MESSAGES = frozenset(load_vocabulary().messages)
_ADDRESS = ("host", "port", "path")
_TRUTH = {"true": True, "false": False}


def has_hook(hooks: HookMask, *names: str) -> bool:
    return hooks & _mask_of(names) != 0


@cache
def _mask_of(hooks: tuple[str, ...]) -> HookMask:
    return sum(1 << BIT_OF_HOOK[name] for name in set(hooks))


class Placed(Protocol):
    """A node, or anything else that was read from tokens."""

    @property
    def at(self) -> nodes.At: ...


@record(frozen=True)
class Place:
    """A statement of the author, the key of its sub, and the hooks that can run it."""

    statement: nodes.Stmt
    sub: str
    hooks: HookMask

    def in_hook(self, *names: str) -> bool:
        return has_hook(self.hooks, *names)


#: A statement, one of its expressions, and all parts of this one.
Parts: TypeAlias = tuple[Place, nodes.Expr, Sequence[nodes.Expr]]

_GROUP_BITS = 8  # expressions whose first tokens differ only in these bits of the index are one group
KEPT_MAX = 500  # declarations that edits have replaced, until a process begins anew with an empty memory


class View:
    """One policy without errors. ``before`` is the view of the policy before an edit: what is known of the
    nodes that both have is kept (``memory``)."""

    def __init__(
        self, checked: Checked, before: View | None = None, today: datetime.date | None = None
    ) -> None:
        self.checked = checked
        self.today = today or datetime.date.today()  # decides which rules of 5.0 have expired
        self.written_program = checked.program
        whole = plain(checked.program)
        self.program, self.made, self.added = whole.program, whole.made, whole.added
        assert isinstance(self.program.tokens, TokenTable) and isinstance(self.program.sources, SourceMap)
        self.tokens: TokenTable = self.program.tokens
        self.sources: SourceMap = self.program.sources
        declarations = self.program.declarations
        first_builtin = declarations[self.program.builtin_from :][:1]
        self.builtin_at = first_builtin[0].at[0] if first_builtin else len(self.tokens)
        self._once: dict[tuple[Any, ...], Any] = {}
        self._memory: dict[Any, dict[Any, Any]] = {}
        self._replaced: list[nodes.Decl] = []
        if before is not None:
            self._keep(before)
        self._names: dict[tuple[str, ...], str] = self.memory("names")
        self._reads: dict[int, tuple[tuple[str, nodes.Expr], ...]] = self.memory("reads")
        self._inside: dict[int, Sequence[nodes.Expr]] = self.memory("inside")
        self.tests: dict[int, Any] = self.memory("tests")  # of values.py

    # ---- memory ----------------------------------------------------------------------------------------

    def memory(self, name: object) -> dict[Any, Any]:
        """A table for what depends on a node and on the declarations other than subs, by the id of the node.
        It outlives an edit of a sub."""
        return self._memory.setdefault(name, {})

    def once(self, find: Callable[[View, *Ts], T], *args: *Ts) -> T:
        """The result of a function of this text, kept for all who ask. An edit forgets it."""
        key = (find, *args)
        if key not in self._once:
            self._once[key] = find(self, *args)
        found: T = self._once[key]
        return found

    def each(self, scan: Callable[[View, Sequence[Place]], Iterable[T]]) -> list[T]:
        """The findings of a scan in each definition by the author, in the order of the text. They outlive an
        edit of the others. So a scan may ask about names and texts of its statements, and not about spans,
        which the edit moves, or about other subs."""
        memory = self.memory(scan)
        found: list[T] = []
        for definition, reach, places in self._by_definition:
            known = memory.get((id(definition), reach))
            if known is None:
                known = memory[id(definition), reach] = list(scan(self, places))
            found += known
        return found

    def each_part(self, scan: Callable[[View, Sequence[Parts]], Iterable[T]]) -> list[T]:
        """As ``each``, for a scan of expressions. Most of its findings outlive an edit of their sub, too: it
        may ask about an expression, the hooks, and a statement other than ``if``, and must find no place."""
        memory = self.memory(scan)
        found: list[T] = []
        for number, parts in self._groups:
            known = memory.get(number)
            if known is None:
                known = memory[number] = list(scan(self, parts))
            found += known
        return found

    def _keep(self, before: View) -> None:
        """Takes the memory of the view before an edit, and the nodes that the edit has replaced, because
        their ids must not belong to others."""
        if _not_subs(before.program) != _not_subs(self.program):
            return
        ids = set(map(id, self.program.declarations))
        replaced = [one for one in before.program.declarations if id(one) not in ids]
        self._replaced = before._replaced + replaced
        if len(self._replaced) <= KEPT_MAX:
            self._memory = before._memory
        else:
            self._replaced = []

    # ---- declarations ----------------------------------------------------------------------------------

    @cached_property
    def subs(self) -> dict[str, list[nodes.Sub]]:
        """All definitions of each sub in order, those of the built-in policy last."""
        found: dict[str, list[nodes.Sub]] = {}
        for declaration in self.program.declarations:
            if isinstance(declaration, nodes.Sub):
                found.setdefault(declaration.name.lower(), []).append(declaration)
        return found

    @cached_property
    def acls(self) -> dict[str, nodes.Acl]:
        return {d.name.lower(): d for d in self.program.declarations if isinstance(d, nodes.Acl)}

    @cached_property
    def backends(self) -> dict[str, nodes.Backend]:
        return {d.name.lower(): d for d in self.program.declarations if isinstance(d, nodes.Backend)}

    @cached_property
    def servers(self) -> dict[str, str]:
        """For each backend the first one with the same address: a policy may have two with other timeouts."""
        first: dict[tuple[str, ...], str] = {}
        return {
            name: first.setdefault(tuple(sorted(self._address_of(backend))) or (name,), name)
            for name, backend in self.backends.items()
        }

    def _address_of(self, backend: nodes.Backend) -> Iterator[str]:
        """The properties that tell which server answers, as written."""
        for one in backend.properties:
            if one.name.lower() in _ADDRESS and not isinstance(one.value, tuple):
                yield f"{one.name.lower()} {self.written(one.value)}"

    @cached_property
    def _aliases(self) -> dict[str, str]:
        return {
            d.alias.lower(): d.module.lower()
            for d in self.program.declarations
            if isinstance(d, nodes.Import) and d.alias is not None
        }

    def is_of_five(self, node: Placed) -> bool:
        """Whether a node is in a file of 5.0."""
        return self.tokens.files[node.at[0]] in self.tokens.fives

    def is_builtin(self, node: Placed) -> bool:
        return node.at[0] >= self.builtin_at

    def defines(self, sub: str) -> list[nodes.Sub]:
        """The author's definitions of a sub."""
        return [d for d in self.subs.get(sub, []) if not self.is_builtin(d)]

    # ---- statements ------------------------------------------------------------------------------------

    @cached_property
    def ends(self) -> Ends:
        """Which statements always end their sub."""
        return Ends(lambda key: self.subs.get(key, ()))

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Every statement of the author, outer ones before those inside."""
        return tuple(place for *_, places in self._by_definition for place in places)

    @cached_property
    def _by_definition(self) -> list[tuple[nodes.Sub, HookMask, tuple[Place, ...]]]:
        """The author's definitions of subs, with their hooks and places."""
        memory = self.memory("places")
        found = []
        for key in self.subs:
            reach = self._reach(key)
            for definition in self.defines(key):
                places = memory.get((id(definition), reach))
                if places is None:
                    places = tuple(Place(one, key, reach) for one in walk(definition.body))
                    memory[id(definition), reach] = places
                found.append((definition, reach, places))
        return found

    @cached_property
    def _groups(self) -> list[tuple[int, list[Parts]]]:
        """The author's expressions with their parts, a few at a time, in the order of the text. A group has
        another number if it has other expressions or hooks."""
        memory, numbers = self.memory("groups"), self.memory("numbers of groups")
        found: list[tuple[int, list[Parts]]] = []
        for definition, reach, places in self._by_definition:
            known = memory.get((id(definition), reach))
            if known is None:
                known = memory[id(definition), reach] = []
                for _, some in groupby(parts_in(self, places), lambda one: one[1].at[0] >> _GROUP_BITS):
                    parts = list(some)
                    ids = (reach, *[id(expr) for _, expr, _ in parts])
                    known.append((numbers.setdefault(ids, len(numbers)), parts))
            found += known
        return found

    def _reach(self, key: str) -> HookMask:
        """The hooks that can run a sub: those of its callers, if it has parameters."""
        known = self.checked.subs.get(key)
        if known is not None:
            return known.reach
        reach = 0
        for caller, definitions in self.subs.items():
            statements = (one for definition in definitions for one in walk(definition.body))
            if any(isinstance(one, nodes.CallSub) and one.name.text.lower() == key for one in statements):
                reach |= self._reach(caller)
        return reach

    @cached_property
    def unused(self) -> frozenset[str]:
        """The subs of which V602 says that no hook runs them, neither by a call nor as a value."""
        facts = {key: sub.facts for key, sub in self.checked.subs.items()}
        by_value = reached(facts, [value.sub for value in self.checked.sub_values])
        own = (key for key in self.subs if not key.startswith("vcl_") and key not in by_value)
        return frozenset(key for key in own if not self._reach(key))

    @cached_property
    def where(self) -> Where:
        """Where the names of the policy occur."""
        from vernis.lint.where import Where

        return Where(self)

    @cached_property
    def enclosing(self) -> Enclosing:
        """The conditions around each statement."""
        from vernis.lint.enclosing import Enclosing

        return Enclosing(self)

    def blocks(self, of_unused: bool = True) -> Iterator[nodes.Block]:
        """Every block of the author: bodies of subs, arms, and blocks in blocks."""
        for key, definitions in self.subs.items():
            for definition in definitions:
                if not self.is_builtin(definition) and (of_unused or key not in self.unused):
                    yield definition.body
                    for statement in walk(definition.body):
                        if isinstance(statement, nodes.Block):
                            yield statement
                        elif isinstance(statement, nodes.If):
                            yield from (arm.body for arm in statement.arms)
                        elif isinstance(statement, nodes.For):
                            yield statement.body

    def derived_from(self, source: str) -> frozenset[str]:
        """The names whose value may come from ``source``, and itself: by any ``set`` of the author, in any
        order. A request's field is also that of the request to the origin."""
        found = {source}
        stack = [source]
        while stack:
            name = stack.pop()
            more = set(self._goes_to.get(name, ())) | ({"be" + name} if name.startswith("req.") else set())
            stack += more - found
            found |= more
        return frozenset(found)

    @cached_property
    def _goes_to(self) -> dict[str, set[str]]:
        """The names that the author sets to a value with each name in it."""
        found: dict[str, set[str]] = {}
        for name, target in self.each(_goes_to):
            found.setdefault(name, set()).add(target)
        return found

    @cached_property
    def sets(self) -> dict[str, list[tuple[Place, nodes.Set]]]:
        """The author's assignments by the canonical name of their target, in the order of the text."""
        found: dict[str, list[tuple[Place, nodes.Set]]] = {}
        for name, place, statement in self.each(_sets):
            found.setdefault(name, []).append((place, statement))
        return found

    @cached_property
    def parts(self) -> tuple[Parts, ...]:
        """Every expression of the author with its parts, in the order of the text."""
        return tuple(one for _, parts in self._groups for one in parts)

    @cached_property
    def comparisons(self) -> tuple[nodes.Compare, ...]:
        """Every comparison of the author."""
        return tuple(self.each_part(_comparisons))

    @cached_property
    def arms(self) -> dict[int, nodes.IfArm]:
        """The author's arms with a condition, by the id of the condition."""
        ifs = (place.statement for place in self.places if isinstance(place.statement, nodes.If))
        return {id(arm.condition): arm for one in ifs for arm in one.arms if arm.condition is not None}

    # ---- names and values ------------------------------------------------------------------------------

    def name(self, name: nodes.Name) -> str:
        """The canonical name: ``req.http.cookie``, ``std.log``."""
        known = self._names.get(name.parts)
        if known is None:
            text = name.text.lower()
            head, dot, rest = text.partition(".")
            known = self._aliases.get(head, head) + dot + rest if dot else text
            self._names[name.parts] = known
        return known

    def text(self, expr: nodes.Expr) -> str | None:
        """The value of a constant text, one character a byte; None if it is not constant."""
        if isinstance(expr, nodes.Paren):
            expr = bare(expr)
        if isinstance(expr, nodes.StringLit):
            return expr.value
        if isinstance(expr, nodes.Sum) and all(op == "+" for op in expr.ops):
            parts = [self.text(operand) for operand in expr.operands]
            return None if None in parts else "".join(filter(None, parts))
        return None

    def variable(self, expr: nodes.Expr) -> str | None:
        """The canonical name of an expression that is only a name."""
        if isinstance(expr, nodes.Paren):
            expr = bare(expr)
        return self.name(expr.name) if isinstance(expr, nodes.NameExpr) else None

    def truth(self, test: nodes.Expr) -> bool | None:
        """The answer of the words ``true`` and ``false``, and of a pattern that no text matches; None for any
        other test. Generators of policies write a switch as such a word."""
        if isinstance(test, nodes.Compare) and test.op in ("~", "!~"):
            text = self.text(test.right)
            return test.op == "!~" if text is not None and matches_nothing(text) else None
        return _TRUTH.get(test.name.text.lower()) if isinstance(test, nodes.NameExpr) else None

    def inside(self, node: nodes.Expr) -> Sequence[nodes.Expr]:
        """What ``parts_of`` finds. It is kept, because rules ask for the same expressions."""
        known = self._inside.get(id(node))
        if known is None:
            known = self._inside[id(node)] = parts_of(node)
        return known

    def reads(self, node: nodes.Expr) -> tuple[tuple[str, nodes.Expr], ...]:
        """Every name that an expression reads, with its node, and ``f()`` for every call of f."""
        known = self._reads.get(id(node))
        if known is None:
            found: list[tuple[str, nodes.Expr]] = []
            for part in self.inside(node):
                if isinstance(part, nodes.NameExpr):
                    found.append((self.name(part.name), part))
                elif isinstance(part, nodes.CallExpr):
                    found.append((self.name(part.name) + "()", part))
            known = self._reads[id(node)] = tuple(found)
        return known

    def call_of(self, statement: nodes.Stmt) -> str:
        """The canonical name of the function that a statement calls, or an empty text."""
        return self.name(statement.call.name) if isinstance(statement, nodes.CallStmt) else ""

    # ---- places ----------------------------------------------------------------------------------------

    def span(self, node: Placed) -> Span:
        return self.tokens.span(node.at)

    def token_span(self, index: int) -> Span:
        return self.tokens.span((index, index))

    def written(self, node: Placed) -> str:
        """The text of a node as written."""
        return self.sources.text(self.span(node))


def parts_in(view: View, places: Sequence[Place]) -> Iterator[Parts]:
    """The expressions of statements, each with its parts."""
    for place in places:
        for expr in expressions_of(place.statement):
            yield place, expr, view.inside(expr)


def _comparisons(view: View, group: Sequence[Parts]) -> list[nodes.Compare]:
    return [part for *_, parts in group for part in parts if isinstance(part, nodes.Compare)]


def _sets(view: View, places: Sequence[Place]) -> Iterator[tuple[str, Place, nodes.Set]]:
    for place in places:
        if isinstance(place.statement, nodes.Set):
            yield view.name(place.statement.target), place, place.statement


def _goes_to(view: View, places: Sequence[Place]) -> set[tuple[str, str]]:
    """The names that a statement reads, with the one that it sets."""
    sets = ((target, one.value) for target, _, one in _sets(view, places))
    return {(name, target) for target, value in sets for name, _ in view.reads(value)}


def _not_subs(program: nodes.Program) -> list[int]:
    return [id(one) for one in program.declarations if not isinstance(one, nodes.Sub)]


def field_of(name: str) -> tuple[str, str] | None:
    """``req.http.x`` as message and field."""
    message, _, rest = name.partition(".http.")
    return (message, rest) if rest and message in MESSAGES else None


def bare(expr: nodes.Expr) -> nodes.Expr:
    """The expression without parentheses around it."""
    while isinstance(expr, nodes.Paren):
        expr = expr.inner
    return expr


def flat(expr: nodes.Expr, kind: type[nodes.And | nodes.Or | nodes.Sum]) -> Iterator[nodes.Expr]:
    """The operands of an operator, and of the same one inside of them, in order."""
    expr = bare(expr)
    if isinstance(expr, kind):
        for operand in expr.operands:
            yield from flat(operand, kind)
    else:
        yield expr


def outcome(condition: nodes.Expr, of: Callable[[nodes.Expr], bool | None]) -> bool | None:
    """The result of a condition by those of its tests; None if one that ``of`` does not know decides it."""
    condition = bare(condition)
    match condition:
        case nodes.Not():
            result = outcome(condition.operand, of)
            return None if result is None else not result
        case nodes.And() | nodes.Or():
            results = [outcome(operand, of) for operand in condition.operands]
            decides = isinstance(condition, nodes.Or)
            return decides if decides in results else None if None in results else not decides
    return of(condition)


def walk(block: nodes.Block) -> Iterator[nodes.Stmt]:
    """Every statement, outer ones before those inside, in the order of the text."""
    stack: list[nodes.Stmt] = list(reversed(block.statements))
    while stack:
        statement = stack.pop()
        yield statement
        if isinstance(statement, nodes.Block):
            stack += reversed(statement.statements)
        elif isinstance(statement, nodes.If):
            stack += reversed([inner for arm in statement.arms for inner in arm.body.statements])
        elif isinstance(statement, nodes.For):
            stack += reversed(statement.body.statements)


def expressions_of(statement: nodes.Stmt) -> Iterator[nodes.Expr]:
    """The expressions of one statement, not of the statements inside."""
    match statement:
        case nodes.Set():
            yield statement.value
        case nodes.Return():
            yield from statement.args
        case nodes.If():
            yield from (arm.condition for arm in statement.arms if arm.condition is not None)
        case nodes.New():
            yield from (argument.value for argument in statement.args)
        case nodes.CallStmt():
            yield statement.call
        case nodes.CallSub():
            if statement.value is not None:
                yield statement.value


def parts_of(expr: nodes.Expr) -> list[nodes.Expr]:
    """An expression and all expressions in it, in the order of the text."""
    found: list[nodes.Expr] = []
    stack: list[nodes.Expr] = [expr]
    while stack:
        part = stack.pop()
        found.append(part)
        inside = _INSIDE.get(type(part))
        if inside is not None:
            stack += inside(part)[::-1]
    return found


def children_of(expr: nodes.Expr) -> tuple[nodes.Expr, ...]:
    """The expressions directly inside of another."""
    inside = _INSIDE.get(type(expr))
    return () if inside is None else inside(expr)


def _of_call(call: nodes.CallExpr) -> tuple[nodes.Expr, ...]:
    receiver = () if call.receiver is None else (call.receiver,)
    return (*receiver, *(argument.value for argument in call.args))


# A table, because rules ask for the parts of every expression. Other kinds have nothing inside.
_INSIDE: dict[type, Callable[[Any], tuple[nodes.Expr, ...]]] = {
    nodes.Paren: lambda expr: (expr.inner,),
    nodes.Neg: lambda expr: (expr.operand,),
    nodes.Not: lambda expr: (expr.operand,),
    nodes.Compare: lambda expr: (expr.left, expr.right),
    nodes.MemberExpr: lambda expr: (expr.receiver,),
    nodes.CallExpr: _of_call,
    **dict.fromkeys((nodes.Product, nodes.Sum, nodes.And, nodes.Or), lambda expr: expr.operands),
}
