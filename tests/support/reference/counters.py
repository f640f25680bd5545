"""Python models of the functions that count: the key of a series, and its count."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from vernis.ir import ir
from support.reference.values import Value

if TYPE_CHECKING:
    from support.reference.world import World


def counter_label(world: World, value: Value) -> Value:
    """The value of a label in the key of a series. It is ASCII without control characters, quoted as
    Prometheus wants it, and cut behind a whole character."""
    out = bytearray()
    for byte in value if isinstance(value, bytes) else b"":
        piece = b"\\%c" % byte if byte in b'"\\' else b"%c" % byte if 32 <= byte < 127 else b"?"
        if len(out) + len(piece) > ir.COUNTER_VALUE_MAX:
            break
        out += piece
    return bytes(out)


def counter_add(world: World, counter: Value, series: Value) -> None:
    assert isinstance(counter, int) and isinstance(series, bytes)
    declared = world.counters[counter]
    known = {key for name, key in world.counts if name == declared.name}
    other = other_series(declared)
    if series not in known and len(known - {other}) == ir.COUNTER_SERIES_MAX:
        series = other
    world.counts[declared.name, series] += 1


def other_series(counter: ir.CounterDecl) -> bytes:
    """The key of the series that counts what is beyond the limit."""
    return ("{" + ",".join(f'{label}="{ir.COUNTER_OTHER}"' for label in counter.labels) + "}").encode()


FUNCTIONS: dict[str, Callable[..., Value]] = {"counter_label": counter_label, "counter_add": counter_add}
