"""The files of ``table ... from "file"``, for `check`, `lint` and `build`: a daemon that cannot read one of
them refuses the policy. This finds what runtime/match/table/ and runtime/policy/table/ refuse, with the same
words.

It does not call the daemon's reader, because `check` and `lint` have to work where the runtime is not built
(`pip install` without a compiler). ``tests/compiler/five/test_five_table_files.py`` compares both on random
files.
"""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import Callable, Iterator

from vernis.commands.table_values import parse_address, parse_bytes, parse_duration, parse_int, parse_real
from vernis.pipeline import Compilation
from vernis.record import record
from vernis.semantics.typed import Table
from vernis.semantics.types import Type
from vernis.syntax.diagnostics import Span
from vernis.syntax.source import SourceFile, read_file

CODE = "V768"
FILE_BYTES_MAX = 1 << 30
JSON_BYTES_MAX = 128 << 20
TEXT_BYTES_MAX = 16384
COLUMNS_MAX = 64
ROWS_MAX = 16_000_000
_SHOWN_BYTES = 60

_FIELD = re.compile(rb'(?:"((?:[^"]|"")*+)"|([^,\r\n"]*+))(,|\r?\n|\Z)')
_PLAIN = re.compile(rb'[^,\r\n"]*+')
_QUOTED = re.compile(rb'"(?:[^"]|"")*+"')
_JSON_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+"|[{}\[\],]')

#: What is wrong with a value of each type, and the test for it. BACKEND is tested with the policy.
_VALUES: dict[Type, tuple[Callable[[bytes], object], str]] = {
    Type.STRING: (lambda text: None if b"\0" in text else text, "has a NUL byte"),
    Type.INT: (parse_int, "is not an INT: up to 15 digits"),
    Type.REAL: (parse_real, "is not a REAL such as 1.5"),
    Type.DURATION: (parse_duration, "is not a DURATION such as 10m"),
    Type.BYTES: (parse_bytes, "is not BYTES such as 64KB"),
    Type.BOOL: (lambda text: text if text in (b"true", b"false") else None, "is not a BOOL: true or false"),
    Type.IP: (parse_address, "is not an address"),
}


class Wrong(Exception):
    """A fault of a file at an offset."""

    def __init__(self, at: int, text: str) -> None:
        super().__init__(text)
        self.at = at


@record(frozen=True)
class _Field:
    at: int
    text: bytes


def report_table_files(run: Compilation) -> None:
    """Reports each file of a table that a daemon would refuse; a run with errors has none of interest."""
    if run.failed or run.checked is None:
        return
    backends = frozenset(backend.name.encode() for backend in run.checked.backends)
    for table in run.checked.tables:
        if table.file is not None:
            _report(run, table, backends)


def _report(run: Compilation, table: Table, backends: frozenset[bytes]) -> None:
    assert run.program is not None and table.file is not None
    span = run.program.span(table)
    path = os.path.join(os.path.dirname(run.sources.place(span)[0]), table.file)
    try:
        data = read_file(path, JSON_BYTES_MAX if path.endswith(".json") else FILE_BYTES_MAX)
    except OSError as error:
        run.diagnostics.error(
            CODE,
            span,
            f"cannot read the rows of {table.name} from {path}: {error.strerror}",
            "a relative path starts at the folder of the policy file; a daemon refuses the policy without it",
        )
        return
    try:
        _check_rows(data, table, path, backends)
    except Wrong as wrong:
        end = data.find(b"\n", wrong.at)
        file = SourceFile(path, data if end < 0 else data[: end + 1])
        number = run.sources.add(file, span)
        at = min(wrong.at, len(data))
        run.diagnostics.error(
            CODE,
            Span(number, at, _end(data, at)),
            f"table {table.name}: {wrong}",
            "mend the row: a daemon refuses the whole file, and the policy that names it",
        )


def _end(data: bytes, at: int) -> int:
    found = _PLAIN.match(data, at)
    return found.end() if found is not None and found.end() > at else min(at + 1, len(data))


# ---- rows --------------------------------------------------------------------------------------------------


def _check_rows(data: bytes, table: Table, path: str, backends: frozenset[bytes]) -> None:
    """Raises Wrong for the first fault, and then for the first key that occurs twice."""
    is_json = path.endswith(".json")
    rows = _of_json(data, table.type is Type.STRING) if is_json else _of_csv(data, table.columns)
    is_value, fault = _VALUES.get(
        table.type, (lambda text: text if text in backends else None, "is not a backend of this policy")
    )
    seen: dict[bytes, int] = {}
    twice: Wrong | None = None
    for key, value in rows:
        key_bytes = _network(key) if table.kind == "ip" else key.text
        if is_value(value.text) is None:
            raise Wrong(value.at, f'value "{_shown(value.text)}" {fault}')
        _check_key(key, table.kind)
        if len(value.text) > TEXT_BYTES_MAX:
            raise Wrong(key.at, f"the value is longer than {TEXT_BYTES_MAX} bytes")
        first = seen.setdefault(key_bytes, key.at)
        if first != key.at and twice is None:
            line = data.count(b"\n", 0, first) + 1
            twice = Wrong(key.at, f"the key occurs twice; it is also in line {line}")
        if len(seen) > ROWS_MAX:
            raise Wrong(key.at, f"the table has more than {ROWS_MAX} rows")
    if twice is not None:
        raise twice


