"""A log record, and its parsers for dump files and plain bytes. ring.py reads records from shared memory."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from vernis.observe import tags

CLIENT, BACKEND = 1 << 30, 1 << 31
VXID_MASK = CLIENT - 1
DUMP_MAGIC = b"VSL\0"
HEAD_BYTES = 8
_HEAD = struct.Struct("<II")


class Record(NamedTuple):
    tag: int
    owner: int  # transaction id and side, as in the log
    data: bytes  # a text record includes its NUL

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

    def packed(self) -> bytes:
        """The record in the form of the log and of dump files."""
        return (
            _HEAD.pack(self.tag << 24 | len(self.data), self.owner) + self.data + bytes(-len(self.data) % 4)
        )


class DumpError(Exception):
    """The file is not a dump, is damaged, or ends in the middle of a record."""


def words_of(length: int) -> int:
    return (length + 3) >> 2


def parse(data: bytes | memoryview) -> list[Record]:
    """Parses whole, adjacent records. Leaves out the marks of batches, and stops at the first invalid
    record."""
    found = []
    at, end = 0, len(data)
    unpack = _HEAD.unpack_from
    while at + HEAD_BYTES <= end:
        word, owner = unpack(data, at)
        at += HEAD_BYTES
        tag = word >> 24
        if tag == tags.BATCH:
            continue
        length = word & 0xFFFF
        if at + length > end or tag in (0, tags.RESERVED):
            break
        found.append(Record(tag, owner, bytes(data[at : at + length])))
        at += words_of(length) << 2
    return found


def read_dump(file: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file written by ``vernis log -w`` or varnishlog."""
    if file.read(len(DUMP_MAGIC)) != DUMP_MAGIC:
        raise DumpError(f"{name}: not a log dump (as `vernis log -w` writes it)")
    while head := file.read(HEAD_BYTES):
        if len(head) < HEAD_BYTES:
            raise DumpError(f"{name}: ends in the middle of a record")
        word, owner = _HEAD.unpack(head)
        tag, length = word >> 24, word & 0xFFFF
        if tag == tags.BATCH:
            continue
        if tag in (0, tags.RESERVED):
            raise DumpError(f"{name}: damaged: unknown record type {tag}")
        data = file.read(words_of(length) << 2)
        if len(data) < length:
            raise DumpError(f"{name}: ends in the middle of a record")
        yield Record(tag, owner, data[:length])
