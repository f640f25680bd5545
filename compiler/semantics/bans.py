"""Expressions of bans that can never be added, whatever their variable parts are.

The runtime splits the text of a ban at blanks (``runtime/cache/ban_draft.c``): field, operator, value, then
``&&`` and the next condition. No quotes keep a blank. This file asks whether the constant parts of a text fit
that, if each other part may be any text. A field of a message or a URL neither begins nor ends with a blank.

The runtime's own parser cannot answer that: it reads one whole text. Also, `check` has to work where the
runtime is not built (`pip install` without a compiler), and its library takes 8 ms to load.
``tests/compiler/semantics/test_semantics_bans.py`` compares both on random texts.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from vernis.record import record
from vernis.semantics import constants
from vernis.semantics.context import Context
from vernis.semantics.options import RegexCheck
from vernis.semantics.types import DURATION_UNITS
from vernis.syntax import nodes

_CALLS = ("ban", "std_ban")  # symbols
_MESSAGES = ("req", "bereq", "beresp", "resp", "obj")
_BLANKS = " \t\n\v\f\r"
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_DURATION_TEXT = re.compile(
    rf"(?![0-9.]{{32}})([0-9]+\.?[0-9]*|\.[0-9]+)({'|'.join(DURATION_UNITS)})"  # 31: duration_of()
)

# States: the kind of the next word. A row of _ROWS has a state, the words that fit, and the next state.
_FIELD, _OPERATOR, _ORDER, _VALUE, _PATTERN, _DURATION, _AND = range(7)
_VALUES = (_VALUE, _PATTERN, _DURATION)
_TEXTS = ("req.url", "req.http.", "obj.status", "obj.http.")
_DURATIONS = ("obj.ttl", "obj.age", "obj.grace", "obj.keep")
_ROWS: tuple[tuple[int, tuple[str, ...], int], ...] = (
    (_FIELD, _TEXTS, _OPERATOR),
    (_FIELD, _DURATIONS, _ORDER),
    (_OPERATOR, ("==", "!="), _VALUE),
    (_OPERATOR, ("~", "!~"), _PATTERN),
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
    conditions = _Conditions(cx.options.regex_check)
    if not conditions.fit(words):
        problem, help_ = conditions.problem(words)
        cx.report.warning("V325", call.args[0].value.at, f"this ban can never be added: {problem}", help_)


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


@record(frozen=True)
class _Conditions:
    regex_check: RegexCheck

    def fit(self, words: list[_Word]) -> bool:
        """Whether some texts of the variable parts make a list of conditions."""
        states = {_FIELD}
        for word in words:
            states = {after for state in states for after in self._after(state, word)}
        return _AND in states

    def _after(self, state: int, word: _Word) -> set[int]:
        """The states behind a word. One with a variable part may become several words, or none."""
        begin, end = _edges(word)
        if len(word) == 1 and begin:
            return self._next(state, begin, "", True)
        found = self._next(state, begin, end, False)
        if not begin and not end:
            found.add(state)
        trimmed = all(part.trimmed for part in word if isinstance(part, _Any))
        if self._next(state, begin, "", False, trimmed):  # then any words, and a last one
            for before_last in range(_AND + 1):
                found |= self._next(before_last, "", end, False, trimmed)
        return found

    def _next(self, state: int, begin: str, end: str, whole: bool, longer: bool = False) -> set[int]:
        """The states behind a word that is ``begin``, or that begins and ends so, and is perhaps
        ``longer``."""
        if state in _VALUES:
            return {_AND} if not whole or self._fits(state, begin) else set()
        return {
            after
            for before, known, after in _ROWS
            if before == state
            and any(
                _is_word(one, begin, end, whole)
                for one in known
                if not longer or _is_longer(one, begin + end)
            )
        }

    def _fits(self, state: int, value: str) -> bool:
        """Whether a constant value fits."""
        if state == _DURATION:
            return _DURATION_TEXT.fullmatch(value) is not None
        return state == _VALUE or self._pattern_fault(value) is None

    def _pattern_fault(self, pattern: str) -> str | None:
        return self.regex_check(pattern.encode("latin-1"))

    def problem(self, words: list[_Word]) -> tuple[str, str]:
        """The fault that the runtime reports if each variable part is one word, and a help."""
        state = _FIELD
        for word in words:
            begin, end = _edges(word)
            constant = len(word) == 1 and bool(begin)
            after = self._next(state, begin, end, constant)
            if not after:
                shown = "".join(part if isinstance(part, str) else "..." for part in word)
                if state == _PATTERN:
                    fault = self._pattern_fault(begin)
                    return f'the pattern "{shown}" is not valid: {fault}', "patterns have the syntax of PCRE2"
                return _EXPECTED[state] + f', not "{shown}"', _FORM
            state = min(after)
        return _EXPECTED[state] + " at the end", _FORM


def _edges(word: _Word) -> tuple[str, str]:
    """The constant texts at the begin and at the end of a word."""
    begin = word[0] if isinstance(word[0], str) else ""
    return begin, word[-1] if isinstance(word[-1], str) else ""


def _is_longer(known: str, constant: str) -> bool:
    """Whether a known word can have more than the constant part of a word. A name follows a dot."""
    return known != constant or known.endswith(".")


def _is_word(known: str, begin: str, end: str, whole: bool) -> bool:
    if not known.endswith("."):
        return begin == known if whole else known.startswith(begin) and known.endswith(end)
    if whole:
        return begin.startswith(known) and _TOKEN.fullmatch(begin[len(known) :]) is not None
    starts = known.startswith(begin) or (begin.startswith(known) and bool(_TOKEN.fullmatch(begin)))
    return starts and (not end or _TOKEN.fullmatch(end) is not None)


_FORM = "write FIELD OPERATOR VALUE, with && between conditions; no value has a blank"
_EXPECTED = {
    _FIELD: f"it needs a field ({', '.join((*_TEXTS, *_DURATIONS))})".replace("http.", "http.*"),
    _OPERATOR: "it needs ==, !=, ~ or !~",
    _ORDER: "it needs ==, !=, >, >=, < or <=",
    _VALUE: "it needs a value",
    _PATTERN: "it needs a pattern",
    _DURATION: "it needs a duration such as 1h",
    _AND: "it needs && between conditions",
}
