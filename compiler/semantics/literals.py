"""Constants of VCL: numbers with their units, addresses, blobs, patterns.

The legal units of a number depend on the expected type: ``5m`` is five megabytes where a size is expected and
five minutes elsewhere. In 5.0, ``5MB`` is a size also where no type is expected.
"""

from __future__ import annotations

import re

from vernis.semantics.context import Context
from vernis.semantics.report import did_you_mean, nearest
from vernis.semantics.typed import Bad, Expr, Literal
from vernis.semantics.types import BYTES_UNITS, DURATION_UNITS, FRACTION_DIGITS, INT_DIGITS, REAL_DIGITS, Type
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Span
from vernis.syntax.stock import phrase

BYTES_MAX = (1 << 63) - 1
PORT_DEFAULT, PORT_MAX = 80, 65535
IPV4 = re.compile(r"(?:{0}\.){{3}}{0}".format("(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"))
BRACKETED = re.compile(r"\[([0-9A-Fa-f:.]+)\](?:[: ](\d{1,5}))?")
WITH_PORT = re.compile(r"([^:\s]+)[: ](\d{1,5})")


def number(cx: Context, node: nodes.NumberLit, want: Type) -> Expr:
    """Reads a number as the expected type if that is a numeric type. The parser has reported a number with
    too many digits. With ``want`` ERROR no unit is wrong, because the surrounding expression was reported."""
    whole, point, fraction = node.digits.partition(".")
    too_long = len(whole) > (REAL_DIGITS if point else INT_DIGITS) or len(fraction) > FRACTION_DIGITS
    if too_long or want is Type.ERROR:
        return Bad()
    if want is Type.BYTES:
        return _size(cx, node)
    if node.unit is not None:
        is_size = cx.five and want is Type.STRING and _is_size_alone(node.unit)
        return _size(cx, node) if is_size else _duration(cx, node, want)
    if point or want is Type.REAL:
        return Literal(Type.REAL, float(node.digits))
    return Literal(Type.INT, int(whole))


def _is_size_alone(unit: str) -> bool:
    """Whether a unit of size has its ``B``, so that it needs no expected type in 5.0."""
    return unit.lower() in BYTES_UNITS and unit.lower().endswith("b")


def _size(cx: Context, node: nodes.NumberLit) -> Expr:
    if node.unit is None:
        cx.report.error(
            "V306",
            node.at,
            f"the size {node.digits} has no unit",
            "write B, KB, MB, GB, TB or PB after it",
            stock=phrase("bytes unit wanted", got=cx.report.token(node.at[1] + 1)),
        )
        return Bad()
    factor = BYTES_UNITS.get(node.unit.lower())
    if factor is None:
        cx.report.error(
            "V306",
            node.at,
            f"{node.unit} is not a unit of size",
            "the units are B, KB, MB, GB, TB and PB",
            stock=phrase("bytes unit", unit=node.unit),
        )
        return Bad()
    if factor == 1 and not float(node.digits).is_integer():
        cx.report.error(
            "V306",
            node.at,
            f"{node.digits}{node.unit} is not a whole number of bytes",
            "write a whole number",
            stock=phrase("fraction of a byte"),
        )
        return Bad()
    size = int(float(node.digits) * factor)
    if size > BYTES_MAX:
        cx.report.error(
            "V305", node.at, f"{node.digits}{node.unit} is larger than any size", "write a smaller size"
        )
        return Bad()
    return Literal(Type.BYTES, size)


def _duration(cx: Context, node: nodes.NumberLit, want: Type) -> Expr:
    unit = node.unit or ""
    factor = DURATION_UNITS.get(unit)
    if factor is None:
        replace = None
        first, minus, behind = unit.partition("-")
        if minus and behind and first in DURATION_UNITS:
            replace = f"{node.digits}{first} - {behind}"
            help_ = f"put spaces around the minus: {replace}"
        elif meant := _duration_meant(node, unit):
            replace = meant
            help_ = f"write {meant}"
        elif unit.lower() in BYTES_UNITS:
            wanted = "" if want in (Type.STRING, Type.BOOL) else f", but this place needs {want.value}"
            help_ = f"{unit} is a unit of size{wanted}"
        else:
            help_ = did_you_mean(nearest(unit, DURATION_UNITS), "the units are ms, s, m, h, d, w and y")
        cx.report.error(
            "V306",
            node.at,
            f"{unit} is not a unit of duration",
            help_,
            replace=replace,
            stock=phrase("duration unit", unit=unit),
        )
        return Bad()
    return Literal(Type.DURATION, float(node.digits) * factor)


def _duration_meant(node: nodes.NumberLit, unit: str) -> str:
    """Returns the likely duration when the unit is a whole word, is in upper case, or has several parts."""
    from vernis.semantics.elsewhere import UNITS, joined_units

    if unit.lower() in UNITS:
        return node.digits + UNITS[unit.lower()]
    if unit.lower() in DURATION_UNITS and unit.lower() not in BYTES_UNITS:
        return node.digits + unit.lower()
    return joined_units(node.digits + unit)


def blob(node: nodes.BlobLit) -> Expr:
    """Returns the bytes of a blob. The parser has reported invalid base64."""
    import base64

    try:
        return Literal(Type.BLOB, base64.b64decode(node.text, validate=True))
    except ValueError:
        return Bad()


