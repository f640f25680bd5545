"""A log record, and its parsers for dump files and plain bytes. ring.py reads records from shared memory.

A log, and a dump, has one of two forms: that of Varnish up to 7.2, or the later one, with longer heads, ids
of 64 bits and other numbers of the tags. runtime/log/form.h describes both.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from vernis.observe import tags

CLIENT, BACKEND = 1 << 62, 1 << 63
VXID_MASK = (1 << 51) - 1
_LATER_BIT = 1 << 16  # in word 0 of a record
_OLDER_MAGIC, _LATER_MAGIC = b"VSL\0", b"VSL2"
_OLDER_SIDES, _OLDER_VXID = 0xC0000000, 0x3FFFFFFF
_OLDER_HEAD, _LATER_HEAD = struct.Struct("<II"), struct.Struct("<IQ")


class Record(NamedTuple):
    tag: int  # as in tags.NUMBERS, in either form
    owner: int  # transaction id and side, as in the later form
    data: bytes  # a text record includes its NUL
    later: bool = False  # the form of the log it is from

    @property
    def vxid(self) -> int:
        return self.owner & VXID_MASK

    @property
    def side(self) -> str:
        """``c`` for client, ``b`` for backend, ``-`` for neither."""
        return "c" if self.owner & CLIENT else "b" if self.owner & BACKEND else "-"

    @property
    def text(self) -> bytes:
        """The data without its NUL."""
        return self.data[:-1] if self.data[-1:] == b"\0" else self.data

    @property
    def older_owner(self) -> int:
        """The owner as in the older form, which has 30 bits for the id."""
        return self.owner >> 32 & _OLDER_SIDES | self.owner & _OLDER_VXID

    def packed(self, later: bool = False) -> bytes:
        """The record in one of the forms of logs and dumps."""
        size = len(self.data)
        if later:
            head = _LATER_HEAD.pack(tags.TO_LATER[self.tag] << 24 | _LATER_BIT | size, self.owner)
        else:
            head = _OLDER_HEAD.pack(self.tag << 24 | size, self.older_owner)
        return head + self.data + bytes(-size % 4)


class DumpError(Exception):
    """The file is not a dump, is damaged, or ends in the middle of a record."""


def words_of(length: int) -> int:
    return (length + 3) >> 2


def head_words(later: bool) -> int:
    """Words of the head of a record, and of a batch."""
    return 3 if later else 2


def dump_magic(later: bool) -> bytes:
    """The first bytes of a dump."""
    return _LATER_MAGIC if later else _OLDER_MAGIC


def _head(word: int, id_: int, later: bool) -> tuple[int, int]:
    """Tag and owner. A tag that the form lacks is 0."""
    if later:
        return tags.FROM_LATER.get(word >> 24, 0), id_
    return word >> 24, (id_ & _OLDER_SIDES) << 32 | id_ & _OLDER_VXID


def parse(data: bytes | memoryview, later: bool = False) -> list[Record]:
    """Parses whole, adjacent records. Leaves out the marks of batches, and stops at the first invalid
    record."""
    found = []
    at, end = 0, len(data)
    struct_ = _LATER_HEAD if later else _OLDER_HEAD
    unpack, head_bytes = struct_.unpack_from, struct_.size
    while at + head_bytes <= end:
        word, id_ = unpack(data, at)
        at += head_bytes
        if word >> 24 == tags.BATCH:
            continue
        tag, owner = _head(word, id_, later)
        length = word & 0xFFFF
        if at + length > end or tag in (0, tags.RESERVED):
            break
        found.append(Record(tag, owner, bytes(data[at : at + length]), later))
        at += words_of(length) << 2
    return found


def read_dump(file: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file written by ``vernis log -w`` or varnishlog, in either form."""
    magic = file.read(len(_OLDER_MAGIC))
    if magic not in (_OLDER_MAGIC, _LATER_MAGIC):
        raise DumpError(f"{name}: not a log dump (as `vernis log -w` writes it)")
    later = magic == _LATER_MAGIC
    struct_ = _LATER_HEAD if later else _OLDER_HEAD
    while head := file.read(struct_.size):
        if len(head) < struct_.size:
            raise DumpError(f"{name}: ends in the middle of a record")
        word, id_ = struct_.unpack(head)
        if word >> 24 == tags.BATCH:
            continue
        tag, owner = _head(word, id_, later)
        length = word & 0xFFFF
        if tag in (0, tags.RESERVED):
            raise DumpError(f"{name}: damaged: unknown record type {word >> 24}")
        data = file.read(words_of(length) << 2)
        if len(data) < length:
            raise DumpError(f"{name}: ends in the middle of a record")
        yield Record(tag, owner, data[:length], later)
