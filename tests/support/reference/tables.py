"""Python models of the functions that look up rows of tables. A row is its index in the declaration; -1 is no
row. The runtime has other numbers for rows, which mean as little."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from vernis.ir.ir import Type
from vernis.ir.rows import NO_ROW, find
from support.reference.values import Ip, Reference, Value, zero_value

if TYPE_CHECKING:
    from support.reference.world import World


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
