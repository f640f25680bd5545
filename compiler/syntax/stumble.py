"""The text around a failure of the parser: its tokens, how a message names them, and what Varnish would say.

The base of the explainers in ``explain_rules.py`` and ``explain_anywhere.py``.
"""

from __future__ import annotations

from vernis.record import record
from vernis.syntax import remedies
from vernis.syntax.diagnostics import Edit, Label, Span
from vernis.syntax.driver import Failure
from vernis.syntax.generated.token_types import R, T
from vernis.syntax.stock import phrase
from vernis.syntax.tokens import TokenTable, VisibleTokens

_SHOWN_MAX = 32


@record
class Remark:
    """The message about a failure; ``first`` and ``last`` are visible tokens to underline."""

    code: str
    message: str
    help: str
    first: int
    last: int
    edits: tuple[Edit, ...] = ()
    labels: tuple[Label, ...] = ()
    stock: str = ""
    place: Span | None = None       # instead of tokens


class Around:
    """The tokens of a stream, looked at by their numbers."""

    def __init__(self, table: TokenTable, visible: VisibleTokens) -> None:
        self.table = table
        self.visible = visible

    # ---- looking at tokens

    def type(self, i: int) -> int:
        return self.visible.types[i] if 0 <= i < len(self.visible.types) else 0

    def text(self, i: int) -> str:
        return self.table.text(self.visible.table_index[i]) if 0 <= i < len(self.visible.types) else ""

    def said(self, i: int) -> str:
        """A token in a message."""
        if i >= len(self.visible.types):
            return "the end of the text"
        text = self.table.value_text(self.visible.table_index[i])
        line = text.split("\n", 1)[0]
        if len(line) > _SHOWN_MAX or line != text:
            line = line[:_SHOWN_MAX] + "..."
        return f"'{line}'"

    def said_whole(self, i: int) -> str:
        """The same, with all parts of a name with dots."""
        if self.type(i) != T.IDENTIFIER:
            return self.said(i)
        first = last = i
        while self.type(first - 1) == T.DOT and self.type(first - 2) == T.IDENTIFIER:
            first -= 2
        while self.type(last + 1) == T.DOT and self.type(last + 2) == T.IDENTIFIER:
            last += 2
        return f"'{self._joined(first, last)}'"

    def span(self, first: int, last: int) -> Span:
        index = self.visible.table_index
        if first >= len(index):
            return self.table.behind(index[-1])
        return self.table.span((index[first], index[max(first, min(last, len(index) - 1))]))

    def _before(self, i: int) -> Span:
        place = self.span(i, i)
        return Span(place.file, place.start, place.start)

    def behind(self, i: int) -> Span:
        return self.table.behind(self.visible.table_index[i])

    def _in_template(self, failure: Failure) -> bool:
        """Whether a placeholder stands on the lines where the parser stumbled."""
        span = self.span(min(failure.first, failure.token), failure.token)
        file = self.table.sources.files[span.file]
        return any(remedies.PLACEHOLDER.search(file.line_bytes(file.line_of(at))) for at in (span.start, min(span.end, len(file.data))))

    def hook(self, i: int) -> str:
        """The name of the sub that visible token ``i`` stands in."""
        at = self.visible.types.rfind(T.SUB, 0, i + 1)
        return self.text(at + 1).lower() if at >= 0 else ""

    def last_of_statement(self, first: int) -> int | None:
        """The token before the ';' that ends a statement; None when a bracket of a body comes first."""
        at = first
        while self.type(at + 1) not in (T.SEMI, T.LBRACE, T.RBRACE, 0):
            at += 1
        return at if self.type(at + 1) == T.SEMI else None

    def _source(self, first: int, last: int) -> str:
        """The text from one token to another, with what stands between them."""
        return self.table.sources.text(self.span(first, last))

    def _head(self, i: int) -> int:
        """The type of the token that begins the statement of token i."""
        while i > 0 and self.type(i - 1) not in (T.SEMI, T.LBRACE, T.RBRACE):
            i -= 1
        return self.type(i)

    def _quoted_edit(self, first: int, last: int) -> tuple[Edit, ...]:
        """Puts the text from one token to another in quotes."""
        start, end = self.span(first, first), self.behind(last)
        return (Edit(Span(start.file, start.start, start.start), '"'), Edit(end, '"'))

    def is_foreign(self, f: Failure) -> bool:
        """Whether a word of another language begins what could not be read: it says more than a character in it."""
        foreign = self.written_word(f.first) in remedies.NEWER_WORDS and self.type(f.first + 1) in (T.IDENTIFIER, T.LPAREN)
        return foreign and any(self.text(i) == ":" for i in range(f.first, f.last + 1))

    def _is_conflict(self, i: int) -> bool:
        """Whether the line of a token is a mark that a merge has left."""
        span = self.span(i, i)
        file = self.table.sources.files[span.file]
        return remedies.CONFLICT.match(file.line_bytes(file.line_of(span.start))) is not None

    # ---- what Varnish would say

    def stock(self, f: Failure) -> str:
        """The general form: what was expected, and what stands there."""
        got = self.written(f.token)
        before = self.type(f.token - 1)
        if f.expected >= {T.IDENTIFIER, T.STRING, T.NUMBER} or f.rule == R.arguments and before == T.LPAREN:
            return phrase("wrong token", got=got, type="REGEX" if before in (T.MATCH, T.NO_MATCH) else "STRING")
        want = next((remedies.STOCK_SPELLING[t] for t in remedies.STOCK_SPELLING if t in f.expected), "")
        return phrase("expected", want=want, got=f"'{got}'") if want else phrase("syntax")

    def written(self, i: int) -> str:
        """A token as Varnish reads it: two signs are one there which VCL does not use."""
        if i >= len(self.visible.types):
            return "end of input"
        text = self.text(i)
        doubled = text in ("<", ">") and self.text(i + 1).startswith(text) and self._adjacent(i)
        return 2 * text if doubled else text

    def _joined(self, first: int, last: int) -> str:
        return "".join(self.text(i) for i in range(first, last + 1))

    def _expectation(self, failure: Failure) -> str:
        words = sorted(remedies.SPELLING[t] for t in failure.expected if t in remedies.SPELLING)
        if not words or len(words) > 6:
            return "see the manual for what can stand here"
        return f"expected {' or '.join(words)}"

    def written_word(self, i: int) -> str:
        """A word that may have minuses in it, which is how it is read anyway, in small letters."""
        return self.text(i).lower() if self.type(i) == T.IDENTIFIER else ""

    def _respelled(self, i: int, known: tuple[str, ...]) -> tuple[Edit, ...]:
        """The edit that puts the word in which is plainly meant."""
        word = remedies.meant(self.text(i), known)
        return (Edit(self.span(i, i), word),) if word else ()

    def _adjacent(self, i: int) -> bool:
        if i + 1 >= len(self.visible.types):
            return False
        left, right = self.visible.table_index[i], self.visible.table_index[i + 1]
        return self.table.ends[left] == self.table.starts[right]
