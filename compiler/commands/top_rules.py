"""`vernis top --rules`: shows how often each rule of a policy was taken, once or live."""

from __future__ import annotations

import argparse
import time
from itertools import islice

from vernis.commands.outcome import EXIT_OK, Trouble
from vernis.commands.places import daemon_workdir
from vernis.observe import rules
from vernis.observe.rules import Report, Rule
from vernis.shown import plain, visible
from vernis.terminal import console

_Key = tuple[str, int, int]

_ASK_S = 10.0
_REDRAW_S = 1.0


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
            live.update(_picture(report, before, now - asked, screen.height), refresh=True)
            before, asked = {_key(rule): rule.hits for rule in report.rules}, now
            if keys.wait(_REDRAW_S) in ("q", "Q"):
                return


def _key(rule: Rule) -> _Key:
    return rule.file, rule.line, rule.column


def _picture(report: Report, before: dict[_Key, int], seconds: float, lines: int):  # type: ignore[no-untyped-def]
    """A table of as many rules as fit."""
    from rich.table import Table
    from rich.text import Text

    from vernis.observe.screen import printable

    notes = ["", *rules.notes(report)]
    title = f"policy {report.policy}, {report.requests} requests  (q quit)" + "  ".join(notes)
    table = Table(box=None, expand=True, title=title, title_justify="left")
    for name in ("hits", "a second", "share", "ns"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("place", no_wrap=True)
    table.add_column("rule", no_wrap=True, ratio=1)
    for rule in islice(report.rules, max(lines - 3, 1)):
        more = rule.hits - before.get(_key(rule), rule.hits)
        table.add_row(
            str(rule.hits),
            f"{max(more, 0) / seconds:.0f}",
            rules.share_text(report.share(rule)),
            rules.ns_text(rule.ns),
            Text(printable(rule.place)),
            Text(printable(rule.title)),
        )
    return table
