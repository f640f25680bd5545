"""Declarations of constants are checked, and constants become values. The value of one is an expression."""

from __future__ import annotations

from vernis.semantics import constants, expressions
from vernis.semantics.context import Context
from vernis.semantics.resolve import Symbol
from vernis.semantics.typed import Bad, Expr, Literal
from vernis.semantics.types import Type
from vernis.syntax import nodes


def check(cx: Context, symbol: Symbol) -> None:
    """Checks a declaration of a constant, and a value that was given for it."""
    node = symbol.node
    assert isinstance(node, nodes.Constant)
    if node.name in cx.circular:
        return
    wanted = Type.ERROR if node.type is None else constants.type_of(cx, node.type, constants.CONSTANT_TYPES)
    if node.type is not None and wanted is Type.ERROR:
        return
    if node.type is not None and node.type.optional:
        cx.report.error("V735", node.type.at, "a constant is never absent", "remove the ?")
        return
    want = Type.STRING if node.type is None else wanted
    declared = expressions.infer(cx, constants.folded(cx, node.value), want)
    if declared.type is not Type.ERROR and not isinstance(declared, Literal):
        cx.report.error(
            "V736",
            node.value.at,
            f"the value of {node.name} is not constant",
            "write a literal, or a constant",
        )
        return
    if node.type is not None and declared.type not in (wanted, Type.ERROR):
        expressions.value(cx, node.value, wanted)  # reports the types
        return
    if node.given and node.name in cx.options.params and declared.type is not Type.ERROR:
        _check_given(cx, node, declared.type)


def _check_given(cx: Context, node: nodes.Constant, type: Type) -> None:
    given = cx.options.params[node.name]
    if not constants.is_of(type, given):
        cx.report.error(
            "V737",
            node.name_at,
            f'"{given}" was given for {node.name}, which is {type.value}',
            f"give a {type.value}: -D {node.name}={_EXAMPLES[type]}",
        )


_EXAMPLES = {
    Type.STRING: "text",
    Type.INT: "5",
    Type.REAL: "1.5",
    Type.DURATION: "5s",
    Type.BYTES: "10MB",
    Type.BOOL: "true",
    Type.IP: "192.0.2.1",
}


def value(cx: Context, symbol: Symbol, want: Type) -> Expr:
    """Returns a constant as a value."""
    node = symbol.node
    assert isinstance(node, nodes.Constant)
    if node.name in cx.circular:
        return Bad()
    wanted = (node.type and constants.VALUE_TYPES.get(node.type.name)) or want
    found = cx.constant_values.get((node.name, wanted))
    if found is None:
        found = expressions.infer(cx, constants.folded(cx, constants.value_node(cx, node)), wanted)
        found = cx.constant_values[node.name, wanted] = found if isinstance(found, Literal) else Bad()
    if isinstance(found, Literal) and isinstance(found.value, bytes):
        return found if constants.has_room(cx, node.at, len(found.value)) else Bad()
    return found
