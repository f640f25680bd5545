"""The tree of a policy of 5.0 as its author wrote it, for rules about the forms of 5.0 (``View.program`` has
other forms, see ``forms.py``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from vernis.lint.view import View, bare
from vernis.syntax import nodes
from vernis.syntax.walk import nodes_in

T = TypeVar("T")


def is_five(view: View) -> bool:
    return view.written_program.version >= (5, 0)


def declared(view: View, kind: type[T]) -> Iterator[T]:
    """The author's declarations of a kind, in files of 5.0."""
    for one in view.written_program.declarations:
        if isinstance(one, kind):
            at: nodes.At = one.at
            if view.tokens.files[at[0]] in view.tokens.fives:
                yield one


def bodies(view: View) -> list[nodes.Sub | nodes.Function]:
    """The subs and functions of the author."""
    return [*declared(view, nodes.Sub), *declared(view, nodes.Function)]


def all_of(view: View, kind: type[T]) -> Iterator[T]:
    """All nodes of a kind in the subs and functions of the author."""
    for declaration in bodies(view):
        for one in nodes_in(declaration.body):
            if isinstance(one, kind):
                yield one


def reads(word: str, inside: Any) -> bool:
    """Whether something reads the local ``word``, or calls one of its methods."""
    for one in nodes_in(inside):
        if isinstance(one, nodes.NameExpr | nodes.CallExpr) and one.name.parts[0] == word:
            return True
    return False


def text_of(expr: nodes.Expr | None) -> str | None:
    expr = None if expr is None else bare(expr)
    return expr.value if isinstance(expr, nodes.StringLit) else None


def field_name(name: nodes.Name) -> str | None:
    """``req.http.x`` for a header field, None for other names."""
    return name.text.lower() if name.parts[1:2] == ("http",) and len(name.parts) > 2 else None


def same(one: nodes.Expr, other: nodes.Expr, view: View) -> bool:
    """Whether two expressions are the same name."""
    one, other = bare(one), bare(other)
    return (
        isinstance(one, nodes.NameExpr)
        and isinstance(other, nodes.NameExpr)
        and view.name(one.name) == view.name(other.name)
    )
