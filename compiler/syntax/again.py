"""Reads a policy again after an edit, and keeps the trees of all declarations with the same text.

Nodes name their tokens by index, so a kept tree needs the same indices in the new token table. Each
declaration therefore gets a range of indices with room for an edit; the room is filled with hidden tokens
without text. Only declarations with another text are parsed. The result is that of ``parse_program`` but for
these tokens, and a text with an include or with an error is left to ``parse_program``.
"""

from __future__ import annotations

import re

from vernis.record import field, record
from vernis.syntax import nodes as n
from vernis.syntax.brackets import balance
from vernis.syntax.diagnostics import Diagnostics
from vernis.syntax.engine import Engine, default_engine
from vernis.syntax.generated.token_types import T
from vernis.syntax.parser import ParseOptions, collector_off, parse_tokens
from vernis.syntax.source import SourceFile, SourceMap
from vernis.syntax.text import check_text
from vernis.syntax.tokens import FileTokens, TokenTable, type_class, visible_tokens
from vernis.syntax.version import check_least, check_versions, may_be_five
from vernis.syntax.words import mark_words

ROOM = 24  # tokens that a declaration may grow by until all behind it are read again
_FILLER = 2  # in ``hidden``: no comment

_EVENT_RE = re.compile(type_class((T.LBRACE, T.RBRACE, T.SEMI)))


@record
class _Text:
    """A declaration and the comments before it in a file: its tokens there from ``first`` up to ``end``."""

    first: int
    end: int
    data: bytes


@record
class _Chunk:
    """A text at its place. ``first`` is the index of its first token in the table, ``size`` the number of
    indices that it may use. ``types`` are its tokens after ``mark_words``. ``declarations`` None: unread."""

    data: bytes
    first: int
    size: int
    types: bytearray = field(default_factory=bytearray)
    declarations: list[n.Decl] | None = None


@record
class KnownTrees:
    """The trees of one policy, from one reading to the next. ``n_parsed`` counts the declarations that the
    latest reading has parsed."""

    chunks: list[_Chunk] = field(default_factory=list)
    builtin: list[_Chunk] = field(default_factory=list)
    n_parsed: int = 0


class _NotHere(Exception):
    """The text has an error or an include: it is the work of ``parse_program``."""


def parse_again(main: SourceFile, options: ParseOptions, known: KnownTrees) -> n.Program | None:
    """The tree of a policy; None if ``parse_program`` has to read it."""
    try:
        with collector_off():
            return _Reading(options, known).program(main)
    except _NotHere:
        return None


