"""The value of an expression in a test, and why an expectation failed."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from vernis.observe.pattern import Pattern
from vernis.pcre import PatternError
from vernis.record import field, record
from vernis.semantics.types import BYTES_UNITS, DURATION_UNITS
from vernis.similar import similar
from vernis.syntax import nodes
from vernis.trial.facts import Facts, Value, fact, is_fact

UNITS: dict[str, float] = {**BYTES_UNITS, **DURATION_UNITS}  # `m` is minutes
WORDS: dict[str, Value] = {"true": True, "false": False}

_ORDER: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class ValueTrouble(Exception):
    """An expression of a test has no value. ``at`` is its place."""

    def __init__(self, at: nodes.At, message: str, help: str = "") -> None:
        super().__init__(message)
        self.at, self.message, self.help = at, message, help


@record(frozen=True)
class Scope:
    """The values that names stand for. ``facts`` None: before the first request, so no fact has a value.
    ``columns``: of the row of the test's table."""

    facts: Facts | None = None
    columns: Mapping[str, Value] = field(default_factory=dict)


@record(frozen=True)
class Miss:
    """An expectation that failed: the place of its part, and the value it has."""

    at: nodes.At
    message: str


def shown(value: Value) -> str:
    if value is None:
        return "unset"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value == int(value) else f"{value:g}"
    return '"' + (value if len(value) <= 200 else value[:200] + "...").replace("\n", "\\n") + '"'


def value_of(node: nodes.Expr, scope: Scope) -> Value:
    """ValueTrouble: a name or an operator has no meaning here."""
    match node:
        case nodes.Paren():
            return value_of(node.inner, scope)
        case nodes.StringLit():
            return node.value
        case nodes.NumberLit():
            return _number(node)
        case nodes.Neg():
            return -_as_number(node.operand, scope)
        case nodes.Sum() if "-" not in node.ops:
            return _joined(node, scope)
        case nodes.Sum() | nodes.Product():
            return _computed(node, scope)
        case nodes.NameExpr():
            return _named(node, scope)
        case nodes.Not():
            return not truth(value_of(node.operand, scope))
        case nodes.And():
            return all(truth(value_of(operand, scope)) for operand in node.operands)
        case nodes.Or():
            return any(truth(value_of(operand, scope)) for operand in node.operands)
        case nodes.Compare():
            return _compare(node, scope)
    raise ValueTrouble(node.at, "a test cannot compute this", "compare a name with a literal")


def truth(value: Value) -> bool:
    """As in VCL: a text is true if it is set."""
    return value if isinstance(value, bool) else value is not None and value != 0.0


def _number(node: nodes.NumberLit) -> float:
    unit = (node.unit or "").lower()
    if unit and unit not in UNITS:
        raise ValueTrouble(node.at, f"{node.unit} is no unit", "units: " + ", ".join(UNITS))
    return float(node.digits) * UNITS.get(unit, 1.0)


def _named(node: nodes.NameExpr, scope: Scope) -> Value:
    name = node.name.text
    if name in WORDS:
        return WORDS[name]
    if name in scope.columns:
        return scope.columns[name]
    if not is_fact(name):
        raise ValueTrouble(node.at, f"{name} is no fact about a request", _nearest(name))
    if scope.facts is None:
        raise ValueTrouble(node.at, f"{name} has no value before the first request", 'write: request("/");')
    return fact(scope.facts, name)


def _nearest(name: str) -> str:
    from vernis.trial.facts import FACTS

    near = similar(name, FACTS)
    return f"do you mean {near[0]}?" if near else "docs/test.md lists the names"


def _as_number(node: nodes.Expr, scope: Scope) -> float:
    value = value_of(node, scope)
    if isinstance(value, bool) or not isinstance(value, float):
        raise ValueTrouble(node.at, f"{shown(value)} is no number")
    return value


