"""Checks the version line: it comes first, its version is known, and no included file has a higher
version."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vernis.syntax import nodes as n
from vernis.syntax.diagnostics import Diagnostics, Edit, Label, Span
from vernis.syntax.stock import phrase
from vernis.syntax.tokens import TokenTable

VERSIONS = {"4.0": (4, 0), "4.1": (4, 1), "5.0": (5, 0)}
DEFAULT = (4, 1)  # of a text without a version line, and after an unknown one

_FIVE_RE = re.compile(rb"vcl\s+5\.")  # begins with a text, which the search can skip to


def may_be_five(text: bytes) -> bool:
    """Whether a text may be of version 5.0, before it is read."""
    return _FIVE_RE.search(text) is not None


_OLD = ("versions before 4.0 are not supported", "write: vcl 4.1; the compiler then reports each old word")
UNKNOWN = {"2.0": _OLD, "3.0": _OLD}


def meant_version(written: str) -> str:
    """Returns the version that something else in its place means. Empty: 4.1 or 5.0, which cache in different
    ways."""
    number = written.strip('"').lower().lstrip("v0")
    if number in VERSIONS:
        return number
    if number == "5":
        return "5.0"
    return "" if number.startswith("5") else ".".join(map(str, DEFAULT))


def version_help(meant: str) -> str:
    return f"write: vcl {meant};" if meant else "write: vcl 4.1; or: vcl 5.0;"


def check_versions(
    declarations: Sequence[n.Decl], table: TokenTable, diags: Diagnostics, required: bool
) -> tuple[int, int]:
    """Returns the version of the program; 4.1 if it has no version line."""
    first = declarations[0] if declarations else None
    if isinstance(first, n.Version):
        program = _known(first, table, diags)
    else:
        program = DEFAULT
        if required and not isinstance(first, n.Broken):
            _report_none(declarations, table, diags)
    for declaration in declarations[1:]:
        if isinstance(declaration, n.Version):
            _check_included(declaration, first, program, table, diags)
    return program


def _report_none(declarations: Sequence[n.Decl], table: TokenTable, diags: Diagnostics) -> None:
    first = declarations[0] if declarations else None
    place = table.span((first.at[0], first.at[0])) if first is not None else Span(0, 0, 0)
    late = next(
        (
            d
            for d in declarations
            if isinstance(d, n.Version) and d.number in VERSIONS and table.span(d.at).file == 0
        ),
        None,
    )
    number = late.number if late is not None else ".".join(map(str, DEFAULT))
    labels = (Label(table.span(late.at), "the version line is here, too late"),) if late is not None else ()
    edits = (Edit(Span(0, place.start, place.start), f"vcl {number};\n"),) if place.file == 0 else ()
    diags.error(
        "V210", place, "the policy has no version line", f"begin it with: vcl {number};", labels, edits
    )


def check_least(
    declarations: Sequence[n.Decl],
    program: tuple[int, int],
    least: tuple[int, int],
    table: TokenTable,
    diags: Diagnostics,
) -> None:
    """Reports a version that is too old for a daemon that listens on a Unix socket. Only newer versions can
    tell clients of the socket from addresses."""
    first = declarations[0] if declarations else None
    if program < least and isinstance(first, n.Version):
        diags.error(
            "V211",
            table.span(first.at),
            f"this daemon needs a policy of version {least[0]}.{least[1]} or later",
            f"write: vcl {least[0]}.{least[1]}; "
            "it listens on a Unix socket, which older versions do not support",
            stock=phrase("version too low", version=first.number),
        )


def _known(version: n.Version, table: TokenTable, diags: Diagnostics) -> tuple[int, int]:
    found = VERSIONS.get(version.number)
    if found is None:
        meant = meant_version(version.number)
        message, help_ = UNKNOWN.get(
            version.number, (f"version {version.number} is not known", version_help(meant))
        )
        span = table.span(version.at)
        end = ";" if table.sources.text(span).endswith(";") else ""
        edits = (Edit(span, f"vcl {meant}{end}"),) if meant else ()
        diags.error("V211", span, message, help_, edits=edits, stock=_stock(version.number))
        return DEFAULT
    return found


def _stock(number: str) -> str:
    """Returns the phrase of Varnish, which jokes about versions other than two digits with a point between
    them."""
    if re.fullmatch(r"[1-9]\.[0-9]", number):
        return phrase("version", version=number)
    return phrase("version form")


def _check_included(
    version: n.Version, first: object, program: tuple[int, int], table: TokenTable, diags: Diagnostics
) -> None:
    if _known(version, table, diags) > program and version.number in VERSIONS:
        labels = (
            (Label(table.span(first.at), "the program's version"),) if isinstance(first, n.Version) else ()
        )
        diags.error(
            "V212",
            table.span(version.at),
            f"version {version.number} is higher than the program's",
            "raise the version in the main file",
            labels,
        )
