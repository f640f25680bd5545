"""Diagnostics as text for people: place, message, the line with carets, help."""

from __future__ import annotations

from collections.abc import Iterable

from vernis.record import replace
from vernis.shown import visible
from vernis.syntax.diagnostics import Diagnostic, Severity, Span
from vernis.syntax.source import SourceFile, SourceMap
from vernis.syntax.stock import JUST_A_WARNING

_WIDTH_MAX = 160  # shown characters of a source line
_CONTEXT = 60  # of these, characters before the place in a longer line
_PLACES_MAX = 20  # shown places of a repeated finding
_HELP_LONG = 120  # characters; a longer help is not repeated
_AS_ABOVE = "as above"


def render(item: Diagnostic, sources: SourceMap, stock: bool = False) -> str:
    """Renders ``file:line:col: error[V202]: message``, the line, carets and ``help:``, then each label. With
    ``stock``, Varnish's phrase follows, for people and scripts that look for it in the answer of a server."""
    lines = [f"{_place(item.span, sources)}: {item.severity.value}[{item.code}]: {item.message}"]
    lines += _frame(item.span, sources, "^")
    for label in item.labels:
        lines.append(f"{_place(label.span, sources)}: note: {label.text}")
        lines += _frame(label.span, sources, "-")
    if item.help:
        lines.append(f"help: {item.help}")
    if not stock:
        return "\n".join(lines)
    if item.stock and item.severity is Severity.WARNING:
        lines += ["varnish:", item.stock, stock_place(item.span, sources), JUST_A_WARNING]
    elif item.stock:
        lines += ["varnish: " + item.stock, "At: " + stock_place(item.span, sources)]
    for label in item.trace:
        lines += ["", label.text, *_stock_frame(label.span, sources), ""]
    return "\n".join(lines)


def render_all(items: Iterable[Diagnostic], sources: SourceMap, stock: bool = False) -> str:
    """Renders diagnostics. A repeated finding is shown once, with its other places after it. A long help is
    not shown twice in a row."""
    again: dict[object, list[Diagnostic]] = {}
    for item in items:
        again.setdefault(_saying(item), []).append(item)
    shown = []
    helped = ""
    for first, *others in again.values():
        if first.help == helped and len(helped) > _HELP_LONG:
            first = replace(first, help=_AS_ABOVE)
        else:
            helped = first.help
        text = render(first, sources, stock)
        shown.append(f"{text}\nthe same at: {_places(first, others, sources)}" if others else text)
    return "\n\n".join(shown)


def _saying(item: Diagnostic) -> object:
    """Returns a key that is equal for findings that differ in their place only."""
    return id(item) if item.labels or item.trace else (item.severity, item.code, item.message, item.help)


def _places(first: Diagnostic, others: list[Diagnostic], sources: SourceMap) -> str:
    """Returns ``line:column`` of each place, with the file where it changes."""
    words = []
    file = first.span.file
    for item in others[:_PLACES_MAX]:
        name, line, column = sources.place(item.span)
        words.append(f"{line}:{column}" if item.span.file == file else f"{visible(name)}:{line}:{column}")
        file = item.span.file
    more = len(others) - _PLACES_MAX
    return ", ".join(words) + (f" and {more} more" if more > 0 else "")


def stock_place(span: Span, sources: SourceMap) -> str:
    """Returns the place in Varnish's form, for programs that read it. A tab counts as up to eight columns."""
    name, line, _ = sources.place(span)
    file = sources.files[span.file]
    start = min(span.start, len(file.data)) - file.line_starts[line - 1]
    column = len(file.line_bytes(line)[:start].expandtabs(8)) + 1
    return f"('{name}' Line {line} Pos {column})"


def _stock_frame(span: Span, sources: SourceMap) -> list[str]:
    """Returns a place, its line and the marks below it, in Varnish's form."""
    file = sources.files[span.file]
    line = file.line_of(min(span.start, len(file.data)))
    begins = file.line_starts[line - 1]
    before, marked, after = _split(file.line_bytes(line), span.start - begins, _end_in_line(file, span, line))
    start, end = len(before.expandtabs(8)), len((before + marked).expandtabs(8))
    shown = (before + marked + after).expandtabs(8)
    return [
        stock_place(span, sources),
        visible(shown),
        "-" * start + "#" * (end - start) + "-" * (len(shown) - end),
    ]


def _place(span: Span, sources: SourceMap) -> str:
    name, line, column = sources.place(span)
    return f"{visible(name)}:{line}:{column}"


def _frame(span: Span, sources: SourceMap, mark: str) -> list[str]:
    """Returns the source line and its underline; of a longer span only the first line."""
    file = sources.files[span.file]
    line = file.line_of(min(span.start, len(file.data)))
    start = min(span.start, len(file.data)) - file.line_starts[line - 1]
    data = file.line_bytes(line)
    before, marked, after = _split(data, start, _end_in_line(file, span, line))
    if len(before) + len(marked) + len(after) > _WIDTH_MAX:
        if len(before) > _CONTEXT:
            before = "..." + before[-_CONTEXT:]
        room = max(_WIDTH_MAX - len(before), 16)
        if len(marked) > room:
            marked, after = marked[:room] + "...", ""
        elif len(marked) + len(after) > room:
            after = after[: room - len(marked)] + "..."
    number = str(line)
    gutter = " " * len(number)
    indent = "".join("\t" if c == "\t" else " " * _columns(c) for c in visible(before))
    return [
        f" {number} | {visible(before + marked + after)}",
        f" {gutter} | {indent}{mark * max(_columns(visible(marked)), 1)}",
    ]


def _columns(text: str) -> int:
    """Returns the width of a text on a terminal: East Asian characters are two columns, combining ones
    none."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _end_in_line(file: SourceFile, span: Span, line: int) -> int:
    return span.end - file.line_starts[line - 1]


def _split(data: bytes, start: int, end: int) -> tuple[str, str, str]:
    """Splits a line into the text before, in and after the marked part: as UTF-8 only if the whole line is
    valid."""
    start = min(start, len(data))
    end = min(max(end, start), len(data))
    try:
        return data[:start].decode(), data[start:end].decode(), data[end:].decode()
    except UnicodeDecodeError:
        return tuple(part.decode("latin-1") for part in (data[:start], data[start:end], data[end:]))  # type: ignore[return-value]
