"""Where the names of a policy occur, so that a walk for some names visits no other text.

A place is the first token of a name, of a call, or of a ``return``. One walk over the whole policy, the
built-in one included, serves all rules.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from vernis.lint.view import View, expressions_of, walk
from vernis.syntax import nodes

_RETURN = "return"  # no name is this word
_ALWAYS = (_RETURN, "true", "false")  # a walk takes only one branch of a constant test


class Where:
    """``tokens`` has the tokens of each name in order, and ``subs`` the keys of the subs in which it occurs.
    Calls have the name ``f()``. ``calls`` has the tokens and the key of the caller for each called sub."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.tokens: dict[str, list[int]] = {}
        self.subs: dict[str, set[str]] = {}
        self.calls: dict[str, list[tuple[int, str]]] = {}
        memory = view.memory("where")
        for key, definitions in view.subs.items():
            for definition in definitions:
                found = memory.get(id(definition))
                if found is None:
                    found = memory[id(definition)] = _names_in(view, definition.body)
                tokens, calls = found
                for name, places in tokens.items():
                    self.tokens.setdefault(name, []).extend(places)
                    self.subs.setdefault(name, set()).add(key)
                for token, callee in calls:
                    self.calls.setdefault(callee, []).append((token, key))

    def concerned(self, names: Iterable[str]) -> list[int]:
        """The tokens, in order, at which a policy uses one of the names, returns, or calls a sub that does
        so itself or by a sub that it calls."""
        found: list[int] = []
        subs: set[str] = set()
        for name in (*_ALWAYS, *names):
            found += self.tokens.get(name, ())
            subs |= self.subs.get(name, set())
        stack = list(subs)
        while stack:
            for token, caller in self.calls.get(stack.pop(), ()):
                found.append(token)
                if caller not in subs:
                    subs.add(caller)
                    stack.append(caller)
        found.sort()
        return found

    def has_any(self, *names: str) -> bool:
        return any(name in self.tokens for name in names)

    def returns(self, action: str) -> bool:
        """Whether the author returns with an action."""
        return any(token < self.view.builtin_at for token in self.tokens.get(f"{_RETURN} {action}", ()))


def _names_in(view: View, body: nodes.Block) -> tuple[dict[str, list[int]], list[tuple[int, str]]]:
    """The tokens of each name in a definition, and its calls of subs."""
    tokens: dict[str, list[int]] = {}
    calls: list[tuple[int, str]] = []
    memory = view.memory("where in expressions")

    def note(name: str, node: nodes.Stmt | nodes.Expr) -> None:
        tokens.setdefault(name, []).append(node.at[0])

    for statement in walk(body):
        match statement:
            case nodes.Set() | nodes.Unset():
                note(view.name(statement.target), statement)
            case nodes.Return():
                note(_RETURN, statement)
                if statement.action is not None:
                    note(f"{_RETURN} {statement.action.text.lower()}", statement)
            case nodes.CallSub() if statement.value is None:
                calls.append((statement.at[0], statement.name.text.lower()))
        for expr in expressions_of(statement):
            known = memory.get(id(expr))
            if known is None:
                known = memory[id(expr)] = list(_names_read(view, expr))
            for name, token in known:
                tokens.setdefault(name, []).append(token)
    return tokens, calls


def _names_read(view: View, expr: nodes.Expr) -> Iterator[tuple[str, int]]:
    """The names of an expression with their tokens."""
    for name, part in view.reads(expr):
        yield name, part.at[0]
    for part in view.inside(expr):
        if isinstance(part, nodes.Compare) and view.truth(part) is not None:
            yield _ALWAYS[1], part.at[0]


def next_concerned(tokens: list[int], statements: tuple[nodes.Stmt, ...], index: int) -> int:
    """The index of the first statement from ``index`` on that has one of the tokens, in their order."""
    at = bisect_left(tokens, statements[index].at[0])
    if at == len(tokens):
        return len(statements)
    return bisect_left(statements, tokens[at], index, key=lambda statement: statement.at[1])


def has_token(tokens: list[int], node: nodes.Expr) -> bool:
    """Whether a node has one of the tokens."""
    first, last = node.at
    at = bisect_left(tokens, first)
    return at < len(tokens) and tokens[at] <= last
