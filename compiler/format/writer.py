"""Writes tokens and the comments between them as items for ``layout.py``.

``walk.py`` calls ``gap`` and ``token`` in the order of the text. Each visible token is written once and in
order, so a mistake here can misplace a space, and never lose a token. Comments and includes are hidden
tokens; the writer puts them out with the gap they stand in. Where a comment stood on the line of other text,
it stays on the line of this text.
"""

from __future__ import annotations

from collections.abc import Set

from vernis.format.layout import (
    BLANKS,
    CLOSE,
    DEDENT,
    HARD,
    INDENT,
    KEPT,
    NOTE,
    OPEN,
    REMARK,
    SPACE,
    TAB,
    TOKEN,
    TRAIL,
    Group,
    Item,
    width,
)
from vernis.format.switches import switch_of
from vernis.syntax.generated.token_types import T
from vernis.syntax.tokens import COMMENTS, FOLDED, TokenTable

NONE = -1  # the gap without a space
# Neighbours of a gap between statements or declarations: the border of their list, one line, several lines.
BORDER, LOW, TALL = range(3)

_MANY_LINES = frozenset((T.STRING, T.LONG_STRING, T.TRIPLE_STRING, T.BLOCK_COMMENT, T.INLINE_C))
_CLOSERS = frozenset((T.RPAREN, T.SEMI, T.COMMA))
# Words with one spelling. Statement words may be in any case; `elseif`, `elsif` and `elif` mean `else if`.
SPELLINGS = {T.ELSEIF: "else if", T.NONE: "none"} | {type: word.decode() for word, type in FOLDED.items()}

_TRAILS, _INLINE, _ALONE = range(3)  # ways in which a hidden token stands on its line


def _visible_types(table: TokenTable, first: int, end: int) -> list[int]:
    """Returns for each token the type of the first visible token from there on; 0 at the end. A search for
    each comment would be slow: there may be thousands in a row."""
    types = [0]
    for token in range(end - 1, first - 1, -1):
        types.append(types[-1] if table.hidden[token] else table.types[token])
    types.reverse()
    return types


