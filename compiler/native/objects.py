"""Relocatable objects: reads those that this compiler emits, and prepares their relocation, so that the
linker (elf.py) only adds addresses and numbers. An object may be read once and linked many times.

Unexpected input is an error.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vernis.native.target import ElfError, Encoder, Target, target_of_machine

# ELF constants, System V gABI.
SHT_SYMTAB, SHT_RELA, _SHT_NOBITS = 2, 4, 8
SHF_WRITE, SHF_ALLOC = 1, 2
SHN_UNDEF, SHN_ABS, SHN_COMMON = 0, 0xFFF1, 0xFFF2
_STB_LOCAL = 0

EHDR = struct.Struct("<16sHHIQQQIHHHHHH")
SHDR = struct.Struct("<IIQQQQIIQQ")
SYM = struct.Struct("<IBBHQQ")
RELA = struct.Struct("<QIIq")
_U32 = struct.Struct("<I")
NUMBERS_END = 1 << 31  # of the values that the linker fills in


@dataclass(slots=True)
class Section:
    name: str
    type: int
    flags: int
    data: bytes
    align: int
    info: int


@dataclass(slots=True)
class Object:
    """A parsed object. Several links, and several places in one, may share it."""

    target: Target
    sections: list[Section]
    symbols: list[tuple[str, int, int, int, int]]  # name, info, section, value, size
    relocations: list[tuple[int, Section]]  # section to relocate, its relocation rows
    undefined: list[str] = field(default_factory=list)  # symbols, by name
    wanted: set[str] = field(default_factory=set)  # the same
    defined: list[tuple[str, int]] = field(default_factory=list)  # global symbols, by name, and their number
    frames: dict[int, list[int]] = field(default_factory=dict)  # by section: where its unwind records are
    _fills: dict[frozenset[str], list[Fill]] = field(default_factory=dict)

    def fills(self, numbers: frozenset[str]) -> list[Fill]:
        """The changes that relocation makes to the sections, if these symbols are numbers."""
        found = self._fills.get(numbers)
        if found is None:
            found = self._fills[numbers] = [
                _fill_of(self, index, rows, numbers)
                for index, rows in self.relocations
                if self.sections[index].flags & SHF_ALLOC
            ]
        return found


@dataclass(slots=True)
class Fill:
    """The relocated content of a section: ``pieces`` with a value between any two. A value is that of a
    ``rows`` symbol plus a constant. The symbols of addresses relative to their place count from the number of
    symbols on. ``wanted`` are the undefined symbols of the rows with their names, ``wanted_from_place`` those
    of relative addresses; ``own`` are the others. ``absolute`` are the offsets of absolute addresses.
    ``instructions`` are the values that become instructions: row, encoder, instruction, offset."""

    section: int
    packer: struct.Struct
    pieces: list[bytes]
    rows: list[tuple[int, int]]
    wanted: list[tuple[int, str]]
    wanted_from_place: list[tuple[int, str]]
    own: list[int]
    absolute: list[int]
    instructions: list[tuple[int, Encoder, int, int]]

    def content(self, values: Sequence[int]) -> bytes:
        """``values`` are those of the rows."""
        parts: list[bytes | int] = [b""] * (2 * len(values) + 1)
        parts[::2] = self.pieces
        parts[1::2] = values
        return self.packer.pack(*parts)


def _fill_of(obj: Object, index: int, table: Section, numbers: frozenset[str]) -> Fill:
    section, target = obj.sections[index], obj.target
    data = bytearray(section.data)
    rows: list[tuple[int, int]] = []
    codes: list[str] = ["<"]
    pieces: list[bytes] = []
    absolute: list[int] = []
    instructions: list[tuple[int, Encoder, int, int]] = []
    done = 0
    for offset, type, symbol, addend in sorted(RELA.iter_unpack(table.data)):
        name = obj.symbols[symbol][0]
        code, size = target.fields.get(type, ("I", 4))
        encode = (target.numbers if name in numbers else target.code).get(type)
        if encode is not None:
            instructions.append((len(rows), encode, *_U32.unpack_from(data, offset), offset))
        elif name in numbers:
            addend += target.to_number(data, offset, type, name)
        elif type in target.from_place:
            symbol += len(obj.symbols)
            addend -= offset
        elif type == target.absolute and section.flags & SHF_WRITE:
            absolute.append(offset)
        else:
            raise ElfError(f"relocation {type} in {section.name}")
        codes.append(f"{offset - done}s{code}")
        pieces.append(bytes(data[done:offset]))
        rows.append((symbol, addend))
        done = offset + size
    codes.append(f"{len(data) - done}s")
    pieces.append(bytes(data[done:]))
    wanted: tuple[list[tuple[int, str]], list[tuple[int, str]]] = ([], [])
    own: list[int] = []
    for symbol in sorted({symbol for symbol, _ in rows}):
        from_place, number = divmod(symbol, len(obj.symbols))
        name, _, defined_in, _, _ = obj.symbols[number]
        if defined_in == SHN_UNDEF:
            wanted[from_place].append((symbol, name))
        else:
            own.append(symbol)
    packer = struct.Struct("".join(codes))
    return Fill(index, packer, pieces, rows, *wanted, own, absolute, instructions)


def checked_number(name: str, value: int) -> int:
    if not 0 <= value < NUMBERS_END:
        raise ElfError(f"{name} is {value}, out of range")
    return value


def check_numbers(numbers: Mapping[str, int]) -> None:
    if numbers and not 0 <= min(numbers.values()) <= max(numbers.values()) < NUMBERS_END:
        for name, value in numbers.items():
            checked_number(name, value)


# ---- reading -----------------------------------------------------------------------------------------------


def _text(table: bytes, offset: int) -> str:
    return table[offset : table.index(b"\0", offset)].decode("utf-8", "surrogateescape")


def read_object(data: bytes) -> Object:
    try:
        return _parsed(data)
    except (struct.error, IndexError, ValueError) as error:
        raise ElfError("not a relocatable object") from error


def _parsed(data: bytes) -> Object:
    head = EHDR.unpack_from(data)
    if data[:6] != b"\x7fELF\x02\x01" or head[1] != 1:
        raise ElfError("not a relocatable object")
    offset, count, names_index = head[6], head[12], head[13]
    rows = [SHDR.unpack_from(data, offset + i * SHDR.size) for i in range(count)]

    def content(row: tuple[int, ...]) -> bytes:
        return b"" if row[1] == _SHT_NOBITS else data[row[4] : row[4] + row[5]]

    names = content(rows[names_index])
    result = Object(target_of_machine(head[2]), [], [], [])
    for row in rows:
        section = Section(_text(names, row[0]), row[1], row[2], content(row), max(1, row[8]), row[7])
        if row[1] == _SHT_NOBITS and row[5] and row[2] & SHF_ALLOC:
            raise ElfError(f"writable data in {section.name}")
        result.sections.append(section)
        if row[1] == SHT_SYMTAB:
            strings = content(rows[row[6]])
            result.symbols = [
                (_text(strings, name), info, index, value, size)
                for name, info, _, index, value, size in SYM.iter_unpack(section.data)
            ]
            result.undefined = [
                name for name, _, index, _, _ in result.symbols if index == SHN_UNDEF and name
            ]
            result.wanted = set(result.undefined)
            result.defined = [
                (name, number)
                for number, (name, info, index, _, _) in enumerate(result.symbols)
                if info >> 4 != _STB_LOCAL and index not in (SHN_UNDEF, SHN_ABS, SHN_COMMON)
            ]
        elif row[1] == SHT_RELA:
            result.relocations.append((row[7], section))
    result.frames = {
        number: _frames(section.data)
        for number, section in enumerate(result.sections)
        if section.name == ".eh_frame" and section.type != SHT_RELA
    }
    return result


def _frames(data: bytes) -> list[int]:
    """Offset of each frame (FDE) of an .eh_frame. Frames must encode addresses as LLVM does on all targets:
    relative, in four bytes."""
    found: list[int] = []
    at = 0
    while at + 8 <= len(data):
        length, identity = struct.unpack_from("<II", data, at)
        if length == 0xFFFFFFFF or length == 0:
            raise ElfError("unwind records of an unknown form")
        if identity != 0:
            found.append(at)
        elif not (data[at + 9 : at + 12] == b"zR\0" and data[at + 16] == 0x1B):
            raise ElfError("unwind records of an unknown form")
        at += 4 + length
    return found
