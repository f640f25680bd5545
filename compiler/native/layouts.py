"""Layouts of the structures in ``runtime/policy_abi.h``, which a policy and the runtime share.

The build measures them (measure.py) and writes them to ``abi.json``, so this file contains no offsets. A
member has a kind: a key of KINDS, or the name of another structure. ``*count`` after either marks an array.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

#: kind -> (size, LLVM type, code of the module struct)
KINDS = {
    "ptr": (8, "ptr", "Q"),
    "u64": (8, "i64", "Q"),
    "f64": (8, "double", "d"),
    "u32": (4, "i32", "I"),
    "u16": (2, "i16", "H"),
    "u8": (1, "i8", "B"),
}


@dataclass(slots=True, frozen=True)
class Member:
    name: str
    kind: str
    offset: int


@dataclass(slots=True, frozen=True)
class Packed:
    """A structure as a flat list of leaves: its packer, and the offset and ``struct`` code of each leaf. A
    ``u8*n`` is one leaf."""

    whole: struct.Struct
    offsets: tuple[int, ...]
    codes: tuple[str, ...]


@dataclass(slots=True)
class Layouts:
    """Sizes and members of all structures by name, and the offset of each (structure, member)."""

    sizes: Mapping[str, int]
    members: Mapping[str, tuple[Member, ...]]
    offsets: Mapping[tuple[str, str], int]
    _packed: dict[str, Packed] = field(default_factory=dict)

    def size(self, kind: str) -> int:
        base, _, count = kind.partition("*")
        return (KINDS[base][0] if base in KINDS else self.sizes[base]) * int(count or 1)

    def llvm_type(self, kind: str) -> str:
        base, _, count = kind.partition("*")
        text = KINDS[base][1] if base in KINDS else f"%{base}"
        return f"[{count} x {text}]" if count else text

    def llvm_struct(self, name: str) -> str:
        return (
            f"%{name} = type {{ {', '.join(self.llvm_type(member.kind) for member in self.members[name])} }}"
        )

    def packed(self, name: str) -> Packed:
        found = self._packed.get(name)
        if found is None:
            found = self._packed[name] = self._pack(name)
        return found

    def _pack(self, name: str) -> Packed:
        leaves = list(self._leaves(name, 0))
        text, at = "<", 0
        for offset, code in leaves:
            text += f"{offset - at}x{code}"
            at = offset + struct.calcsize("<" + code)
        whole = struct.Struct(text + f"{self.sizes[name] - at}x")
        assert whole.size == self.sizes[name]
        return Packed(whole, tuple(offset for offset, _ in leaves), tuple(code for _, code in leaves))

    def _leaves(self, kind: str, at: int) -> list[tuple[int, str]]:
        base, _, count = kind.partition("*")
        if base == "u8" and count:
            return [(at, f"{count}s")]
        found: list[tuple[int, str]] = []
        for place in range(at, at + self.size(kind), self.size(base)):
            if base in KINDS:
                found.append((place, KINDS[base][2]))
            else:
                for member in self.members[base]:
                    found += self._leaves(member.kind, place + member.offset)
        return found


def from_facts(facts: Mapping[str, tuple[int, list[tuple[str, str, int]]]]) -> Layouts:
    """The layouts that measure.py wrote."""
    members = {name: tuple(Member(*member) for member in found) for name, (_, found) in facts.items()}
    return Layouts(
        {name: size for name, (size, _) in facts.items()},
        members,
        {(name, member.name): member.offset for name, found in members.items() for member in found},
    )