def ip_bytes(address: bytes, port: int = PORT_DEFAULT) -> bytes:
    """Returns the constant form of an address: the family, 16 address bytes padded with zeros, and two bytes
    of the port."""
    return bytes([4 if len(address) == 4 else 6]) + address.ljust(16, b"\0") + port.to_bytes(2, "big")


def split_port(text: str) -> tuple[str, int]:
    """Splits ``192.0.2.1:80``, ``192.0.2.1 80``, ``[2001:db8::1]:80``, or a host without a port, into host
    and port."""
    match = BRACKETED.fullmatch(text) or WITH_PORT.fullmatch(text)
    if match is None:
        return text, PORT_DEFAULT
    port = int(match[2] or PORT_DEFAULT)
    return (match[1], port) if port <= PORT_MAX else (text, PORT_DEFAULT)


def parse_ip(text: str) -> bytes | None:
    """Returns the 4 or 16 bytes of a numeric address, or None."""
    if IPV4.fullmatch(text):
        return bytes(map(int, text.split(".")))
    if ":" not in text:
        return None
    import socket  # imported here because few policies have IPv6 addresses

    try:
        return socket.inet_pton(socket.AF_INET6, text)
    except (OSError, ValueError):
        return None


def ip(cx: Context, node: nodes.StringLit) -> Expr:
    """Reads a text where an address is expected: a numeric address, or a name that resolves now."""
    host, port = split_port(node.value)
    address = parse_ip(host)
    if address is None:
        cx.looked_up = True
        found = cx.options.resolver(host)
        address = found[0] if found else None
    if address is None:
        cx.report.error(
            "V317",
            node.at,
            f'"{node.value}" is not an address and does not resolve to one',
            "write an address, or a name that resolves on this machine",
            stock=phrase(
                "not an address" if node.value.startswith("/") else "not resolved", text=f'"{node.value}"'
            ),
        )
        return Bad()
    return Literal(Type.IP, ip_bytes(address, port))


def constant_text(node: nodes.Expr) -> str | None:
    """Returns a constant text: one literal, or literals joined by ``+``, also in parentheses. Returns None
    for any other expression."""
    match node:
        case nodes.StringLit():
            return node.value
        case nodes.Paren():
            return constant_text(node.inner)
        case nodes.Sum():
            parts = [operand.value for operand in node.operands if isinstance(operand, nodes.StringLit)]
            if all(op == "+" for op in node.ops) and len(parts) == len(node.operands):
                return "".join(parts)
    return None


def _stock_of_pattern(cx: Context, node: nodes.Expr) -> str:
    """Returns the phrase of Varnish, which fails at the first operand of ``+`` that is not a literal text."""
    if not isinstance(node, nodes.Sum) or not isinstance(node.operands[0], nodes.StringLit):
        return phrase("type", have="STRING", want="REGEX")
    for op, operand in zip(node.ops, node.operands[1:]):
        if op != "+":
            return phrase("expected", want="')'", got=f"'{op}'")
        if not isinstance(operand, nodes.StringLit):
            return phrase("expected", want="CSTR", got=f"'{cx.report.token(operand.at[0])}'")
    return ""


def matches_empty(pattern: bytes) -> bool:
    """Whether a valid pattern matches an empty text, as far as PCRE2 can tell."""
    from vernis import pcre

    try:
        return pcre.matches_empty(pattern)
    except pcre.MissingPcreError:
        return True


def _place_of(cx: Context, node: nodes.Expr, problem: str) -> Span | None:
    """Returns the place of the byte that ``at offset N`` of a PCRE2 message means, or None if it is unknown.
    An error at the end of the pattern is at the closing quote."""
    _, _, number = problem.rpartition(" at offset ")
    if not number.isdigit():
        return None
    offset = int(number)
    while isinstance(node, nodes.Paren):
        node = node.inner
    pieces = node.operands if isinstance(node, nodes.Sum) else [node]
    for piece in pieces:
        if not isinstance(piece, nodes.StringLit):
            return None
        if offset < len(piece.value) or piece is pieces[-1]:
            whole = cx.report.span(piece.at)
            quotes = (whole.end - whole.start - len(piece.value)) // 2
            at = whole.start + quotes + min(offset, len(piece.value))
            return Span(whole.file, at, at + 1)
        offset -= len(piece.value)
    return None


def pattern(cx: Context, node: nodes.Expr, argument: str = "") -> int | None:
    """Returns the index of a pattern. Reports a pattern that is not constant or not valid. ``argument`` is
    the parameter that takes the pattern."""
    wanted = "\n" + phrase("argument", type="REGEX", name=argument) if argument else ""
    text = constant_text(node)
    if text is None:
        if not isinstance(node, nodes.Broken):
            cx.report.error(
                "V308",
                node.at,
                "a pattern must be a constant text in quotes",
                "write the pattern itself; a pattern cannot come from a request",
                stock=_stock_of_pattern(cx, node) + wanted,
            )
        return None
    raw = text.encode("latin-1")
    if raw not in cx.regexes:
        problem = cx.options.regex_check(raw)
        if problem is not None:
            cx.report.error(
                "V307",
                node.at,
                f"this pattern is not valid: {problem}",
                "patterns have the syntax of PCRE2",
                stock=phrase("regexp") + wanted,
                place=_place_of(cx, node, problem),
            )
            return None
    return cx.pattern(raw)
