"""Mutations: small changes of a policy, each of which a good suite of tests notices.

A mutation changes one place in a sub of the author, or in 5.0 in a function, set, table or constant.
``mutants`` lists all of a policy; most callers draw some with ``drawn``. Some mutants do not compile, and the
caller passes over these.
"""

from __future__ import annotations

import difflib
import random
from collections.abc import Callable, Iterator
from typing import Any

from vernis.record import record
from vernis.semantics.vocabulary import load_vocabulary
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Span
from vernis.syntax.source import SourceFile
from vernis.syntax.tokens import TokenTable

#: Operators and their replacements.
OPERATORS = {
    "==": "!=", "!=": "==", "~": "!~", "!~": "~", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
    "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "+": "-", "-": "+", "*": "/",
    "/": "*", "starts": "contains", "ends": "contains", "contains": "starts",
}  # fmt: skip
_OPPOSITES = ("==", "!=", "~", "!~")  # changing one of these negates the comparison
#: Actions that need arguments, or that every test notices.
_NOT_DRAWN = frozenset(("fail", "synth", "error", "vcl"))
#: What is said of a policy, or to its log and metrics: no test sees a change of it.
_NOT_SEEN = (nodes.Annotation, nodes.Count, nodes.Log, nodes.Invariant)
_DELIMITERS = (('"""', '"""'), ('{"', '"}'), ('"', '"'))
_TEXT_CHANGE = b"x"


@record(frozen=True)
class Mutant:
    """``span`` becomes ``text``. ``what`` names the kind of the change."""

    what: str
    file: SourceFile
    span: Span
    text: bytes

    @property
    def data(self) -> bytes:
        """The changed file."""
        return self.file.data[: self.span.start] + self.text + self.file.data[self.span.end :]

    @property
    def place(self) -> str:
        """FILE:LINE:COLUMN."""
        line, column = self.file.position(self.span.start)
        return f"{self.file.name}:{line}:{column}"

    def diff(self) -> str:
        """A unified diff with one line of context."""
        before, after = (data.decode("utf-8", "replace").splitlines() for data in (self.file.data, self.data))
        name = self.file.name
        return "\n".join(difflib.unified_diff(before, after, name, name, n=1, lineterm=""))


def drawn(program: nodes.Program, seed: int) -> list[Mutant]:
    """All mutants of a policy in an order that follows from ``seed``."""
    generator = random.Random(seed)
    found = mutants(program, generator)
    generator.shuffle(found)
    return found


def mutants(program: nodes.Program, generator: random.Random) -> list[Mutant]:
    """In the order of the text. A return gets one other action, which ``generator`` chooses."""
    return list(_Walk(program, generator).all())


