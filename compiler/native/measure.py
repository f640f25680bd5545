"""Asks clang, during the build, for facts that only a C compiler knows: the layouts of structures and the
types of the helpers in the bitcode. ``digest.py`` writes them to ``abi.json``.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

#: C type of a member -> kind of layouts.py. Pointers are "ptr", structures have their names.
SCALARS = {
    "uint8_t": "u8",
    "uint16_t": "u16",
    "uint32_t": "u32",
    "int32_t": "u32",
    "uint64_t": "u64",
    "int64_t": "u64",
    "size_t": "u64",
    "double": "f64",
}
_RECORD = re.compile(r"^ *0 \| struct ([a-z]\w*)$")
_MEMBER = re.compile(r"^ *(\d+) \|   (\S.*?) (\w+)$")  # inner structures' members are indented more
_SIZE = re.compile(r"^ *\| \[sizeof=(\d+), align=\d+\]$")
_ARRAY = re.compile(r"^(.*?) ?\[(\d+)\]$")
_HELPER = re.compile(r"^define [^@]*?((?:\{[^}]*\}|\[[^\]]*\]|\S+)) @((?:helper|local)_\w+)\((.*?)\) ", re.M)

Structures = dict[str, tuple[int, list[tuple[str, str, int]]]]


def structures(clang: str, flags: list[str], header: Path) -> Structures:
    """Size of each structure in the header and the headers it includes, and (name, kind, offset) of each
    member. Leaves out structures with a member of another type; those are the C library's."""
    text = _clang(
        clang, [*flags, "-fsyntax-only", "-Xclang", "-fdump-record-layouts-complete", "-x", "c", str(header)]
    )
    found: Structures = {}
    for block in text.split("*** Dumping AST Record Layout\n")[1:]:
        lines = block.splitlines()
        record = _RECORD.match(lines[0])
        if record is None:
            continue
        members = [match for line in lines if (match := _MEMBER.match(line))]
        size = next(int(match[1]) for line in lines if (match := _SIZE.match(line)))
        kinds = [_kind(match[2]) for match in members]
        if all(
            kind and (kind.partition("*")[0] in (*SCALARS.values(), "ptr") or kind.partition("*")[0] in found)
            for kind in kinds
        ):
            found[record[1]] = size, [(match[3], kind, int(match[1])) for match, kind in zip(members, kinds)]
    return found


def _kind(type: str) -> str:
    """The kind of a C type; empty if the contract does not use the type."""
    array = _ARRAY.match(type)
    if array is not None:
        inner = _kind(array[1])
        return f"{inner}*{array[2]}" if inner else ""
    if type.endswith("*"):
        return "ptr"
    if type.startswith("enum "):
        return "u32"
    return type.removeprefix("struct ") if type.startswith("struct ") else SCALARS.get(type, "")


def helpers(clang: str, flags: list[str], source: Path) -> dict[str, str]:
    """LLVM types of the functions that policies inline or call, by name: "i32 (ptr, i64)"."""
    text = _clang(clang, [*flags, "-S", "-emit-llvm", "-o", "-", str(source)])
    return {
        match[2]: f"{_plain(match[1])} ({', '.join(map(_plain, _split(match[3])))})"
        for match in _HELPER.finditer(text)
    }


def _split(parameters: str) -> list[str]:
    return [parameter for parameter in parameters.split(", ") if parameter]


def _plain(type: str) -> str:
    """The type without attributes and name. Writes any pointer as ``ptr``, because this clang still writes
    typed pointers. clang returns a text on aarch64 as two integers, in the same registers."""
    if type == "[2 x i64]":
        return "{ ptr, i64 }"
    if type.startswith("{"):
        return "{ " + ", ".join(_plain(part.strip()) for part in type.strip("{} ").split(",")) + " }"
    word = type.split(" ")[0]
    return "ptr" if word.endswith("*") else word


def _clang(clang: str, arguments: list[str]) -> str:
    return subprocess.run([clang, *arguments], check=True, capture_output=True, text=True).stdout
