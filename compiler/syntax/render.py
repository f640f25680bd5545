"""Diagnostics as text for people: place, message, the line with carets, help."""

from __future__ import annotations

from collections.abc import Iterable

from vernis.record import replace
from vernis.syntax.diagnostics import Diagnostic, Severity, Span
from vernis.syntax.source import SourceFile, SourceMap
from vernis.syntax.stock import JUST_A_WARNING

_WIDTH_MAX = 160        # characters of a source line that are shown
_CONTEXT = 60           # of them before the place, where a line is longer
_PLACES_MAX = 20        # where the same is said again
_HELP_LONG = 120        # characters; longer ones are not repeated
_AS_ABOVE = "as above"


def render(item: Diagnostic, sources: SourceMap, stock: bool = False) -> str:
    """``file:line:col: error[V202]: message``, the line, carets, ``help:``, then each label the same way. ``stock``: what
    Varnish says of it comes behind, for the habits and scripts that look for its words in a server's answer."""
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
    """What is said again, word for word, is shown once, with the other places behind it; a long help is not given twice in a row."""
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
    """The same for findings that differ in their place only."""
    return id(item) if item.labels or item.trace else (item.severity, item.code, item.message, item.help)


def _places(first: Diagnostic, others: list[Diagnostic], sources: SourceMap) -> str:
    """``line:column`` of each, with its file where that is another one than before."""
    words = []
    file = first.span.file
    for item in others[:_PLACES_MAX]:
        name, line, column = sources.place(item.span)
        words.append(f"{line}:{column}" if item.span.file == file else f"{name}:{line}:{column}")
        file = item.span.file
    more = len(others) - _PLACES_MAX
    return ", ".join(words) + (f" and {more} more" if more > 0 else "")


def stock_place(span: Span, sources: SourceMap) -> str:
    """The place as Varnish's messages have it, for what reads those: columns count a tab as up to eight."""
    name, line, _ = sources.place(span)
    file = sources.files[span.file]
    start = min(span.start, len(file.data)) - file.line_starts[line - 1]
    column = len(file.line_bytes(line)[:start].expandtabs(8)) + 1
    return f"('{name}' Line {line} Pos {column})"


def _stock_frame(span: Span, sources: SourceMap) -> list[str]:
    """A place with its line and what is marked in it, as Varnish shows them."""
    file = sources.files[span.file]
    line = file.line_of(min(span.start, len(file.data)))
    begins = file.line_starts[line - 1]
    before, marked, after = _split(file.line_bytes(line), span.start - begins, _end_in_line(file, span, line))
    start, end = len(before.expandtabs(8)), len((before + marked).expandtabs(8))
    shown = (before + marked + after).expandtabs(8)
    return [stock_place(span, sources), _clean(shown), "-" * start + "#" * (end - start) + "-" * (len(shown) - end)]


def _place(span: Span, sources: SourceMap) -> str:
    name, line, column = sources.place(span)
    return f"{name}:{line}:{column}"


def _frame(span: Span, sources: SourceMap, mark: str) -> list[str]:
    """The source line and what is underlined in it; only the first line of a longer span."""
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
            after = after[:room - len(marked)] + "..."
    number = str(line)
    gutter = " " * len(number)
    indent = "".join("\t" if c == "\t" else " " * _columns(c) for c in _clean(before))
    return [f" {number} | {_clean(before + marked + after)}", f" {gutter} | {indent}{mark * max(_columns(_clean(marked)), 1)}"]


def _columns(text: str) -> int:
    """How wide a terminal shows a text: East Asian characters are two columns, combining ones none."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _end_in_line(file: SourceFile, span: Span, line: int) -> int:
    return span.end - file.line_starts[line - 1]


def _split(data: bytes, start: int, end: int) -> tuple[str, str, str]:
    """A line before, in and behind the marked part, as characters: UTF-8 only if the whole line is."""
    start = min(start, len(data))
    end = min(max(end, start), len(data))
    try:
        return data[:start].decode(), data[start:end].decode(), data[end:].decode()
    except UnicodeDecodeError:
        return tuple(part.decode("latin-1") for part in (data[:start], data[start:end], data[end:]))  # type: ignore[return-value]


def _clean(text: str) -> str:
    """Control characters would move the cursor or worse."""
    return "".join(c if c == "\t" or c.isprintable() else "\u00b7" for c in text)
