"""`vernis log`: shows the log of a running daemon, or a dump of it, as text, as JSON or as one screen per
request."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from vernis.commands.observing import groups_of, selection_of, view_of
from vernis.commands.outcome import EXIT_OK, Trouble
from vernis.observe.records import DUMP_MAGIC
from vernis.observe.select import Selection
from vernis.observe.text import group_text
from vernis.observe.transactions import Group, Grouping

#: Writes one group.
_Writer = Callable[[Group], None]


def log(options: argparse.Namespace) -> int:
    if options.format == "screen" and options.grouping is None:
        options.grouping = "request"
    options.grouping = options.grouping or "vxid"
    selection = selection_of(options)
    view = view_of(options, selection.sides)
    file = _output(options)
    if options.write is not None and options.format is None:
        selection.keep_structure()
        write = _dump_writer(file, selection)
    else:
        write = _writer(options, file, selection, view.grouping)
    try:
        for group in groups_of(options, view, options.head):
            if group is None:
                file.flush()
            else:
                write(group)
        return EXIT_OK
    finally:
        file.flush()


def _output(options: argparse.Namespace) -> BinaryIO:
    if options.write is None or options.write == "-":
        return sys.stdout.buffer
    try:
        return Path(options.write).open("ab" if options.append else "wb")
    except OSError as error:
        raise Trouble(f"cannot write {options.write}: {error.strerror}") from None


def _dump_writer(file: BinaryIO, selection: Selection) -> _Writer:
    """Writes the binary dump that -r reads."""
    if not file.seekable() or file.seek(0, os.SEEK_END) == 0:
        file.write(DUMP_MAGIC)

    def write(group: Group) -> None:
        for transaction in group:
            file.writelines(record.packed() for record in transaction.records if selection.shows(record))

    return write


def _writer(options: argparse.Namespace, file: BinaryIO, selection: Selection, grouping: Grouping) -> _Writer:
    match options.format:
        case "json":
            from vernis.observe.jsonlines import group_json

            return lambda group: _write(file, group_json(group, selection, grouping))
        case "screen":
            from vernis.commands.policy_places import Places
            from vernis.observe.screen import Screen

            text = open(
                file.fileno(), "w", 1, "utf-8", "replace", closefd=False
            )  # closefd: only log() closes it
            places = Places(options)
            return Screen(text, selection, places.locate, places.note_rule).show
    return lambda group: _write(file, group_text(group, selection, options.verbose))


def _write(file: BinaryIO, data: bytes) -> None:
    if data:
        file.write(data)
