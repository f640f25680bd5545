"""Constants of vcl 5.0: ``const``, ``param`` with the values given at load, and texts made of them."""

from __future__ import annotations

from vernis.record import replace
from vernis.semantics import literals
from vernis.semantics.context import Context
from vernis.semantics.report import did_you_mean, nearest
from vernis.semantics.resolve import Kind, Symbol
from vernis.semantics.typed import Bad, Expr, Literal
from vernis.semantics.types import BYTES_UNITS, DURATION_UNITS, Type
from vernis.syntax import nodes

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
    symbol = symbol_of(cx, node)
    if symbol is None or not isinstance(symbol.node, nodes.Constant) or symbol.node.name in cx.circular:
        return node
    symbol.used = True
    return value_node(cx, symbol.node)


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
    match node:
        case nodes.Paren():
            return text(cx, node.inner)
        case nodes.Sum():
            parts = [text(cx, operand) for operand in node.operands]
            if all(op == "+" for op in node.ops) and None not in parts:
                return b"".join(part for part in parts if part is not None)
            return None
        case _:
            found = literal_node(cx, node)
            if isinstance(found, nodes.StringLit):
                return found.value.encode("latin-1")
            return None if found is node else text(cx, found)


def folded(cx: Context, node: nodes.Expr) -> nodes.Expr:
    """Returns a text literal for a constant text that is not one literal."""
    found = text(cx, node) if cx.five else None
    return node if found is None else nodes.StringLit(node.at, found.decode("latin-1"))


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
    """Reports constants whose values need themselves."""
    from vernis.syntax.dump import walk

    constants = [s.node for s in cx.scope.symbols.values() if isinstance(s.node, nodes.Constant)]
    needs = {
        node.name: [part.name.text for part in walk(node.value) if isinstance(part, nodes.NameExpr)]
        for node in constants
    }
    for node in constants:
        reached: set[str] = set()
        stack = [node.name]
        while stack:
            new = set(needs.get(stack.pop(), ())) - reached
            reached |= new
            stack += new
        if node.name in reached:
            cx.circular.add(node.name)
            why = f"the value of {node.name} needs {node.name} itself"
            cx.report.error("V736", node.value.at, why, "write a literal")


def check(cx: Context, symbol: Symbol) -> None:
    """Checks a declaration of a constant, and a value that was given for it."""
    from vernis.semantics import expressions

    node = symbol.node
    assert isinstance(node, nodes.Constant)
    if node.name in cx.circular:
        return
    wanted = Type.ERROR if node.type is None else type_of(cx, node.type, CONSTANT_TYPES)
    if node.type is not None and wanted is Type.ERROR:
        return
    if node.type is not None and node.type.optional:
        cx.report.error("V735", node.type.at, "a constant is never absent", "remove the ?")
        return
    want = Type.STRING if node.type is None else wanted
    declared = expressions.infer(cx, folded(cx, node.value), want)
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
    if not is_of(type, given):
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


def value(cx: Context, symbol: Symbol, want: Type) -> Expr:
    """Returns a constant as a value."""
    from vernis.semantics import expressions

    node = symbol.node
    assert isinstance(node, nodes.Constant)
    if node.name in cx.circular:
        return Bad()
    declared = node.type and VALUE_TYPES.get(node.type.name)
    found = expressions.infer(cx, folded(cx, value_node(cx, node)), declared or want)
    return found if isinstance(found, Literal) else Bad()


def with_constants(cx: Context, properties: tuple[nodes.Property, ...]) -> tuple[nodes.Property, ...]:
    """Returns properties of a backend or probe with the literals of the constants that they name."""
    if not cx.five:
        return properties
    return tuple(
        replace(p, value=folded(cx, literal_node(cx, p.value)))
        if not isinstance(p.value, (tuple, nodes.ProbeBody))
        else p
        for p in properties
    )
