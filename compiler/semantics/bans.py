"""Expressions of bans that can never be added, whatever their variable parts are.

The runtime splits the text of a ban at blanks (``runtime/cache/ban_draft.c``): field, operator, value, then
``&&`` and the next condition. No quotes keep a blank. This file asks whether the constant parts of a text fit
that, if each other part may be any text. A field of a message or a URL neither begins nor ends with a blank.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from vernis.semantics import constants
from vernis.semantics.context import Context
from vernis.semantics.types import DURATION_UNITS
from vernis.syntax import nodes

_CALLS = ("ban", "std_ban")  # symbols
_MESSAGES = ("req", "bereq", "beresp", "resp", "obj")
_BLANKS = " \t\n\v\f\r"
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_DURATION_TEXT = re.compile(rf"[0-9]*\.?[0-9]*({'|'.join(DURATION_UNITS)})")

# States: the kind of the next word. A row of _ROWS has a state, the words that fit, and the next state.
_FIELD, _OPERATOR, _ORDER, _VALUE, _DURATION, _AND = range(6)
_TEXTS = ("req.url", "req.http.", "obj.status", "obj.http.")
_DURATIONS = ("obj.ttl", "obj.age", "obj.grace", "obj.keep")
_ROWS: tuple[tuple[int, tuple[str, ...], int], ...] = (
    (_FIELD, _TEXTS, _OPERATOR),
    (_FIELD, _DURATIONS, _ORDER),
    (_OPERATOR, ("==", "!=", "~", "!~"), _VALUE),
    (_ORDER, ("==", "!=", ">", ">=", "<", "<="), _DURATION),
    (_AND, ("&&",), _FIELD),
)


class _Any:
    """A part that is not constant. ``trimmed``: it neither begins nor ends with a blank."""

    __slots__ = ("trimmed",)

    def __init__(self, trimmed: bool) -> None:
        self.trimmed = trimmed


_Part: TypeAlias = str | _Any
_Word: TypeAlias = list[_Part]


def check(cx: Context, call: nodes.CallExpr, symbol: str) -> None:
    """Warns of a call whose ban cannot be added."""
    if symbol not in _CALLS or len(call.args) != 1:
        return
    words = _words(_parts(cx, call.args[0].value))
    if not _fits(words):
        cx.report.warning(
            "V325",
            call.args[0].value.at,
            f"this ban can never be added: {_problem(words)}",
            "write FIELD OPERATOR VALUE, with && between conditions; no value has a blank",
        )


def _parts(cx: Context, node: nodes.Expr) -> list[_Part]:
    while isinstance(node, nodes.Paren):
        node = node.inner
    text = constants.text(cx, node)
    if text is not None:
        return [text.decode("latin-1")]
    if isinstance(node, nodes.Sum) and all(op == "+" for op in node.ops):
        return [part for operand in node.operands for part in _parts(cx, operand)]
    return [_Any(isinstance(node, nodes.NameExpr) and node.name.parts[0].lower() in _MESSAGES)]


def _words(parts: list[_Part]) -> list[_Word]:
    words: list[_Word] = [[]]
    for part in parts:
        if isinstance(part, str):
            first, *rest = "".join(" " if byte in _BLANKS else byte for byte in part).split(" ")
            if first:
                words[-1].append(first)
            words += [[word] if word else [] for word in rest]
        else:
            words[-1].append(part)
    return [word for word in words if word]


def _fits(words: list[_Word]) -> bool:
    """Whether some texts of the variable parts make a list of conditions."""
    states = {_FIELD}
    for word in words:
        states = {after for state in states for after in _after(state, word)}
    return _AND in states


def _after(state: int, word: _Word) -> set[int]:
    """The states behind a word. One with a variable part may become several words, or none."""
    begin = word[0] if isinstance(word[0], str) else ""
    end = word[-1] if isinstance(word[-1], str) else ""
    if len(word) == 1 and begin:
        return _next(state, begin, "", True)
    found = _next(state, begin, end, False)
    if not begin and not end:
        found.add(state)
    trimmed = all(part.trimmed for part in word if isinstance(part, _Any))
    if _next(state, begin, "", False, trimmed):  # then any words, and a last one
        for before_last in range(6):
            found |= _next(before_last, "", end, False, trimmed)
    return found


def _next(state: int, begin: str, end: str, whole: bool, longer: bool = False) -> set[int]:
    """The states behind a word that is ``begin``, or that begins and ends so, and is perhaps ``longer``."""
    if state == _VALUE:
        return {_AND}
    if state == _DURATION:
        return {_AND} if not whole or _DURATION_TEXT.fullmatch(begin) else set()
    return {
        after
        for before, known, after in _ROWS
        if before == state
        and any(_is_word(one, begin, end, whole) and not (longer and one == begin + end) for one in known)
    }


def _is_word(known: str, begin: str, end: str, whole: bool) -> bool:
    if not known.endswith("."):
        return begin == known if whole else known.startswith(begin) and known.endswith(end)
    if whole:
        return begin.startswith(known) and _TOKEN.fullmatch(begin[len(known) :]) is not None
    starts = known.startswith(begin) or (begin.startswith(known) and bool(_TOKEN.fullmatch(begin)))
    return starts and (not end or _TOKEN.fullmatch(end) is not None)


def _problem(words: list[_Word]) -> str:
    """The fault that the runtime reports if each variable part is one word."""
    state, shown = _FIELD, ""
    for word in words:
        shown = "".join(part if isinstance(part, str) else "..." for part in word)
        constant = len(word) == 1 and isinstance(word[0], str)
        begin = word[0] if isinstance(word[0], str) else ""
        end = word[-1] if isinstance(word[-1], str) else ""
        after = _next(state, begin, end, constant)
        if not after:
            return _EXPECTED[state] + f', not "{shown}"'
        state = min(after)
    return _EXPECTED[state] + " at the end"


_EXPECTED = {
    _FIELD: f"it needs a field ({', '.join((*_TEXTS, *_DURATIONS))})".replace("http.", "http.*"),
    _OPERATOR: "it needs ==, !=, ~ or !~",
    _ORDER: "it needs ==, !=, >, >=, < or <=",
    _VALUE: "it needs a value",
    _DURATION: "it needs a duration such as 1h",
    _AND: "it needs && between conditions",
}