class _Reading:
    def __init__(self, options: ParseOptions, known: KnownTrees) -> None:
        self.options, self.known = options, known
        self.engine: Engine = options.engine or default_engine()
        self.sources = SourceMap()
        self.table = TokenTable(self.sources)
        self.diags = Diagnostics()

    def program(self, main: SourceFile) -> n.Program:
        self.known.n_parsed = 0
        if may_be_five(main.data):  # the version decides which words are keywords, and a chunk has no version
            raise _NotHere
        chunks = self._file(main, self.known.chunks, 0)
        declarations = [one for chunk in chunks for one in chunk.declarations or ()]
        version = check_versions(declarations, self.table, self.diags, self.options.require_version)
        check_least(declarations, version, self.options.least_version, self.table, self.diags)
        builtin_from = len(declarations)
        builtin: list[_Chunk] = []
        if self.options.builtin is not None:
            first = max(len(self.table), self.known.builtin[0].first if self.known.builtin else 0)
            builtin = self._file(self.options.builtin, self.known.builtin, first)
            declarations += [one for chunk in builtin for one in chunk.declarations or ()]
        if self.diags.items or any(isinstance(one, n.TestCase) for one in declarations):
            raise _NotHere
        self.known.chunks, self.known.builtin = chunks, builtin
        return n.Program(tuple(declarations), self.table, self.sources, version, builtin_from)

    def _file(self, file: SourceFile, before: list[_Chunk], first: int) -> list[_Chunk]:
        """Adds a file to the table, from index ``first`` on, and returns its chunks."""
        limits = self.options.limits
        tokens = self.options.cache.tokens(self.engine, file.data, limits.tokens)
        total = len(self.table) + len(tokens.types)
        if len(file.data) > limits.source_bytes or total > limits.tokens or T.INCLUDE in tokens.types:
            raise _NotHere
        texts = _texts(file, tokens)
        chunks = _placed(texts, before, first)
        number = self.sources.add(file)
        for text, chunk in zip(texts, chunks, strict=True):
            self._fill(number, chunk.first)
            self.table.extend(number, tokens, text.first, text.end)
            if chunk.declarations is None:
                self._parse(chunk)
            else:
                self.table.types[chunk.first :] = chunk.types
        if chunks:
            self._fill(number, chunks[-1].first + chunks[-1].size)
        return chunks

    def _fill(self, number: int, end: int) -> None:
        """Appends hidden tokens without text up to an index."""
        table = self.table
        count = end - len(table)
        is_first = not table.files or table.files[-1] != number
        place, line = (0, 1) if is_first else (table.ends[-1], table.lines[-1])
        table.types += bytes(count)
        table.line_starts += bytes(count)
        table.hidden += bytes((_FILLER,)) * count
        table.files += [number] * count
        table.starts += [place] * count
        table.ends += [place] * count
        table.lines += [line] * count

    def _parse(self, chunk: _Chunk) -> None:
        """Parses the last tokens of the table."""
        table, first = self.table, chunk.first
        visible = visible_tokens(table, first, len(table))
        chunk.declarations = []
        mark_words(table, visible)
        reported = check_text(table, visible, self.diags, first)  # also behind the last declaration
        if self.diags.items:
            raise _NotHere
        if visible.table_index:
            balanced = balance(table, visible, reported, self.diags, self.options.limits.nesting)
            if balanced is None or self.diags.items:
                raise _NotHere
            chunk.declarations = parse_tokens(self.engine, table, balanced, reported, self.diags)
        chunk.types = table.types[first:]
        self.known.n_parsed += len(chunk.declarations)


def _texts(file: SourceFile, tokens: FileTokens) -> list[_Text]:
    """The declarations of a file. A declaration ends with a ``}`` or ``;`` outside of brackets."""
    ends, depth = [0], 0
    for match in _EVENT_RE.finditer(tokens.types):
        event = match[0][0]
        depth += (event == T.LBRACE) - (event == T.RBRACE)
        if depth == 0 and event != T.LBRACE:
            ends.append(match.end())
    if ends[-1] < len(tokens.types):
        ends.append(len(tokens.types))
    starts = [tokens.starts[end] if end < len(tokens.types) else len(file.data) for end in ends]
    return [
        _Text(first, end, file.data[start:stop])
        for first, end, start, stop in zip(ends, ends[1:], starts, starts[1:], strict=False)
    ]


def _placed(texts: list[_Text], before: list[_Chunk], first: int) -> list[_Chunk]:
    """The texts at their indices. Those at the begin and at the end that are the same as before keep theirs,
    if the others fit between."""
    head = 0
    while head < min(len(texts), len(before)) and texts[head].data == before[head].data:
        head += 1
    tail = 0
    while tail < min(len(texts), len(before)) - head and texts[-1 - tail].data == before[-1 - tail].data:
        tail += 1
    kept = before[:head] if not before or before[0].first == first else []
    middle = texts[len(kept) : len(texts) - tail]
    at = kept[-1].first + kept[-1].size if kept else first
    room = before[-tail].first - at if tail else 0
    if tail and (not kept and head or sum(text.end - text.first for text in middle) > room):
        tail, middle = 0, texts[len(kept) :]
    placed = list(kept)
    for text in middle:
        size = text.end - text.first + (0 if tail else ROOM)
        placed.append(_Chunk(text.data, at, size))
        at += size
    return placed + (before[-tail:] if tail else [])
