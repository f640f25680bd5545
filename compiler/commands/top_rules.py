"""`vernis top --rules`: shows how often each rule of a policy was taken, once or live."""

from __future__ import annotations

import argparse
import time
from itertools import islice

from vernis.commands.outcome import EXIT_OK, Trouble
from vernis.commands.places import daemon_workdir
from vernis.commands.top import rows_for
from vernis.observe import rules
from vernis.observe.rules import Report, Rule
from vernis.shown import plain, shortened, visible
from vernis.terminal import console

_Key = tuple[str, int, int]

_ASK_S = 10.0
_REDRAW_S = 1.0
_HEADS = ("hits", "a second", "share", "ns")
_GAPS, _TEXT_MIN = 12, 12  # columns


def top_rules(options: argparse.Namespace) -> int:
    if options.json:
        print(rules.as_json(_ask(options)))
    elif options.once:
        print(plain("\n".join(map(visible, rules.as_text(_ask(options))))))
    else:
        _live(options)
    return EXIT_OK


def _ask(options: argparse.Namespace) -> Report:
    from vernis.commands.admin import connect_anyhow
    from vernis.service.client import DaemonError

    words = ["vernis.rules", "-j", *([options.policy] if options.policy else [])]
    try:
        with connect_anyhow(daemon_workdir(options.workdir), _ASK_S) as client:
            answer = client.command(*words)
    except DaemonError as error:
        raise Trouble(str(error)) from None
    if not answer.ok:
        raise Trouble(answer.body.strip())
    return rules.parse(answer.told())


def _live(options: argparse.Namespace) -> None:
    from vernis.observe.keys import Keys, need_terminal

    need_terminal()
    from rich.live import Live

    screen = console(is_live=True)
    before: dict[_Key, int] = {}
    asked = 0.0
    with Keys() as keys, Live(console=screen, screen=True, auto_refresh=False) as live:
        while True:
            report, now = _ask(options), time.monotonic()
            live.update(picture(report, before, now - asked, screen.height, screen.width), refresh=True)
            before, asked = {_key(rule): rule.hits for rule in report.rules}, now
            if keys.wait(_REDRAW_S) in ("q", "Q"):
                return


def _key(rule: Rule) -> _Key:
    return rule.file, rule.line, rule.column


def picture(  # type: ignore[no-untyped-def]
    report: Report, before: dict[_Key, int], seconds: float, lines: int, width: int
):
    """A table of as many rules as fit, and the number of the others. Long places and rules lose their
    middle."""
    from rich.table import Table
    from rich.text import Text

    from vernis.observe.screen import printable

    notes = ["", *rules.notes(report)]
    title = f"policy {report.policy}, {report.requests} requests  (q quit)" + "  ".join(notes)
    table = Table(box=None, expand=True, title=title, title_justify="left")
    for name in _HEADS:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("place", no_wrap=True)
    table.add_column("rule", no_wrap=True, ratio=1)
    shown = list(islice(report.rules, rows_for(len(report.rules), lines - 3)))
    numbers = [_numbers(report, rule, before, seconds) for rule in shown]
    widths = [max(map(len, column)) for column in zip(_HEADS, *numbers, strict=True)]
    room = max(width - sum(widths) - _GAPS, 2 * _TEXT_MIN)
    places = min(max((len(rule.place) for rule in shown), default=0), room // 2)
    for rule, row in zip(shown, numbers, strict=True):
        place, title = printable(rule.place), printable(rule.title)
        table.add_row(*row, Text(shortened(place, places)), Text(shortened(title, room - places)))
    if len(shown) < len(report.rules):
        table.add_row("", "", "", "", "", f"{len(report.rules) - len(shown)} more: -1 prints all")
    return table


def _numbers(report: Report, rule: Rule, before: dict[_Key, int], seconds: float) -> list[str]:
    more = max(rule.hits - before.get(_key(rule), rule.hits), 0)
    shares = rules.share_text(report.share(rule)), rules.ns_text(rule.ns)
    return [str(rule.hits), f"{more / seconds:.0f}", *shares]
