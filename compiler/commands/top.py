"""`vernis top`: shows the most frequent records of the log, or how often rules were taken, once or live."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING

from vernis.commands.observing import groups_of, log_hiding, selection_of, view_of
from vernis.commands.outcome import EXIT_OK
from vernis.observe.ranking import Ranking, as_text
from vernis.observe.stream import View
from vernis.shown import shortened, visible_bytes
from vernis.terminal import Progress, console

if TYPE_CHECKING:
    from vernis.observe.hiding import Hiding

_AGE_EVERY_S = 1.0
_GAPS, _TEXT_MIN = 6, 10  # columns


def top(options: argparse.Namespace) -> int:
    if options.rules:
        from vernis.commands.top_rules import top_rules

        return top_rules(options)
    if options.why:
        from vernis.commands.top_why import top_why

        return top_why(options)
    hiding = log_hiding(options)
    options.grouping = options.grouping or "vxid"
    selection = selection_of(options)
    view = view_of(options, selection.sides)
    ranking = Ranking(selection, options.first_field)
    if options.once:
        with Progress("reading the log: transactions") as progress:
            for group in groups_of(options, view, from_head=True):
                if group is not None:
                    ranking.add(group if hiding is None else hiding.group(group))
                    progress.step()
        sys.stdout.buffer.writelines(
            map(visible_bytes, as_text(ranking)) if sys.stdout.isatty() else as_text(ranking)
        )
        return EXIT_OK
    return _live(options, view, ranking, hiding)


def _live(options: argparse.Namespace, view: View, ranking: Ranking, hiding: Hiding | None) -> int:
    from vernis.observe.keys import Keys, need_terminal

    need_terminal()
    from rich.live import Live

    screen = console(is_live=True)
    with Keys() as keys, Live(console=screen, screen=True, auto_refresh=False) as live:
        drawn = 0.0
        for group in groups_of(options, view, options.head):
            if group is not None:
                ranking.add(group if hiding is None else hiding.group(group))
            now = time.monotonic()
            if now - drawn >= _AGE_EVERY_S:
                drawn = now
                live.update(picture(ranking, screen.height, screen.width), refresh=True)
                ranking.age(options.period, screen.height)
                if keys.wait(0) in ("q", "Q"):
                    return EXIT_OK
        live.update(picture(ranking, screen.height, screen.width), refresh=True)
        while keys.wait(_AGE_EVERY_S) not in ("q", "Q"):
            pass
    return EXIT_OK


def picture(ranking: Ranking, lines: int, width: int):  # type: ignore[no-untyped-def]
    """A table of as many entries as fit, and the number of the others. Long texts lose their middle. Clients
    sent these texts, so they are never parsed as markup."""
    from itertools import islice

    from rich.table import Table
    from rich.text import Text

    from vernis.observe import tags
    from vernis.observe.screen import printable

    table = Table(box=None, expand=True, title=f"{len(ranking)} entries  (q quit)", title_justify="left")
    table.add_column("per period", justify="right", no_wrap=True)
    table.add_column("record", no_wrap=True)
    table.add_column("", no_wrap=True, ratio=1)
    entries = list(islice(ranking.entries(), rows_for(len(ranking), lines - 3)))
    names = [tags.name_of(entry.tag) for entry in entries]
    room = width - len("per period") - max(map(len, names), default=0) - _GAPS
    for entry, name in zip(entries, names, strict=True):
        text = printable(entry.text.decode("utf-8", "replace"))
        table.add_row(f"{entry.count:.2f}", name, Text(shortened(text, max(room, _TEXT_MIN))))
    if len(entries) < len(ranking):
        table.add_row("", "", f"{len(ranking) - len(entries)} more: -1 prints all")
    return table


def rows_for(rows: int, lines: int) -> int:
    """Of so many rows those that fit, if not all do beside a line that says how many are left out."""
    return rows if rows <= lines else max(lines - 1, 1)
