"""The text around a failure of the parser: its tokens, their form in messages, and Varnish's phrase.

The base of the explainers in ``explain_anywhere.py``, ``explain_declarations.py`` and
``explain_statements.py``.
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
    place: Span | None = None  # instead of tokens


class TokenReader:
    """Access to the visible tokens by number."""

    def __init__(self, table: TokenTable, visible: VisibleTokens) -> None:
        self.table = table
        self.visible = visible

    # ---- looking at tokens

    def type(self, i: int) -> int:
        return self.visible.types[i] if 0 <= i < len(self.visible.types) else 0

    def text(self, i: int) -> str:
        return self.table.text(self.visible.table_index[i]) if 0 <= i < len(self.visible.types) else ""

    def shown(self, i: int) -> str:
        """Returns a token as a message shows it."""
        if i >= len(self.visible.types):
            return "the end of the text"
        text = self.table.value_text(self.visible.table_index[i])
        line = text.split("\n", 1)[0]
        if len(line) > _SHOWN_MAX or line != text:
            line = line[:_SHOWN_MAX] + "..."
        return f"'{line}'"

    def shown_name(self, i: int) -> str:
        """Returns a token as a message shows it, with all parts of a dotted name."""
        if self.type(i) != T.IDENTIFIER:
            return self.shown(i)
        first = last = i
        while self.type(first - 1) == T.DOT and self.type(first - 2) == T.IDENTIFIER:
            first -= 2
        while self.type(last + 1) == T.DOT and self.type(last + 2) == T.IDENTIFIER:
            last += 2
        return f"'{self._joined(first, last)}'"

    def span(self, first: int, last: int) -> Span:
        index = self.visible.table_index
        if first >= len(index):
            return self.table.span_after(index[-1])
        return self.table.span((index[first], index[max(first, min(last, len(index) - 1))]))

    def _before(self, i: int) -> Span:
        place = self.span(i, i)
        return Span(place.file, place.start, place.start)

    def span_after(self, i: int) -> Span:
        return self.table.span_after(self.visible.table_index[i])

    def _in_template(self, failure: Failure) -> bool:
        """Whether the lines of the failure have a template placeholder."""
        span = self.span(min(failure.first, failure.token), failure.token)
        file = self.table.sources.files[span.file]
        return any(
            remedies.PLACEHOLDER.search(file.line_bytes(file.line_of(at)))
            for at in (span.start, min(span.end, len(file.data)))
        )

    def hook(self, i: int) -> str:
        """Returns the name of the sub that contains visible token ``i``."""
        at = self.visible.types.rfind(T.SUB, 0, i + 1)
        return self.text(at + 1).lower() if at >= 0 else ""

    def last_of_statement(self, first: int) -> int | None:
        """Returns the token before the ';' of a statement, or None if a brace comes first."""
        at = first
        while self.type(at + 1) not in (T.SEMI, T.LBRACE, T.RBRACE, 0):
            at += 1
        return at if self.type(at + 1) == T.SEMI else None

    def _source(self, first: int, last: int) -> str:
        """Returns the source text from one token to another."""
        return self.table.sources.text(self.span(first, last))

    def _head(self, i: int) -> int:
        """Returns the type of the first token of the statement of token i."""
        while i > 0 and self.type(i - 1) not in (T.SEMI, T.LBRACE, T.RBRACE):
            i -= 1
        return self.type(i)

    def _quoted_edit(self, first: int, last: int) -> tuple[Edit, ...]:
        """Returns the edits that put the text from one token to another in quotes."""
        start, end = self.span(first, first), self.span_after(last)
        return (Edit(Span(start.file, start.start, start.start), '"'), Edit(end, '"'))

    def is_foreign(self, f: Failure) -> bool:
        """Whether unreadable text begins with a word of another language, which explains more than a stray
        character in the text."""
        foreign = self.written_word(f.first) in remedies.NEWER_WORDS and self.type(f.first + 1) in (
            T.IDENTIFIER,
            T.LPAREN,
        )
        return foreign and any(self.text(i) == ":" for i in range(f.first, f.last + 1))

    def _is_conflict(self, i: int) -> bool:
        """Whether the line of a token is a marker of a merge conflict."""
        span = self.span(i, i)
        file = self.table.sources.files[span.file]
        return remedies.CONFLICT.match(file.line_bytes(file.line_of(span.start))) is not None

    # ---- what Varnish would say

    def stock(self, f: Failure) -> str:
        """Returns Varnish's general phrase: the expected and the found token."""
        got = self.written(f.token)
        before = self.type(f.token - 1)
        if f.expected >= {T.IDENTIFIER, T.STRING, T.NUMBER} or f.rule == R.arguments and before == T.LPAREN:
            return phrase(
                "wrong token", got=got, type="REGEX" if before in (T.MATCH, T.NO_MATCH) else "STRING"
            )
        want = next((remedies.STOCK_SPELLING[t] for t in remedies.STOCK_SPELLING if t in f.expected), "")
        return phrase("expected", want=want, got=f"'{got}'") if want else phrase("syntax")

    def written(self, i: int) -> str:
        """Returns a token as Varnish reads it: two adjacent '<' or '>' are one token there."""
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
        """Returns an identifier in lower case, or an empty text for another token."""
        return self.text(i).lower() if self.type(i) == T.IDENTIFIER else ""

    def _respelled(self, i: int, known: tuple[str, ...]) -> tuple[Edit, ...]:
        """Returns the edit that replaces a token by the known word that it must mean."""
        word = remedies.meant(self.text(i), known)
        return (Edit(self.span(i, i), word),) if word else ()

    def _adjacent(self, i: int) -> bool:
        if i + 1 >= len(self.visible.types):
            return False
        left, right = self.visible.table_index[i], self.visible.table_index[i + 1]
        return self.table.ends[left] == self.table.starts[right]
