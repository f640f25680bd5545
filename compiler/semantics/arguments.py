"""Arguments of functions and methods, by the parameters in their rows."""

from __future__ import annotations

from vernis.semantics import absence, calls, expressions, literals, names
from vernis.semantics.context import Context
from vernis.semantics.conversions import can_read, coerce
from vernis.semantics.moves import Difference, Move
from vernis.semantics.report import certain, did_you_mean, nearest
from vernis.semantics.typed import Bad, Declared, Expr, Field, Invoke, Literal
from vernis.semantics.types import Type
from vernis.semantics.vocabulary import Param
from vernis.syntax import nodes
from vernis.syntax.stock import phrase


def value_type(declared: Type) -> Type:
    """Returns the type of a value whose row has ENUM, STRANDS or HEADER."""
    return Type.STRING if declared in (Type.ENUM, Type.STRANDS, Type.HEADER) else declared


def bound(
    cx: Context,
    name: str,
    at: nodes.At,
    params: tuple[Param, ...],
    given: tuple[nodes.Argument, ...],
    sees_unset: bool = False,
) -> list[Expr | None] | None:
    """Returns the values of the parameters in order, None for an absent one; returns None if an error was
    reported. ``sees_unset``: in 4.x the function may tell an absent text from an empty one."""
    found = calls.bind(cx, name, at, params, given)
    if found is None:
        return None
    values = [_argument(cx, name, param, arg, sees_unset) for param, arg in zip(params, found)]
    return None if any(item is not None and item.type is Type.ERROR for item in values) else values


def _argument(
    cx: Context, function: str, param: Param, arg: nodes.Argument | None, sees_unset: bool
) -> Expr | None:
    if arg is None:
        return Literal(value_type(param.type), _default(param)) if param.has_default else None
    match param.type:
        case Type.ENUM:
            return _enum(cx, param, arg.value)
        case Type.REGEX:
            regex = literals.pattern(cx, arg.value, param.name)
            return Bad() if regex is None else Declared(Type.REGEX, regex)
        case Type.HEADER:
            return _header(cx, arg.value)
        case Type.HTTP:
            cx.facts.unknown = True
            cx.frame.forget_message("")
            return expressions.value(cx, arg.value, Type.HTTP)
    want = value_type(param.type)
    given = expressions.infer(cx, arg.value, want)
    if cx.moves is not None and sees_unset and param.type is Type.STRING and absence.may_be_absent(given):
        cx.moves.append(Move(Difference.ARGUMENT, arg.value.at))
    if cx.five and param.name == "s" and not can_read(cx, function, given, arg.value.at):
        return Bad()
    return coerce(cx, given, want, arg.value.at)


def _default(param: Param) -> bytes | int | float | bool | None:
    """Returns the default of a parameter as a constant."""
    if isinstance(param.default, str):
        return param.default.encode("latin-1")
    if param.type in (Type.REAL, Type.DURATION) and param.default is not None:
        return float(param.default)
    return param.default


def _enum(cx: Context, param: Param, node: nodes.Expr) -> Expr:
    word = node.name.text if isinstance(node, nodes.NameExpr) else ""
    if word in param.values:
        return Literal(Type.STRING, word.encode())
    if isinstance(node, nodes.Broken):
        return Bad()
    help_ = f"write one of {', '.join(param.values)}, without quotes"
    near = nearest(word, param.values)
    cx.report.error(
        "V316",
        node.at,
        f"{word or 'this'} is not a value of {param.name}",
        did_you_mean(near, help_),
        replace=certain(word, near),
    )
    return Bad()


def _header(cx: Context, node: nodes.Expr) -> Expr:
    """Returns a header argument as the text of its name. The function reads and changes the header."""
    field = expressions.infer(cx, node, Type.STRING)
    if field.type is Type.ERROR or isinstance(field, Invoke) and field.function.result is Type.HEADER:
        return field  # the name comes from a module
    if not isinstance(field, Field):
        cx.report.error(
            "V301",
            node.at,
            f"{field.type.value} is not HEADER",
            "name a header: req.http.Cookie",
            stock=phrase("type", have=field.type.value, want="HEADER"),
        )
        return Bad()
    assert isinstance(node, nodes.NameExpr)
    found = names.find(cx, node.name)
    assert isinstance(found, names.FoundVariable)
    if found.row.set and not names.usable(cx, node.at, node.name, found, "set"):
        return Bad()
    cx.frame.forget(absence.key_of(field))
    return Literal(Type.STRING, f"{field.message}.http.{field.name}".encode("latin-1"))
