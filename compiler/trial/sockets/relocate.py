"""The text of a policy for a daemon under test: includes in place, and each backend at a local port.

Probes are left out, because tests set the health of backends by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vernis.syntax import nodes
from vernis.syntax.tokens import COMMENTS, TokenTable

_REPLACED = frozenset(("host", "port", "path", "probe", "proxy_header"))
DEFAULT_PROBE = "default"  # the probe of all backends without one


def backends_of(program: nodes.Program) -> list[str]:
    """Names of those that connect."""
    return [decl.name for decl in program.declarations if isinstance(decl, nodes.Backend) and not decl.none]


def modules_of(program: nodes.Program) -> list[str]:
    return [decl.module for decl in program.declarations if isinstance(decl, nodes.Import)]


def relocated(program: nodes.Program, ports: Mapping[str, int]) -> bytes:
    table = program.tokens
    assert isinstance(table, TokenTable)
    dropped: set[int] = set()
    inserted: dict[int, str] = {}
    for decl in program.declarations:
        if isinstance(decl, nodes.Probe) and decl.name == DEFAULT_PROBE:
            dropped.update(range(decl.at[0], decl.at[1] + 1))
        elif isinstance(decl, nodes.Backend) and decl.name in ports:
            known = {one.name: one for one in decl.properties}
            for name in _REPLACED & known.keys():
                first, last = known[name].at
                dropped.update(range(first, last + 1))
            inserted[_brace_after(table, decl.name_at[1])] = _address(table, known, ports[decl.name])
    builtin = program.declarations[program.builtin_from :]  # the daemon appends it by itself
    end = builtin[0].at[0] if builtin else len(table)
    return "".join(_pieces(table, end, dropped, inserted)).encode("latin-1")


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


def _pieces(table: TokenTable, last: int, dropped: set[int], inserted: Mapping[int, str]) -> Iterator[str]:
    before, end = -1, 0
    for index in range(last):
        file, start = table.files[index], table.starts[index]
        yield table.sources.files[file].text[end:start] if file == before else "\n"
        before, end = file, table.ends[index]
        if table.types[index] in COMMENTS:
            yield " "
        elif not table.hidden[index] and index not in dropped:
            yield table.text(index)
        yield inserted.get(index, "")
    yield "\n"
