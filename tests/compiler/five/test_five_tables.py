"""Tables of vcl 5.0 in the checker and the lowering: keys that are refused, and look-ups that the compiler makes itself."""

from __future__ import annotations

import pytest
from five_helpers import check, lowered, recv

from vernis.ir import ir

TABLE = 'table t : STRING by %s [%s];'


def calls(text: str) -> list[str]:
    return [op.extern.symbol for block in lowered(text).functions["vcl_recv"].blocks for op in block.ops if isinstance(op, ir.Call)]


@pytest.mark.parametrize(
    ("declared", "key", "looks_up"),
    [
        (TABLE % ("exact", '"/a" => "b"'), '"/a"', False),
        (TABLE % ("exact", '"/a" => "b"'), '"/none"', False),
        (TABLE % ("exact", '"/a" => "b"'), "req.url", True),
        ('table t : STRING by exact from "t.csv";', '"/a"', True),         # its rows can change
        ('const KEY = "/a"; ' + TABLE % ("prefix", '"/" => "b"'), "KEY", False),
        (TABLE % ("ip", '"192.0.2.0"/24 => "b"'), '"192.0.2.1"', False),
        (TABLE % ("ip", '"192.0.2.0"/24 => "b"'), "client.ip", True),
    ],
)
def test_a_constant_key_is_looked_up_by_the_compiler(declared: str, key: str, looks_up: bool) -> None:
    made = calls(recv(f"set req.http.X = t[{key}];", declared))
    assert any(symbol.startswith("table_") for symbol in made) == looks_up


@pytest.mark.parametrize(
    ("kind", "key", "help_"),
    [
        ("suffix", ".a.example", ['write "a.example", which stands for the host and all hosts below it']),
        ("suffix", "a.example", []),
        ("exact", ".a.example", []),
        ("prefix", ".a", []),
    ],
)
def test_a_host_does_not_begin_with_a_dot(kind: str, key: str, help_: list[str]) -> None:
    found = check(recv("set req.http.X = t[req.url];", TABLE % (kind, f'"{key}" => "b"'))).findings
    assert [item.help for item in found if item.code == "V758"] == [item.help for item in found] == help_


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("let size = 10KB; set req.http.X = size;", []),
        ("let size : DURATION = 10KB; set req.http.X = text(size);", ["V306"]),
        ("set req.http.X = text(now + 10KB);", ["V306"]),
        ("let size = 10XB; set req.http.X = size;", ["V306"]),
        ("let size = 10k; set req.http.X = size;", ["V306"]),              # needs its B
    ],
)
def test_a_size_needs_no_expected_type(body: str, codes: list[str]) -> None:
    assert check(recv(body)).codes == codes