def _joined(node: nodes.Sum, scope: Scope) -> Value:
    """The sum of numbers, or the texts and numbers one after the other."""
    values = [value_of(operand, scope) for operand in node.operands]
    numbers = [value for value in values if isinstance(value, float)]
    if len(numbers) == len(values):
        return sum(numbers)
    for operand, value in zip(node.operands, values, strict=True):
        if not isinstance(value, str | float):
            raise ValueTrouble(operand.at, f"{shown(value)} cannot be joined to a text")
    return "".join(value if isinstance(value, str) else shown(value) for value in values)


_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
}


def _computed(node: nodes.Sum | nodes.Product, scope: Scope) -> float:
    numbers = [_as_number(operand, scope) for operand in node.operands]
    total = numbers[0]
    for sign, number in zip(node.ops, numbers[1:], strict=True):
        if number == 0.0 and sign in "/%":
            raise ValueTrouble(node.at, "this divides by zero")
        total = _ARITHMETIC[sign](total, number)
    return total


def _compare(node: nodes.Compare, scope: Scope) -> bool:
    left = value_of(node.left, scope)
    if node.op in ("~", "!~"):
        return _matches(node, left, scope) == (node.op == "~")
    right = value_of(node.right, scope)
    if left is not None and right is not None and type(left) is not type(right):
        raise ValueTrouble(node.at, f"{shown(left)} and {shown(right)} are of different types")
    if node.op in ("==", "!="):
        return (left == right) == (node.op == "==")
    if isinstance(left, float) and isinstance(right, float):
        return _ORDER[node.op](left, right)
    if left is None or right is None:
        return False
    raise ValueTrouble(node.at, f"{node.op} compares numbers, and {shown(left)} is none")


def _matches(node: nodes.Compare, left: Value, scope: Scope) -> bool:
    pattern = value_of(node.right, scope)
    if not isinstance(pattern, str):
        raise ValueTrouble(node.right.at, "a pattern is a text")
    if left is not None and not isinstance(left, str):
        raise ValueTrouble(node.left.at, f"{shown(left)} is no text")
    try:
        return not _pattern(pattern.encode("latin-1")).refuses((left or "").encode("latin-1"))
    except PatternError as error:
        raise ValueTrouble(node.right.at, f"PCRE2: {error}") from None


@lru_cache(maxsize=1024)
def _pattern(text: bytes) -> Pattern:
    return Pattern(text)


# ---- failures ----------------------------------------------------------------------------------------------


def failure(node: nodes.Expr, scope: Scope, source: Callable[[nodes.At], str]) -> Miss | None:
    """Why an expectation does not hold; None if it does. ``source`` gives the text of a place."""
    if isinstance(node, nodes.Paren):
        return failure(node.inner, scope, source)
    if isinstance(node, nodes.And):
        return next(filter(None, (failure(part, scope, source) for part in node.operands)), None)
    if truth(value_of(node, scope)):
        return None
    return Miss(node.at, _why(node, scope, source))


def _why(node: nodes.Expr, scope: Scope, source: Callable[[nodes.At], str]) -> str:
    if isinstance(node, nodes.Paren):
        return _why(node.inner, scope, source)
    if isinstance(node, nodes.And):
        failed = (part for part in node.operands if not truth(value_of(part, scope)))
        return _why(next(failed), scope, source)
    if isinstance(node, nodes.Compare):
        return f"{plain(source(node.left.at))} is {shown(value_of(node.left, scope))}"
    if scope.facts is not None and isinstance(node, nodes.NameExpr) and _is_step(node.name.text):
        return f"the request was {scope.facts.decision()}"
    if isinstance(node, nodes.NameExpr):
        return f"{node.name.text} is {shown(value_of(node, scope))}"
    if isinstance(node, nodes.Or):
        return "; ".join(_why(part, scope, source) for part in node.operands)
    if isinstance(node, nodes.Not):
        return f"{plain(source(node.operand.at))} is {shown(value_of(node.operand, scope))}"
    return "this is false"


def plain(text: str) -> str:
    """On one line."""
    return re.sub(r"\s+", " ", text)


def _is_step(name: str) -> bool:
    return name.lower() in ("hit", "miss", "pass", "pipe", "synth", "purge")