def _check_key(key: _Field, kind: str) -> None:
    text = key.text
    if len(text) > TEXT_BYTES_MAX:
        raise Wrong(key.at, f"the key is longer than {TEXT_BYTES_MAX} bytes")
    if b"\0" in text:
        raise Wrong(key.at, "the key has a NUL byte, and no text of a request has one")
    if kind == "suffix" and not text:
        raise Wrong(key.at, "the key is empty; `default` is the value of all other hosts")
    if kind == "suffix" and text.startswith(b"."):
        raise Wrong(
            key.at,
            "the key begins with a dot; without it, the key stands for the host and all hosts below it",
        )


def _network(key: _Field) -> bytes:
    """The address and the bits of a network."""
    text, slash, bits = key.text.decode("latin-1").partition("/")
    most = 128 if ":" in text else 32
    try:
        address = socket.inet_pton(socket.AF_INET6 if most == 128 else socket.AF_INET, text)
        length = most if not slash else int(bits) if re.fullmatch("[0-9]{1,9}", bits) else -1
    except (OSError, ValueError):
        length, address = -1, b""
    if not 0 <= length <= 128:
        raise Wrong(key.at, f'key "{_shown(key.text)}" is not an address or a network')
    if length > most:
        raise Wrong(key.at, f'key "{_shown(key.text)}" has a prefix of more than {most} bits')
    if int.from_bytes(address) & ((1 << most - length) - 1):
        raise Wrong(key.at, f'key "{_shown(key.text)}" has bits behind its prefix')
    return address + bytes([length])


def _shown(text: bytes) -> str:
    return text[:_SHOWN_BYTES].decode("utf-8", "replace")


# ---- CSV (RFC 4180) ----------------------------------------------------------------------------------------


def _of_csv(data: bytes, columns: tuple[str, str] | None) -> Iterator[tuple[_Field, _Field]]:
    lines = _lines(data)
    key, value, n_columns = 0, 1, 2
    if columns is not None:
        head = next(lines, [])
        names = [field.text for field in head]
        for name in columns:
            if name.encode() not in names:
                raise Wrong(0, f'the head line has no column "{name}"')
        key, value = (names.index(name.encode()) for name in columns)
        n_columns = len(names)
    for fields in lines:
        if not fields:
            continue
        if len(fields) != n_columns:
            one = "" if len(fields) == 1 else "s"
            raise Wrong(fields[0].at, f"the line has {len(fields)} column{one} instead of {n_columns}")
        yield fields[key], fields[value]


def _lines(data: bytes) -> Iterator[list[_Field]]:
    """The fields of each line; none for an empty one."""
    at = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    while at < len(data):
        fields: list[_Field] = []
        separator = b","
        while separator == b",":
            found = _FIELD.match(data, at)
            if found is None:
                raise _unfinished(data, at)
            quoted, plain, separator = found.groups()
            fields.append(_Field(at, plain if quoted is None else quoted.replace(b'""', b'"')))
            if not fields[-1].text.isascii() and not _is_utf8(fields[-1].text):
                raise Wrong(at, "the field is not UTF-8")
            at = found.end()
            if separator == b"," and len(fields) == COLUMNS_MAX:
                raise Wrong(at, f"the line has more than {COLUMNS_MAX} columns")
        is_empty = len(fields) == 1 and quoted is None and not plain
        yield [] if is_empty else fields


def _unfinished(data: bytes, at: int) -> Wrong:
    if data[at : at + 1] == b'"':
        quoted = _QUOTED.match(data, at)
        if quoted is None:
            return Wrong(at, "the quoted field has no end")
        return Wrong(quoted.end(), "a comma or the end of the line is missing behind the quoted field")
    plain = _PLAIN.match(data, at)
    assert plain is not None
    if data[plain.end() : plain.end() + 1] == b'"':
        return Wrong(plain.end(), 'a quote within a field: put the field in quotes and write "" for this one')
    return Wrong(plain.end(), "a carriage return without a line feed")


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


# ---- JSON --------------------------------------------------------------------------------------------------


def _of_json(data: bytes, texts: bool) -> Iterator[tuple[_Field, _Field]]:
    if len(data) > JSON_BYTES_MAX:
        raise Wrong(0, "the file has more than 128 MiB")
    keys = _keys(data)
    try:
        members = json.loads(data.decode(), object_pairs_hook=_Members, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise Wrong(len(error.doc[: error.pos].encode()), f"JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise Wrong(0, f"JSON: {error}") from None
    if not isinstance(members, _Members):
        raise Wrong(0, 'the file is not one object: { "key": value, ... }')
    for key, value in members:
        at = next(keys)
        fault = _json_fault(value, texts)
        if fault is not None:
            raise Wrong(at, f"the value is {fault}" + ", not a text" * texts)
        try:
            row = _Field(at, key.encode()), _Field(at, _json_text(value))
        except UnicodeEncodeError:
            raise Wrong(at, "JSON: half of a surrogate pair") from None
        yield row


class _Members(list[tuple[str, object]]):
    """An object of JSON: its members in order."""


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")


def _json_fault(value: object, texts: bool) -> str | None:
    if value is None:
        return "null"
    if isinstance(value, list):
        return "an object" if isinstance(value, _Members) else "an array"
    if texts and not isinstance(value, str):
        return "true or false" if isinstance(value, bool) else "a number"
    return None


def _json_text(value: object) -> bytes:
    """The value as a CSV file has it."""
    if isinstance(value, bool):
        return b"true" if value else b"false"
    return (f"{value:.15g}" if isinstance(value, float) else str(value)).encode()


def _keys(data: bytes) -> Iterator[int]:
    """The places of the keys of the outermost object."""
    depth, before = 0, b""
    for found in _JSON_TOKEN.finditer(data):
        token = found[0]
        if token[:1] == b'"':
            if depth == 1 and before in (b"{", b","):
                yield found.start()
        else:
            depth += (token in (b"{", b"[")) - (token in (b"}", b"]"))
        before = token
