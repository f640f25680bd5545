"""Ranges of whole numbers, to tell the results that may not fit in 64 bits. 4.x lets those wrap around, and
5.0 fails the transaction."""

from __future__ import annotations

from vernis.semantics.typed import Chain, Expr, Invoke, Literal, Variable
from vernis.semantics.types import Type

Range = tuple[int, int]

WHOLE = frozenset((Type.INT, Type.BYTES))
WORD = (-(1 << 63), (1 << 63) - 1)
#: Variables are counts, statuses, and sizes of storages.
VARIABLE = (0, 1 << 48)
#: What std makes of a text, a number or a time has 15 digits at most, or is the fallback.
DIGITS = (-(10**15), 10**15)
OF_DIGITS = frozenset(("std_integer", "std_real2integer", "std_time2integer", "std_port"))


def may_wrap(expr: Expr) -> bool:
    """Whether arithmetic on whole numbers may have a result, also in between, that does not fit."""
    return isinstance(expr, Chain) and _of_chain(expr) is None


def _of(expr: Expr) -> Range | None:
    """The range of a value. None: a result in it may not fit."""
    match expr:
        case Literal(value=int(value)):
            return value, value
        case Variable():
            return VARIABLE
        case Invoke() if expr.function.symbol in OF_DIGITS:
            return _of_conversion(expr)
        case Chain():
            return _of_chain(expr)
    return WORD


def _of_conversion(expr: Invoke) -> Range:
    given = [arg for arg in expr.args if arg is not None and arg.type in WHOLE]
    if any(arg.type is Type.BYTES for arg in given):
        return WORD
    ranges = [DIGITS, *(_of(arg) or WORD for arg in given)]
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def _of_chain(chain: Chain) -> Range | None:
    range = _of(chain.first)
    for step in chain.steps:
        by = _of(step.operand)
        if range is None or by is None:
            return None
        if step.type not in WHOLE:
            return WORD
        range = _after(step.op, range, by)
        if range[0] < WORD[0] or range[1] > WORD[1]:
            return None
    return range


def _after(op: str, range: Range, by: Range) -> Range:
    match op:
        case "+":
            return range[0] + by[0], range[1] + by[1]
        case "-":
            return range[0] - by[1], range[1] - by[0]
        case "*":
            corners = [a * b for a in range for b in by]
            return min(corners), max(corners)
    most = max(abs(range[0]), abs(range[1]))  # of a quotient or a remainder, which may have the other sign
    return -most, most