class _Walk:
    def __init__(self, program: nodes.Program, generator: random.Random) -> None:
        assert isinstance(program.tokens, TokenTable)
        self.program, self.table, self.generator = program, program.tokens, generator
        self.hook = ""  # around the statement; empty in other subs

    def all(self) -> Iterator[Mutant]:
        vocabulary = load_vocabulary()
        for decl in self.program.declarations[: self.program.builtin_from]:
            match decl:
                case nodes.Sub() | nodes.Function():
                    self.hook = decl.name if decl.name in vocabulary.hooks else ""
                    yield from self._node(decl.body)
                case nodes.TextSet() | nodes.Constant():
                    yield from self._node(decl)
                case nodes.Table():
                    for row in decl.rows:
                        yield from self._node(row)

    def _node(self, node: Any) -> Iterator[Mutant]:
        """The mutants of a node and of all nodes in it."""
        if isinstance(node, _NOT_SEEN):
            return
        make = _MAKERS.get(type(node))
        if make is not None:
            yield from make(self, node)
        for name in node.__slots__:
            value = getattr(node, name)
            for child in value if isinstance(value, tuple) else (value,):
                if hasattr(child, "at"):
                    yield from self._node(child)

    def _mutant(self, what: str, at: nodes.At, text: bytes) -> Iterator[Mutant]:
        """Nothing if an include stands between the tokens."""
        if len(set(self.table.files[at[0] : at[1] + 1])) == 1:
            span = self.table.span(at)
            yield Mutant(what, self.table.sources.files[span.file], span, text)

    def _written(self, at: nodes.At) -> bytes:
        span = self.table.span(at)
        return self.table.sources.files[span.file].data[span.start : span.end]

    # ---- one method for each kind of node ----

    def drop(self, node: nodes.Stmt) -> Iterator[Mutant]:
        yield from self._mutant("statement dropped", node.at, b"")

    def leave(self, node: nodes.Return) -> Iterator[Mutant]:
        yield from self.drop(node)
        if node.action is None:
            return
        hooks = load_vocabulary().hooks
        around = [hooks[self.hook]] if self.hook else list(hooks.values())
        known = {action for hook in around for action in hook.actions}
        others = sorted(known - _NOT_DRAWN - {node.action.text})
        if others:
            action = f"return ({self.generator.choice(others)});".encode()
            yield from self._mutant("other action", node.at, action)

    def assign(self, node: nodes.Set) -> Iterator[Mutant]:
        yield from self.drop(node)
        yield from self._operator(node.target.at[1], node.op, node.value.at[0])

    def negate(self, node: nodes.IfArm) -> Iterator[Mutant]:
        condition = node.condition
        if condition is None or node.binding is not None:
            return
        if isinstance(condition, nodes.Compare) and condition.op in _OPPOSITES:
            return
        yield from self._mutant("condition negated", condition.at, b"!(" + self._written(condition.at) + b")")

    def compare(self, node: nodes.Compare) -> Iterator[Mutant]:
        yield from self._operator(node.left.at[1], node.op, node.right.at[0])

    def presence(self, node: nodes.Presence) -> Iterator[Mutant]:
        other = b"empty" if node.word == "set" else b"set"
        yield from self._mutant("other test", (node.at[1], node.at[1]), other)

    def case(self, node: nodes.SwitchCase) -> Iterator[Mutant]:
        yield from self._mutant("case dropped", node.at, b"")

    def join(self, node: nodes.And | nodes.Or) -> Iterator[Mutant]:
        op = "&&" if isinstance(node, nodes.And) else "||"
        for left, right in zip(node.operands, node.operands[1:], strict=False):
            yield from self._operator(left.at[1], op, right.at[0])

    def compute(self, node: nodes.Sum | nodes.Product) -> Iterator[Mutant]:
        for left, op, right in zip(node.operands, node.ops, node.operands[1:], strict=False):
            if not isinstance(left, nodes.StringLit) and not isinstance(right, nodes.StringLit):
                yield from self._operator(left.at[1], op, right.at[0])

    def _operator(self, left: int, op: str, right: int) -> Iterator[Mutant]:
        """``op`` stands between two tokens."""
        for token in range(left + 1, right):
            if op in OPERATORS and self._written((token, token)) == op.encode():
                yield from self._mutant("other operator", (token, token), OPERATORS[op].encode())

    def number(self, node: nodes.NumberLit) -> Iterator[Mutant]:
        """A number becomes one more. A quantity with a unit doubles."""
        value = float(node.digits)
        changed = value * 2 if node.unit and value else value + 1
        digits = f"{changed:.3f}" if "." in node.digits else f"{changed:.0f}"
        what = "other quantity" if node.unit else "other number"
        yield from self._mutant(what, node.at, (digits + (node.unit or "")).encode())

    def text(self, node: nodes.StringLit) -> Iterator[Mutant]:
        """A text or a pattern gets one more character at its end."""
        written = self._written(node.at)
        for begin, end in _DELIMITERS:
            if written.startswith(begin.encode()) and written.endswith(end.encode()):
                inside = written[: len(written) - len(end)]
                yield from self._mutant("other text", node.at, inside + _TEXT_CHANGE + end.encode())
                return


_MAKERS: dict[type, Callable[[_Walk, Any], Iterator[Mutant]]] = {
    nodes.Set: _Walk.assign,
    nodes.Unset: _Walk.drop,
    nodes.CallSub: _Walk.drop,
    nodes.CallStmt: _Walk.drop,
    nodes.New: _Walk.drop,
    nodes.Allow: _Walk.drop,
    nodes.RunBuiltin: _Walk.drop,
    nodes.SwitchCase: _Walk.case,
    nodes.Presence: _Walk.presence,
    nodes.Return: _Walk.leave,
    nodes.IfArm: _Walk.negate,
    nodes.Compare: _Walk.compare,
    nodes.And: _Walk.join,
    nodes.Or: _Walk.join,
    nodes.Sum: _Walk.compute,
    nodes.Product: _Walk.compute,
    nodes.NumberLit: _Walk.number,
    nodes.StringLit: _Walk.text,
}
