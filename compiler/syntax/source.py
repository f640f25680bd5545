"""Policy text: files as bytes, and the places of offsets.

Text is bytes throughout. ``SourceFile.text`` has one character per byte (Latin-1), so that its offsets are
byte offsets for any content. Lines and columns are computed on demand, for messages only.
"""

from __future__ import annotations

import errno
import os
import stat
from bisect import bisect_right
from itertools import accumulate

from vernis.record import field, record
from vernis.syntax.diagnostics import Span


@record
class Shortened:
    """A text without some statements. ``gaps`` are their places in it, in order, with the bytes left out."""

    text: bytes
    gaps: list[tuple[int, int]] = field(default_factory=list)


class SourceFile:
    """One text. ``name`` is its name in messages, and the base of ``./`` includes. ``lexed`` is what the
    lexer reads: without statements that need no parse (semantics/pieces.py)."""

    __slots__ = ("name", "data", "lexed", "text", "_line_starts")

    def __init__(self, name: str, data: bytes, lexed: Shortened | None = None) -> None:
        self.name = name
        self.data = data
        self.lexed = Shortened(data) if lexed is None else lexed
        self.text = data.decode("latin-1")
        self._line_starts: list[int] | None = None

    @property
    def line_starts(self) -> list[int]:
        """Offset of the first byte of each line."""
        if self._line_starts is None:
            lengths = [len(line) + 1 for line in self.data.split(b"\n")]
            self._line_starts = [0, *accumulate(lengths[:-1])]
        return self._line_starts

    def line_of(self, offset: int) -> int:
        """Returns the number of the line of ``offset``, from 1."""
        return bisect_right(self.line_starts, offset)

    def line_bytes(self, line: int) -> bytes:
        """Returns the line ``line`` without its line end."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] - 1 if line < len(self.line_starts) else len(self.data)
        return self.data[start:end].rstrip(b"\r")

    def position(self, offset: int) -> tuple[int, int]:
        """Returns line and column, both from 1. A column counts characters: UTF-8 sequences if the line is
        valid UTF-8."""
        offset = min(offset, len(self.data))
        line = self.line_of(offset)
        return line, len(shown(self.data[self.line_starts[line - 1] : offset])) + 1


def shown(data: bytes) -> str:
    """Decodes bytes for a message: as UTF-8 if valid, otherwise one character per byte."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


@record
class SourceMap:
    """All files of one program; ``Span.file`` is an index into ``files``. The main file is number 0.
    ``asked`` holds, for an included file, the place of its first include."""

    files: list[SourceFile] = field(default_factory=list)
    asked: dict[int, Span] = field(default_factory=dict)

    def add(self, file: SourceFile, asked: Span | None = None) -> int:
        self.files.append(file)
        number = len(self.files) - 1
        if asked is not None:
            self.asked[number] = asked
        return number

    def order(self, span: Span) -> tuple[int, ...]:
        """Returns a sort key: an included text sorts at its include."""
        steps = [span.start]
        number = span.file
        while number in self.asked:
            asked = self.asked[number]
            steps.append(asked.start)
            number = asked.file
        return (number, *reversed(steps))

    def text(self, span: Span) -> str:
        return self.files[span.file].text[span.start : span.end]

    def place(self, span: Span) -> tuple[str, int, int]:
        """Returns file name, line and column of the beginning of ``span``."""
        file = self.files[span.file]
        line, column = file.position(span.start)
        return file.name, line, column


class NotAFile(OSError):
    """A path leads to something other than a file. A read of a pipe waits for a writer, and a device may
    never end."""


def read_file(path: str, bytes_max: int) -> bytes:
    """Reads at most ``bytes_max + 1`` bytes, so that the caller can detect a file over the limit. Raises
    OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    with open(descriptor, "rb") as file:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise NotAFile(
                errno.EINVAL,
                "a directory, not a file"
                if stat.S_ISDIR(mode)
                else "a pipe, a socket or a device, not a file",
            )
        return file.read(bytes_max + 1)
