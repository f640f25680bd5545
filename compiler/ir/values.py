"""The meaning of operations on values. Constant folding and the reference interpreter of the tests call these
functions, so that they cannot disagree. Texts are bytes or None (unset), truth values are bool, whole numbers
are 64 bits and wrap."""

from __future__ import annotations

import math
from email.utils import formatdate

from vernis.ir.ir import Type

Plain = bytes | int | float | bool | None  # a value without references into the runtime

_WHOLE = (Type.INT, Type.BYTES)
_TIME_MIN, _TIME_MAX = -30610224000.0, 253402300800.0  # a date with a four-digit year

#: The largest numbers with a text form: 15 digits, of which a real has 3 behind its point (RFC 8941, 3.3.1
#: and 3.3.2).
INT_MAX, REAL_MAX = 999_999_999_999_999, 999_999_999_999.999


class Failed(Exception):
    """The transaction fails here: the hook returns FAIL."""


def wrapped(value: int) -> int:
    """Two's complement, 64 bits."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def arith(type: Type, op: str, a: int | float, b: int | float, checked: bool = False) -> int | float:
    if type in _WHOLE:
        assert isinstance(a, int) and isinstance(b, int)
        whole = _whole(op, a, b)
        if checked and whole != wrapped(whole):
            raise Failed("a whole number out of range")
        return wrapped(whole)
    try:
        match op:
            case "+":
                result = float(a) + float(b)
            case "-":
                result = float(a) - float(b)
            case "*":
                result = float(a) * float(b)
            case _:
                result = float(a) / float(b)
    except ZeroDivisionError:
        raise Failed("division by zero") from None
    if not math.isfinite(result):
        raise Failed("a result that is not finite")
    return result


def _whole(op: str, a: int, b: int) -> int:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
    if b == 0:
        raise Failed("division by zero")
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)  # towards zero
    return quotient if op == "/" else a - b * quotient


def compare_texts(op: str, a: bytes | None, b: bytes | None) -> bool:
    """Compares byte by byte. If a side is unset, the left counts as greater."""
    order = 1 if a is None or b is None else (a > b) - (a < b)
    return ordered(op, order, 0)


def ordered(op: str, a: int | float, b: int | float) -> bool:
    match op:
        case "==":
            return a == b
        case "!=":
            return a != b
        case "<":
            return a < b
        case "<=":
            return a <= b
        case ">":
            return a > b
        case ">=":
            return a >= b
    raise AssertionError(op)


def join(parts: list[bytes | None]) -> bytes:
    return b"".join(part for part in parts if part is not None)


def http_date(seconds: float) -> bytes:
    """IMF-fixdate, truncated towards 1970 as in Varnish: before 1970 a fraction gives the following
    second."""
    if not _TIME_MIN <= seconds < _TIME_MAX:
        raise Failed("a time that no date can show")
    return formatdate(math.trunc(seconds), usegmt=True).encode()


def to_text(source: Type, value: Plain) -> bytes:
    """The text of a value whose type needs no help of the runtime."""
    match source:
        case Type.INT | Type.BYTES:
            assert isinstance(value, int)
            if abs(value) > INT_MAX:
                raise Failed
            return b"%d" % value
        case Type.REAL | Type.DURATION:
            assert isinstance(value, (int, float))
            if not abs(value) <= REAL_MAX:
                raise Failed
            return b"%.3f" % value  # a negative number that rounds to zero keeps its sign
        case Type.BOOL:
            return b"true" if value else b"false"
        case Type.TIME:
            assert isinstance(value, (int, float))
            return http_date(value)
    raise AssertionError(source)


PLAIN_TEXT_TYPES = frozenset((Type.INT, Type.BYTES, Type.REAL, Type.DURATION, Type.BOOL, Type.TIME))


def convert_plain(source: Type, to: Type, value: Plain) -> Plain:
    """Converts between types without references, see ``ir.Convert``."""
    match to:
        case Type.STRING:
            return to_text(source, value)
        case Type.BOOL if source is Type.STRING:
            return value is not None
        case Type.BOOL if source is Type.DURATION:
            assert isinstance(value, (int, float))
            return value > 0
        case Type.BOOL:
            return bool(value)
        case Type.REAL | Type.DURATION:
            assert isinstance(value, (int, float))
            return float(value)
        case Type.BYTES if source is Type.REAL:
            assert isinstance(value, float)
            return max(-1 << 63, min((1 << 63) - 1, math.trunc(value)))
        case Type.INT | Type.BYTES:
            return value
    raise AssertionError((source, to))


__all__ = [
    "Failed",
    "PLAIN_TEXT_TYPES",
    "Plain",
    "arith",
    "compare_texts",
    "convert_plain",
    "http_date",
    "join",
    "ordered",
    "to_text",
    "wrapped",
]
