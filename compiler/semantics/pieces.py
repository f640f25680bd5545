"""Reuse of statements that an earlier compile of the same process has checked and lowered.

A *piece* is an ``if`` at the top level of a sub, with its ``elseif`` and ``else``. Its key is its text, in
whole lines. A compile first looks for the texts of known pieces and gives the lexer a text without them;
then all other tokens get their positions in the whole text. The checker puts the pieces back between the
other statements (``typed.Kept``), and lowering copies their code (ir/fragments.py).

A piece depends on its text, on its sub, and on the options. Pieces that name a declaration of the policy are
not kept, so declarations may change freely. If a piece does not fit where its text is (in a comment, in a
string, in another statement), or if the rest of the policy has an error or a warning, the whole text is
compiled again without pieces. So the result is always that of a compile from nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator

from vernis.record import field, record
from vernis.semantics.resolve import Kind, Scope, SubSymbol
from vernis.semantics.typed import Checked, Facts, If, Statement
from vernis.syntax import nodes
from vernis.syntax.generated.token_types import T
from vernis.syntax.source import Shortened
from vernis.syntax.tokens import TokenTable

# Larger policies are compiled from nothing. So a policy with pieces exceeds no limit of a whole policy:
# neither that of tokens nor that of rule counters, because each rule has three tokens or more.
POLICY_TOKENS_MAX = 150_000
PIECES_BYTES_MAX = 64 << 20  # of all pieces, as ``_bytes_of`` estimates them
SAME_FIRST_LINE_MAX = 64  # texts with the same first line; each is compared with the policy at such a line
VARIANTS_MAX = 4  # pieces of the same text, in different subs or with different options
_BYTES_PER_TOKEN = 600  # of text, IR and effects, measured with rules of benchmarks/compile.py
# Names with a meaning that no declaration of the policy gives: storages, labels, the first backend.
WORDS_OF_OTHERS = frozenset(("storage", "vcl", "default"))
_MAIN_FILE = 0


class Stale(Exception):
    """A kept piece has no place in this program."""


@record
class Piece:
    """``text`` begins at the begin of a line and ends with the statement. ``context`` tells all else that the
    piece depends on, but declarations. ``words`` are its identifiers in small letters, ``patterns`` its
    patterns in the order of the check. ``code`` is from ir/fragments.py."""

    text: bytes
    context: str
    words: frozenset[str]
    n_tokens: int
    facts: Facts
    patterns: tuple[bytes, ...]
    code: object


@record
class Placed:
    """A piece at its place in a text: its first byte, without the indentation, and the byte behind it."""

    start: int
    end: int
    piece: Piece


@record
class Noted:
    """A checked statement that may become a piece."""

    statement: Statement
    context: str
    facts: Facts
    patterns: tuple[bytes, ...]


@record
class PieceStore:
    """The pieces of a process. ``by_line`` has the texts by their first line. The store drops the least
    recently used texts above ``bytes_max``. ``last_facts`` are the effects of the last piece, for
    the next one with the same."""

    bytes_max: int = PIECES_BYTES_MAX
    bytes_used: int = 0
    by_text: OrderedDict[bytes, list[Piece]] = field(default_factory=OrderedDict)
    by_line: dict[bytes, list[bytes]] = field(default_factory=dict)
    last_facts: Facts = field(default_factory=Facts)

    def put(self, piece: Piece) -> None:
        variants = self.by_text.setdefault(piece.text, [])
        if not variants:
            texts = self.by_line.setdefault(_first_line(piece.text), [])
            if len(texts) == SAME_FIRST_LINE_MAX:
                self.drop(texts[-1])
                texts = self.by_line.setdefault(_first_line(piece.text), [])
            texts.append(piece.text)
            texts.sort(key=len, reverse=True)  # the longest text has all arms of its `if`
        known = [other for other in variants if other.context == piece.context][:1] or variants[
            VARIANTS_MAX - 1 :
        ]
        for old in known:
            variants.remove(old)
            self.bytes_used -= _bytes_of(old)
        variants.append(piece)
        self.bytes_used += _bytes_of(piece)
        self.by_text.move_to_end(piece.text)
        while self.bytes_used > self.bytes_max:
            self.drop(next(iter(self.by_text)))

    def drop(self, text: bytes) -> None:
        self.bytes_used -= sum(map(_bytes_of, self.by_text.pop(text)))
        line = _first_line(text)
        self.by_line[line].remove(text)
        if not self.by_line[line]:
            del self.by_line[line]

    def find(self, text: bytes) -> list[tuple[int, int, bytes]]:
        """The texts of pieces in a policy, in order: first byte, the byte behind, and the text."""
        found: list[tuple[int, int, bytes]] = []
        at = 0
        while self.by_line and at < len(text):
            end = text.find(b"\n", at)
            end = len(text) if end < 0 else end
            for known in self.by_line.get(text[at:end], ()):
                if text.startswith(known, at):
                    found.append((at, at + len(known), known))
                    end = text.find(b"\n", at + len(known))
                    end = len(text) if end < 0 else end
                    break
            at = end + 1
        return found


def _first_line(text: bytes) -> bytes:
    return text.partition(b"\n")[0]


def _bytes_of(piece: Piece) -> int:
    return len(piece.text) + _BYTES_PER_TOKEN * piece.n_tokens


@record
class Reuse:
    """The pieces of one compile. ``options`` are those that a check or lowering depends on. ``found`` are the
    texts of known pieces. ``notes`` are the statements that may become pieces, by their ids; ``work`` is for
    ir/fragments.py, which makes their code when the answer is sent. ``contexts`` are those of
    the subs, by their names."""

    store: PieceStore
    options: object
    found: list[tuple[int, int, bytes]] = field(default_factory=list)
    notes: dict[int, Noted] = field(default_factory=dict)
    work: list[object] = field(default_factory=list)
    used: list[Piece] = field(default_factory=list)
    contexts: dict[str, str] = field(default_factory=dict)
    declared: frozenset[str] = frozenset()
    modules: object = ()
    table: TokenTable | None = None

    def shortened(self, text: bytes) -> Shortened:
        """The policy with nothing but the line ends of the found texts in their place."""
        parts: list[bytes] = []
        gaps: list[tuple[int, int]] = []
        done = removed = 0
        for start, end, known in self.found:
            ends = b"\n" * known.count(b"\n")
            parts += (text[done:start], ends)
            gaps.append((start - removed, end - start - len(ends)))
            removed += end - start - len(ends)
            done = end
        return Shortened(b"".join((*parts, text[done:])), gaps)

    def start_over(self) -> None:
        """Prepares for a compile of the whole text."""
        self.found, self.used = [], []
        self.notes.clear()

    def begin(self, scope: Scope, checked: Checked) -> None:
        """Starts the check of the subs. The names of the program are known."""
        assert isinstance(checked.program.tokens, TokenTable)
        self.table = checked.program.tokens
        symbols = [*scope.symbols.items(), *scope.modules.items()]
        modules = {key: s.module.name for key, s in symbols if s.kind is Kind.MODULE and s.module is not None}
        others = (key for key, symbol in scope.symbols.items() if symbol.kind is not Kind.MODULE)
        self.declared = WORDS_OF_OTHERS.union(others, scope.subs)
        version = (checked.version, scope.has_old_caching)
        self.modules = (version, tuple(sorted(modules.items())), repr(checked.modules))
        self.contexts.clear()
        self._refuse_overlaps()

    def end(self) -> None:
        """Ends the check of the subs."""
        assert self.table is not None
        if len(self.used) != len(self.found):
            raise Stale
        if len(self.table) + sum(piece.n_tokens for piece in self.used) > POLICY_TOKENS_MAX:
            self.notes.clear()
            if self.used:
                raise Stale

    def _refuse_overlaps(self) -> None:
        """Refuses a text with a token, such as a comment, over the place of a piece."""
        table = self.table
        assert table is not None
        starts = table.starts[: bisect_left(table.files, 1)]  # in order, since no file is included
        for start, end, _ in self.found:
            at = bisect_left(starts, start)
            if at < len(starts) and starts[at] < end or at > 0 and table.ends[at - 1] > start:
                raise Stale

    def in_order(self, symbol: SubSymbol, block: nodes.Block) -> Iterator[nodes.Stmt | Placed]:
        """The statements of a definition with the pieces between them, in the order of the text."""
        table = self.table
        assert table is not None
        first, last = block.at
        if table.files[first] != _MAIN_FILE:
            yield from block.statements
            return
        context = self._context(symbol)
        at = bisect_left(self.found, (table.starts[first],))
        end = bisect_left(self.found, (table.starts[last],))
        for node in block.statements:
            while at < end and self.found[at][0] < table.starts[node.at[0]]:
                yield self._placed(at, context)
                at += 1
            yield node
            if at < end and self.found[at][0] < table.ends[node.at[1]]:
                raise Stale
        while at < end:
            yield self._placed(at, context)
            at += 1

    def _placed(self, number: int, context: str) -> Placed:
        start, end, text = self.found[number]
        for piece in self.store.by_text[text]:
            if piece.context == context and piece.words.isdisjoint(self.declared):
                self.used.append(piece)
                return Placed(end - len(text.lstrip()), end, piece)
        raise Stale

    def _context(self, symbol: SubSymbol) -> str:
        name = symbol.name.lower()
        context = self.contexts.get(name)
        if context is None:
            context = self.contexts[name] = repr((self.options, self.modules, name, symbol.reach))
        return context

    def note(self, symbol: SubSymbol, statement: Statement, facts: Facts, patterns: list[bytes]) -> None:
        """Notes an ``if`` of the policy's own file."""
        table = self.table
        assert table is not None
        if isinstance(statement, If) and table.files[statement.at[0]] == _MAIN_FILE:
            self.notes[id(statement)] = Noted(statement, self._context(symbol), facts, tuple(patterns))

    def keep(self, noted: Noted, code: object) -> None:
        """Makes a piece of a statement, if the statement begins its line and names no declaration."""
        table = self.table
        assert table is not None
        first, last = noted.statement.at  # type: ignore[union-attr]
        data = table.sources.files[_MAIN_FILE].data
        line_start = data.rfind(b"\n", 0, table.starts[first]) + 1
        if data[line_start : table.starts[first]].strip():
            return
        words = frozenset(
            table.text(index).lower()
            for index in range(first, last + 1)
            if table.types[index] == T.IDENTIFIER
        )
        if words.isdisjoint(self.declared):
            text = data[line_start : table.ends[last]]
            n_tokens = last - first + 1
            if noted.facts != self.store.last_facts:
                self.store.last_facts = noted.facts
            facts = self.store.last_facts
            self.store.put(Piece(text, noted.context, words, n_tokens, facts, noted.patterns, code))
