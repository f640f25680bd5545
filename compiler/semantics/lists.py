"""``FIELD.add("text");`` of vcl 5.0: adds items to a field that is a list, such as Vary.

The field becomes the items if it is absent, else its value and the items behind ``, ``. This is how fields of
one name are joined (RFC 9110, 5.3), so the list means the same as with a field line for each item.
"""

from __future__ import annotations

from vernis.semantics import absence, expressions, names
from vernis.semantics.context import Context
from vernis.semantics.typed import Assign, Expr, Field, Join, Literal
from vernis.semantics.types import Type
from vernis.syntax import nodes

SEPARATOR = b", "
#: Its values have commas of their own, so it is never joined (RFC 9110, 5.3).
NEVER_A_LIST = "set-cookie"


def is_add(call: nodes.CallExpr) -> bool:
    """Whether a statement of 5.0 adds to a field: ``resp.http.Vary.add(...)``."""
    name = call.name
    is_call_of_field = call.receiver is None and name.parts[1:2] == ("http",) and len(name.parts) > 3
    return is_call_of_field and name.parts[-1] == "add" and not name.quoted


def field_of(cx: Context, call: nodes.CallExpr) -> nodes.Name | None:
    """Returns the field that a call adds to; None: it is another call."""
    return nodes.Name(call.name.at, call.name.parts[:-1]) if cx.five and is_add(call) else None


def check_add(cx: Context, node: nodes.CallStmt, name: nodes.Name) -> Assign | None:
    found = names.find(cx, name)
    if not isinstance(found, names.FoundVariable) or found.field is None:
        names.report_unknown(cx, name, "set")
        return None
    if not names.usable(cx, node.at, name, found, "set"):
        return None
    field = Field(found.row.key.partition(".")[0], found.field)
    if found.field.lower() == NEVER_A_LIST:
        cx.report.error("V782", node.at, "Set-Cookie is no list", "add a field: header.append(...)")
        return None
    items = _items(cx, node.call)
    if items is None:
        return None
    key = absence.key_of(field)
    cx.facts.reads.add(key)
    cx.frame.forget(key)
    cx.frame.assume((key,))
    return Assign(node.at, field, "add", items[0] if len(items) == 1 else Join(_separated(items)))


def _items(cx: Context, call: nodes.CallExpr) -> list[Expr] | None:
    named = next((arg for arg in call.args if arg.name is not None), None)
    if not call.args or named is not None:
        at = call.at if named is None else named.at
        cx.report.error("V313", at, "add takes texts", f'write {call.name.text}("a");')
        return None
    items = [expressions.value(cx, arg.value, Type.STRING) for arg in call.args]
    return None if any(item.type is Type.ERROR for item in items) else items


def _separated(items: list[Expr]) -> list[Expr]:
    parts: list[Expr] = []
    for item in items:
        parts += [Literal(Type.STRING, SEPARATOR), item] if parts else [item]
    return parts
