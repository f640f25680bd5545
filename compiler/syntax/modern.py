"""Statements of older VCL versions, and of those who extended them, as they are written now: what to show, and the edits that make it so.

Each row says how the rest of the statement is kept: `synthetic {"..."};` keeps its text, `error 404 "reason";` its numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vernis.record import record
from vernis.syntax.diagnostics import Edit, Span
from vernis.syntax.generated.token_types import T

if TYPE_CHECKING:
    from vernis.syntax.stumble import Around

# The word alone is another one; the word has no arguments; its arguments stand in parentheses.
RENAMED = dict.fromkeys(("remove", "delete", "del"), "unset")
WHOLE = {"esi": "set beresp.do_esi = true", "restart": "return (restart)"}
WRAPPED = {"synthetic": "synthetic", "hash_data": "hash_data", "ban": "ban", "log": "std.log", "print": "std.log", "echo": "std.log"}
_SHOWN_MAX = 80


@record
class Rewrite:
    """``text`` is the statement as it would be, empty where that is too long to show."""

    text: str
    edits: tuple[Edit, ...]


def rewritten(explainer: Around, first: int) -> Rewrite | None:
    """The statement that begins with visible token ``first``, or None where nobody knows what was meant."""
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
        return _made(explainer, first, last, (Edit(head, WRAPPED[word] + "("), Edit(explainer.behind(last), ")")))
    return None


def _error(explainer: Around, first: int, last: int) -> Rewrite | None:
    """``error 404 "reason";``: fetches end with an error, requests with a synthetic response."""
    if explainer.type(first + 1) != T.NUMBER:
        return None
    action = "error" if explainer.hook(first).startswith(("vcl_backend_", "vcl_fetch")) else "synth"
    edits = [Edit(_between(explainer, first, first + 1), f"return ({action}(")]
    if last > first + 1:
        gap = _gap(explainer, first + 1)
        edits.append(Edit(gap, ", "))
    return _made(explainer, first, last, (*edits, Edit(explainer.behind(last), "))")))


def _between(explainer: Around, first: int, end: int) -> Span:
    """From the beginning of one token to that of another."""
    here = explainer.span(first, first)
    return Span(here.file, here.start, explainer.span(end, end).start)


def _gap(explainer: Around, i: int) -> Span:
    """What stands between a token and the next."""
    here = explainer.span(i, i)
    return Span(here.file, here.end, explainer.span(i + 1, i + 1).start)


def _replaced(explainer: Around, first: int, text: str) -> Rewrite:
    return Rewrite(text + ";", (Edit(explainer.span(first, first), text),))


def _made(explainer: Around, first: int, last: int, edits: tuple[Edit, ...]) -> Rewrite | None:
    """The statement after its edits. One that goes over several files has none."""
    whole = Span(edits[0].span.file, explainer.span(first, first).start, explainer.behind(last).end)
    if any(edit.span.file != whole.file for edit in edits) or whole.end < whole.start:
        return None
    data = explainer.table.sources.files[whole.file].data
    parts = []
    at = whole.start
    for edit in edits:
        parts += [data[at:edit.span.start], edit.text.encode()]
        at = edit.span.end
    text = b"".join([*parts, data[at:whole.end]]).decode("utf-8", "replace") + ";"
    return Rewrite(text if len(text) <= _SHOWN_MAX and "\n" not in text else "", edits)
