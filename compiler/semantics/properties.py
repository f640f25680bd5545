"""Reads the properties of backends and probes: constants of a type, and limits.

A row of a table names the reader of each property. A property without a row is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from vernis.semantics import constants, literals
from vernis.semantics.context import Context
from vernis.semantics.report import certain, did_you_mean, nearest
from vernis.semantics.typed import Literal
from vernis.semantics.types import Type
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit
from vernis.syntax.stock import phrase

PORT_MAX = 65535
PORT = re.compile(r"\s*\+?[0-9]+")  # as C reads a number

DURATION_TEXT = re.compile(r"\d+(\.\d+)?(ms|[smhdwy])")

Reader: TypeAlias = Callable[[Context, nodes.Property], Any]

SERVICES = {"http": "80", "https": "443"}  # these work without the services table of the system
UNREAD = ""

# Help for properties of other servers that read VCL.
FOREIGN_PROPERTIES = {
    "last_byte_timeout": "only other servers have it; .between_bytes_timeout limits each pause",
    **dict.fromkeys(
        ("ssl", "tls"), "backends use plain HTTP: run a local TLS proxy, and name it by .host or .path"
    ),
}


def report_wrong_kind(cx: Context, prop: nodes.Property, expected: str) -> None:
    """Reports a value of the wrong kind, unless the parser has reported it."""
    if not isinstance(prop.value, nodes.Broken):
        instead = _constant(cx, prop, expected)
        help_ = f"write: .{prop.name} = {instead};" if instead else "write a constant"
        if isinstance(prop.value, nodes.NumberLit) and expected.startswith("a duration"):
            help_ = f"a duration has a unit: {prop.value.digits}s or {prop.value.digits}ms"
        cx.report.error(
            "V505",
            prop.at,
            f".{prop.name} is {expected}",
            help_,
            edits=_value_edit(cx, prop, instead),
            stock=_stock_of_value(cx, prop, expected),
        )


def _constant(cx: Context, prop: nodes.Property, expected: str) -> str:
    """Returns the likely constant when the value has the form of another type, or an empty text."""
    match prop.value:
        case nodes.NumberLit(unit=None) as number if expected.startswith("text"):
            return f'"{number.digits}"'
        case nodes.NameExpr(name=name) if expected.startswith("text"):
            return f'"{name.text}"'
        case nodes.StringLit(value=text) if expected.startswith("a duration") and DURATION_TEXT.fullmatch(
            text
        ):
            return text
        case nodes.StringLit(value=text) if expected.startswith("a whole") and text.isdecimal():
            return text
    return ""


def _value_edit(cx: Context, prop: nodes.Property, instead: str) -> tuple[Edit, ...]:
    at = getattr(prop.value, "at", None)
    return (Edit(cx.report.span(at), instead),) if instead and at is not None else ()


def _stock_of_value(cx: Context, prop: nodes.Property, expected: str) -> str:
    at = getattr(prop.value, "at", None)
    got = cx.report.token(at[0]) if at is not None else ""
    if prop.name == "probe":
        return phrase("probe value", got=f"'{got}'")
    return phrase("expected", want="CSTR" if expected.startswith("text") else "CNUM", got=f"'{got}'")


PORT_HELP = f'write a number up to {PORT_MAX}, or the name of a service: "http"'


def read_text(cx: Context, prop: nodes.Property) -> str | None:
    if isinstance(prop.value, nodes.StringLit):
        return prop.value.value
    report_wrong_kind(cx, prop, 'text: "..."')
    return None


def read_port(cx: Context, prop: nodes.Property) -> str | None:
    """A port by number or by the name of its service."""
    text = read_text(cx, prop)
    if text is None:
        return None
    number = port_number(cx, text)
    if number is None:
        cx.report.error("V507", prop.at, f'"{text}" is not a port', PORT_HELP)
    return number


def port_number(cx: Context, text: str) -> str | None:
    """The number of a port or of a service, or None."""
    if PORT.fullmatch(text) and int(text) <= PORT_MAX:
        return str(int(text))
    port = SERVICES.get(text) or cx.options.service(text)
    return None if port is None else str(port)


def read_duration(cx: Context, prop: nodes.Property) -> float | None:
    if not isinstance(prop.value, nodes.NumberLit) or prop.value.unit is None:
        report_wrong_kind(cx, prop, "a duration: 5s")
        return None
    literal = literals.number(cx, prop.value, Type.DURATION)
    return literal.value if isinstance(literal, Literal) and isinstance(literal.value, float) else None


def _integer(cx: Context, prop: nodes.Property) -> int | None:
    if not isinstance(prop.value, nodes.NumberLit) or prop.value.unit is not None or "." in prop.value.digits:
        report_wrong_kind(cx, prop, "a whole number")
        return None
    literal = literals.number(cx, prop.value, Type.INT)
    return literal.value if isinstance(literal, Literal) and isinstance(literal.value, int) else None


def integer_within(low: int, high: int, stock: str = "") -> Reader:
    def read(cx: Context, prop: nodes.Property) -> int | None:
        number = _integer(cx, prop)
        if number is None or low <= number <= high:
            return number
        cx.report.error(
            "V507",
            prop.at,
            f".{prop.name} is {number}, outside {low} to {high}",
            f"write at most {high}" if number > high else f"write at least {low}",
            stock=phrase(stock) if stock else "",
        )
        return None

    return read


def read_blob(cx: Context, prop: nodes.Property) -> bytes | None:
    if not isinstance(prop.value, nodes.BlobLit):
        report_wrong_kind(cx, prop, "a blob: :base64:")
        return None
    literal = literals.blob(prop.value)
    return literal.value if isinstance(literal, Literal) and isinstance(literal.value, bytes) else None


def read_lines(cx: Context, prop: nodes.Property) -> bytes | None:
    """Returns the lines of a request head, each with its line end, and the empty line after them."""
    if isinstance(prop.value, tuple):
        lines = [line.value for line in prop.value]
    else:
        text = read_text(cx, prop)
        if text is None:
            return None
        lines = [text]
    return b"".join(line.encode("latin-1") + b"\r\n" for line in [*lines, ""])


def read_properties(
    cx: Context, what: str, table: dict[str, Reader], given: tuple[nodes.Property, ...]
) -> dict[str, Any]:
    """Returns the values of the readable properties. Reports unknown properties and those set twice. The key
    UNREAD means that a property was unknown, so a missing property may be a misspelt one."""
    values: dict[str, Any] = {}
    seen: dict[str, nodes.At] = {}
    for prop in constants.with_constants(cx, given):
        reader = table.get(prop.name)
        if reader is None:
            near = nearest(prop.name, table)
            meant = certain(prop.name, near)
            values[UNREAD] = None
            likely = [name for name in table if name.endswith("_" + prop.name)] or near[
                :1
            ]  # .timeout: any property with this ending
            otherwise = did_you_mean(
                ["." + name for name in likely], f"it has {', '.join('.' + name for name in table)}"
            )
            cx.report.error(
                "V503",
                prop.at,
                f"a {what} has no property .{prop.name}",
                FOREIGN_PROPERTIES.get(prop.name, otherwise),
                stock=phrase("field"),
                edits=cx.report.respelled(prop.at[0] + 1, prop.name, meant),
            )
        elif prop.name in seen:
            cx.report.error(
                "V504",
                prop.at,
                f".{prop.name} is given twice",
                "remove one of the two",
                labels=[(seen[prop.name], "given here first")],
                stock=phrase("field twice", name=prop.name),
            )
        else:
            seen[prop.name] = prop.at
            values[prop.name] = reader(cx, prop)
    return values
