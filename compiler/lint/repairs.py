"""Edits that the fixes of several rules use."""

from __future__ import annotations

from vernis.lint.view import Placed, View
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Span


def before(view: View, node: Placed, text: str) -> Edit:
    """The edit that puts a statement before another, on a line of its own if that one begins its line."""
    span = view.span(node)
    file = view.sources.files[span.file]
    start = file.line_starts[file.line_of(span.start) - 1]
    indent = file.text[start : span.start]
    gap = "\n" + indent if not indent.strip() else " "
    return Edit(Span(span.file, span.start, span.start), text + gap)


def deleted(view: View, node: Placed) -> Edit:
    return Edit(view.span(node), "")


def only_if(view: View, statement: nodes.Stmt, test: str) -> tuple[Edit, ...]:
    """The edits that run a statement only if a test holds."""
    span = view.span(statement)
    start, end = Span(span.file, span.start, span.start), Span(span.file, span.end, span.end)
    return Edit(start, f"if ({test}) {{ "), Edit(end, " }")


def behind_brace(view: View, sub: nodes.Sub, text: str) -> Edit:
    """The edit that puts a statement at the begin of a sub."""
    at = view.token_span(sub.body.at[0])
    return Edit(Span(at.file, at.end, at.end), " " + text)
