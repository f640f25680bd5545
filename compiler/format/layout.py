"""Chooses the line breaks: items in, the space before each token out.

The writer (``writer.py``) appends items in the order of the text. A *group* is flat, or all of its own breaks
are newlines; in a list that is filled, only those where a line is full. It is flat if it fits on the line.
Groups are decided from the outside in, and nothing else in the text matters for the decision, so that
formatted text stays as it is when it is formatted again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vernis.record import record

Item = tuple[Any, ...]

TOKEN, KEPT, NOTE, REMARK, TRAIL, SPACE, SOFT, LINE, FILL, HARD, OPEN, CLOSE, INDENT, DEDENT = range(14)
# (TOKEN, token, text)
# (KEPT, token, text, gap): with the gap and the text of the file
# (NOTE, token, text, column): a comment of several lines, which moves as a whole
# (REMARK, token, text): a comment between tokens of a line
# (TRAIL, token, text): a comment at the end of a line, which may be longer than the line
# (SPACE,), (SOFT,): nothing or a newline, (LINE,): a space or a newline, (HARD, blank lines): a newline
# (FILL,): a space, or a newline if what follows, up to the next break, does not fit on the line
# (OPEN, Group), (CLOSE,), (INDENT,), (DEDENT,)

_BREAKS = (SOFT, LINE, FILL)
TAB = 4  # columns of a tab inside a comment, a string, or text that stays
BLANKS = " \t\r\f\v"


@record(frozen=True)
class Style:
    """The options of the formatter."""

    line_width: int = 100
    indent: int = 4


@record
class Group:
    """``forced``: it has a newline, because of a comment or of a list with an entry on each line."""

    forced: bool = False


Piece = tuple[int, str, str]  # a token, the space before it, and its text


def lay_out(items: Sequence[Item], style: Style) -> list[Piece]:
    """Returns the tokens in order, each with the space before it."""
    pieces: list[Piece] = []
    column = depth = newlines = 0
    gap = ""
    flat = [False]
    for at, item in enumerate(items):
        kind = item[0]
        if kind <= TRAIL:
            if kind == KEPT:
                gap = item[3]
                column = end_column(column, gap)
            else:
                if newlines:
                    gap, column = "\n" * newlines + " " * (depth * style.indent), 0
                column += len(gap) - newlines
            text = item[2] if kind != NOTE else _moved(item[2], item[3], column)
            pieces.append((item[1], gap, text))
            column = end_column(column, text)
            gap, newlines = "", 0
        elif kind == SPACE or kind in (LINE, FILL) and flat[-1]:
            gap = " "
        elif kind == FILL and _item_fits(items, at + 1, column + 1, style.line_width):
            gap = " "
        elif kind == HARD:
            newlines = item[1] + 1 if pieces else 0
        elif kind == OPEN:
            start = depth * style.indent if newlines else column + len(gap)
            flat.append(flat[-1] or not item[1].forced and _fits(items, at, start, style.line_width))
        elif kind == CLOSE:
            flat.pop()
        elif kind == INDENT:
            depth += 1
        elif kind == DEDENT:
            depth -= 1
        elif not flat[-1]:  # SOFT, LINE or FILL
            newlines = 1
    return pieces


def _fits(items: Sequence[Item], at: int, column: int, limit: int) -> bool:
    """Whether a flat group at ``at`` and the text up to the next possible break fit. Only the end of a string
    of several lines counts: no break makes its other lines shorter."""
    depth = 0
    closed = False
    for i in range(at, len(items)):
        kind = items[i][0]
        if kind == REMARK and closed and items[i + 1][0] in _BREAKS:
            return True  # it will end the line
        if kind in (TOKEN, KEPT, REMARK):
            column = end_column(column, items[i][2])
            if column > limit:
                return False
        elif kind == OPEN:
            depth += 1
        elif kind == CLOSE:
            depth -= 1
            closed = closed or depth == 0
        elif kind in (HARD, TRAIL, NOTE) or closed and kind in _BREAKS:
            return True
        elif kind in (SPACE, LINE, FILL):
            column += 1
    return True


def _item_fits(items: Sequence[Item], at: int, column: int, limit: int) -> bool:
    """Whether an item of a filled list, with its comma, fits flat from ``column`` on."""
    depth = 0
    for i in range(at, len(items)):
        kind = items[i][0]
        if kind in (TOKEN, KEPT, REMARK):
            column = end_column(column, items[i][2])
            if column > limit:
                return False
        elif kind in (HARD, TRAIL, NOTE) or depth == 0 and kind in _BREAKS:
            return True
        elif kind in (SPACE, LINE, FILL):
            column += 1
        elif kind in (OPEN, CLOSE):
            depth += 1 if kind == OPEN else -1
    return True


def end_column(start: int, text: str) -> int:
    """Returns the column after a text that begins at ``start``."""
    if "\n" in text:
        start, text = 0, text.rpartition("\n")[2]
    if "\t" in text:
        into = start % TAB  # a tab
        return start - into + width((" " * into + text).expandtabs(TAB))
    return start + width(text)


def width(text: str) -> int:
    """Returns the number of characters. A text has one character for each byte of UTF-8."""
    if text.isascii():
        return len(text)
    return sum(not "\x80" <= c <= "\xbf" for c in text)


def _moved(comment: str, old: int, new: int) -> str:
    """Moves a comment of several lines from column ``old`` to ``new``. If all its lines begin with ``*``,
    they are aligned below the first ``*``."""
    first, *rest = (line.rstrip(BLANKS) for line in comment.split("\n"))
    if all(line.lstrip().startswith("*") for line in rest):
        return "\n".join([first, *(" " * (new + 1) + line.lstrip() for line in rest)])
    return "\n".join([first, *(_shifted(line, new - old) for line in rest)])


def _shifted(line: str, by: int) -> str:
    bare = line.lstrip(BLANKS)
    indent = line[: len(line) - len(bare)].expandtabs(TAB)
    return " " * max(len(indent) + by, 0) + bare if bare else ""
