"""Tokens of one file and of a whole program.

A token is an index into parallel arrays. Comments and ``include`` directives are in the arrays, marked as
hidden; spaces are not. The generated lexer has one kind of identifier; ``words.py`` decides from the tokens
beside a word whether it is a keyword. Both engines share this code.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from vernis.record import field, record
from vernis.syntax.diagnostics import Span
from vernis.syntax.engine import Engine
from vernis.syntax.generated.token_types import T
from vernis.syntax.source import SourceMap

# Keywords of declarations (exact case), then of statements (any case).
WORDS: dict[bytes, int] = {
    b"vcl": T.VCL,
    b"backend": T.BACKEND,
    b"probe": T.PROBE,
    b"acl": T.ACL,
    b"sub": T.SUB,
    b"import": T.IMPORT,
    b"unused": T.UNUSED,
    b"include": T.INCLUDE,
    b"test": T.TEST,
    b"else": T.ELSE,
    b"elseif": T.ELSEIF,
    b"elsif": T.ELSEIF,
    b"elif": T.ELSEIF,
    b"from": T.FROM,
    b"as": T.AS,
    b"none": T.NONE,
    b"None": T.NONE,
    b"const": T.CONST,
    b"param": T.PARAM,
    b"fn": T.FN,
    b"table": T.TABLE,
    b"counter": T.COUNTER,
    b"budget": T.BUDGET,
    b"caching": T.CACHING,
    b"let": T.LET,
    b"mut": T.MUT,
    b"switch": T.SWITCH,
    b"case": T.CASE,
    b"for": T.FOR,
    b"count": T.COUNT,
    b"log": T.LOG,
    b"allow": T.ALLOW,
    b"builtin": T.BUILTIN,
    b"invariant": T.INVARIANT,
    b"by": T.BY,
    b"columns": T.COLUMNS,
    b"default": T.DEFAULT,
    b"in": T.IN,
    b"starts": T.STARTS,
    b"ends": T.ENDS,
    b"contains": T.CONTAINS,
    b"is": T.IS,
    b"not": T.IS_NOT,
}
FOLDED: dict[bytes, int] = {
    b"set": T.SET,
    b"unset": T.UNSET,
    b"call": T.CALL,
    b"return": T.RETURN,
    b"if": T.IF,
    b"new": T.NEW,
}
DECLARATION_WORDS = frozenset((T.VCL, T.BACKEND, T.PROBE, T.ACL, T.SUB, T.IMPORT, T.UNUSED, T.TEST))
STATEMENT_WORDS = frozenset((T.SET, T.UNSET, T.CALL, T.RETURN, T.IF, T.NEW))
HEAD_WORDS = DECLARATION_WORDS | STATEMENT_WORDS
COMMENTS = frozenset((T.LINE_COMMENT, T.BLOCK_COMMENT))
STRINGS = frozenset((T.STRING, T.LONG_STRING, T.TRIPLE_STRING))


def type_class(types: frozenset[int] | tuple[int, ...]) -> bytes:
    """Returns a regular expression for one token of these types, over the bytes of a type array."""
    return b"[" + b"".join(re.escape(bytes((t,))) for t in sorted(types)) + b"]"


@record
class FileTokens:
    """Tokens of one file, as lexed. They never change, and all files that include the file share them."""

    types: bytes
    line_starts: bytes
    hidden: bytes
    starts: list[int]
    ends: list[int]
    lines: list[int]

    def spread(self, gaps: Sequence[tuple[int, int]]) -> FileTokens:
        """These tokens with their places in a text that has so many more bytes at each of the places. A token
        does not begin in front of a gap where the gap begins, and does not end behind it."""
        places = [place for place, _ in gaps]
        added = list(accumulate((length for _, length in gaps), initial=0))
        starts = [start + added[bisect_right(places, start)] for start in self.starts]
        ends = [end + added[bisect_left(places, end)] for end in self.ends]
        return FileTokens(self.types, self.line_starts, self.hidden, starts, ends, self.lines)


def lex_bytes(engine: Engine, data: bytes, tokens_max: int) -> FileTokens:
    """Returns the tokens of a text, at most ``tokens_max + 1``."""
    types, line_starts, hidden, places_bytes = engine.lex(data, WORDS, FOLDED, tokens_max)
    places = array("i")
    places.frombytes(places_bytes)
    values = places.tolist()
    return FileTokens(types, line_starts, hidden, values[0::3], values[1::3], values[2::3])


@record
class TokenTable:
    """All tokens of a program after splicing. ``at`` of a node indexes these arrays.

    ``types`` are those of ``grammar/VclLexer.g4`` (``token_types.T``); ``hidden`` marks comments and include
    directives; ``files`` are indices into ``sources.files``. ``fives`` are the files of version 5.0.
    """

    sources: SourceMap
    types: bytearray = field(default_factory=bytearray)
    line_starts: bytearray = field(default_factory=bytearray)
    hidden: bytearray = field(default_factory=bytearray)
    files: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    fives: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.types)

    def extend(self, file: int, tokens: FileTokens, first: int, end: int) -> None:
        """Appends tokens [first, end) of a file."""
        self.types += tokens.types[first:end]
        self.line_starts += tokens.line_starts[first:end]
        self.hidden += tokens.hidden[first:end]
        self.files += [file] * (end - first)
        self.starts += tokens.starts[first:end]
        self.ends += tokens.ends[first:end]
        self.lines += tokens.lines[first:end]

    def text(self, index: int) -> str:
        """Returns the token as written, one character per byte."""
        return self.sources.files[self.files[index]].text[self.starts[index] : self.ends[index]]

    def span(self, at: tuple[int, int]) -> Span:
        """Returns the span of tokens ``at``. If an include is between them, the span ends at the last token
        in the file of the first."""
        first, last = at
        file = self.files[first]
        while last > first and self.files[last] != file:
            last -= 1
        return Span(file, self.starts[first], max(self.ends[last], self.starts[first]))

    def span_after(self, index: int) -> Span:
        """Returns the empty span after a token."""
        return Span(self.files[index], self.ends[index], self.ends[index])

    def value_text(self, index: int) -> str:
        """Returns the token as written. A unit includes the number before it."""
        before = index - 1
        if (
            before >= 0
            and self.types[index] == T.IDENTIFIER
            and self.types[before] == T.NUMBER
            and self.files[before] == self.files[index]
            and self.ends[before] == self.starts[index]
        ):
            return self.text(before) + self.text(index)
        return self.text(index)

    def line(self, index: int) -> int:
        return self.lines[index]


@record
class VisibleTokens:
    """The input of the parser: visible types, and the table index of each.

    Repairs of the bracket check are here and not in the table. An added closing bracket has the index of the
    token before it; a stray closing bracket is left out.
    """

    types: bytearray
    line_starts: bytearray
    table_index: list[int]


def visible_tokens(table: TokenTable, first: int, end: int) -> VisibleTokens:
    """Returns the visible tokens of [first, end)."""
    hidden = table.hidden[first:end]
    if not any(hidden):
        return VisibleTokens(table.types[first:end], table.line_starts[first:end], list(range(first, end)))
    index = [i for i, is_hidden in enumerate(hidden, first) if not is_hidden]
    return VisibleTokens(
        bytearray(table.types[i] for i in index), bytearray(table.line_starts[i] for i in index), index
    )
