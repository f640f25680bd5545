"""Reports of this room: diagnostics at nodes, similar names, chains of calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vernis.record import record
from vernis.similar import similar
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Diagnostics, Edit, Label, Span

SUGGESTIONS_MAX = 5
LIKELY_ALONE = 0.75  # least similarity of an only candidate, from 0 to 1
LIKELY = 0.8  # least similarity of the best of several candidates, from 0 to 1,
LEAD = 0.05  # and its least lead over the second


class TooManyFindings(Exception):
    """The findings are full. No further one would be shown, so the check ends."""


DECLARING = ("new", "sub", "acl", "backend", "probe", "import", "include", "declare")  # Fastly has `declare`


@record
class Reporter:
    """Diagnostics of one program, placed by token ranges. ``incomplete`` means that the parser could not read
    a part that may declare names; ``obscured`` means a part that may use names. Findings that may only follow
    from such a part are not reported."""

    program: nodes.Program
    diagnostics: Diagnostics
    incomplete: bool = False
    obscured: bool = False

    def span(self, at: nodes.At) -> Span:
        return self.program.tokens.span(at)  # type: ignore[attr-defined, no-any-return]

    def unreadable(self, at: nodes.At) -> None:
        """Records a statement or value that the parser could not read. It may contain more tokens than its
        own, such as the end of its sub."""
        self.obscured = True
        self.incomplete = self.incomplete or self.mentions(at, *DECLARING)

    def broken_within(self, at: nodes.At) -> bool:
        """Whether the parser found an error among these tokens."""
        span = self.span(at)
        return any(
            place.file == span.file and span.start <= place.start <= span.end for place in self.program.broken
        )

    def _is_consequence(self, code: str) -> bool:
        """Whether the finding may only follow from unreadable text: an unknown name, an unused declaration,
        no backend."""
        if not self.incomplete and not self.obscured:
            return False
        from vernis.semantics.codes import CODES  # good policies do not wait for its table

        return (
            self.incomplete and CODES[code].needs_declarations or self.obscured and CODES[code].needs_bodies
        )

    def mentions(self, at: nodes.At, *words: str) -> bool:
        """Whether one of the words is among these tokens, also in unreadable text."""
        tokens = self.program.tokens
        return any(tokens.text(index) in words for index in range(at[0], at[1] + 1))  # type: ignore[attr-defined]

    def error(
        self,
        code: str,
        at: nodes.At,
        message: str,
        help: str = "",
        labels: Sequence[tuple[nodes.At, str]] = (),
        replace: str | None = None,
        stock: str = "",
        trace: Sequence[tuple[nodes.At, str]] = (),
        sure: bool = False,
        edits: tuple[Edit, ...] = (),
        place: Span | None = None,
    ) -> None:
        """Reports an error at ``at``, or at a ``place`` within it. ``replace`` is the text that safely
        replaces the tokens of ``at``; ``edits`` are other safe changes. ``stock`` is a phrase of
        ``stock.py``. ``trace`` holds places in the order that Varnish shows. ``sure`` means that no missing
        text could make the policy right."""
        if not sure and self._is_consequence(code):
            return
        span = place or self.span(at)
        edits = edits if replace is None else (Edit(span, replace), *edits)
        self.diagnostics.error(
            code, span, message, help, self.labels(labels), edits, stock, self.labels(trace)
        )
        self._end_if_full()

    def around(self, at: nodes.At, before: str, after: str) -> tuple[Edit, ...]:
        """Returns the edits that put text before and after these tokens."""
        span = self.span(at)
        edits = (
            Edit(Span(span.file, span.start, span.start), before),
            Edit(Span(span.file, span.end, span.end), after),
        )
        return tuple(edit for edit in edits if edit.text)

    def respelled(self, index: int, word: str, meant: str | None) -> tuple[Edit, ...]:
        """Returns the edit that replaces the token ``index`` by ``meant``, if that token is ``word``."""
        return (Edit(self.span((index, index)), meant),) if meant and self.token(index) == word else ()

    def token(self, index: int) -> str:
        """Returns a token as written, or an empty text after the last token."""
        tokens = self.program.tokens
        return tokens.text(index) if index < len(tokens) else ""  # type: ignore[attr-defined, arg-type]

    def space_follows(self, index: int) -> bool:
        """Whether this token and the next one are not adjacent."""
        tokens = self.program.tokens
        return tokens.ends[index] != tokens.starts[index + 1]  # type: ignore[attr-defined, no-any-return]

    def warning(
        self,
        code: str,
        at: nodes.At,
        message: str,
        help: str = "",
        labels: Sequence[tuple[nodes.At, str]] = (),
        stock: str = "",
        edits: tuple[Edit, ...] = (),
    ) -> None:
        if self._is_consequence(code):
            return
        self.diagnostics.warning(code, self.span(at), message, help, self.labels(labels), stock, edits)
        self._end_if_full()

    def _end_if_full(self) -> None:
        if self.diagnostics.full:
            raise TooManyFindings

    def labels(self, places: Sequence[tuple[nodes.At, str]]) -> tuple[Label, ...]:
        return tuple(Label(self.span(at), text) for at, text in places)


def nearest(word: str, candidates: Iterable[str]) -> list[str]:
    """Returns the candidates that resemble a misspelt word, best first. Case does not matter."""
    return similar(word, candidates, SUGGESTIONS_MAX, 0.7)


def did_you_mean(near: Sequence[str], otherwise: str = "") -> str:
    """The help line for an unknown word."""
    return f"did you mean {joined_names(near)}?" if near else otherwise


def certain(word: str, near: Sequence[str]) -> str | None:
    """Returns the replacement that is safe to apply: the only candidate if it is similar enough, or a
    candidate that is much more similar than the next one."""
    if len(near) < 2:
        return (
            near[0]
            if near
            and (_likeness(word, near[0]) >= LIKELY_ALONE or sorted(word.lower()) == sorted(near[0].lower()))
            else None
        )
    best, second = (_likeness(word, candidate) for candidate in near[:2])
    return near[0] if best >= LIKELY and best - second >= LEAD else None


def _likeness(word: str, candidate: str) -> float:
    """Compares the parts after a common prefix such as ``req.``."""
    from difflib import SequenceMatcher

    left, right = candidate.lower(), word.lower()
    head = left.partition(".")[0] + "."
    if right.startswith(head):
        left, right = left[len(head) :], right[len(head) :]
    return SequenceMatcher(None, left, right).ratio()


def joined_names(names: Sequence[str], word: str = "or") -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {word} {names[-1]}"
