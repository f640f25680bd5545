"""Look-ups of constant keys in the rows that a policy declares."""

from __future__ import annotations

from vernis.ir.ir import TableDecl

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