class Writer:
    """The items so far, and the next token. ``first`` and ``end`` are table indices, ``base`` is the offset
    at which the text of the file begins. The tokens in ``kept`` stay as written, each with the space before
    it."""

    def __init__(self, table: TokenTable, first: int, end: int, base: int, kept: Set[int]) -> None:
        self.table = table
        self.text = table.sources.files[0].text
        self.first, self.at, self.end, self.base = first, first, end, base
        self.kept = kept
        self.following = _visible_types(table, first, end)
        self.items: list[Item] = []
        self.units: dict[int, int] = {}  # token -> number of its unit: what a range of lines formats as one
        self.unit = 0
        self.groups: list[Group] = []
        self.moved: set[int] = set()  # comments that were written before their place

    # ---- tokens

    def next_type(self) -> int:
        """Returns the type of the next visible token; 0 at the end."""
        return self.type_after(self.at - 1)

    def type_after(self, at: int) -> int:
        """Returns the type of the next visible token after ``at``."""
        return self.following[at + 1 - self.first]

    def token(self) -> None:
        """Writes the next token, which is visible: a gap precedes it."""
        at = self.at
        assert at < self.end and not self.table.hidden[at], "no gap before a token"
        self._put(at, SPELLINGS.get(self.table.types[at]) or self.table.text(at))
        self.at = at + 1

    def spaced(self, gap: int) -> None:
        self.gap(gap)
        self.token()

    def rest(self, last: int) -> None:
        """Writes the tokens up to ``last`` without spaces."""
        while self.at <= last:
            self.spaced(NONE)

    def _put(self, token: int, text: str, kind: int = TOKEN) -> None:
        self.units[token] = self.unit
        if token in self.kept:
            before = self.table.ends[token - 1] if token > self.first else self.base
            gap = self.text[before : self.table.starts[token]]
            self.items.append((KEPT, token, self.table.text(token), gap))
        else:
            self.items.append((kind, token, text))

    # ---- groups

    def open(self) -> None:
        group = Group()
        self.groups.append(group)
        self.items.append((OPEN, group))

    def close(self) -> None:
        self.groups.pop()
        self.items.append((CLOSE,))

    def indent(self) -> None:
        self.items.append((INDENT,))

    def dedent(self) -> None:
        self.items.append((DEDENT,))

    def _hard(self, blank: int = 0) -> None:
        for group in reversed(self.groups):
            if group.forced:
                break
            group.forced = True
        self.items.append((HARD, blank))

    def _break(self, kind: int) -> None:
        if kind == HARD:
            self._hard()
        elif kind != NONE:
            self.items.append((kind,))

    # ---- gaps inside a statement

    def gap(self, kind: int) -> None:
        """Writes the gap before the next visible token, with its comments."""
        while self.at < self.end and self.table.hidden[self.at]:
            kind = self._hidden(kind)
        self._break(kind)

    def _hidden(self, kind: int) -> int:
        """Writes the next hidden token. Returns the gap after it."""
        at = self.at
        if at in self.moved:
            self.at += 1
            return kind
        stands = self._stands(at)
        if stands == _INLINE:
            closes = self.next_type() in _CLOSERS
            if kind == NONE or closes and kind != HARD:
                is_first = at > self.first and self.table.types[at - 1] == T.LPAREN
                self._break(NONE if is_first else SPACE)
            else:
                self._break(kind)
            self._comment(REMARK)
            return SPACE if not closes else NONE if kind == HARD else kind
        if stands == _TRAILS:
            self.items.append((SPACE,))
            self._comment(TRAIL)
        else:
            self._hard()
            self._alone()
        return HARD

    def operator(self, kind: int) -> None:
        """Writes an operator between operands that may stand on lines of their own. A comment that ends the
        line after the operator is about the operand before it, and goes before the operator."""
        at = self.at
        last = self._comment_after_operator(at)
        if last is not None:
            self.at = last
            self.items.append((SPACE,))
            self._comment(TRAIL)
            self.moved.add(last)
            self.at, kind = at, HARD
        self.spaced(kind)

    def _comment_after_operator(self, at: int) -> int | None:
        table, after = self.table, at + 1
        if table.hidden[at] or after >= self.end or not table.hidden[after] or at in self.kept:
            return None
        if table.types[after] not in COMMENTS or switch_of(table, after) is not None:
            return None
        begins_line = table.lines[at] > self._end_line(at - 1)
        return after if not begins_line and self._stands(after) == _TRAILS else None

    # ---- gaps between statements

    def between(self, left: int, right: int) -> None:
        """Writes the gap between two statements or declarations, with its comments and includes. Keeps one
        blank line where there are any, and supplies one beside a declaration of several lines."""
        newlines: list[int] = []  # items, since the last declaration or include
        at_border = left == BORDER
        is_inline = False
        while self.at < self.end and self.table.hidden[self.at]:
            stands = self._stands(self.at)
            if stands == _TRAILS:
                self.items.append((SPACE,))
                self._comment(TRAIL)
                is_inline = False
                continue
            if is_inline:
                self.items.append((SPACE,))
            else:
                self._newline(newlines, at_border)
            at_border, is_inline = False, stands == _INLINE
            if self.table.types[self.at] == T.INCLUDE:
                self._supply_blank(newlines, left, LOW)
                left, newlines = LOW, []
            self._alone()
        if is_inline and right != BORDER:
            self.items.append((SPACE,))
        else:
            self._newline(newlines, at_border or right == BORDER)
        self._supply_blank(newlines, left, right)

    def _newline(self, newlines: list[int], at_border: bool) -> None:
        blank = not at_border and self.table.lines[self.at] - self._end_line(self.at - 1) > 1
        newlines.append(len(self.items))
        self._hard(int(blank))
        self.unit += 1

    def _supply_blank(self, newlines: list[int], left: int, right: int) -> None:
        is_beside_tall = TALL in (left, right) and BORDER not in (left, right)
        if newlines and is_beside_tall and not any(self.items[i][1] for i in newlines):
            self.items[newlines[0]] = (HARD, 1)

    # ---- hidden tokens

    def _stands(self, at: int) -> int:
        """Returns how a hidden token stands: at the end of a line, alone, or on the line of what follows."""
        table = self.table
        if table.types[at] == T.INCLUDE:
            return _ALONE
        end = self._end_line(at)
        begins = at == self.first or table.lines[at] > self._end_line(at - 1)
        ends = table.types[at] == T.LINE_COMMENT or at + 1 >= self.end or table.lines[at + 1] > end
        if ends or end > table.lines[at]:
            return _ALONE if begins else _TRAILS
        return _INLINE

    def _end_line(self, at: int) -> int:
        table = self.table
        line = table.lines[at]
        return line + table.text(at).count("\n") if table.types[at] in _MANY_LINES else line

    def _alone(self) -> None:
        if self.table.types[self.at] == T.INCLUDE:
            self._include()
        else:
            self._comment(TOKEN)

    def _comment(self, kind: int) -> None:
        at = self.at
        text = self.table.text(at)
        if "\n" in text and at not in self.kept:
            start = self.table.starts[at]
            begins = max(self.text.rfind("\n", 0, start) + 1, self.base)
            column = width(self.text[begins:start].expandtabs(TAB))
            self.items.append((NOTE, at, text, column))
            self.units[at] = self.unit
        else:
            self._put(at, text.rstrip(BLANKS), kind)
        self.at = at + 1

    def _include(self) -> None:
        """Writes a directive. Its tokens are hidden, because the included file stands in its place."""
        table = self.table
        gap = NONE
        while True:
            at = self.at
            type = table.types[at]
            if type in COMMENTS:
                self.items.append((SPACE,))
                self._comment(TOKEN)
                gap = HARD if type == T.LINE_COMMENT else SPACE
                continue
            self._break(NONE if gap != HARD and (type == T.SEMI or table.types[at - 1] == T.PLUS) else gap)
            self._put(at, table.text(at))
            self.at = at + 1
            if type == T.SEMI:
                return
            gap = SPACE
