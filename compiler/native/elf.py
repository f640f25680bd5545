"""A linker for the objects that this compiler emits. It links objects without writable data, which together
define all symbols, into one shared object.

The file has three segments: read-only data (tables for the loader, constants, unwind information), code, and
data that is read-only after relocation. The file offset of each segment equals its address. Texts of shared
objects are read-only data, each once.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain

from vernis.native.abi import SYMBOL
from vernis.native.objects import (
    EHDR,
    Fill,
    Object,
    RELA,
    SHDR,
    SHF_ALLOC,
    SHF_WRITE,
    SHN_ABS,
    SHN_COMMON,
    SHN_UNDEF,
    SHT_RELA,
    SHT_SYMTAB,
    SYM,
    check_numbers,
    Section,
    read_object,
)
from vernis.native.target import ElfError

# ELF constants, System V gABI.
_SHT_STRTAB, _SHT_HASH, _SHT_DYNAMIC, _SHT_DYNSYM = 3, 5, 6, 11
_SHF_EXEC = 4
_STT_OBJECT, _STT_FUNC = 1, 2
_PT_LOAD, _PT_DYNAMIC, _PT_EH_FRAME, _PT_STACK, _PT_RELRO = 1, 2, 0x6474E550, 0x6474E551, 0x6474E552
_PF_X, _PF_W, _PF_R = 1, 2, 4
_DT_HASH, _DT_STRTAB, _DT_SYMTAB, _DT_RELA, _DT_RELASZ, _DT_RELAENT, _DT_STRSZ, _DT_SYMENT = (
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
)
_DT_FLAGS, _DT_FLAGS_1, _DT_RELACOUNT = 30, 0x6FFFFFFB, 0x6FFFFFF9
_BIND_NOW = 8

_PHDR = struct.Struct("<IIQQQQQQ")
_N_SEGMENTS = 7


@dataclass(slots=True)
class Input:
    """An object of a link, and the meaning of its symbols: numbers, texts (the symbol is their address), and
    the global names of functions."""

    object: Object
    numbers: Mapping[str, int] = field(default_factory=dict)
    texts: Mapping[str, bytes] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def name(self, symbol: str) -> str:
        return self.names.get(symbol, symbol)

    def from_others(self) -> set[str]:
        """The undefined symbols whose meaning is not in the input."""
        return self.object.wanted.difference(self.numbers, self.texts)


@dataclass(slots=True)
class _Placed:
    """An input with the address of each section; 0: the section is not in the image."""

    input: Input
    addresses: list[int]


#: A section of an input.
_Part = tuple[_Placed, int]


@dataclass(slots=True)
class _Layout:
    """Groups of sections in the order of their addresses."""

    rodata: list[_Part] = field(default_factory=list)
    unwind: list[_Part] = field(default_factory=list)
    text: list[_Part] = field(default_factory=list)
    relro: list[_Part] = field(default_factory=list)


def link_objects(inputs: Sequence[Input], support: bytes, numbers: Mapping[str, int]) -> bytes:
    """Links the objects. ``numbers`` are the values of symbols without an address, for all inputs.
    ``support`` is linked only if an object needs one of its symbols."""
    wanted = {item.name(name) for item in inputs for name in item.from_others()}
    wanted -= {item.name(name) for item in inputs for name, _ in item.object.defined}
    wanted -= numbers.keys()
    for of_input in (numbers, *(item.numbers for item in inputs)):
        check_numbers(of_input)
    if wanted:
        inputs = [*inputs, Input(read_object(support))] if support else inputs
        wanted -= {name for name, _ in inputs[-1].object.defined}
    if wanted:
        raise ElfError(f"undefined symbol {min(wanted)}")
    return _Linker(inputs, numbers).run()


# ---- writing -----------------------------------------------------------------------------------------------


def _aligned(offset: int, align: int) -> int:
    return (offset + align - 1) // align * align


class _Linker:
    def __init__(self, inputs: Sequence[Input], numbers: Mapping[str, int]) -> None:
        self.inputs = [_Placed(item, [0] * len(item.object.sections)) for item in inputs]
        self.numbers = numbers
        self.target = inputs[0].object.target
        self.layout = _Layout()
        self.globals: dict[str, tuple[int, int]] = {}  # name -> address, size; set by _define_globals
        self.texts: dict[bytes, int] = {}  # offset of each
        self.text_at = 0
        self.relative: list[tuple[int, int]] = []  # an address that the loader relocates, what it holds
        self.image = bytearray()
        self.rows: list[tuple[str, int, int, int, int, int, int, int, int]] = []  # section headers

    def run(self) -> bytes:
        page = self.target.page
        for item in self.inputs:
            self._classify(item)
        fills = [self._fills(item) for item in self.inputs]
        n_relative = sum(len(fill.absolute) for of in fills for fill in of)
        layout = self.layout
        texts = self._all_texts()
        n_unwind = sum(len(item.input.object.frames[index]) for item, index in layout.unwind)

        hash_at = _aligned(EHDR.size + _N_SEGMENTS * _PHDR.size, 8)
        dynsym_at = hash_at + 20 + 4
        dynstr = b"\0" + SYMBOL.encode() + b"\0"
        dynstr_at = dynsym_at + 2 * SYM.size
        rela_at = _aligned(dynstr_at + len(dynstr), 8)
        rodata_at = rela_at + n_relative * RELA.size
        self.text_at = self._place(layout.rodata, rodata_at)
        end = self.text_at + len(texts)
        unwind_header_at = _aligned(end, 8)
        unwind_header_size = 12 + 8 * n_unwind
        unwind_at = _aligned(unwind_header_at + unwind_header_size, 8)
        read_end = self._place(layout.unwind, unwind_at) + 4  # plus 4: a zero length ends the records
        text_at = _aligned(read_end, page)
        text_end = self._place(layout.text, text_at)
        relro_at = _aligned(text_end, page)
        relro_end = self._place(layout.relro, relro_at)
        dynamic_at = _aligned(relro_end, 16)
        dynamic_size = 16 * 13
        file_end = dynamic_at + dynamic_size

        self.image = bytearray(file_end)
        self._write(self.text_at, texts)
        for group in (layout.rodata, layout.unwind, layout.text, layout.relro):
            for item, index in group:
                self._write(item.addresses[index], item.input.object.sections[index].data)
        self._define_globals()
        for item, of_item in zip(self.inputs, fills, strict=True):
            wanted = self._wanted(item.input) if of_item else {}
            for fill in of_item:
                self._relocate(item, fill, wanted)
        self._write_symbols(hash_at, dynsym_at, dynstr_at, dynstr, rela_at)
        self._write(unwind_header_at, self._unwind_header(unwind_header_at, unwind_at, n_unwind))
        self._write(
            dynamic_at, self._dynamic(hash_at, dynstr_at, len(dynstr), dynsym_at, rela_at, n_relative)
        )

        relro_size = _aligned(file_end, page) - relro_at
        self._write_segments(
            (_PT_LOAD, _PF_R, 0, read_end, read_end, page),
            (_PT_LOAD, _PF_R | _PF_X, text_at, text_end - text_at, text_end - text_at, page),
            (_PT_LOAD, _PF_R | _PF_W, relro_at, file_end - relro_at, relro_size, page),
            (_PT_DYNAMIC, _PF_R | _PF_W, dynamic_at, dynamic_size, dynamic_size, 8),
            (_PT_RELRO, _PF_R, relro_at, file_end - relro_at, relro_size, 1),
            (_PT_STACK, _PF_R | _PF_W, 0, 0, 0, 16),
            (_PT_EH_FRAME, _PF_R, unwind_header_at, unwind_header_size, unwind_header_size, 4),
        )
        self.rows = [
            ("", 0, 0, 0, 0, 0, 0, 0, 0),
            (".hash", _SHT_HASH, SHF_ALLOC, hash_at, 20, 2, 0, 8, 4),
            (".dynsym", _SHT_DYNSYM, SHF_ALLOC, dynsym_at, 2 * SYM.size, 3, 1, 8, SYM.size),
            (".dynstr", _SHT_STRTAB, SHF_ALLOC, dynstr_at, len(dynstr), 0, 0, 1, 0),
            (".rela.dyn", SHT_RELA, SHF_ALLOC, rela_at, n_relative * RELA.size, 2, 0, 8, RELA.size),
            (".rodata", 1, SHF_ALLOC, rodata_at, end - rodata_at, 0, 0, 1, 0),
            (".eh_frame_hdr", 1, SHF_ALLOC, unwind_header_at, unwind_header_size, 0, 0, 4, 0),
            (".eh_frame", 1, SHF_ALLOC, unwind_at, read_end - unwind_at, 0, 0, 8, 0),
            (".text", 1, SHF_ALLOC | _SHF_EXEC, text_at, text_end - text_at, 0, 0, 16, 0),
            (".data.rel.ro", 1, SHF_ALLOC | SHF_WRITE, relro_at, relro_end - relro_at, 0, 0, 16, 0),
            (".dynamic", _SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, dynamic_at, dynamic_size, 3, 0, 8, 16),
        ]
        self._append_tables()
        return bytes(self.image)

    def _write_symbols(
        self, hash_at: int, dynsym_at: int, dynstr_at: int, dynstr: bytes, rela_at: int
    ) -> None:
        """The only exported symbol, and the relocations that the loader makes."""
        policy_at, policy_size = self.globals[SYMBOL]
        self._write(hash_at, struct.pack("<5I", 1, 2, 1, 0, 0))
        self._write(dynsym_at + SYM.size, SYM.pack(1, 1 << 4 | _STT_OBJECT, 0, 9, policy_at, policy_size))
        self._write(dynstr_at, dynstr)
        rows = [RELA.pack(at, self.target.relative, 0, value) for at, value in sorted(self.relative)]
        self._write(rela_at, b"".join(rows))

    def _write_segments(self, *segments: tuple[int, int, int, int, int, int]) -> None:
        """Each has a type, flags, a place, its size in the file and in memory, and an alignment."""
        for number, (type, flags, at, in_file, in_memory, align) in enumerate(segments):
            self._write(
                EHDR.size + number * _PHDR.size,
                _PHDR.pack(type, flags, at, at, at, in_file, in_memory, align),
            )

    def _write(self, at: int, data: bytes) -> None:
        self.image[at : at + len(data)] = data

    # ---- sections ------------------------------------------------------------------------------------------

    def _classify(self, item: _Placed) -> None:
        if item.input.object.target is not self.target:
            raise ElfError(f"an object for {item.input.object.target.name}")
        for index, section in enumerate(item.input.object.sections):
            if section.flags & SHF_ALLOC and section.data:
                self._group_of(section).append((item, index))

    def _group_of(self, section: Section) -> list[_Part]:
        if section.flags & _SHF_EXEC:
            return self.layout.text
        if section.name == ".eh_frame":
            if len(section.data) % 8:
                raise ElfError("unwind records of odd size")
            return self.layout.unwind
        if section.flags & SHF_WRITE:
            if not section.name.startswith(".data.rel.ro"):
                raise ElfError(f"writable data in {section.name}")
            return self.layout.relro
        if section.name.startswith(".rodata"):
            return self.layout.rodata
        raise ElfError(f"a section {section.name}")

    @staticmethod
    def _place(parts: list[_Part], at: int) -> int:
        for item, index in parts:
            section = item.input.object.sections[index]
            at = item.addresses[index] = _aligned(at, section.align)
            at += len(section.data)
        return at

    def _all_texts(self) -> bytes:
        """The texts of all inputs, each once. An empty one has an address, too."""
        texts = dict.fromkeys(chain.from_iterable([item.input.texts.values() for item in self.inputs]))
        ends = accumulate([len(text) or 1 for text in texts], initial=0)
        self.texts = dict(zip(texts, ends))  # a text begins where the one before it ends
        return b"".join([text or b"\0" for text in texts])

    # ---- symbols and relocations ---------------------------------------------------------------------------

    def _define_globals(self) -> None:
        for item in self.inputs:
            obj = item.input.object
            for symbol, number in obj.defined:
                name = item.input.name(symbol)
                if name in self.globals:
                    raise ElfError(f"{name} is defined twice")
                _, _, index, value, size = obj.symbols[number]
                self.globals[name] = (item.addresses[index] + value, size)
        if SYMBOL not in self.globals:
            raise ElfError(f"no {SYMBOL}")

    def _fills(self, item: _Placed) -> list[Fill]:
        wanted = item.input.object.wanted
        return item.input.object.fills(
            frozenset(wanted.intersection(item.input.numbers)).union(wanted.intersection(self.numbers))
        )

    def _wanted(self, item: Input) -> dict[str, int]:
        """The values of all symbols that the object does not define."""
        at, texts = self.text_at, self.texts
        values = {name: at + texts[text] for name, text in item.texts.items()}
        values |= item.numbers
        for name in item.from_others():
            number = self.numbers.get(name)
            values[name] = self.globals[item.name(name)][0] if number is None else number
        return values

    def _relocate(self, item: _Placed, fill: Fill, wanted: Mapping[str, int]) -> None:
        obj, at = item.input.object, item.addresses[fill.section]
        values = {symbol: wanted[name] for symbol, name in fill.wanted}
        values |= {symbol: wanted[name] - at for symbol, name in fill.wanted_from_place}
        for symbol in fill.own:
            from_place, number = divmod(symbol, len(obj.symbols))
            values[symbol] = self._address(item, number) - at * from_place
        filled = [values[symbol] + constant for symbol, constant in fill.rows]
        for row, encode, instruction, offset in fill.instructions:
            filled[row] = encode(instruction, filled[row], at + offset)
        try:
            self._write(at, fill.content(filled))
        except struct.error:
            raise ElfError("an image of over 2 GB") from None
        if fill.absolute:
            self.relative += zip((at + offset for offset in fill.absolute), filled, strict=True)

    @staticmethod
    def _address(item: _Placed, number: int) -> int:
        """The address of a symbol that the object defines."""
        name, _, index, value, _ = item.input.object.symbols[number]
        if index in (SHN_ABS, SHN_COMMON) or not item.addresses[index]:
            raise ElfError(f"symbol {name} has no place in the image")
        return item.addresses[index] + value

    # ---- tables of the loader ------------------------------------------------------------------------------

    @staticmethod
    def _dynamic(
        hash_at: int, dynstr_at: int, dynstr_size: int, dynsym_at: int, rela_at: int, n_relative: int
    ) -> bytes:
        rows = [
            (_DT_HASH, hash_at),
            (_DT_STRTAB, dynstr_at),
            (_DT_SYMTAB, dynsym_at),
            (_DT_STRSZ, dynstr_size),
            (_DT_SYMENT, SYM.size),
            (_DT_FLAGS, _BIND_NOW),
            (_DT_FLAGS_1, 1),
        ]
        if n_relative:
            rows += [
                (_DT_RELA, rela_at),
                (_DT_RELASZ, n_relative * RELA.size),
                (_DT_RELAENT, RELA.size),
                (_DT_RELACOUNT, n_relative),
            ]
        rows.append((0, 0))
        return b"".join(struct.pack("<QQ", tag, value) for tag, value in rows)

    # ---- unwind information --------------------------------------------------------------------------------

    def _unwind_header(self, header_at: int, unwind_at: int, count: int) -> bytes:
        """The sorted table that maps an address to its unwind record (LSB, "Exception Frames")."""
        rows: list[tuple[int, int]] = []
        for item, index in self.layout.unwind:
            start = item.addresses[index]
            for at in item.input.object.frames[index]:
                (distance,) = struct.unpack_from("<i", self.image, start + at + 8)
                rows.append((start + at + 8 + distance - header_at, start + at - header_at))
        head = struct.pack("<4BiI", 1, 0x1B, 0x03, 0x3B, unwind_at - (header_at + 4), count)
        return head + b"".join(struct.pack("<ii", *row) for row in sorted(rows))

    # ---- symbol table and section headers ------------------------------------------------------------------

    def _append_tables(self) -> None:
        """Appends the names of functions, for debuggers and profilers, and the section headers."""
        names, symbols = self._symbol_table()
        self._append(
            ".symtab", SHT_SYMTAB, symbols, len(self.rows) + 1, len(symbols) // SYM.size, 8, SYM.size
        )
        self._append(".strtab", _SHT_STRTAB, names, 0, 0, 1, 0)
        section_names = b"\0".join(row[0].encode() for row in self.rows) + b"\0.shstrtab\0"
        self._append(".shstrtab", _SHT_STRTAB, section_names, 0, 0, 1, 0)
        headers_at = _aligned(len(self.image), 8)
        self.image += bytes(headers_at - len(self.image))
        for name, type, flags, at, size, link, info, align, entry in self.rows:
            name_at = section_names.index(b"\0" + name.encode() + b"\0") + 1 if name else 0
            address = at if flags & SHF_ALLOC else 0
            self.image += SHDR.pack(name_at, type, flags, address, at, size, link, info, align, entry)
        identity = b"\x7fELF\x02\x01\x01" + bytes(9)
        self._write(
            0,
            EHDR.pack(
                identity,
                3,
                self.target.machine,
                1,
                0,
                EHDR.size,
                headers_at,
                0,
                EHDR.size,
                _PHDR.size,
                _N_SEGMENTS,
                SHDR.size,
                len(self.rows),
                len(self.rows) - 1,
            ),
        )

    def _append(
        self, name: str, type: int, data: bytes, link: int, info: int, align: int, entry: int
    ) -> None:
        at = _aligned(len(self.image), align)
        self.image += bytes(at - len(self.image)) + data
        self.rows.append((name, type, 0, at, len(data), link, info, align, entry))

    def _symbol_table(self) -> tuple[bytes, bytes]:
        """All functions as local symbols; an image exports only ``vernis_policy``."""
        names, rows = bytearray(b"\0"), bytearray(SYM.size)
        text_index = next(i for i, row in enumerate(self.rows) if row[0] == ".text")
        for item in self.inputs:
            for symbol, info, index, value, size in item.input.object.symbols:
                if info & 15 == _STT_FUNC and index not in (SHN_UNDEF, SHN_ABS):
                    address = item.addresses[index] + value
                    rows += SYM.pack(len(names), _STT_FUNC, 0, text_index, address, size)
                    names += item.input.name(symbol).encode("utf-8", "surrogateescape") + b"\0"
        return bytes(names), bytes(rows)
