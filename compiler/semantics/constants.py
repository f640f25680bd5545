"""Constants of vcl 5.0: ``const``, ``param`` with the values given at load, and texts made of them."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.record import replace
from vernis.semantics import literals
from vernis.semantics.context import Context
from vernis.semantics.report import did_you_mean, nearest
from vernis.semantics.resolve import Kind, Symbol
from vernis.semantics.types import BYTES_UNITS, DURATION_UNITS, Type
from vernis.syntax import nodes
from vernis.syntax.limits import Limits
from vernis.syntax.walk import nodes_in

#: Types that a constant, a local, a parameter or a row of a table can have.
VALUE_TYPES = {
    type.value: type
    for type in (
        Type.STRING,
        Type.INT,
        Type.REAL,
        Type.DURATION,
        Type.TIME,
        Type.BYTES,
        Type.BOOL,
        Type.IP,
        Type.BACKEND,
    )
}
CONSTANT_TYPES = frozenset((Type.STRING, Type.INT, Type.REAL, Type.DURATION, Type.BYTES, Type.BOOL, Type.IP))


def type_of(cx: Context, node: nodes.TypeName, allowed: frozenset[Type] | None = None) -> Type:
    """Returns the type of a type name; ERROR if it was reported."""
    found = VALUE_TYPES.get(node.name)
    if found is not None and (allowed is None or found in allowed):
        return found
    names = [name for name, type in VALUE_TYPES.items() if allowed is None or type in allowed]
    right = node.name.upper() if node.name.upper() in names else None
    cx.report.error(
        "V735",
        node.at,
        f"{node.name} is not a type here",
        f"write {right}" if right else f"the types: {', '.join(names)}",
        replace=right + "?" * node.optional if right else None,
    )
    return Type.ERROR


def symbol_of(cx: Context, node: nodes.Expr) -> Symbol | None:
    """Returns the constant that an expression names."""
    if not cx.five or not isinstance(node, nodes.NameExpr) or len(node.name.parts) != 1:
        return None
    symbol = cx.scope.symbols.get(node.name.text.lower())
    return (
        symbol
        if symbol is not None and symbol.kind is Kind.CONSTANT and symbol.name == node.name.text
        else None
    )


def literal_node(cx: Context, node: nodes.Expr) -> nodes.Expr:
    """Returns the literal that a constant stands for; any other expression stays as it is."""
    constant = _constant(cx, node)
    return node if constant is None else value_node(cx, constant)


def _constant(cx: Context, node: nodes.Expr) -> nodes.Constant | None:
    """Returns the declaration of the constant that an expression names, if it has a value."""
    symbol = symbol_of(cx, node)
    if symbol is None or not isinstance(symbol.node, nodes.Constant) or symbol.node.name in cx.circular:
        return None
    symbol.used = True
    return symbol.node


def value_node(cx: Context, constant: nodes.Constant) -> nodes.Expr:
    """Returns the value of a constant, or the one given for it at load."""
    given = cx.options.params.get(constant.name) if constant.given else None
    if given is None or not is_of(_declared_type(constant), given):
        return constant.value
    match constant.value:
        case nodes.NumberLit() as number:
            digits = given.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
            return nodes.NumberLit(number.at, digits, given[len(digits) :] or None)
        case nodes.NameExpr(at=at):
            return nodes.NameExpr(at, nodes.Name(at, (given,)))
        case other:
            return nodes.StringLit(other.at, given)


def _declared_type(constant: nodes.Constant) -> Type:
    """Returns the type of a constant as it is written."""
    if constant.type is not None:
        return VALUE_TYPES.get(constant.type.name, Type.ERROR)
    match constant.value:
        case nodes.NumberLit(unit=None, digits=digits):
            return Type.REAL if "." in digits else Type.INT
        case nodes.NumberLit(unit=str(unit)):
            return Type.DURATION if unit in DURATION_UNITS else Type.BYTES
        case nodes.NameExpr():
            return Type.BOOL
        case _:
            return Type.STRING


def text(cx: Context, node: nodes.Expr) -> bytes | None:
    """Returns a constant text: literals and constants, also joined by ``+``. None for any other
    expression."""
    found = _text(cx, node)
    return None if found is None else found.encode("latin-1")


def _text(cx: Context, node: nodes.Expr) -> str | None:
    """Returns a constant text, one character a byte."""
    match node:
        case nodes.Paren():
            return _text(cx, node.inner)
        case nodes.Sum():
            parts = [_text(cx, operand) for operand in node.operands]
            if any(op != "+" for op in node.ops) or None in parts:
                return None
            return "".join(part for part in parts if part is not None)
        case nodes.StringLit():
            return node.value
        case _:
            constant = _constant(cx, node)
            if constant is None:
                return None
            if constant.name not in cx.constant_texts:
                cx.constant_texts[constant.name] = _text(cx, value_node(cx, constant))
            found = cx.constant_texts[constant.name]
            return found if found is None or has_room(cx, node.at, len(found)) else ""


def has_room(cx: Context, at: nodes.At, n: int) -> bool:
    """Counts the use of a text of a constant. Constants that join constants could double it line by line."""
    limit = Limits().program_bytes
    before = cx.constant_bytes
    cx.constant_bytes += n
    if before <= limit < cx.constant_bytes:
        cx.report.error(
            "V791",
            at,
            f"the texts that constants stand for have more than {limit} bytes",
            "each use of a constant counts, and constants that join constants multiply; shorten the texts",
        )
    return cx.constant_bytes <= limit


def folded(cx: Context, node: nodes.Expr) -> nodes.Expr:
    """Returns a text literal for a constant text that is not one literal."""
    if not cx.five or isinstance(node, nodes.StringLit):
        return node
    found = _text(cx, node)
    return node if found is None else nodes.StringLit(node.at, found)


def check_names(cx: Context) -> None:
    """Reports values that were given for parameters that the policy does not have."""
    declared = [
        symbol.name
        for symbol in cx.scope.symbols.values()
        if isinstance(symbol.node, nodes.Constant) and symbol.node.given
    ]
    for name in cx.options.params:
        if name not in declared:
            near = nearest(name, declared)
            known = f"its parameters: {', '.join(declared)}" if declared else "it has none"
            at = cx.checked.program.declarations[0].at
            cx.report.error("V737", at, f"the policy has no param {name}", did_you_mean(near, known))


def find_circles(cx: Context) -> None:
    """Reports constants whose values need themselves, and those that need too many others in a row. The walk
    is depth-first, with its own stack."""
    constants = {s.name: s.node for s in cx.scope.symbols.values() if isinstance(s.node, nodes.Constant)}
    needs = {
        name: [
            part.name.text
            for part in nodes_in(node.value)
            if isinstance(part, nodes.NameExpr) and part.name.text in constants
        ]
        for name, node in constants.items()
    }
    depths: dict[str, int] = {}
    for start in constants:
        path: dict[str, Iterator[str]] = {} if start in depths else {start: iter(needs[start])}
        order = [*path]
        while order:
            current = order[-1]
            needed = next(path[current], None)
            if needed is None:
                del path[order.pop()]
                depths[current] = max((1 + depths.get(name, 0) for name in needs[current]), default=0)
            elif needed in path:
                cx.circular.update(order[order.index(needed) :])
            elif needed not in depths:
                path[needed] = iter(needs[needed])
                order.append(needed)
    for name, node in constants.items():
        if name in cx.circular:
            why = f"the value of {name} needs {name} itself"
            cx.report.error("V736", node.value.at, why, "write a literal")
    _refuse_deep(cx, constants, depths)


def _refuse_deep(cx: Context, constants: dict[str, nodes.Constant], depths: dict[str, int]) -> None:
    limit = Limits().constant_depth
    for name, depth in depths.items():
        if depth > limit and name not in cx.circular:
            cx.circular.add(name)
            if depth == limit + 1:
                at = constants[name].value.at
                why = f"the value of {name} needs more than {limit} constants in a row"
                cx.report.error("V791", at, why, "write its value as one literal")


def is_of(type: Type, given: str) -> bool:
    """Whether a text is a constant of a type, as it is written on a command line."""
    digits = given.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    unit, whole = given[len(digits) :], digits.removeprefix("-")
    is_number = whole.replace(".", "", 1).isdecimal() and len(whole) <= 15
    match type:
        case Type.STRING:
            return all(" " <= c <= "\xff" for c in given)
        case Type.BOOL:
            return given in ("true", "false")
        case Type.INT:
            return is_number and not unit and "." not in whole
        case Type.REAL:
            return is_number and not unit and "." in whole
        case Type.DURATION:
            return is_number and unit in DURATION_UNITS
        case Type.BYTES:
            return is_number and unit.lower() in BYTES_UNITS and digits == whole
        case Type.IP:
            return literals.parse_ip(literals.split_port(given)[0]) is not None
        case _:
            return False


def with_constants(cx: Context, properties: tuple[nodes.Property, ...]) -> tuple[nodes.Property, ...]:
    """Returns properties of a backend or probe with the literals of the constants that they name."""
    if not cx.five:
        return properties
    return tuple(
        replace(p, value=literal_node(cx, folded(cx, p.value)))
        if not isinstance(p.value, (tuple, nodes.ProbeBody))
        else p
        for p in properties
    )
