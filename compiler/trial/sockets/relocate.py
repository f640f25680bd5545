"""The text of a policy for a daemon under test: includes in place, and each backend at a local port."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate

from vernis.syntax import nodes
from vernis.syntax.tokens import COMMENTS, TokenTable

_NO_TOKEN = -1
_REPLACED = frozenset(("host", "port", "path", "proxy_header"))


def backends_of(program: nodes.Program) -> list[str]:
    """Names of those that connect."""
    return [decl.name for decl in program.declarations if isinstance(decl, nodes.Backend) and not decl.none]


def modules_of(program: nodes.Program) -> list[str]:
    return [decl.module for decl in program.declarations if isinstance(decl, nodes.Import)]


class Relocated:
    """``text``, and the author's place of each statement in it."""

    def __init__(self, table: TokenTable, pieces: Iterable[tuple[str, int]]) -> None:
        self._table, written = table, list(pieces)
        self.text = "".join(piece for piece, _ in written).encode("latin-1")
        self._lines = [0, *(at.end() for at in re.finditer(b"\n", self.text))]
        ends = accumulate(len(piece) for piece, _ in written)
        self._tokens = {
            end - len(piece): token
            for end, (piece, token) in zip(ends, written, strict=True)
            if token != _NO_TOKEN
        }

    def place_of(self, file: int, line: int, column: int) -> str:
        """``line`` and ``column`` of the text; "" for those of the built-in policy."""
        at = self._lines[line - 1] + column - 1 if file == 0 and line <= len(self._lines) else -1
        if at not in self._tokens:
            return ""
        span = self._table.span((self._tokens[at], self._tokens[at]))
        source = self._table.sources.files[span.file]
        return ":".join(map(str, (source.name, *source.position(span.start))))


def relocated(program: nodes.Program, ports: Mapping[str, int]) -> Relocated:
    table = program.tokens
    assert isinstance(table, TokenTable)
    dropped: set[int] = set()
    inserted: dict[int, str] = {}
    for decl in program.declarations:
        if isinstance(decl, nodes.Backend) and decl.name in ports:
            known = {one.name: one for one in decl.properties}
            for name in _REPLACED & known.keys():
                first, last = known[name].at
                dropped.update(range(first, last + 1))
            inserted[_brace_after(table, decl.name_at[1])] = _address(table, known, ports[decl.name])
    return rewritten(program, dropped, inserted)


def rewritten(
    program: nodes.Program, dropped: set[int], inserted: Mapping[int, str], more: str = ""
) -> Relocated:
    """The author's text without some tokens, with text behind others, and with ``more`` at its end."""
    table = program.tokens
    assert isinstance(table, TokenTable)
    builtin = program.declarations[program.builtin_from :]  # it is appended again when the text is compiled
    end = builtin[0].at[0] if builtin else len(table)
    return Relocated(table, [*_pieces(table, end, dropped, inserted), (more, _NO_TOKEN)])


def _brace_after(table: TokenTable, index: int) -> int:
    index += 1
    while table.hidden[index]:
        index += 1
    return index


def _address(table: TokenTable, known: Mapping[str, nodes.Property], port: int) -> str:
    """The origin gets the same Host field as at its own address."""
    text = f' .host = "127.0.0.1"; .port = "{port}";'
    if "host" in known and "host_header" not in known:
        value = known["host"].value
        first, last = (value[0].at[0], value[-1].at[1]) if isinstance(value, tuple) else value.at
        words = [table.text(i) for i in range(first, last + 1) if not table.hidden[i]]
        text += f" .host_header = {' '.join(words)};"
    return text


def _pieces(
    table: TokenTable, last: int, dropped: set[int], inserted: Mapping[int, str]
) -> Iterator[tuple[str, int]]:
    """Pieces of the text, each with the number of its token."""
    before, end = -1, 0
    for index in range(last):
        file, start = table.files[index], table.starts[index]
        yield table.sources.files[file].text[end:start] if file == before else "\n", _NO_TOKEN
        before, end = file, table.ends[index]
        if table.types[index] in COMMENTS:
            yield " ", _NO_TOKEN
        elif not table.hidden[index] and index not in dropped:
            yield table.text(index), index
        yield inserted.get(index, ""), _NO_TOKEN
    yield "\n", _NO_TOKEN
