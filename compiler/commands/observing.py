"""Code shared by `log`, `top` and `stat`: finds the daemon and parses the options of the log."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from vernis.commands.files import read_input
from vernis.commands.hiding import hiding_of
from vernis.commands.outcome import Trouble
from vernis.commands.places import daemon_workdir
from vernis.observe.query import QueryError, compile_query
from vernis.observe.records import DumpError
from vernis.observe.select import Selection, SelectionError
from vernis.observe.stream import LiveLog, View, from_file, open_dump
from vernis.observe.transactions import Group, Grouping, Sides
from vernis.observe.vsm import Vsm, VsmError, attach
from vernis.terminal import Progress

if TYPE_CHECKING:
    from vernis.observe.hiding import Hiding

_RATE = re.compile(r"(\d+)(?:/(\d*\.?\d*)(ms|s|m|h|d|w|y))?\Z")
_UNIT_S = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0, "y": 31_536_000.0}


def attach_daemon(options: argparse.Namespace) -> Vsm:
    patience = None if options.patience == "off" else _seconds(options.patience, "-t")
    try:
        with Progress("waiting for a daemon"):
            return attach(daemon_workdir(options.workdir), patience)
    except VsmError as error:
        raise Trouble(str(error)) from None


def selection_of(options: argparse.Namespace) -> Selection:
    sides = Sides(options.client or options.includes, options.backend, options.includes)
    selection = Selection(sides, options.caseless)
    try:
        for letter, argument in options.selected:
            selection.option(letter, argument)
    except SelectionError as error:
        raise Trouble(str(error)) from None
    return selection


def view_of(options: argparse.Namespace, sides: Sides) -> View:
    queries = [text if kind == "q" else _text_of(text) for kind, text in options.queries]
    try:
        query = compile_query("\n".join(queries), options.caseless) if queries else None
    except QueryError as error:
        raise Trouble(f"the query is invalid: {error}") from None
    return View(
        _grouping(options.grouping),
        query,
        sides,
        options.unfinished_max,
        _seconds(options.unfinished_s, "-T"),
        getattr(options, "count", None),
        _rate(getattr(options, "rate", None)),
    )


def log_hiding(options: argparse.Namespace) -> Hiding | None:
    """The hiding of --hide. It makes -g request the default: a cookie may be in the records of the client,
    and its copy in those of the fetch, so both are learned before either is shown."""
    hiding = hiding_of(options)
    if hiding is not None:
        options.grouping = options.grouping or "request"
        if _grouping(options.grouping) < Grouping.REQUEST:
            raise Trouble("--hide needs whole requests: use it with -g request or session")
    return hiding


def groups_of(
    options: argparse.Namespace, view: View, from_head: bool, on_open: Callable[[], None] = lambda: None
) -> Iterator[Group | None]:
    """Groups from the dump of -r or from the daemon. Yields None while there are no new records. Calls
    ``on_open`` for the log of each worker."""
    if options.read is not None:
        if options.workdir is not None:
            raise Trouble("give either -n or -r")
        try:
            with open_dump(options.read) as file:
                yield from from_file(file, options.read, view)
        except DumpError as error:
            raise Trouble(str(error)) from None
        except OSError as error:
            raise Trouble(f"cannot read {options.read}: {error.strerror}") from None
    else:
        yield from LiveLog(attach_daemon(options), on_open=on_open).groups(view, from_head)


def _grouping(text: str) -> Grouping:
    """Parses -g, which accepts an unambiguous prefix."""
    found = [grouping for grouping in Grouping if grouping.name.lower().startswith(text.lower())]
    if len(found) != 1:
        raise Trouble(f"-g {text}: one of raw, vxid, request, session")
    return found[0]


def _text_of(file: str) -> str:
    try:
        return read_input(file).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise Trouble(f"-Q {file}: {error.strerror}") from None


def _seconds(text: str, option: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise Trouble(f"{option} {text}: not a number of seconds")
    return value


def _rate(text: str | None) -> tuple[int, float] | None:
    """``10``, ``10/s``, ``10/2m``."""
    if text is None:
        return None
    found = _RATE.match(text)
    if found is None or int(found[1]) == 0:
        raise Trouble(f"-R {text}: write a number, or a number and a time such as 10/2m")
    period_s = float(found[2] or 1) * _UNIT_S[found[3]] if found[3] and found[2] != "." else 1.0
    if period_s <= 0:
        raise Trouble(f"-R {text}: the time must be above 0")
    return int(found[1]), period_s
