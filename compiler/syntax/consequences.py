"""Leaves out syntax errors that are consequences of another error.

The bracket pass and the parser report independently. For a missing ``(`` the parser reports an unexpected
token, and the bracket pass reports a surplus ``)``. A surplus ``}`` ends a sub early, so all text after it
appears to be outside the sub. If an error that is left out here is a mistake of its own, the next run reports
it, once the first error is mended.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from vernis.record import record
from vernis.syntax.codes import CODES, CodeInfo, Kind, Shape
from vernis.syntax.diagnostics import Diagnostic, Diagnostics
from vernis.syntax.generated.token_types import T
from vernis.syntax.tokens import DECLARATION_WORDS, TokenTable, VisibleTokens

_BRACKETS = (Shape.UNCLOSED_PARENTHESIS, Shape.STRAY_CLOSER)
_REPAIRED = (
    Shape.UNCLOSED_BRACE,
    Shape.UNCLOSED_PARENTHESIS,
)  # the supplied bracket may cut a statement of several bodies
_WORDS = (Shape.OLD_WORD, Shape.FOREIGN_WORD)  # each is a mistake of its own


@record
class _Place:
    """The place of an error. ``declaration`` and ``statement`` number the parts of the text."""

    item: Diagnostic
    info: CodeInfo
    at: int  # visible token
    line: tuple[int, int]
    declaration: int
    statement: int


class _Judge:
    def __init__(self, table: TokenTable, visible: VisibleTokens) -> None:
        self.table, self.visible = table, visible
        self.of_file: dict[int, list[int]] = {}  # visible tokens of each file
        types, line_starts = visible.types, visible.line_starts
        self.heads = [i for i, type in enumerate(types) if type in DECLARATION_WORDS and line_starts[i]]
        self.ends = [i for i, type in enumerate(types) if type in (T.SEMI, T.LBRACE, T.RBRACE)]

    def place(self, item: Diagnostic) -> _Place:
        at = self._token(item)
        line = self.table.sources.files[item.span.file].line_of(item.span.start)
        return _Place(
            item,
            CODES[item.code],
            at,
            (item.span.file, line),
            bisect_right(self.heads, at),
            bisect_left(self.ends, at),
        )

    def _token(self, item: Diagnostic) -> int:
        """Returns the visible token that begins at the place of the error, or the next one."""
        table, index = self.table, self.visible.table_index
        mine = self.of_file.get(item.span.file)
        if mine is None:
            mine = self.of_file[item.span.file] = [
                i for i, token in enumerate(index) if table.files[token] == item.span.file
            ]
        found = bisect_left(mine, item.span.start, key=lambda i: table.starts[index[i]])
        return mine[min(found, len(mine) - 1)] if mine else 0

    def type(self, i: int) -> int:
        return self.visible.types[i] if 0 <= i < len(self.visible.types) else 0

    def follows(self, later: _Place, earlier: _Place) -> bool:
        """Whether the later error is a consequence of the earlier."""
        a, b = earlier.info, later.info
        if b.shape is Shape.DECLARATION_INSIDE:
            return a.shape is Shape.UNCLOSED_BRACE
        if earlier.declaration != later.declaration:
            return False
        if a.shape is b.shape is Shape.TEMPLATE:
            return True
        if a.shape is Shape.FOREIGN_WORD and b.shape is Shape.UNKNOWN_CHARACTER and self.is_colon(later.item):
            return True  # the ``:`` of a case, a label or a table entry
        apart = later.statement - earlier.statement
        if (
            earlier.line == later.line
            and apart <= 1
            and b.kind is not Kind.TEXT
            and a.shape is not Shape.UNCLOSED_BRACE
            and not (apart and b.shape in _WORDS)
        ):
            return True
        if b.shape is Shape.LONE_ELSE and a.shape in _REPAIRED:
            return True
        if b.shape in _BRACKETS and (
            apart == 0 or b.shape is Shape.STRAY_CLOSER and self._is_surplus(later, a, apart)
        ):
            return True
        outside = a.leads_outside or self.ends_sub(earlier.at)
        return outside and (
            b.shape is Shape.STATEMENT_OUTSIDE
            or b.shape is Shape.UNKNOWN_DECLARATION
            and self.type(later.at) != T.IDENTIFIER
        )

    def _is_surplus(self, closer: _Place, before: CodeInfo, apart: int) -> bool:
        """Whether a closing bracket is one too many because of the error before it."""
        return before.shape is Shape.UNCLOSED_PARENTHESIS or apart == 1 or self.type(closer.at) == T.RBRACE

    def is_colon(self, item: Diagnostic) -> bool:
        return self.table.sources.text(item.span) == ":"

    def ends_sub(self, at: int) -> bool:
        """Whether the error is about an unexpected ``}``."""
        return T.RBRACE in (self.type(at), self.type(at - 1))

    def caused_by_brace(self, unclosed: _Place, other: _Place) -> bool:
        """Whether the parser failed at a ``{`` that is surplus only because of the unclosed bracket."""
        return (
            other is not unclosed
            and unclosed.declaration == other.declaration
            and unclosed.at <= other.at
            and T.LBRACE in (self.type(other.at), self.type(other.at - 1))
        )


def drop_consequences(table: TokenTable, visible: VisibleTokens, diags: Diagnostics, first: int) -> None:
    """Removes from ``diags``, from index ``first`` on, each error that is a consequence of another.
    ``visible`` are the tokens before any repair."""
    errors = diags.items[first:]
    if diags.full:
        return
    judge = _Judge(table, visible)
    places = sorted(map(judge.place, errors), key=lambda place: place.at)
    templates = {place.declaration for place in places if place.info.shape is Shape.TEMPLATE}
    kept: list[_Place] = []
    for place in places:
        shape = place.info.shape
        if shape is Shape.INCLUDE:  # a missing file is never the consequence of another error
            kept.append(place)
        elif place.declaration in templates and shape is not Shape.TEMPLATE:
            continue
        elif not any(judge.follows(place, earlier) for earlier in kept):
            kept.append(place)
    kept = [
        place
        for place in kept
        if place.info.shape is not Shape.UNCLOSED_BRACE
        or not any(judge.caused_by_brace(place, other) for other in kept)
    ]
    diags.items[first:] = [place.item for place in kept]
