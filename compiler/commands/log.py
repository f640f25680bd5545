"""`vernis log`: shows the log of a running daemon, or a dump of it, as text, as JSON or as one screen per
request."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

from vernis.commands.log_reasons import LoggedReasons
from vernis.commands.observing import groups_of, log_hiding, selection_of, view_of
from vernis.commands.outcome import EXIT_OK, Trouble
from vernis.observe.records import Record, dump_magic
from vernis.observe.select import Selection
from vernis.observe.text import group_text
from vernis.observe.transactions import Group, Grouping
from vernis.shown import visible_bytes
from vernis.terminal import Progress, aside

if TYPE_CHECKING:
    from vernis.observe.fields import Fields
    from vernis.observe.frames import Frames

#: Writes one group.
_Writer = Callable[[Group], None]


def log(options: argparse.Namespace) -> int:
    if options.fields is not None:
        _check_fields(options)
    hiding = log_hiding(options)
    if (options.format == "screen" or options.why) and options.grouping is None:
        options.grouping = "request"
    options.grouping = options.grouping or "vxid"
    selection = selection_of(options)
    view = view_of(options, selection.sides)
    file = _output(options)
    write: _Writer
    if options.write is not None and options.format is None and not options.why:
        selection.keep_structure()
        dump = _Dump(options, file, selection)
        write, end, rotation = dump.write, dump.close, _Rotation(options, file, dump.begin)
    else:
        write, end = _writer(options, file, selection, view.grouping), file.flush
        rotation = _Rotation(options, file)
    try:
        with LoggedReasons(options) as reasons, _reading(options) as progress:
            live = options.why and not options.head
            for group in groups_of(options, view, options.head, reasons.ask if live else lambda: None):
                rotation.follow()
                if group is None:
                    file.flush()
                    continue
                shown = group if hiding is None else hiding.group(group)
                if progress is None:
                    write(shown)
                    continue
                progress.step()
                with aside():
                    write(shown)
        return EXIT_OK
    finally:
        end()


@contextmanager
def _reading(options: argparse.Namespace) -> Iterator[Progress | None]:
    """Counts the groups of a dump. None: the log of a daemon has no end."""
    if options.read is None:
        yield None
    else:
        with Progress(f"reading {options.read}") as progress:
            yield progress


def _check_fields(options: argparse.Namespace) -> None:
    """--fields implies JSON, also for -w."""
    if options.format not in (None, "json"):
        raise Trouble(f"--fields chooses members of JSON: leave out --format {options.format}")
    options.format = "json"


class _Rotation:
    """After SIGHUP, output goes on in a new file of the name of -w: logrotate has renamed the old one.

    The handler only takes a note. It may run in the middle of a write."""

    def __init__(
        self, options: argparse.Namespace, file: BinaryIO, begin: Callable[[BinaryIO], None] | None = None
    ) -> None:
        self._name, self._file, self._begin, self._asked = options.write, file, begin, False
        if self._name not in (None, "-"):
            signal.signal(signal.SIGHUP, self._ask)

    def _ask(self, _signal: int, _frame: object) -> None:
        self._asked = True

    def follow(self) -> None:
        if not self._asked:
            return
        self._asked = False
        self._file.flush()
        with _opened(self._name, "ab") as new:
            os.dup2(new.fileno(), self._file.fileno())
        if self._begin is not None:
            self._begin(self._file)


def _output(options: argparse.Namespace) -> BinaryIO:
    if options.write is None or options.write == "-":
        return sys.stdout.buffer
    return _opened(options.write, "ab" if options.append else "wb")


def _opened(name: str, mode: Literal["ab", "wb"]) -> BinaryIO:
    try:
        return Path(name).open(mode)
    except OSError as error:
        raise Trouble(f"cannot write {name}: {error.strerror}") from None


class _Dump:
    """The binary dump that -r and varnishlog read. It has the form of the log, or of the file that it
    continues."""

    def __init__(self, options: argparse.Namespace, file: BinaryIO, selection: Selection) -> None:
        self._name, self._file, self._selection = options.write, file, selection
        self.begin(file)

    def begin(self, file: BinaryIO) -> None:
        """The output goes on in this file: it is new, or the end of a dump."""
        self._later: bool | None = None  # None: the first record will tell
        self._begun = file.seekable() and file.seek(0, os.SEEK_END) > 0
        if self._begun and self._name != "-":
            with Path(self._name).open("rb") as written:
                self._later = written.read(4) == dump_magic(later=True)

    def write(self, group: Group) -> None:
        for transaction in group:
            for record in transaction.records:
                if self._selection.shows(record):
                    self._write(record)

    def _write(self, record: Record) -> None:
        if self._later is None:
            self._later = record.later
        if not self._begun:
            self._start(self._later)
        self._file.write(record.packed(self._later))

    def _start(self, later: bool) -> None:
        self._file.write(dump_magic(later))
        self._begun = True

    def close(self) -> None:
        """A dump without records is a dump, too."""
        if not self._begun:
            self._start(bool(self._later))
        self._file.flush()


def _writer(options: argparse.Namespace, file: BinaryIO, selection: Selection, grouping: Grouping) -> _Writer:
    if options.why and grouping is Grouping.RAW:
        raise Trouble("--why needs whole requests: use it with -g request, session or vxid")
    if options.format == "json":
        return _json_writer(options, file, selection, grouping)
    if options.format == "screen" or options.why:
        return _people_writer(options, file, selection)
    frames = _frames() if options.frames else None
    return lambda group: _write(file, group_text(group, selection, options.verbose, frames))


def _json_writer(
    options: argparse.Namespace, file: BinaryIO, selection: Selection, grouping: Grouping
) -> _Writer:
    from vernis.observe.jsonlines import Explain, group_json

    as_json: Callable[[Group, Explain | None], bytes]
    if options.fields is not None:
        fields = _fields(options, grouping)
        as_json = lambda group, explain: fields.lines(group, selection, explain)  # noqa: E731
    else:
        frames = _frames()
        as_json = lambda group, explain: group_json(group, selection, grouping, explain, frames)  # noqa: E731
    if not options.why:
        return lambda group: _write(file, as_json(group, None))
    from vernis.commands.policy_places import Places
    from vernis.observe.reason_lines import WhyJson
    from vernis.observe.reasons import Reasons

    places = Places(options)
    why = WhyJson(Reasons(), places.locate)

    def write(group: Group) -> None:
        why.learn(group)
        _write(file, as_json(group, why.of))

    return write


def _frames() -> Frames:
    from vernis.observe.frames import Frames

    return Frames()


def _fields(options: argparse.Namespace, grouping: Grouping) -> Fields:
    from vernis.observe.fields import FieldError, Fields

    if grouping is Grouping.RAW:
        raise Trouble("--fields needs whole requests: use it with -g vxid, request or session")
    try:
        fields = Fields(options.fields)
    except FieldError as error:
        raise Trouble(str(error)) from None
    if fields.wants_why and not options.why:
        raise Trouble("--fields why: add --why, which makes the daemon log its reasons")
    return fields


def _people_writer(options: argparse.Namespace, file: BinaryIO, selection: Selection) -> _Writer:
    from vernis.commands.policy_places import Places
    from vernis.observe.reason_lines import ReasonLines
    from vernis.observe.reasons import Reasons
    from vernis.observe.screen import Screen

    text = open(file.fileno(), "w", 1, "utf-8", "replace", closefd=False)  # closefd: only log() closes it
    places = Places(options)
    reasons = Reasons() if options.why else None
    if options.format == "screen":
        return Screen(text, selection, places.locate, places.note_rule, reasons=reasons).show
    assert reasons is not None
    return ReasonLines(text.write, selection.sides, reasons, places.locate).show


def _write(file: BinaryIO, data: bytes) -> None:
    """As varnishlog writes it, and for a terminal without what could change it."""
    if data:
        file.write(visible_bytes(data) if file.isatty() else data)
