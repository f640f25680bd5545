"""Rewrites statements of older VCL versions and of other dialects into VCL 4: the text to show, and the
edits.

Each row keeps the rest of the statement: `synthetic {"..."};` keeps its text, `error 404 "reason";` its
numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vernis.record import record
from vernis.syntax.diagnostics import Edit, Span
from vernis.syntax.generated.token_types import T

if TYPE_CHECKING:
    from vernis.syntax.stumble import TokenReader

# RENAMED: the word has a new name. WHOLE: it has no arguments. WRAPPED: its arguments need parentheses.
RENAMED = dict.fromkeys(("remove", "delete", "del"), "unset")
WHOLE = {"esi": "set beresp.do_esi = true", "restart": "return (restart)"}
WRAPPED = {
    "synthetic": "synthetic",
    "hash_data": "hash_data",
    "ban": "ban",
    "log": "std.log",
    "print": "std.log",
    "echo": "std.log",
}
_SHOWN_MAX = 80


@record
class Rewrite:
    """A new form. ``text`` is the new statement, empty if it is too long to show."""

    text: str
    edits: tuple[Edit, ...]


def rewritten(explainer: TokenReader, first: int) -> Rewrite | None:
    """Returns the new form of the statement at visible token ``first``, or None if it is not clear."""
    last = explainer.last_of_statement(first)
    if last is None:
        return None
    word = explainer.text(first).lower()
    if word == "error":
        return _error(explainer, first, last)
    if word == "purge" and last == first and explainer.hook(first) == "vcl_recv":
        return _replaced(explainer, first, "return (purge)")
    if word in WHOLE and last == first:
        return _replaced(explainer, first, WHOLE[word])
    if word in RENAMED and last > first:
        return _made(explainer, first, last, (Edit(explainer.span(first, first), RENAMED[word]),))
    if word in WRAPPED and last > first:
        head = _between(explainer, first, first + 1)
        return _made(
            explainer, first, last, (Edit(head, WRAPPED[word] + "("), Edit(explainer.span_after(last), ")"))
        )
    return None


def _error(explainer: TokenReader, first: int, last: int) -> Rewrite | None:
    """Rewrites ``error 404 "reason";``: a fetch ends with an error, a request with a synthetic response."""
    if explainer.type(first + 1) != T.NUMBER:
        return None
    action = "error" if explainer.hook(first).startswith(("vcl_backend_", "vcl_fetch")) else "synth"
    edits = [Edit(_between(explainer, first, first + 1), f"return ({action}(")]
    if last > first + 1:
        gap = _gap(explainer, first + 1)
        edits.append(Edit(gap, ", "))
    return _made(explainer, first, last, (*edits, Edit(explainer.span_after(last), "))")))


def _between(explainer: TokenReader, first: int, end: int) -> Span:
    """Returns the span from the beginning of one token to the beginning of another."""
    here = explainer.span(first, first)
    return Span(here.file, here.start, explainer.span(end, end).start)


def _gap(explainer: TokenReader, i: int) -> Span:
    """Returns the span between a token and the next."""
    here = explainer.span(i, i)
    return Span(here.file, here.end, explainer.span(i + 1, i + 1).start)


def _replaced(explainer: TokenReader, first: int, text: str) -> Rewrite:
    return Rewrite(text + ";", (Edit(explainer.span(first, first), text),))


def _made(explainer: TokenReader, first: int, last: int, edits: tuple[Edit, ...]) -> Rewrite | None:
    """Returns the statement after its edits, or None if it spans several files."""
    whole = Span(edits[0].span.file, explainer.span(first, first).start, explainer.span_after(last).end)
    if any(edit.span.file != whole.file for edit in edits) or whole.end < whole.start:
        return None
    data = explainer.table.sources.files[whole.file].data
    parts = []
    at = whole.start
    for edit in edits:
        parts += [data[at : edit.span.start], edit.text.encode()]
        at = edit.span.end
    text = b"".join([*parts, data[at : whole.end]]).decode("utf-8", "replace") + ";"
    return Rewrite(text if len(text) <= _SHOWN_MAX and "\n" not in text else "", edits)
