"""Reads a policy again after an edit, and keeps the trees of all declarations with the same text.

Nodes name their tokens by index, so a kept tree needs the same indices in the new token table. Each
declaration therefore gets a range of indices with room for an edit; the room is filled with hidden tokens
without text. Only declarations with another text are parsed. In an edited sub, statements and arms keep their
nodes, too, if their tokens are the same at the same indices: the parser reads a few tokens for each run of
them. The result is that of ``parse_program`` but for the tokens of rooms, and a text with an include or with
an error is left to ``parse_program``.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Any

from vernis.record import field, record
from vernis.syntax import nodes as n
from vernis.syntax.brackets import balance
from vernis.syntax.diagnostics import Diagnostics
from vernis.syntax.engine import Engine, default_engine
from vernis.syntax.generated.token_types import T
from vernis.syntax.parser import ParseOptions, collector_off, parse_tokens
from vernis.syntax.source import SourceFile, SourceMap
from vernis.syntax.text import check_text
from vernis.syntax.tokens import FileTokens, TokenTable, VisibleTokens, type_class, visible_tokens
from vernis.syntax.version import check_least, check_versions, may_be_five
from vernis.syntax.words import mark_words

ROOM = 24  # tokens that a declaration may grow by until all behind it are read again
_FILLER = 2  # in ``hidden``: no comment

# Tokens that stand for a kept statement and a kept arm when the parser reads around them.
_STATEMENT = bytes((T.RETURN, T.SEMI))
_ARM = bytes((T.ELSE, T.LBRACE, T.RBRACE))

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


@record(frozen=True)
class _Run:
    """Kept statements, or kept arms, that follow each other."""

    nodes: list[Any]
    are_arms: bool


@record(frozen=True)
class EditedSub:
    """A sub before and after an edit. Tokens in front of index ``head`` and from ``tail`` on are the same.
    ``kept`` are the ids of the statements and arms that both have, without those inside of them."""

    old: n.Sub
    new: n.Sub
    head: int
    tail: int
    kept: frozenset[int]


@record
class KnownTrees:
    """The trees of one policy, from one reading to the next. ``n_parsed`` counts the declarations that the
    latest reading has parsed, ``edited`` are the subs among them that have nodes of older ones."""

    chunks: list[_Chunk] = field(default_factory=list)
    builtin: list[_Chunk] = field(default_factory=list)
    table: TokenTable | None = None
    edited: list[EditedSub] = field(default_factory=list)
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
        self.known.n_parsed, self.known.edited = 0, []
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
        self.known.chunks, self.known.builtin, self.known.table = chunks, builtin, self.table
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
        olds = {chunk.first: chunk for chunk in before}
        number = self.sources.add(file)
        for text, chunk in zip(texts, chunks, strict=True):
            self._fill(number, chunk.first)
            self.table.extend(number, tokens, text.first, text.end)
            if chunk.declarations is None:
                self._parse(chunk, olds.get(chunk.first))
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

    def _parse(self, chunk: _Chunk, old: _Chunk | None) -> None:
        """Parses the last tokens of the table. ``old`` had the same place before."""
        table, first = self.table, chunk.first
        visible = visible_tokens(table, first, len(table))
        chunk.declarations = []
        mark_words(table, visible)
        chunk.types = table.types[first:]
        reported = check_text(table, visible, self.diags, first)  # also behind the last declaration
        if self.diags.items:
            raise _NotHere
        if visible.table_index:
            balanced = balance(table, visible, reported, self.diags, self.options.limits.nesting)
            if balanced is None or self.diags.items:
                raise _NotHere
            chunk.declarations = self._edited(old, chunk, balanced)
            if chunk.declarations is None:
                chunk.declarations = parse_tokens(self.engine, table, balanced, reported, self.diags)
        self.known.n_parsed += len(chunk.declarations)

    def _edited(self, old: _Chunk | None, chunk: _Chunk, tokens: VisibleTokens) -> list[n.Decl] | None:
        """The declaration of a chunk with the nodes that it shares with the old one; None if both are not
        alike."""
        sub = old.declarations[0] if old is not None and old.declarations else None
        if old is None or not isinstance(sub, n.Sub):
            return None
        head, tail = self._same(old, chunk)
        runs = _kept_in(sub.body, head, tail)
        kept = {run.nodes[0].at[0]: run.nodes for run in runs}
        diags = Diagnostics()
        found = parse_tokens(self.engine, self.table, _without(tokens, runs), set(), diags, kept)
        if diags.items or len(found) != 1 or not isinstance(found[0], n.Sub):
            return None  # an error, or an arm behind an `if` that was kept
        ids = frozenset(id(node) for run in runs for node in run.nodes)
        self.known.edited.append(EditedSub(sub, found[0], head, tail, ids))
        return found

    def _same(self, old: _Chunk, new: _Chunk) -> tuple[int, int]:
        """The indices in front of which, and from which on, all tokens are as they were."""
        before, after, first = self.known.table, self.table, new.first
        size = max(len(old.types), len(new.types))
        nothing = first, first + size
        if before is None or before.starts[first] != after.starts[first]:
            return nothing
        n_same = _n_same(old.data, new.data)
        place = after.starts[first] + n_same
        marked = first + _n_same(old.types, new.types)
        head = min(marked, bisect_right(before.ends, place, first), bisect_right(after.ends, place, first))
        tail = first + size
        shift = len(new.data) - len(old.data)
        if len(old.types) == len(new.types):
            most = min(len(old.data), len(new.data)) - n_same
            n_same = min(_n_same(old.data[::-1], new.data[::-1]), most)
            place = after.starts[first] + len(new.data) - n_same
            marked = tail - _n_same(old.types[::-1], new.types[::-1])
            tail = max(
                head,
                marked,
                bisect_left(before.starts, place - shift, head, tail),
                bisect_left(after.starts, place, head, tail),
            )
        for one, other in ((before.starts, after.starts), (before.ends, after.ends)):
            if one[first:head] != other[first:head]:
                return nothing
            if [place + shift for place in one[tail : first + size]] != other[tail : first + size]:
                return nothing
        return head, tail


def _n_same(one: bytes | bytearray, other: bytes | bytearray) -> int:
    """The number of bytes with which both begin."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _kept_in(block: n.Block, head: int, tail: int) -> list[_Run]:
    """The statements and arms in a block that stand in front of token ``head``, or behind ``tail``."""
    runs: list[_Run] = []
    stack: list[tuple[tuple[Any, ...], bool]] = [(block.statements, False)]
    while stack:
        items, are_arms = stack.pop()
        run: list[Any] = []
        for index, item in enumerate(items):
            if (item.at[1] < head or item.at[0] >= tail) and not (are_arms and index == 0):  # `if` stays
                if run and run[-1].at[1] < head <= tail <= item.at[0]:
                    run = []  # the edit may have put something between
                if not run:
                    runs.append(_Run(run, are_arms))
                run.append(item)
                continue
            run = []
            if isinstance(item, n.If):
                stack.append((item.arms, True))
            elif isinstance(item, n.IfArm):
                stack.append((item.body.statements, False))
            elif isinstance(item, n.Block):
                stack.append((item.statements, False))
    return sorted(runs, key=lambda run: run.nodes[0].at)


def _without(visible: VisibleTokens, runs: list[_Run]) -> VisibleTokens:
    """The tokens with a few in place of each run."""
    out, done = VisibleTokens(bytearray(), bytearray(), []), 0
    for run in runs:
        first, last = run.nodes[0].at[0], run.nodes[-1].at[1]
        at = bisect_left(visible.table_index, first, done)
        types = _ARM if run.are_arms else _STATEMENT
        out.types += visible.types[done:at] + types
        out.line_starts += visible.line_starts[done:at] + bytes(len(types))
        out.table_index += visible.table_index[done:at] + [first] * (len(types) - 1) + [last]
        done = bisect_right(visible.table_index, last, at)
    out.types += visible.types[done:]
    out.line_starts += visible.line_starts[done:]
    out.table_index += visible.table_index[done:]
    return out


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
    sizes = {chunk.first: chunk.size for chunk in before}
    for text in middle:
        size = text.end - text.first
        if not tail:  # what follows moves only if an edit needs more room than there is
            size = sizes[at] if sizes.get(at, 0) >= size else size + ROOM
        placed.append(_Chunk(text.data, at, size))
        at += size
    return placed + (before[-tail:] if tail else [])
