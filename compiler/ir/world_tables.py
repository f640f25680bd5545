"""Python models of the functions that look up rows of tables. A row is its index in the declaration; -1 is no
row. The runtime has other numbers for rows, which mean as little."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from vernis.ir.ir import TableDecl, Type
from vernis.ir.world_values import Ip, Reference, Value, zero_value

if TYPE_CHECKING:
    from vernis.ir.world import World

NO_ROW = -1


def covers(kind: str, key: bytes, text: bytes) -> bool:
    """Whether a row with the key may be the answer for the text, or the address. A suffix is whole labels of
    a host."""
    match kind:
        case "exact":
            return key == text
        case "prefix":
            return text.startswith(key)
        case "suffix":
            return text.endswith(key) and text[: len(text) - len(key)][-1:] in (b"", b".")
        case _:
            address, bits = key[:-1], key[-1]
            free = 8 * len(address) - bits
            return len(address) == len(text) and _number(address) >> free == _number(text) >> free


def _number(address: bytes) -> int:
    return int.from_bytes(address, "big")


def _length(kind: str, key: bytes) -> int:
    return key[-1] if kind == "ip" else len(key)


def find(table: TableDecl, text: bytes) -> int:
    """The row with the longest key that covers the text."""
    rows = [i for i, (key, _) in enumerate(table.rows) if covers(table.kind, key, text)]
    return max(rows, key=lambda i: _length(table.kind, table.rows[i][0]), default=NO_ROW)


def table_find(world: World, table: Value, key: Value) -> int:
    assert isinstance(table, int)
    return find(world.tables[table], key) if isinstance(key, bytes) else NO_ROW


def table_find_ip(world: World, table: Value, key: Value) -> int:
    assert isinstance(table, int)
    return find(world.tables[table], key.address) if isinstance(key, Ip) else NO_ROW


def table_value(world: World, table: Value, row: Value) -> Value:
    assert isinstance(table, int) and isinstance(row, int)
    declared = world.tables[table]
    if row == NO_ROW:
        return zero_value(declared.value)
    value = declared.rows[row][1]
    match declared.value:
        case Type.IP:
            return Ip(value[1 : 5 if value[0] == 4 else 17]) if isinstance(value, bytes) else None
        case Type.BACKEND:
            assert isinstance(value, int)
            backend = world.backends[value]
            return None if backend.none else Reference(Type.BACKEND, value, backend.name.encode())
        case Type.REAL | Type.DURATION:
            assert isinstance(value, (int, float))
            return float(value)
        case _:
            return value


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "table_find": table_find,
    "table_find_ip": table_find_ip,
    **{
        f"table_{name}": table_value
        for name in ("text", "int", "bytes", "real", "duration", "bool", "ip", "backend")
    },
}
