"""Edits that the fixes of several rules use. Where the text has one statement a line, they write so, too."""

from __future__ import annotations

import re

from vernis.lint.view import Placed, View
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Span

STEP = "    "
_REMARK = later(r"[ \t]*((#|//).*)?")


def indent_before(view: View, at: Span) -> str | None:
    """The blanks before a place that begins its line; None for another place."""
    file = view.sources.files[at.file]
    text = file.text[file.line_starts[file.line_of(at.start) - 1] : at.start]
    return None if text.strip() else text


def line_end(view: View, at: Span) -> int | None:
    """The end of the line behind a place, if only a comment follows; None otherwise."""
    file = view.sources.files[at.file]
    end = file.text.find("\n", at.end)
    end = len(file.text) if end < 0 else end
    return end if _REMARK.fullmatch(file.text[at.end : end].rstrip("\r")) else None


def laid_out(text: str, indent: str) -> str:
    """Breaks a line of statements, as rules write them, without braces and semicolons in their texts. The
    first line has no indent."""
    step = "\t" if indent.startswith("\t") else STEP
    text = re.sub(r" \} (?!else)", " }\n", text)
    for mark in "{", ";":
        text = text.replace(mark + " ", mark + "\n")
    lines = []
    for line in text.split("\n"):
        if line.startswith("}"):
            indent = indent.removesuffix(step)
        lines.append(indent + line)
        if line.endswith("{"):
            indent += step
    return "\n".join(lines).lstrip()


def before(view: View, node: Placed, text: str) -> Edit:
    """The edit that puts statements before another, on lines of their own if that one begins its line."""
    span = view.span(node)
    indent = indent_before(view, span)
    new = text + " " if indent is None else laid_out(text, indent) + "\n" + indent
    return Edit(Span(span.file, span.start, span.start), new)


def deleted(view: View, node: Placed) -> Edit:
    return Edit(view.span(node), "")


def only_if(view: View, statement: nodes.Stmt, test: str) -> tuple[Edit, ...]:
    """The edits that run a statement only if a test holds."""
    span = view.span(statement)
    indent, end = indent_before(view, span), line_end(view, span)
    if indent is None or end is None:
        start, end = f"if ({test}) {{ ", span.end
        return Edit(Span(span.file, span.start, span.start), start), Edit(Span(span.file, end, end), " }")
    step = "\t" if indent.startswith("\t") else STEP
    first = Edit(Span(span.file, span.start, span.start), f"if ({test}) {{\n{indent}{step}")
    return first, Edit(Span(span.file, end, end), f"\n{indent}}}")


def behind_brace(view: View, sub: nodes.Sub, text: str) -> Edit:
    """The edit that puts statements at the begin of a sub."""
    at = view.token_span(sub.body.at[0])
    end = line_end(view, at)
    if end is None:
        return Edit(Span(at.file, at.end, at.end), " " + text)
    first = sub.body.statements[:1]
    indent = (indent_before(view, view.span(first[0])) if first else None) or STEP
    return Edit(Span(at.file, end, end), f"\n{indent}{laid_out(text, indent)}")
