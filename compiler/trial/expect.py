"""The value of an expression in a test, and why an expectation failed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from vernis.observe.pattern import Pattern
from vernis.pcre import PatternError
from vernis.record import record
from vernis.semantics.types import BYTES_UNITS, DURATION_UNITS
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
        return f"{value:g}"
    return '"' + (value if len(value) <= 200 else value[:200] + "...").replace("\n", "\\n") + '"'


def value_of(node: nodes.Expr, facts: Facts | None) -> Value:
    """``facts`` None: before the first request, so only literals have values."""
    match node:
        case nodes.Paren():
            return value_of(node.inner, facts)
        case nodes.StringLit():
            return node.value
        case nodes.NumberLit():
            return _number(node)
        case nodes.Neg():
            return -_as_number(node.operand, facts)
        case nodes.NameExpr():
            return _named(node, facts)
        case nodes.Not():
            return not truth(value_of(node.operand, facts))
        case nodes.And():
            return all(truth(value_of(operand, facts)) for operand in node.operands)
        case nodes.Or():
            return any(truth(value_of(operand, facts)) for operand in node.operands)
        case nodes.Compare():
            return _compare(node, facts)
    raise ValueTrouble(node.at, "a test cannot compute this", "compare a name with a literal")


def truth(value: Value) -> bool:
    """As in VCL: a text is true if it is set."""
    return value if isinstance(value, bool) else value is not None and value != 0.0


def _number(node: nodes.NumberLit) -> float:
    unit = (node.unit or "").lower()
    if unit and unit not in UNITS:
        raise ValueTrouble(node.at, f"{node.unit} is no unit", "units: " + ", ".join(UNITS))
    return float(node.digits) * UNITS.get(unit, 1.0)


def _named(node: nodes.NameExpr, facts: Facts | None) -> Value:
    name = node.name.text
    if name in WORDS:
        return WORDS[name]
    if not is_fact(name):
        raise ValueTrouble(node.at, f"{name} is no fact about a request", _nearest(name))
    if facts is None:
        raise ValueTrouble(node.at, f"{name} has no value before the first request", 'write: request("/");')
    return fact(facts, name)


def _nearest(name: str) -> str:
    import difflib

    from vernis.trial.facts import FACTS

    near = difflib.get_close_matches(name.lower(), FACTS, n=1)
    return f"do you mean {near[0]}?" if near else "docs/test.md lists the names"


def _as_number(node: nodes.Expr, facts: Facts | None) -> float:
    value = value_of(node, facts)
    if isinstance(value, bool) or not isinstance(value, float):
        raise ValueTrouble(node.at, f"{shown(value)} is no number")
    return value


def _compare(node: nodes.Compare, facts: Facts | None) -> bool:
    left = value_of(node.left, facts)
    if node.op in ("~", "!~"):
        return _matches(node, left, facts) == (node.op == "~")
    right = value_of(node.right, facts)
    if left is not None and right is not None and type(left) is not type(right):
        raise ValueTrouble(node.at, f"{shown(left)} and {shown(right)} are of different types")
    if node.op in ("==", "!="):
        return (left == right) == (node.op == "==")
    if isinstance(left, float) and isinstance(right, float):
        return _ORDER[node.op](left, right)
    if left is None or right is None:
        return False
    raise ValueTrouble(node.at, f"{node.op} compares numbers, and {shown(left)} is none")


def _matches(node: nodes.Compare, left: Value, facts: Facts | None) -> bool:
    pattern = value_of(node.right, facts)
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


def failure(node: nodes.Expr, facts: Facts | None, source: Callable[[nodes.At], str]) -> Miss | None:
    """Why an expectation does not hold; None if it does. ``source`` gives the text of a place."""
    if isinstance(node, nodes.Paren):
        return failure(node.inner, facts, source)
    if isinstance(node, nodes.And):
        return next(filter(None, (failure(part, facts, source) for part in node.operands)), None)
    if truth(value_of(node, facts)):
        return None
    return Miss(node.at, _why(node, facts, source))


def _why(node: nodes.Expr, facts: Facts | None, source: Callable[[nodes.At], str]) -> str:
    if isinstance(node, nodes.Paren):
        return _why(node.inner, facts, source)
    if isinstance(node, nodes.And):
        failed = (part for part in node.operands if not truth(value_of(part, facts)))
        return _why(next(failed), facts, source)
    if isinstance(node, nodes.Compare):
        return f"{_plain(source(node.left.at))} is {shown(value_of(node.left, facts))}"
    if facts is not None and isinstance(node, nodes.NameExpr) and _is_step(node.name.text):
        return f"the request was {facts.decision()}"
    if isinstance(node, nodes.NameExpr):
        return f"{node.name.text} is {shown(value_of(node, facts))}"
    if isinstance(node, nodes.Or):
        return "; ".join(_why(part, facts, source) for part in node.operands)
    if facts is not None and isinstance(node, nodes.Not):
        return f"{_plain(source(node.operand.at))} is {shown(value_of(node.operand, facts))}"
    return "this is false"


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _is_step(name: str) -> bool:
    return name.lower() in ("hit", "miss", "pass", "pipe", "synth", "purge")
