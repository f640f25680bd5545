"""Formats one file: reads it as a policy or as a fragment, writes its tokens with new spaces, and compares
the tokens before and after.

Includes are not followed: each file is formatted alone. A file without a version line may hold declarations,
or what an include inside a declaration stands for: statements, acl entries or properties.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from functools import partial
from typing import Any

from vernis.format.layout import Piece, Style, lay_out
from vernis.format.switches import kept_by_comments, kept_by_lines
from vernis.format.walk import declarations, entries
from vernis.format.writer import Writer
from vernis.record import record
from vernis.syntax import nodes as n
from vernis.syntax.diagnostics import Diagnostics
from vernis.syntax.engine import default_engine
from vernis.syntax.frames import enough_frames
from vernis.syntax.generated.token_types import T
from vernis.syntax.limits import Limits
from vernis.syntax.parser import ParseOptions, parse_program
from vernis.syntax.source import SourceFile, SourceMap
from vernis.syntax.tokens import COMMENTS, TokenTable, lex_bytes


@record(frozen=True)
class Formatted:
    """``data`` is None if the file has errors; they are in ``diags``, with their places in ``sources``."""

    data: bytes | None
    diags: Diagnostics
    sources: SourceMap


class ChangedTokens(Exception):
    """The formatter would change more than spaces. This is a bug; the file stays as it is."""


@record(frozen=True)
class _Kind:
    """A kind of fragment. ``head`` opens a declaration around it, so that the parser can read it."""

    head: bytes
    members: Callable[[Any], Sequence[Any]]


_FRAGMENTS = (
    _Kind(b"sub fragment { ", lambda item: item.body.statements),
    _Kind(b"acl fragment { ", lambda item: item.entries),
    _Kind(b"backend fragment { ", lambda item: item.properties),
)
_HEAD_TOKENS = 3  # of each of them
_TAIL = b"\n}"


@record
class _Source:
    """The text to format: all of it, or the text between ``head`` and ``tail`` bytes. ``walk`` writes
    it."""

    program: n.Program
    head: int
    tail: int
    walk: Callable[[Writer], None]

    @property
    def table(self) -> TokenTable:
        return self.program.tokens  # type: ignore[return-value]

    @property
    def first(self) -> int:
        return _HEAD_TOKENS if self.head else 0

    @property
    def end(self) -> int:
        return len(self.table) - (1 if self.tail else 0)

    def walked(self, kept: Set[int]) -> Writer:
        """Returns a writer with all tokens."""
        writer = Writer(self.table, self.first, self.end, self.head, kept)
        self.walk(writer)
        assert writer.at == writer.end, "the walk did not reach the end of the text"
        return writer

    @property
    def text(self) -> str:
        """The text of the file. ``head`` and ``tail`` are not in it."""
        text = self.table.sources.files[0].text
        return text[self.head : len(text) - self.tail]

    def after_last(self) -> str:
        """Returns the text after the last token."""
        return self.text[self.table.ends[self.end - 1] - self.head :]


def format_source(file: SourceFile, style: Style, lines: tuple[int, int] | None = None) -> Formatted:
    """Formats a file, or only what is on ``lines`` (first and last, from 1). Raises ChangedTokens."""
    enough_frames()
    program, diags = _read(file)
    if not diags.failed:
        source = _Source(program, 0, 0, lambda w: declarations(w, program.declarations))
        return Formatted(_written(source, style, lines), diags, source.table.sources)
    for kind in _FRAGMENTS:
        inner, found = _read(SourceFile(file.name, kind.head + file.data + _TAIL))
        if not found.failed and _is_one_declaration(inner):
            items = kind.members(inner.declarations[0])
            source = _Source(inner, len(kind.head), len(_TAIL), partial(entries, items=items))
            return Formatted(_written(source, style, lines), found, source.table.sources)
    return Formatted(None, diags, program.sources)  # type: ignore[arg-type]


def _read(file: SourceFile) -> tuple[n.Program, Diagnostics]:
    return parse_program(file, ParseOptions(require_version=False, splice=False, tests=True))


def _is_one_declaration(program: n.Program) -> bool:
    """Whether the fragment is inside of the one declaration that was put around it. A fragment such as
    ``} sub x {`` closes it and opens another one."""
    table: TokenTable = program.tokens  # type: ignore[assignment]
    return len(program.declarations) == 1 and program.declarations[0].at == (0, len(table) - 1)


def _written(source: _Source, style: Style, lines: tuple[int, int] | None) -> bytes:
    kept = kept_by_comments(source.table, source.first, source.end)
    writer = source.walked(kept)
    if lines is not None:
        kept |= kept_by_lines(source.table, writer.units, lines)
        writer = source.walked(kept)
    pieces = lay_out(writer.items, style)
    line_end = _line_end(source.text)
    if line_end != "\n":
        pieces = [
            piece if piece[0] in kept else _with_line_end(piece, line_end, source.table) for piece in pieces
        ]
    text = "".join([part for _, gap, text in pieces for part in (gap, text)])
    if lines is not None and source.end - 1 in kept:
        text += source.after_last()
    elif pieces:
        text += line_end
    data = text.encode("latin-1")
    if not _has_all_tokens(pieces, source) or _tokens_of(data) != _tokens_in(pieces, source.table):
        name = source.table.sources.files[0].name
        raise ChangedTokens(f"{name}: formatting would change more than spaces; please report this file")
    return data


def _line_end(text: str) -> str:
    """Returns how lines of the file end: as the last one. A formatted file ends with this line end, so that
    the answer stays the same when the file is formatted again."""
    at = text.rfind("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def _with_line_end(piece: Piece, line_end: str, table: TokenTable) -> Piece:
    """Strings keep their line ends: they are part of the value."""
    token, gap, text = piece
    if table.types[token] in COMMENTS:
        text = text.replace("\n", line_end)
    return token, gap.replace("\n", line_end), text


def _has_all_tokens(pieces: Sequence[Piece], source: _Source) -> bool:
    """Whether each token was written once, and those that are no comments in their order."""
    written = [token for token, _, _ in pieces]
    visible = [token for token in written if source.table.types[token] not in COMMENTS]
    return sorted(written) == list(range(source.first, source.end)) and sorted(visible) == visible


def _tokens_in(pieces: Sequence[Piece], table: TokenTable) -> list[str]:
    """Returns the texts of the tokens as they were written. `elseif` has become two tokens."""
    words: list[str] = []
    for token, _, text in pieces:
        words += text.split() if table.types[token] == T.ELSEIF else [text]
    return words


def _tokens_of(data: bytes) -> list[str]:
    """Returns the texts of the tokens in written text."""
    tokens = lex_bytes(default_engine(), data, Limits().tokens)
    text = data.decode("latin-1")
    places = zip(tokens.types, tokens.starts, tokens.ends)
    return [text[a:b].rstrip("\r") if type == T.LINE_COMMENT else text[a:b] for type, a, b in places]
