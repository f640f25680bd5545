"""Read-only tables in memory layout, and the relocatable object that holds them. This does not use LLVM: the
tables are plain data, and every compile writes them.

A row maps the members of a structure to values; layouts.py has the layouts that the build measured. An
address is a :class:`Place`, which the linker fills in. Texts are in a section without relocations. Rows are
in a section that is read-only once the loader has relocated it.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vernis.native.layouts import Layouts
from vernis.native.target import Target

_MASKS = {"Q": (1 << 64) - 1, "I": (1 << 32) - 1, "H": (1 << 16) - 1, "B": 255}
_TEXTS, _ROWS = 1, 2  # sections, and their symbols
_FIRST_FUNCTION = 4  # its symbol: after NULL, the sections and the image

_EHDR = struct.Struct("<16sHHIQQQIHHHHHH")
_SHDR = struct.Struct("<IIQQQQIIQQ")
_SYM = struct.Struct("<IBBHQQ")
_RELA = struct.Struct("<QQq")
_ALIGN = 16
_TEXTS_ALIGN = 64  # a cache line, for the rows of chains


@dataclass(slots=True)  # not frozen, because policies have thousands
class Place:
    """An address: ``offset`` bytes after a section or function, given by its symbol."""

    symbol: int
    offset: int = 0


NULL = 0
Leaf = int | float | bytes | Place


#: A row: the value of each member of a structure. A text is two leaves, an array one leaf per element.
Row = Mapping[str, Leaf | Sequence[Leaf]]
PADDING = "pad"


@dataclass(slots=True)
class Tables:
    layouts: Layouts
    target: Target
    texts: bytearray = field(default_factory=bytearray)
    rows: bytearray = field(default_factory=bytearray)
    relocations: list[tuple[int, Place]] = field(default_factory=list)  # offset in rows, its address
    functions: dict[str, Place] = field(default_factory=dict)
    _known: dict[bytes, Place] = field(default_factory=dict)

    def text(self, data: bytes, align: int = 1) -> Place:
        """The place of a text. An empty text has a place too, because its address must not be NULL."""
        place = self._known.get(data)
        if place is None or place.offset % align:
            self.texts += b"\0" * (-len(self.texts) % align)
            place = self._known[data] = Place(_TEXTS, len(self.texts))
            self.texts += data or b"\0"
        return place

    def span(self, data: bytes | str | None) -> tuple[Leaf, Leaf]:
        """Address and length of a text. None is the unset text."""
        if data is None:
            return NULL, 0
        raw = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
        return self.text(raw), len(raw)

    def function(self, name: str) -> Place:
        return self.functions.setdefault(name, Place(_FIRST_FUNCTION + len(self.functions)))

    def table(self, kind: str, rows: Sequence[Row]) -> Leaf:
        """Address of an array of structures; NULL if it is empty."""
        return self.leaves(kind, [self.flat(kind, row) for row in rows])

    def flat(self, kind: str, row: Row) -> list[Leaf]:
        """The leaves of a row in the order of the structure."""
        leaves: list[Leaf] = []
        for member in self.layouts.members[kind]:
            value = 0 if member.name == PADDING else row[member.name]
            if isinstance(value, (tuple, list)):
                leaves += value
            else:
                leaves.append(value)  # type: ignore[arg-type]
        return leaves

    def spans(self, texts: Sequence[bytes | str]) -> Leaf:
        """Address of an array of texts."""
        return self.leaves("span", [self.span(text) for text in texts])

    def leaves(self, kind: str, rows: Sequence[Sequence[Leaf]]) -> Leaf:
        """:meth:`table` for rows that are lists of leaves in order."""
        if not rows:
            return NULL
        packed = self.layouts.packed(kind)
        masks = [_MASKS.get(code, -1) for code in packed.codes]
        self.rows += b"\0" * (-len(self.rows) % _ALIGN)
        start = at = len(self.rows)
        pack, size, places = packed.whole.pack, packed.whole.size, [*zip(packed.offsets, masks)]
        for row in rows:
            values: list[int | float | bytes] = []
            for leaf, (offset, mask) in zip(row, places, strict=True):
                if isinstance(leaf, int):
                    values.append(leaf & mask)
                elif isinstance(leaf, Place):
                    self.relocations.append((at + offset, leaf))
                    values.append(0)
                else:
                    values.append(leaf)
            self.rows += pack(*values)
            at += size
        return Place(_ROWS, start)

    def object_code(self, name: str, image: Place, size: int) -> bytes:
        """A relocatable ELF object. ``name`` is its only defined symbol, ``size`` bytes at ``image``."""
        names = bytearray(b"\0")

        def add_name(text: str) -> int:
            at = len(names)
            names.extend(text.encode("utf-8", "surrogateescape") + b"\0")
            return at

        symbols = [
            bytes(_SYM.size),
            _SYM.pack(0, 3, 0, _TEXTS, 0, 0),
            _SYM.pack(0, 3, 0, _ROWS, 0, 0),
            _SYM.pack(add_name(name), 1 << 4 | 1, 0, _ROWS, image.offset, size),
        ]
        symbols += [_SYM.pack(add_name(function), 1 << 4, 2, 0, 0, 0) for function in self.functions]
        relocations = b"".join(
            _RELA.pack(at, place.symbol << 32 | self.target.absolute, place.offset)
            for at, place in self.relocations
        )
        section_names = (
            b"\0.rodata\0.data.rel.ro\0.rela.data.rel.ro\0.symtab\0.strtab\0.shstrtab\0.note.GNU-stack\0"
        )
        sections: tuple[
            tuple[str, int, int, bytes, int, int, int, int], ...
        ] = (  # name, type, flags, content, link, info, align, entry
            (".rodata", 1, 2, bytes(self.texts), 0, 0, _TEXTS_ALIGN, 0),
            (".data.rel.ro", 1, 3, bytes(self.rows), 0, 0, _ALIGN, 0),
            (".rela.data.rel.ro", 4, 0x40, relocations, 4, _ROWS, 8, _RELA.size),
            (".symtab", 2, 0, b"".join(symbols), 5, 3, 8, _SYM.size),
            (".strtab", 3, 0, bytes(names), 0, 0, 1, 0),
            (".shstrtab", 3, 0, section_names, 0, 0, 1, 0),
            (".note.GNU-stack", 1, 0, b"", 0, 0, 1, 0),
        )
        body = bytearray(_EHDR.size)
        headers = [bytes(_SHDR.size)]
        for section, type, flags, content, link, info, align, entry in sections:
            body += b"\0" * (-len(body) % align)
            name_at = section_names.index(b"\0" + section.encode() + b"\0") + 1
            headers.append(
                _SHDR.pack(name_at, type, flags, 0, len(body), len(content), link, info, align, entry)
            )
            body += content
        body += b"\0" * (-len(body) % 8)
        _EHDR.pack_into(
            body,
            0,
            b"\x7fELF\x02\x01\x01" + bytes(9),
            1,
            self.target.machine,
            1,
            0,
            0,
            len(body),
            0,
            _EHDR.size,
            0,
            0,
            _SHDR.size,
            len(headers),
            6,
        )
        return bytes(body) + b"".join(headers)
