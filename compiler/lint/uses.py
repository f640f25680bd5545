"""Finds where a policy uses constant regular expressions: tests with ``~`` and ``!~``, and calls of regsub
and regsuball."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vernis.lint.automata import FIELD, Language, language_of
from vernis.lint.pattern import ALL_BYTES, Pattern, parsed
from vernis.lint.view import Parts, View, bare, field_of
from vernis.record import record
from vernis.semantics.vocabulary import HookMask
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Span

HOST_FIELDS = frozenset(("host", "x-forwarded-host", "x-original-host", "x-host"))
URLS = frozenset(("req.url", "bereq.url"))
URL = FIELD & ~((1 << 33) - 1) & ~(1 << 127)  # a request line has no blank in the URL
_METHODS = frozenset(("req.method", "bereq.method", "req.proto", "resp.reason", "beresp.reason"))
_QUOTES = (('"""', '"""'), ('{"', '"}'), ('"', '"'))


@record(frozen=True)
class Use:
    """One use of a constant pattern. ``subject`` is a name, or None for another expression. ``test`` is the
    comparison, ``call`` the call of regsub or regsuball; one of them is None. It is in ``expr`` of a
    statement that ``hooks`` run. ``offset`` is the place of the pattern in its literal, or None if the author
    did not write it in one piece. A use outlives edits elsewhere, so that only the view knows where it is."""

    text: str
    subject: str | None
    literal: nodes.Expr
    expr: nodes.Expr
    hooks: HookMask
    test: nodes.Compare | None
    call: nodes.CallExpr | None
    offset: int | None

    @property
    def pattern(self) -> Pattern | None:
        return parsed(self.text)

    @property
    def language(self) -> Language | None:
        return language_of(self.text)

    @property
    def alphabet(self) -> int:
        return alphabet_of(self.subject)

    @property
    def is_of_host(self) -> bool:
        field = field_of(self.subject or "")
        return field is not None and field[1] in HOST_FIELDS

    def span(self, view: View) -> Span:
        return view.span(self.literal)

    def part(self, view: View, start: int, end: int) -> Span:
        """The place of a part of the pattern in its file."""
        span = self.span(view)
        if self.offset is None:
            return span
        begin = span.start + self.offset
        return Span(span.file, begin + start, begin + max(end, start + 1))

    def edit(self, view: View, start: int, end: int, text: str) -> Edit | None:
        """The change of a part of the pattern."""
        if self.offset is None:
            return None
        span = self.span(view)
        begin = span.start + self.offset
        return Edit(Span(span.file, begin + start, begin + end), text)


def alphabet_of(subject: str | None) -> int:
    """The bytes that a value may have: those of a field have no line feed."""
    name = subject or ""
    if name in URLS:
        return URL
    return FIELD if field_of(name) is not None or name in _METHODS else ALL_BYTES


def uses_of(view: View) -> list[Use]:
    """All uses in the order of the text."""
    return view.each_part(_uses)


def _uses(view: View, group: Sequence[Parts]) -> Iterator[Use]:
    for place, expr, parts in group:
        for part in parts:
            if isinstance(part, nodes.Compare | nodes.CallExpr):
                yield from _uses_in(view, expr, place.hooks, part)


def tests_of(view: View) -> Iterator[tuple[Use, nodes.Compare]]:
    for use in uses_of(view):
        if use.test is not None:
            yield use, use.test


def _uses_in(view: View, expr: nodes.Expr, hooks: HookMask, part: nodes.Expr) -> Iterator[Use]:
    if id(part) in view.made:
        return
    if isinstance(part, nodes.Compare) and part.op in ("~", "!~"):
        yield from _use(view, expr, hooks, part.left, part.right, part)
    elif isinstance(part, nodes.CallExpr) and view.name(part.name) in ("regsub", "regsuball"):
        values = [argument.value for argument in part.args]
        if len(values) > 1:
            yield from _use(view, expr, hooks, values[0], values[1], part)


def _use(
    view: View,
    expr: nodes.Expr,
    hooks: HookMask,
    subject: nodes.Expr,
    literal: nodes.Expr,
    user: nodes.Compare | nodes.CallExpr,
) -> Iterator[Use]:
    text = view.text(literal)
    if text is not None:
        test = user if isinstance(user, nodes.Compare) else None
        call = user if isinstance(user, nodes.CallExpr) else None
        offset = _offset(view, literal, text)
        yield Use(text, view.variable(subject), literal, expr, hooks, test, call, offset)


def _offset(view: View, literal: nodes.Expr, text: str) -> int | None:
    if not isinstance(bare(literal), nodes.StringLit):
        return None
    written = view.written(literal)  # one character a byte, like the text
    for opening, closing in _QUOTES:
        if written == opening + text + closing:
            return len(opening)
    return None
