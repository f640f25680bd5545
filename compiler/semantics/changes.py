"""Header fields that a sub may change. What 5.0 knows of the other fields stays across a call of it.

A caller may be checked before the sub, so this reads the tree. What the tree does not tell counts as a change
of every field.
"""

from __future__ import annotations

from collections.abc import Iterator

from vernis.semantics import calls
from vernis.semantics.context import Context
from vernis.semantics.types import Type
from vernis.syntax import nodes
from vernis.syntax.walk import nodes_in

Names = frozenset[str]  # as in the rows of functions: `req.http.a`, `req.http.*`, `*`
EVERY: Names = frozenset(("*",))


def call(cx: Context, key: str) -> None:
    """Forgets what a call of a sub may make untrue."""
    if cx.five and cx.frame.known:
        if key not in cx.changes:
            cx.changes[key] = _changed_by(cx, key)
        cx.frame.forget_written(cx.changes[key])


def _changed_by(cx: Context, key: str) -> Names:
    """The fields that a sub and its callees may change."""
    found: set[str] = set()
    seen: set[str] = set()
    left = [key]
    while left:
        key = left.pop()
        symbol = cx.scope.subs.get(key)
        if symbol is None:
            return EVERY
        if key in seen:
            continue
        seen.add(key)
        for definition in symbol.definitions:
            for node in nodes_in(definition.body):
                if isinstance(node, nodes.CallSub) and node.value is None:
                    left.append(node.name.text.lower())
                else:
                    found.update(_changes(cx, node))
        if "*" in found:
            return EVERY
    return frozenset(found)


def _changes(cx: Context, node: object) -> Iterator[str]:
    match node:
        case nodes.Set() | nodes.Unset():
            yield from _field(node.target)
        case nodes.CallExpr() if node.receiver is None:
            yield from _of_call(cx, node)
        case nodes.CallSub() | nodes.RunBuiltin() | nodes.InlineC() | nodes.Broken():
            yield "*"


def _field(name: nodes.Name) -> Iterator[str]:
    if [part.lower() for part in name.parts[1:2]] == ["http"]:
        yield f"{name.parts[0].lower()}.http.*" if name.quoted else name.text.lower()


def _of_call(cx: Context, node: nodes.CallExpr) -> Iterator[str]:
    """A call that leads to no function of a row is an edit of a part of a variable, or it changes nothing: a
    function of the policy, a method of a value."""
    view = cx.scope.vocabulary.views.get(node.name.text.rpartition(".")[0])
    if view is not None:
        yield from _field(nodes.Name(node.name.at, tuple(view.of.split("."))))
    callee = calls.find(cx, node.name)
    if callee is None:
        return
    yield from callee.function.writes
    types = {param.type for param in callee.function.params}
    if Type.HTTP in types:
        yield "*"
    elif Type.HEADER in types:
        for arg in node.args:
            if isinstance(arg.value, nodes.NameExpr):
                yield from _field(arg.value.name)
            elif not isinstance(arg.value, nodes.StringLit):
                yield "*"  # the name of a header may come from a module
