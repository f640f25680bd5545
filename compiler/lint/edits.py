"""Applies edits to text, and shows them as a diff."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from vernis.record import record
from vernis.syntax.diagnostics import Edit
from vernis.syntax.source import SourceFile, shown

_CONTEXT = 1  # lines around a change in a diff
_BLANK = b" \t"
_SPACE = b" \t\r\n"


@record(frozen=True)
class Change:
    """Bytes [start, end) of a file become ``data``."""

    start: int
    end: int
    data: bytes


def changes_of(file: SourceFile, edits: Iterable[Edit]) -> list[Change]:
    """The edits of one file in order. Line ends are those of the file. A deletion that would leave an empty
    line deletes the line; one that would leave a comment moves it to the begin."""
    return sorted((_change(file, edit) for edit in edits), key=lambda change: (change.start, change.end))


def _change(file: SourceFile, edit: Edit) -> Change:
    start, end, data = edit.span.start, edit.span.end, edit.text.encode("utf-8", "surrogateescape")
    if b"\r\n" in file.data:
        data = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    if not data and start < end:
        start, end = _whole_lines(file.data, start, end)
    return Change(start, end, data)


def _whole_lines(data: bytes, start: int, end: int) -> tuple[int, int]:
    first, last = start, end
    while first > 0 and data[first - 1] in _BLANK:
        first -= 1
    while last < len(data) and data[last] in _BLANK + b"\r":
        last += 1
    begins = first == 0 or data[first - 1 : first] == b"\n"
    if not begins or data[last : last + 1] != b"\n":
        is_noted = begins and data[last : last + 1] in (b"#", b"/")
        return (start, last) if is_noted else (start, end)
    brace, closing = first, last
    while brace > 0 and data[brace - 1] in _SPACE:
        brace -= 1
    while closing < len(data) and data[closing] in _SPACE:
        closing += 1
    if data[brace - 1 : brace] == b"{" and data[closing : closing + 1] == b"}":
        return brace, closing  # nothing is left between the braces
    return first, last + 1


def overlap(one: Change, other: Change) -> bool:
    """Whether the result depends on the order of two changes. Two insertions at one place do overlap."""
    if one.start == other.start:
        return True
    return one.start < other.end and other.start < one.end


def applied(data: bytes, changes: Sequence[Change]) -> bytes:
    """The text with changes that are in order and do not overlap."""
    parts, at = [], 0
    for change in changes:
        parts += [data[at : change.start], change.data]
        at = change.end
    return b"".join([*parts, data[at:]])


def diff_of(file: SourceFile, edits: Iterable[Edit]) -> list[str]:
    """Lines of a unified diff without its head. Reads only the lines near the edits: a file may have many
    findings."""
    lines = []
    grown = 0
    for group in _groups(file, changes_of(file, edits)):
        first = max(file.line_of(group[0].start) - _CONTEXT, 1)
        last = min(_last_line(file, group[-1]) + _CONTEXT, len(file.line_starts))
        start = file.line_starts[first - 1]
        end = file.line_starts[last] if last < len(file.line_starts) else len(file.data)
        before = file.data[start:end]
        after = applied(before, [Change(c.start - start, c.end - start, c.data) for c in group])
        lines += _hunk(_split(before), _split(after), first, first + grown)
        grown += after.count(b"\n") - before.count(b"\n")
    return lines


def _last_line(file: SourceFile, change: Change) -> int:
    """The last changed line. A change that ends with a line end does not touch the line after it."""
    return file.line_of(max(change.end - 1, change.start))


def _groups(file: SourceFile, changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Changes whose lines, with those around them, touch."""
    group: list[Change] = []
    for change in changes:
        if group and file.line_of(change.start) - _last_line(file, group[-1]) > 2 * _CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _split(data: bytes) -> list[str]:
    return [shown(line.removesuffix(b"\r")) for line in data.removesuffix(b"\n").split(b"\n")] if data else []


def _hunk(before: list[str], after: list[str], first: int, first_after: int) -> list[str]:
    """A hunk: equal lines at both ends, and all others as deleted and inserted ones."""
    shorter = min(len(before), len(after))
    head = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    left = shorter - head
    tail = next((n for n in range(left) if before[-1 - n] != after[-1 - n]), left)
    drop = max(head - _CONTEXT, 0), max(tail - _CONTEXT, 0)
    n_before, n_after = (len(lines) - sum(drop) for lines in (before, after))
    return [
        f"@@ -{first + drop[0]},{n_before} +{first_after + drop[0]},{n_after} @@",
        *(f" {line}" for line in before[drop[0] : head]),
        *(f"-{line}" for line in before[head : len(before) - tail]),
        *(f"+{line}" for line in after[head : len(after) - tail]),
        *(f" {line}" for line in before[len(before) - tail : len(before) - drop[1]]),
    ]
