"""Values of table files, as ``runtime/policy/lib_parse.c`` reads them. None: the text is no such value."""

from __future__ import annotations

import math
import re
import socket

from vernis.ir.values import INT_MAX, REAL_MAX
from vernis.semantics.types import BYTES_UNITS, DURATION_UNITS, REAL_DIGITS

Text = bytes | None

_NUMBER = re.compile(rb"(-?)([0-9]{1,%d})(?:\.([0-9]+))?" % REAL_DIGITS)
_DIGITS_MAX = 18
_EXACT_UNITS = {"": 1} | {unit: factor for unit, factor in BYTES_UNITS.items() if unit.endswith("b")}


def parse_int(text: Text) -> int | None:
    found = re.fullmatch(rb"-?[0-9]{1,%d}" % len(str(INT_MAX)), text or b"")
    return int(found[0]) if found else None


def parse_real(text: Text) -> float | None:
    number, rest = _number(text)
    return number if number is not None and rest == b"" and abs(number) <= REAL_MAX else None


def parse_duration(text: Text) -> float | None:
    number, unit = _number(text)
    factor = DURATION_UNITS.get(unit.decode("latin-1"))
    return number * factor if number is not None and factor is not None else None


def parse_bytes(text: Text) -> int | None:
    number, unit = _number(text)
    factor = _EXACT_UNITS.get(unit.lower().decode("latin-1"))
    if number is None or factor is None or math.copysign(1, number) < 0:
        return None
    size = math.trunc(number * factor)
    return None if size >= 1 << 63 or factor == 1 and size != number else size


def _number(text: Text) -> tuple[float | None, bytes]:
    """The number at the start and the rest. Digits beyond the limit are ignored."""
    found = _NUMBER.match(text or b"")
    if found is None or found.end() < len(text or b"") and (text or b"")[found.end()] in b"0123456789":
        return None, b""
    sign, whole, fraction = found[1], found[2], (found[3] or b"")[: _DIGITS_MAX - len(found[2])]
    number = int(whole + fraction) / float(10 ** len(fraction))
    return (-number if sign else number), (text or b"")[found.end() :]


def parse_address(text: Text) -> bytes | None:
    """4 or 16 bytes."""
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            return socket.inet_pton(family, (text or b"").decode("ascii"))
        except (OSError, ValueError):
            continue
    return None
