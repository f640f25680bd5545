"""The jar of module cookie along the statements of one block, from cookie.parse() of the field Cookie on.

A change that this does not know ends the knowledge: a branch that changes the jar, or a call of a sub.
"""

from __future__ import annotations

import re

from vernis.lint.view import View, bare, expressions_of, walk
from vernis.record import field, record
from vernis.syntax import nodes

_COOKIES = ("req.http.cookie", "bereq.http.cookie")
_REMOVE = ("cookie.delete", "cookie.filter")
_KEEP = "cookie.keep"


@record
class Jars:
    """``cuts``: the statements that set the field Cookie to what is left of it, each with a pattern of what
    went. ``lost``: the reads of a cookie that is gone, each with the statement that removed it."""

    cuts: dict[nodes.Set, str] = field(default_factory=dict)
    lost: list[tuple[nodes.Expr, nodes.Stmt]] = field(default_factory=list)


@record
class _Jar:
    """``gone`` are the names that were removed, ``kept`` all that may be left, each with its statement."""

    parsed: str = ""
    gone: dict[str, nodes.Stmt] = field(default_factory=dict)
    kept: tuple[frozenset[str], nodes.Stmt] | None = None

    def remover_of(self, name: str) -> nodes.Stmt | None:
        if name in self.gone or self.kept is None or name in self.kept[0]:
            return self.gone.get(name)
        return self.kept[1]

    def pattern(self) -> str | None:
        """A pattern of the cookies that are gone."""
        names = self.gone if self.kept is None else self.kept[0] - self.gone.keys()
        listed = "|".join(map(re.escape, sorted(names)))
        if self.kept is not None:
            return rf"(?<![^; ])(?!({listed})=)[^;=]+(=[^;]*)?"
        return rf"(?<![^; ])({listed})=[^;]*" if listed else None


def jars_of(view: View) -> Jars:
    found = Jars()
    if view.where.has_any("cookie.parse()"):
        for block in view.blocks():
            jar = _Jar()
            for statement in block.statements:
                jar = _behind(view, statement, jar, found)
    return found


def _behind(view: View, statement: nodes.Stmt, jar: _Jar, found: Jars) -> _Jar:
    """The jar behind a statement."""
    call = view.call_of(statement)
    if call == "cookie.parse":
        assert isinstance(statement, nodes.CallStmt)
        name = view.variable(statement.call.args[0].value) if statement.call.args else None
        return _Jar(name if name in _COOKIES else "")
    if not jar.parsed:
        return jar
    if call.startswith("cookie."):
        assert isinstance(statement, nodes.CallStmt)
        return _changed(view, call, statement, jar)
    for expr in expressions_of(statement):
        _read(view, expr, jar, found)
    if isinstance(statement, nodes.Set) and view.name(statement.target) == jar.parsed:
        value = bare(statement.value)
        if isinstance(value, nodes.CallExpr) and view.name(value.name) == "cookie.get_string":
            pattern = jar.pattern()
            if pattern is not None:
                found.cuts[statement] = pattern
    inside = walk(nodes.Block(statement.at, (statement,)))
    changes = (isinstance(one, nodes.CallSub) or view.call_of(one).startswith("cookie.") for one in inside)
    return _Jar() if any(changes) else jar


def _changed(view: View, call: str, statement: nodes.CallStmt, jar: _Jar) -> _Jar:
    text = view.text(statement.call.args[0].value) if statement.call.args else None
    if text is None:
        return _Jar()
    names = frozenset(name.strip() for name in text.split(","))
    if call in _REMOVE:
        return _Jar(jar.parsed, {**jar.gone, **dict.fromkeys(names, statement)}, jar.kept)
    if call == _KEEP and jar.kept is None:
        return _Jar(jar.parsed, jar.gone, (names, statement))
    return _Jar()


def _read(view: View, expr: nodes.Expr, jar: _Jar, found: Jars) -> None:
    for name, part in view.reads(expr):
        if name in ("cookie.get()", "cookie.isset()") and isinstance(part, nodes.CallExpr) and part.args:
            text = view.text(part.args[0].value)
            remover = None if text is None else jar.remover_of(text)
            if remover is not None:
                found.lost.append((part, remover))
