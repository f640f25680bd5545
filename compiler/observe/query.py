"""The query language of vsl-query(7), which selects groups of transactions.

    ReqURL ~ "^/api/" and (BerespStatus >= 500 or {2+}Timestamp:Process[2] > 1.0)

A query is compiled to a function of a group. Each line is a query; a group passes if one of them holds.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vernis.observe import tags
from vernis.observe.pattern import Pattern
from vernis.pcre import PatternError
from vernis.observe.transactions import Group, Transaction

Predicate = Callable[[Group], bool]
_Match = Callable[[bytes], bool]


class QueryError(ValueError):
    """An error in the query. Its text shows the line and marks the position."""

    def __init__(self, text: str, query: str, at: int) -> None:
        line_start = query.rfind("\n", 0, at) + 1
        line_end = query.find("\n", at)
        line = query[line_start : len(query) if line_end < 0 else line_end].replace("\t", " ")
        super().__init__(f"{text}\n  {line}\n  {' ' * (at - line_start)}^")
        self.at = at


def compile_query(text: str, caseless: bool = False) -> Predicate:
    return _Parser(text, caseless).query()


# ---- words -------------------------------------------------------------------------------------------------

_WORD = r"[A-Za-z0-9_+.*-]"
_TOKEN = re.compile(
    rf"""(?P<blank>[ \t]+|\\\n|\#[^\n]*)
    |(?P<fixed>==|!=|<=|>=|!~|[<>~\[\]{{}}():,]|(?:eq|ne|and|or|not|vxid)(?!{_WORD}))
    |(?P<quoted>"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*')
    |(?P<word>{_WORD}+)
    |(?P<end>\n)
    |(?P<wrong>.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_VALUE, _END = "value", "end of line"


@dataclass(slots=True)
class _Token:
    kind: str  # a fixed text, _VALUE or _END
    text: str
    at: int


def _tokens(query: str) -> list[_Token]:
    found: list[_Token] = []
    for match in _TOKEN.finditer(query):
        text = match[0]
        match match.lastgroup:
            case "fixed":
                found.append(_Token(text, text, match.start()))
            case "quoted":
                found.append(_Token(_VALUE, _ESCAPE.sub(r"\1", text[1:-1]), match.start()))
            case "word":
                found.append(_Token(_VALUE, text, match.start()))
            case "end":
                found.append(_Token(_END, text, match.start()))
            case "wrong":
                raise QueryError(
                    "this string is not ended on its line" if text in "\"'" else f"unexpected {text!r}",
                    query,
                    match.start(),
                )
    found.append(_Token(_END, "", len(query)))
    return found


# ---- grammar -----------------------------------------------------------------------------------------------

_COMPARE = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_OPERATORS = (*_COMPARE, "eq", "ne", "~", "!~")
_DEPTH_MAX = 100


@dataclass(slots=True)
class _Selection:
    """The left side of a comparison: tags, levels, and the part of the record's text."""

    tags: frozenset[int]
    level: int = -1
    level_test: Callable[[int, int], bool] = operator.eq
    prefix: bytes | None = None
    field: int = 0


class _Parser:
    def __init__(self, text: str, caseless: bool) -> None:
        self._text, self._caseless = text, caseless
        self._tokens = _tokens(text)
        self._next = 0
        self._depth = 0

    def query(self) -> Predicate:
        parts = []
        while self._next < len(self._tokens):
            if self._token.kind != _END:
                parts.append(self._or())
                if self._token.kind != _END:
                    raise self._error(f"expected 'and', 'or' or the end, not {self._shown}")
            self._next += 1
        if not parts:
            raise QueryError("the query is empty", self._text, 0)
        return _any(parts)

    @property
    def _token(self) -> _Token:
        return self._tokens[self._next]

    @property
    def _shown(self) -> str:
        return "the end of the line" if self._token.kind == _END else f"'{self._token.text}'"

    def _error(self, text: str, at: int | None = None) -> QueryError:
        return QueryError(text, self._text, self._token.at if at is None else at)

    def _takes(self, kind: str) -> bool:
        if self._token.kind != kind:
            return False
        self._next += 1
        return True

    def _expect(self, kind: str) -> None:
        if not self._takes(kind):
            raise self._error(f"expected '{kind}', not {self._shown}")

    def _value(self, what: str) -> _Token:
        token = self._token
        if token.kind != _VALUE:
            raise self._error(f"expected {what}, not {self._shown}")
        self._next += 1
        return token

    def _or(self) -> Predicate:
        parts = [self._and()]
        while self._takes("or"):
            parts.append(self._and())
        return _any(parts)

    def _and(self) -> Predicate:
        parts = [self._not()]
        while self._takes("and"):
            parts.append(self._not())
        return parts[0] if len(parts) == 1 else lambda group: all(part(group) for part in parts)

    def _not(self) -> Predicate:
        if not self._takes("not"):
            return self._group()
        inner = self._group()
        return lambda group: not inner(group)

    def _group(self) -> Predicate:
        if not self._takes("("):
            return self._comparison()
        self._depth += 1
        if self._depth > _DEPTH_MAX:
            raise self._error("too many nested parentheses")
        inner = self._or()
        self._expect(")")
        self._depth -= 1
        return inner

    def _comparison(self) -> Predicate:
        if self._token.kind == "vxid":
            return self._vxid()
        selection = self._selection()
        token = self._token
        if token.kind in (_END, "and", "or", ")"):
            return _some_record(selection, lambda text: True)
        if token.kind not in _OPERATORS:
            raise self._error(f"expected an operator (one of {' '.join(_OPERATORS)}), not {self._shown}")
        self._next += 1
        return _some_record(selection, self._test(token.kind))

    def _vxid(self) -> Predicate:
        self._next += 1
        if self._token.kind not in _COMPARE:
            raise self._error(f"expected an operator for numbers after vxid, not {self._shown}")
        compare = _COMPARE[self._token.kind]
        self._next += 1
        token = self._value("a number")
        number = self._number(token)
        if isinstance(number, float):
            raise self._error("a vxid is a whole number", token.at)
        return lambda group: any(compare(transaction.vxid, number) for transaction in group)

    def _selection(self) -> _Selection:
        level, level_test = self._level() if self._takes("{") else (-1, operator.eq)
        selected = self._tags()
        while self._takes(","):
            selected |= self._tags()
        selection = _Selection(selected, level, level_test)
        if self._takes(":"):
            selection.prefix = _bytes(self._value("the name before the colon").text)
        if self._takes("["):
            token = self._value("the number of a field")
            selection.field = _whole(token.text) or 0
            if selection.field <= 0:
                raise self._error("fields are counted from 1", token.at)
            self._expect("]")
        return selection

    def _level(self) -> tuple[int, Callable[[int, int], bool]]:
        token = self._value("a level")
        text = token.text
        test: Callable[[int, int], bool] = operator.eq
        if text[-1:] in ("+", "-"):
            text, test = text[:-1], operator.ge if text[-1] == "+" else operator.le
        level = _whole(text)
        if level is None or level < 0:
            raise self._error("a level is written {2}, {2+} or {2-}", token.at)
        self._expect("}")
        return level, test

    def _tags(self) -> frozenset[int]:
        if self._token.kind == "vxid":
            raise self._error("vxid stands alone, as in: vxid == 32770")
        token = self._value("the name of a record")
        try:
            return tags.matching(token.text)
        except tags.TagError as error:
            raise self._error(str(error), token.at) from None

    def _test(self, operation: str) -> _Match:
        match operation:
            case "eq" | "ne":
                return _equal(_bytes(self._value("a text").text), self._caseless, operation == "eq")
            case "~" | "!~":
                return self._matching(self._value("a regular expression"), operation == "~")
        return _compared(_COMPARE[operation], self._number(self._value("a number")))

    def _matching(self, token: _Token, wanted: bool) -> _Match:
        try:
            pattern = Pattern(_bytes(token.text), self._caseless)
        except PatternError as error:
            raise self._error(f"regular expression: {error}", token.at) from None
        return lambda text: pattern.refuses(text) is not wanted

    def _number(self, token: _Token) -> int | float:
        if "." in token.text:
            number = _decimal(_bytes(token.text), to_the_end=True)
        else:
            number = _whole(token.text)
        if number is None:
            raise self._error(f"'{token.text}' is not a number", token.at)
        return number


# ---- meaning -----------------------------------------------------------------------------------------------


def _any(parts: Sequence[Predicate]) -> Predicate:
    return parts[0] if len(parts) == 1 else lambda group: any(part(group) for part in parts)


def _some_record(selection: _Selection, test: _Match) -> Predicate:
    """A group matches if one of its records does."""
    wanted, level, level_test = selection.tags, selection.level, selection.level_test
    part = _part_of(selection)

    def holds(group: Group) -> bool:
        return any(
            _holds_in(transaction)
            for transaction in group
            if level < 0 or level_test(transaction.level, level)
        )

    def _holds_in(transaction: Transaction) -> bool:
        for record in transaction.records:
            if record.tag in wanted and (text := part(record.data[:-1])) is not None and test(text):
                return True
        return False

    return holds


def _part_of(selection: _Selection) -> Callable[[bytes], bytes | None]:
    """A function that extracts the selected part of a record's text. It returns None if the text lacks that
    part."""
    prefix = None if selection.prefix is None else selection.prefix.lower() + b":"
    field = selection.field

    def part(text: bytes) -> bytes | None:
        if prefix is not None:
            if text[: len(prefix)].lower() != prefix:
                return None
            text = text[len(prefix) :].lstrip(_BLANKS)
        return text if field == 0 else _field(text, field)

    return part


_BLANKS = b" \t\n\v\f\r"
_FIELD = re.compile(rb'(?:"([^"\0]*)"|([^" \t\n\v\f\r\0][^ \t\n\v\f\r\0]*))')


def _field(text: bytes, number: int) -> bytes | None:
    """The nth field between blanks. A field may be in double quotes, which are removed."""
    at = 0
    value = b""
    for count in range(number):
        start = len(text) - len(text[at:].lstrip(_BLANKS))
        if count and start == at:
            return None
        found = _FIELD.match(text, start)
        if found is None:
            return None
        at, value = found.end(), found[1] if found[2] is None else found[2]
    return value


def _equal(value: bytes, caseless: bool, wanted: bool) -> _Match:
    if caseless:
        folded = value.lower()
        return lambda text: (text.lower() == folded) is wanted
    return lambda text: (text == value) is wanted


def _compared(compare: Callable[[float, float], bool], value: int | float) -> _Match:
    """A text that does not begin with a number fails every comparison, also ``!=``."""
    fractional = isinstance(value, float)

    def test(text: bytes) -> bool:
        number = _decimal(text)
        if number is None:
            return False
        if not fractional:
            return compare(int(number), value)
        return abs(number) <= _DECIMAL_MAX and compare(number, value)

    return test


_DIGITS_MAX = 15
_DECIMAL_MAX = 999_999_999_999.999
_DECIMAL = re.compile(rb"[ \t]*(-?)(\d*)[ \t]*(?:(\.)(\d{0,3})\d*)?[ \t]*")


def _decimal(text: bytes, to_the_end: bool = False) -> float | None:
    """The number at the start of a text: at most 15 digits, and three decimals. Ignores further decimals."""
    found = _DECIMAL.match(text)
    assert found is not None
    sign, whole, point, decimals = found.groups()
    if to_the_end and found.end() < len(text) or len(whole) > _DIGITS_MAX or not whole and not decimals:
        return None
    number, scale = float(whole or 0), 1.0
    if point and number > _DECIMAL_MAX:
        return None
    for digit in decimals or b"":
        scale *= 0.1
        number += scale * (digit - 48)
    return -number if sign else number


_WHOLE = re.compile(r"([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)\Z", re.ASCII)


def _whole(text: str) -> int | None:
    """A whole number in C notation: 0x10 is 16, 010 is 8."""
    found = _WHOLE.match(text)
    if found is None or len(text) > 30:
        return None
    digits = found[2]
    value = int(digits, 16 if digits[:2].lower() == "0x" else 8 if digits[0] == "0" else 10)
    value = max(-1 << 63, min(-value if found[1] == "-" else value, (1 << 63) - 1))
    return value


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
