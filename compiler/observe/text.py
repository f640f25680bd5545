"""Writes groups as text, byte for byte as varnishlog does unless the reader wants more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vernis.observe import tags
from vernis.observe.records import Record
from vernis.observe.select import Selection
from vernis.observe.transactions import Group, Kind, Transaction

if TYPE_CHECKING:
    from vernis.observe.frames import Frames

_TITLES = {
    Kind.UNKNOWN: "<< Unknown  >>",
    Kind.SESSION: "<< Session  >>",
    Kind.REQUEST: "<< Request  >>",
    Kind.FETCH: "<< BeReq    >>",
    Kind.RAW: "<< Record   >>",
}
_PRINTED_LEVEL_MAX = 3  # a level up to this is shown as that many marks, a deeper one as a number
_LABELS = {number: f"{tags.name_of(number):<14} ".encode() for number in range(256)}


def group_text(group: Group, selection: Selection, verbose: bool, frames: Frames | None = None) -> bytes:
    """``frames``: shows HTTP/2 in words where varnishlog shows bytes."""
    lines: list[bytes] = []
    titled = False
    for transaction in group:
        if not selection.sides.wants(transaction):
            continue
        with_vxid = verbose or transaction.level == 0
        if transaction.level:
            lines.append(_title(transaction, with_vxid))
            titled = True
        lines.extend(_lines(transaction, selection, with_vxid, frames))
    if titled:
        lines.append(b"\n")
    return b"".join(lines)


def _title(transaction: Transaction, with_vxid: bool) -> bytes:
    gaps = (" " * 11, "  ") if with_vxid else ("", "")
    margin, title = _margin(transaction.level, "*"), _TITLES[transaction.kind]
    return f"{margin}{gaps[0]}{title} {gaps[1]}{transaction.vxid:<10}\n".encode()


def _margin(level: int, mark: str) -> str:
    if level == 0:
        return ""
    return f"{mark}{level}{mark} " if level > _PRINTED_LEVEL_MAX else f"{mark * level:<3} "


def _lines(
    transaction: Transaction, selection: Selection, with_vxid: bool, frames: Frames | None
) -> Iterator[bytes]:
    margin = _margin(transaction.level, "-").encode()
    for record in transaction.records:
        words = frames.words(record) if frames is not None and record.tag in tags.BINARY else None
        if not selection.shows(record):
            continue
        shown = content(record) if words is None else words.encode()
        if with_vxid:
            yield b"%s%10d %s%s %s\n" % (
                margin,
                record.vxid,
                _LABELS[record.tag],
                record.side.encode(),
                shown,
            )
        else:
            yield b"%s%s%s\n" % (margin, _LABELS[record.tag], shown)


def content(record: Record) -> bytes:
    if record.tag in tags.UNSAFE:
        return b'"%s"' % b"".join(
            b"%c" % byte if 32 <= byte <= 126 else b"%%%02x" % byte for byte in record.data
        )
    if record.tag in tags.BINARY:
        return b"[%s]" % record.data.hex().encode()
    return record.data.split(b"\0", 1)[0]
