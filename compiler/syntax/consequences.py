"""Which of several syntax errors are one mistake: those that only follow from another are left out.

The pass over brackets and the parser each report what they see. A ``(`` that is missing is an unexpected token for one and a
``)`` too many for the other; a ``}`` too many ends a sub early, and all that follows stands outside of it. What is left
out here is reported when it is still there after the first has been mended.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from vernis.record import record
from vernis.syntax.diagnostics import Diagnostic, Diagnostics
from vernis.syntax.generated.token_types import T
from vernis.syntax.tokens import DECLARATION_WORDS, TokenTable, VisibleTokens

# Outside of all subs, one follows from the other.
_OUTSIDE = frozenset({"V207", "V208", "V213", "V221", "V229", "V230", "V232", "V233", "V234"})
_INCLUDES = frozenset({"V224", "V225", "V226", "V227"})     # what else is wrong neither hides nor shows files
_OLD_WORDS = frozenset({"V228", "V239"})        # each is wrong by itself
_BRACKETS = frozenset({"V206", "V207"})
_REPAIRED = frozenset({"V205", "V206"})         # a closing bracket was put in, where a statement of several bodies may be cut


@record
class _Place:
    """Where an error stands. ``declaration`` and ``statement`` number the parts of the text."""

    item: Diagnostic
    at: int             # visible token
    line: tuple[int, int]
    declaration: int
    statement: int


class _Judge:
    def __init__(self, table: TokenTable, visible: VisibleTokens) -> None:
        self.table, self.visible = table, visible
        self.of_file: dict[int, list[int]] = {}         # visible tokens of each file
        types, line_starts = visible.types, visible.line_starts
        self.heads = [i for i, type in enumerate(types) if type in DECLARATION_WORDS and line_starts[i]]
        self.ends = [i for i, type in enumerate(types) if type in (T.SEMI, T.LBRACE, T.RBRACE)]

    def place(self, item: Diagnostic) -> _Place:
        at = self._token(item)
        line = self.table.sources.files[item.span.file].line_of(item.span.start)
        return _Place(item, at, (item.span.file, line), bisect_right(self.heads, at), bisect_left(self.ends, at))

    def _token(self, item: Diagnostic) -> int:
        """The visible token that begins at the place, or the next one."""
        table, index = self.table, self.visible.table_index
        mine = self.of_file.get(item.span.file)
        if mine is None:
            mine = self.of_file[item.span.file] = [i for i, token in enumerate(index) if table.files[token] == item.span.file]
        found = bisect_left(mine, item.span.start, key=lambda i: table.starts[index[i]])
        return mine[min(found, len(mine) - 1)] if mine else 0

    def type(self, i: int) -> int:
        return self.visible.types[i] if 0 <= i < len(self.visible.types) else 0

    def follows(self, later: _Place, earlier: _Place) -> bool:
        """Whether the later error is a consequence of the earlier."""
        a, b = earlier.item.code, later.item.code
        if b == "V222":
            return a == "V205"
        if earlier.declaration != later.declaration:
            return False
        if a == b == "V245":
            return True
        if a == "V239" and b == "V105" and self.is_colon(later.item):
            return True         # of a case, a label, an entry of a table
        apart = later.statement - earlier.statement
        if earlier.line == later.line and apart <= 1 and b >= "V2" and a != "V205" and not (apart and b in _OLD_WORDS):
            return True
        if b == "V216" and a in _REPAIRED:
            return True
        if b in _BRACKETS and (apart == 0 or b == "V207" and (a == "V206" or apart == 1 or self.type(later.at) == T.RBRACE)):
            return True
        outside = a in _OUTSIDE or self.ends_sub(earlier.at)
        return outside and (b == "V221" or b == "V208" and self.type(later.at) != T.IDENTIFIER)

    def is_colon(self, item: Diagnostic) -> bool:
        return self.table.sources.text(item.span) == ":"

    def ends_sub(self, at: int) -> bool:
        """Whether a ``}`` that nobody expected is what the error is about."""
        return T.RBRACE in (self.type(at), self.type(at - 1))

    def caused_by_brace(self, unclosed: _Place, other: _Place) -> bool:
        """Whether the parser stumbled over a ``{`` that only for this reason is one too many."""
        return other is not unclosed and unclosed.declaration == other.declaration and unclosed.at <= other.at \
            and T.LBRACE in (self.type(other.at), self.type(other.at - 1))


def drop_consequences(table: TokenTable, visible: VisibleTokens, diags: Diagnostics, first: int) -> None:
    """Takes those of ``diags`` from number ``first`` out that follow from others. ``visible`` as the text has them."""
    errors = diags.items[first:]
    if diags.full:
        return
    judge = _Judge(table, visible)
    places = sorted(map(judge.place, errors), key=lambda place: place.at)
    templates = {place.declaration for place in places if place.item.code == "V245"}
    kept: list[_Place] = []
    for place in places:
        if place.declaration in templates and place.item.code != "V245" and place.item.code not in _INCLUDES:
            continue
        if place.item.code in _INCLUDES or not any(judge.follows(place, earlier) for earlier in kept):
            kept.append(place)
    kept = [place for place in kept if place.item.code != "V205" or not any(judge.caused_by_brace(place, other) for other in kept)]
    diags.items[first:] = [place.item for place in kept]
