"""Explains a quote that is escaped with a backslash, as in other languages. In VCL the string ends there, and
the rest of its line makes no sense: one message instead of those about the rest."""

from __future__ import annotations

import re

from vernis.syntax.diagnostics import Diagnostics, Edit, Span
from vernis.syntax.generated.token_types import T
from vernis.syntax.source import shown
from vernis.syntax.stock import phrase
from vernis.syntax.tokens import TokenTable, VisibleTokens

_SHOWN_MAX = 60  # characters of a corrected string in a help line
_ESCAPED_RE = re.compile(rb'"((?:[^"\\\r\n]|\\[^\r\n])*)"')
_QUOTING = 'VCL strings have no escapes; write text that has quotes as {"..."} or """..."""'


def report_escaped_quote(
    table: TokenTable, visible: VisibleTokens, i: int, diags: Diagnostics, known: set[int]
) -> bool:
    """Reports V111 if a string on the line of visible token ``i`` ends at an escaped quote before it, and
    makes the rest of the line known. Returns whether it did."""
    token = visible.table_index[i]
    place = (table.files[token], table.lines[token])
    on_line = []
    while i >= 0 and (table.files[visible.table_index[i]], table.lines[visible.table_index[i]]) == place:
        on_line.append(i)
        i -= 1
    ended = [
        i for i in reversed(on_line) if visible.types[i] == T.STRING and _ends_escaped(table, visible, i)
    ]
    if not ended or diags.full:
        return False
    string = visible.table_index[ended[0]]
    _report(table, string, diags)
    for i in range(ended[0], len(visible.types)):
        token = visible.table_index[i]
        if (table.files[token], table.lines[token]) != place:
            break
        known.add(token)
        if visible.types[i] == T.UNCLOSED_STRING:
            visible.types[i] = T.STRING
    return True


def _ends_escaped(table: TokenTable, visible: VisibleTokens, i: int) -> bool:
    return table.text(visible.table_index[i]).endswith('\\"')


def _report(table: TokenTable, string: int, diags: Diagnostics) -> None:
    span = table.span((string, string))
    data = table.sources.files[span.file].data
    meant = _ESCAPED_RE.match(data, span.start)
    help_, edits = _QUOTING, tuple[Edit, ...]()
    if meant is not None:
        written = _long_string(meant[1].replace(b'\\"', b'"'))
        if written is not None:
            if len(written) <= _SHOWN_MAX:
                help_ = f"VCL strings have no escapes; write: {shown(written)}"
            edits = (
                Edit(Span(span.file, meant.start(), meant.end()), written.decode("utf-8", "surrogateescape")),
            )
    diags.error(
        "V111",
        Span(span.file, span.end - 2, span.end),
        "the string ends at this quote: a backslash does not escape it",
        help_,
        edits=edits,
        stock=phrase("syntax"),
    )


def _long_string(text: bytes) -> bytes | None:
    """The text as a string that may contain quotes."""
    if b'"}' not in text and not text.endswith(b'"'):
        return b'{"' + text + b'"}'
    if b'"""' not in text and not text.startswith(b'"') and not text.endswith(b'"'):
        return b'"""' + text + b'"""'
    return None if b'"}' in text else b'{"' + text + b'"}'
