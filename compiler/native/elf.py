"""A linker for the objects that this compiler emits. It links objects without writable data, which together
define all symbols, into one shared object.

The file has three segments: read-only data (tables for the loader, constants, unwind information), code, and
data that is read-only after relocation. The file offset of each segment equals its address. The linker
reports an error for any unexpected input.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vernis.native.abi import SYMBOL

PAGE = 4096

# ELF constants, System V gABI and x86-64 psABI.
_MACHINE = 62
_SHT_SYMTAB, _SHT_STRTAB, _SHT_RELA, _SHT_HASH, _SHT_DYNAMIC, _SHT_NOBITS, _SHT_DYNSYM = 2, 3, 4, 5, 6, 8, 11
_SHF_WRITE, _SHF_ALLOC, _SHF_EXEC = 1, 2, 4
_SHN_UNDEF, _SHN_ABS, _SHN_COMMON = 0, 0xFFF1, 0xFFF2
_STB_LOCAL = 0
_STT_OBJECT, _STT_FUNC, _STT_SECTION, _STT_FILE = 1, 2, 3, 4
_PT_LOAD, _PT_DYNAMIC, _PT_EH_FRAME, _PT_STACK, _PT_RELRO = 1, 2, 0x6474E550, 0x6474E551, 0x6474E552
_PF_X, _PF_W, _PF_R = 1, 2, 4
_R_64, _R_PC32, _R_PLT32, _R_RELATIVE, _R_32, _R_32S, _R_PC64 = 1, 2, 4, 8, 10, 11, 24
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

_EHDR = struct.Struct("<16sHHIQQQIHHHHHH")
_SHDR = struct.Struct("<IIQQQQIIQQ")
_PHDR = struct.Struct("<IIQQQQQQ")
_SYM = struct.Struct("<IBBHQQ")
_RELA = struct.Struct("<QIIq")
_RELA_TYPE = 8  # where the type is in a row of _RELA
_I32, _U32, _U64 = struct.Struct("<i"), struct.Struct("<I"), struct.Struct("<Q")
_N_SEGMENTS = 7


class ElfError(Exception):
    """The object holds something that an image cannot hold."""


@dataclass(slots=True)
class _Section:
    name: str
    type: int
    flags: int
    data: bytes
    align: int
    info: int
    file_at: int
    address: int = 0


@dataclass(slots=True)
class Object:
    sections: list[_Section]
    symbols: list[tuple[str, int, int, int, int]]  # name, info, section, value, size
    relocations: list[tuple[int, _Section]]  # section to relocate, its relocation rows
    undefined: list[str] = field(default_factory=list)  # symbols, by name


@dataclass(slots=True)
class _Layout:
    """Groups of sections in the order of their addresses."""

    rodata: list[_Section] = field(default_factory=list)
    unwind: list[_Section] = field(default_factory=list)
    text: list[_Section] = field(default_factory=list)
    relro: list[_Section] = field(default_factory=list)


def link_objects(objects: Sequence[Object], support: bytes, numbers: Mapping[str, int]) -> bytes:
    """Links the objects. ``numbers`` are the values of symbols without an address. ``support`` is linked only
    if an object needs one of its symbols."""
    wanted = {name for obj in objects for name in obj.undefined}
    for obj in objects:
        wanted.difference_update(
            name
            for name, info, section, _, _ in obj.symbols
            if section != _SHN_UNDEF and info >> 4 != _STB_LOCAL
        )
    if not wanted <= numbers.keys():
        objects = [*objects, read_object(support)]
    return _Linker(objects, numbers).run()


def _fill_in(code: bytearray, at: int, type: int, name: str, value: int) -> None:
    """Replaces a use of a symbol by its number. ``lea symbol(%rip), %reg`` becomes ``mov $number, %reg``,
    which has the same length."""
    if type == _R_PC32:
        prefix, operands = code[at - 3], code[at - 1]
        if prefix & 0xFB != 0x48 or code[at - 2] != 0x8D or operands & 0xC7 != 0x05:
            raise ElfError(f"{name} is used as an address")
        code[at - 3] = 0x48 | prefix >> 2 & 1
        code[at - 2] = 0xC7
        code[at - 1] = 0xC0 | operands >> 3 & 7
        value += 4  # a PC-relative address counts from the end of the instruction
    elif type not in (_R_32, _R_32S):
        raise ElfError(f"relocation {type} of {name}")
    if not 0 <= value < 1 << 31:
        raise ElfError(f"{name} is {value}, out of range")
    _U32.pack_into(code, at, value)


def with_numbers(object_code: bytes, numbers: Mapping[str, int]) -> bytes:
    """Fills the numbers into the object. ``ld`` cannot resolve such symbols in a shared object."""
    data = bytearray(object_code)
    obj = read_object(object_code)
    for index, rows in obj.relocations:
        for number, (offset, type, symbol, addend) in enumerate(_RELA.iter_unpack(rows.data)):
            name = obj.symbols[symbol][0]
            if name in numbers:
                _fill_in(data, obj.sections[index].file_at + offset, type, name, numbers[name] + addend)
                _RELA.pack_into(data, rows.file_at + number * _RELA.size, offset, 0, 0, 0)
    return bytes(data)


# ---- reading -----------------------------------------------------------------------------------------------


def _text(table: bytes, offset: int) -> str:
    return table[offset : table.index(b"\0", offset)].decode("utf-8", "surrogateescape")


def read_object(data: bytes) -> Object:
    try:
        return _parsed(data)
    except (struct.error, IndexError, ValueError) as error:
        raise ElfError("not a relocatable object for x86-64") from error


def _parsed(data: bytes) -> Object:
    head = _EHDR.unpack_from(data)
    if data[:6] != b"\x7fELF\x02\x01" or head[1:3] != (1, _MACHINE):
        raise ElfError("not a relocatable object for x86-64")
    offset, count, names_index = head[6], head[12], head[13]
    rows = [_SHDR.unpack_from(data, offset + i * _SHDR.size) for i in range(count)]

    def content(row: tuple[int, ...]) -> bytes:
        return b"" if row[1] == _SHT_NOBITS else data[row[4] : row[4] + row[5]]

    names = content(rows[names_index])
    result = Object([], [], [])
    for row in rows:
        section = _Section(_text(names, row[0]), row[1], row[2], content(row), max(1, row[8]), row[7], row[4])
        if row[1] == _SHT_NOBITS and row[5] and row[2] & _SHF_ALLOC:
            raise ElfError(f"writable data in {section.name}")
        result.sections.append(section)
        if row[1] == _SHT_SYMTAB:
            strings = content(rows[row[6]])
            result.symbols = [
                (_text(strings, name), info, index, value, size)
                for name, info, _, index, value, size in _SYM.iter_unpack(section.data)
            ]
            result.undefined = [
                name for name, _, index, _, _ in result.symbols if index == _SHN_UNDEF and name
            ]
        elif row[1] == _SHT_RELA:
            result.relocations.append((row[7], section))
    return result


# ---- writing -----------------------------------------------------------------------------------------------


def _aligned(offset: int, align: int) -> int:
    return (offset + align - 1) // align * align


class _Linker:
    def __init__(self, objects: Sequence[Object], numbers: Mapping[str, int]) -> None:
        self.objects = objects
        self.numbers = numbers
        self.layout = _Layout()
        self.globals: dict[str, tuple[int, int]] = {}  # name -> address, size; set by _define_globals
        self.relative: list[tuple[int, int]] = []  # an address that the loader relocates, what it holds
        self.image = bytearray()
        self.rows: list[tuple[str, int, int, int, int, int, int, int, int]] = []  # section headers

    def run(self) -> bytes:
        for obj in self.objects:
            for section in obj.sections:
                self._classify(section)
        n_relative = sum(self._count_relative(obj) for obj in self.objects)
        layout = self.layout
        n_unwind = sum(self._frames(section.data) for section in layout.unwind)

        hash_at = _aligned(_EHDR.size + _N_SEGMENTS * _PHDR.size, 8)
        dynsym_at = hash_at + 20 + 4
        dynstr = b"\0" + SYMBOL.encode() + b"\0"
        dynstr_at = dynsym_at + 2 * _SYM.size
        rela_at = _aligned(dynstr_at + len(dynstr), 8)
        end = self._place(layout.rodata, rela_at + n_relative * _RELA.size)
        unwind_header_at = _aligned(end, 8)
        unwind_header_size = 12 + 8 * n_unwind
        unwind_at = _aligned(unwind_header_at + unwind_header_size, 8)
        read_end = self._place(layout.unwind, unwind_at) + 4  # plus 4: a zero length ends the records
        text_at = _aligned(read_end, PAGE)
        text_end = self._place(layout.text, text_at)
        relro_at = _aligned(text_end, PAGE)
        relro_end = self._place(layout.relro, relro_at)
        dynamic_at = _aligned(relro_end, 16)
        dynamic_size = 16 * 13
        file_end = dynamic_at + dynamic_size

        self.image = bytearray(file_end)
        for group in (layout.rodata, layout.unwind, layout.text, layout.relro):
            for section in group:
                self.image[section.address : section.address + len(section.data)] = section.data
        self._define_globals()
        for obj in self.objects:
            self._relocate(obj)
        policy_at, policy_size = self.globals[SYMBOL]
        self._write(hash_at, struct.pack("<5I", 1, 2, 1, 0, 0))
        self._write(dynsym_at + _SYM.size, _SYM.pack(1, 1 << 4 | _STT_OBJECT, 0, 9, policy_at, policy_size))
        self._write(dynstr_at, dynstr)
        rows = [_RELA.pack(at, _R_RELATIVE, 0, value) for at, value in sorted(self.relative)]
        self._write(rela_at, b"".join(rows))
        self._write(unwind_header_at, self._unwind_header(unwind_header_at, unwind_at, n_unwind))
        self._write(
            dynamic_at, self._dynamic(hash_at, dynstr_at, len(dynstr), dynsym_at, rela_at, n_relative)
        )

        relro_size = _aligned(file_end, PAGE) - relro_at
        segments = (
            (_PT_LOAD, _PF_R, 0, read_end, read_end, PAGE),
            (_PT_LOAD, _PF_R | _PF_X, text_at, text_end - text_at, text_end - text_at, PAGE),
            (_PT_LOAD, _PF_R | _PF_W, relro_at, file_end - relro_at, relro_size, PAGE),
            (_PT_DYNAMIC, _PF_R | _PF_W, dynamic_at, dynamic_size, dynamic_size, 8),
            (_PT_RELRO, _PF_R, relro_at, file_end - relro_at, relro_size, 1),
            (_PT_STACK, _PF_R | _PF_W, 0, 0, 0, 16),
            (_PT_EH_FRAME, _PF_R, unwind_header_at, unwind_header_size, unwind_header_size, 4),
        )
        for number, (type, flags, at, in_file, in_memory, align) in enumerate(segments):
            self._write(
                _EHDR.size + number * _PHDR.size,
                _PHDR.pack(type, flags, at, at, at, in_file, in_memory, align),
            )

        self.rows = [
            ("", 0, 0, 0, 0, 0, 0, 0, 0),
            (".hash", _SHT_HASH, _SHF_ALLOC, hash_at, 20, 2, 0, 8, 4),
            (".dynsym", _SHT_DYNSYM, _SHF_ALLOC, dynsym_at, 2 * _SYM.size, 3, 1, 8, _SYM.size),
            (".dynstr", _SHT_STRTAB, _SHF_ALLOC, dynstr_at, len(dynstr), 0, 0, 1, 0),
            (".rela.dyn", _SHT_RELA, _SHF_ALLOC, rela_at, n_relative * _RELA.size, 2, 0, 8, _RELA.size),
            (
                ".rodata",
                1,
                _SHF_ALLOC,
                rela_at + n_relative * _RELA.size,
                end - rela_at - n_relative * _RELA.size,
                0,
                0,
                1,
                0,
            ),
            (".eh_frame_hdr", 1, _SHF_ALLOC, unwind_header_at, unwind_header_size, 0, 0, 4, 0),
            (".eh_frame", 1, _SHF_ALLOC, unwind_at, read_end - unwind_at, 0, 0, 8, 0),
            (".text", 1, _SHF_ALLOC | _SHF_EXEC, text_at, text_end - text_at, 0, 0, 16, 0),
            (".data.rel.ro", 1, _SHF_ALLOC | _SHF_WRITE, relro_at, relro_end - relro_at, 0, 0, 16, 0),
            (".dynamic", _SHT_DYNAMIC, _SHF_ALLOC | _SHF_WRITE, dynamic_at, dynamic_size, 3, 0, 8, 16),
        ]
        self._append_tables()
        return bytes(self.image)

    def _write(self, at: int, data: bytes) -> None:
        self.image[at : at + len(data)] = data

    # ---- sections ------------------------------------------------------------------------------------------

    def _classify(self, section: _Section) -> None:
        if not section.flags & _SHF_ALLOC or not section.data:
            return
        if section.flags & _SHF_EXEC:
            self.layout.text.append(section)
        elif section.name == ".eh_frame":
            if len(section.data) % 8:
                raise ElfError("unwind records of odd size")
            self.layout.unwind.append(section)
        elif section.flags & _SHF_WRITE:
            if not section.name.startswith(".data.rel.ro"):
                raise ElfError(f"writable data in {section.name}")
            self.layout.relro.append(section)
        elif section.name.startswith(".rodata"):
            self.layout.rodata.append(section)
        else:
            raise ElfError(f"a section {section.name}")

    @staticmethod
    def _place(sections: list[_Section], at: int) -> int:
        for section in sections:
            at = section.address = _aligned(at, section.align)
            at += len(section.data)
        return at

    # ---- symbols and relocations ---------------------------------------------------------------------------

    def _define_globals(self) -> None:
        for obj in self.objects:
            for name, info, index, value, size in obj.symbols:
                if info >> 4 != _STB_LOCAL and index not in (_SHN_UNDEF, _SHN_ABS, _SHN_COMMON):
                    if name in self.globals:
                        raise ElfError(f"{name} is defined twice")
                    self.globals[name] = (obj.sections[index].address + value, size)
        if SYMBOL not in self.globals:
            raise ElfError(f"no {SYMBOL}")

    def _address(self, obj: Object, number: int) -> int:
        name, _, index, value, _ = obj.symbols[number]
        if index == _SHN_UNDEF:
            if name not in self.globals:
                raise ElfError(f"undefined symbol {name}")
            return self.globals[name][0]
        if index in (_SHN_ABS, _SHN_COMMON) or not obj.sections[index].address:
            raise ElfError(f"symbol {name} has no place in the image")
        return obj.sections[index].address + value

    def _count_relative(self, obj: Object) -> int:
        return sum(
            rows.data[_RELA_TYPE :: _RELA.size].count(_R_64)
            for index, rows in obj.relocations
            if obj.sections[index].flags & _SHF_ALLOC
        )

    def _relocate(self, obj: Object) -> None:
        numbers = [self.numbers.get(name) for name, _, _, _, _ in obj.symbols]
        addresses: list[int | None] = [None] * len(obj.symbols)
        for index, rows in obj.relocations:
            section = obj.sections[index]
            if not section.flags & _SHF_ALLOC:
                continue
            for offset, type, symbol, addend in _RELA.iter_unpack(rows.data):
                at = section.address + offset
                number = numbers[symbol]
                if number is not None:
                    _fill_in(self.image, at, type, obj.symbols[symbol][0], number + addend)
                    continue
                address = addresses[symbol]
                if address is None:
                    address = addresses[symbol] = self._address(obj, symbol)
                self._fill_in_address(section, at, type, address + addend)

    def _fill_in_address(self, section: _Section, at: int, type: int, value: int) -> None:
        if type == _R_64 and section.flags & _SHF_WRITE:
            _U64.pack_into(self.image, at, value)
            self.relative.append((at, value))
        elif type in (_R_PC32, _R_PLT32):
            distance = value - at
            if not -(1 << 31) <= distance < 1 << 31:
                raise ElfError("an image of over 2 GB")
            _I32.pack_into(self.image, at, distance)
        elif type == _R_PC64:
            struct.pack_into("<q", self.image, at, value - at)
        else:
            raise ElfError(f"relocation {type} in {section.name}")

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
            (_DT_SYMENT, _SYM.size),
            (_DT_FLAGS, _BIND_NOW),
            (_DT_FLAGS_1, 1),
        ]
        if n_relative:
            rows += [
                (_DT_RELA, rela_at),
                (_DT_RELASZ, n_relative * _RELA.size),
                (_DT_RELAENT, _RELA.size),
                (_DT_RELACOUNT, n_relative),
            ]
        rows.append((0, 0))
        return b"".join(struct.pack("<QQ", tag, value) for tag, value in rows)

    # ---- unwind information --------------------------------------------------------------------------------

    def _frames(self, data: bytes) -> int:
        return sum(1 for at, is_frame in _records(data) if is_frame)

    def _unwind_header(self, header_at: int, unwind_at: int, count: int) -> bytes:
        """The sorted table that maps an address to its unwind record (LSB, "Exception Frames")."""
        rows: list[tuple[int, int]] = []
        for section in self.layout.unwind:
            start = section.address
            data = bytes(self.image[start : start + len(section.data)])
            for at, is_frame in _records(data):
                if is_frame:
                    (distance,) = struct.unpack_from("<i", data, at + 8)
                    rows.append((start + at + 8 + distance - header_at, start + at - header_at))
        head = struct.pack("<4BiI", 1, 0x1B, 0x03, 0x3B, unwind_at - (header_at + 4), count)
        return head + b"".join(struct.pack("<ii", *row) for row in sorted(rows))

    # ---- symbol table and section headers ------------------------------------------------------------------

    def _append_tables(self) -> None:
        """Appends the names of functions, for debuggers and profilers, and the section headers."""
        names, symbols = self._symbol_table()
        self._append(
            ".symtab", _SHT_SYMTAB, symbols, len(self.rows) + 1, len(symbols) // _SYM.size, 8, _SYM.size
        )
        self._append(".strtab", _SHT_STRTAB, names, 0, 0, 1, 0)
        section_names = b"\0".join(row[0].encode() for row in self.rows) + b"\0.shstrtab\0"
        self._append(".shstrtab", _SHT_STRTAB, section_names, 0, 0, 1, 0)
        headers_at = _aligned(len(self.image), 8)
        self.image += bytes(headers_at - len(self.image))
        for name, type, flags, at, size, link, info, align, entry in self.rows:
            name_at = section_names.index(b"\0" + name.encode() + b"\0") + 1 if name else 0
            address = at if flags & _SHF_ALLOC else 0
            self.image += _SHDR.pack(name_at, type, flags, address, at, size, link, info, align, entry)
        identity = b"\x7fELF\x02\x01\x01" + bytes(9)
        self._write(
            0,
            _EHDR.pack(
                identity,
                3,
                _MACHINE,
                1,
                0,
                _EHDR.size,
                headers_at,
                0,
                _EHDR.size,
                _PHDR.size,
                _N_SEGMENTS,
                _SHDR.size,
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
        names, rows = bytearray(b"\0"), bytearray(_SYM.size)
        text_index = next(i for i, row in enumerate(self.rows) if row[0] == ".text")
        for obj in self.objects:
            for name, info, index, value, size in obj.symbols:
                if info & 15 == _STT_FUNC and index not in (_SHN_UNDEF, _SHN_ABS):
                    rows += _SYM.pack(
                        len(names), _STT_FUNC, 0, text_index, obj.sections[index].address + value, size
                    )
                    names += name.encode("utf-8", "surrogateescape") + b"\0"
        return bytes(names), bytes(rows)


def _records(data: bytes) -> list[tuple[int, bool]]:
    """Offset of each record of an .eh_frame, and whether it is a frame (FDE) or the common part of frames
    (CIE). Frames must encode addresses as LLVM does on this platform: relative, in four bytes."""
    found: list[tuple[int, bool]] = []
    at = 0
    while at + 8 <= len(data):
        length, identity = struct.unpack_from("<II", data, at)
        if length == 0xFFFFFFFF or length == 0:
            raise ElfError("unwind records of an unknown form")
        if identity == 0 and not (data[at + 9 : at + 12] == b"zR\0" and data[at + 16] == 0x1B):
            raise ElfError("unwind records of an unknown form")
        found.append((at, identity != 0))
        at += 4 + length
    return found
