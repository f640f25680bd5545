"""`vernis top --why`: misses, passes and other requests that were no hits, by their reason, once or live."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator

from vernis.commands.log_reasons import LoggedReasons
from vernis.commands.observing import groups_of, log_hiding, selection_of, view_of
from vernis.commands.outcome import EXIT_OK, Trouble
from vernis.observe.reasons import Reason, Reasons
from vernis.observe.summary import summarise
from vernis.observe.transactions import Group
from vernis.shown import plain, shortened, visible
from vernis.terminal import console

_REDRAW_S = 1.0
_URLS = 3  # of a reason
_WIDTH = 200  # columns of a file or pipe


class Misses:
    """Requests by decision and reason, and their URLs."""

    def __init__(self, reasons: Reasons) -> None:
        self._reasons = reasons
        self.requests = 0
        self.urls: dict[tuple[str, str], Counter[str]] = {}
        self.last: dict[tuple[str, str], Reason] = {}

    def add(self, group: Group) -> None:
        self._reasons.learn(group)
        for transaction in group:
            reason = self._reasons.of(transaction)
            if reason is None:
                continue
            self.requests += 1
            if reason.decision != "hit" and reason.decision != "stale hit":
                summary = summarise(transaction)
                key = reason.decision, reason.id
                self.urls.setdefault(key, Counter())[f"{summary.host}{summary.url}"] += 1
                self.last[key] = reason

    def lines(self, width: int, most: int | None) -> list[str]:
        """The most frequent reasons first. ``most``: lines; the last tells how many reasons are left out."""
        groups = sorted(self.urls.items(), key=lambda item: -item[1].total())
        lost = sum(urls.total() for _, urls in groups)
        out = [f"{lost} of {self.requests} requests were no hits"]
        for number, (key, urls) in enumerate(groups):
            told = list(self._group(key, urls, lost, width))
            left = len(groups) - number
            if most is not None and len(out) + len(told) + (left > 1) > most:
                return [*out, f"{left} more reasons: -1 prints all"]
            out += told
        return out

    def _group(self, key: tuple[str, str], urls: Counter[str], lost: int, width: int) -> Iterator[str]:
        count = urls.total()
        head = f"{count:8} {count / lost:7.1%}  {key[0]}: {visible(self.last[key].sentence)} [{key[1]}]"
        yield shortened(head, width)
        for url, n in urls.most_common(_URLS):
            yield f"{n:12}      {shortened(visible(url), max(width - 18, 10))}"
        if len(urls) > _URLS:
            yield f"{'':12}      {len(urls) - _URLS} more URLs"


def top_why(options: argparse.Namespace) -> int:
    options.grouping = options.grouping or "request"
    hiding = log_hiding(options)
    view = view_of(options, selection_of(options).sides)
    misses = Misses(Reasons())
    live = not options.once
    if live and options.read is None and not sys.stdout.isatty():
        raise Trouble("the live view needs a terminal; -1 prints once")
    with LoggedReasons(options) as reasons:
        ask = reasons.ask if live and options.read is None else lambda: None
        groups = groups_of(options, view, options.once or options.head, ask)
        shown = (group if group is None or hiding is None else hiding.group(group) for group in groups)
        if live and options.read is None:
            return _live(misses, shown)
        for group in shown:
            if group is not None:
                misses.add(group)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDTH
    print(plain("\n".join(misses.lines(width, None))))
    return EXIT_OK


def _live(misses: Misses, groups: Iterator[Group | None]) -> int:
    from rich.live import Live
    from rich.text import Text

    from vernis.observe.keys import Keys

    screen = console(is_live=True)
    with Keys() as keys, Live(console=screen, screen=True, auto_refresh=False) as live:
        drawn = 0.0
        for group in groups:
            if group is not None:
                misses.add(group)
            now = time.monotonic()
            if now - drawn >= _REDRAW_S:
                drawn = now
                told = [*misses.lines(screen.width, screen.height - 2), "", "q quit"]
                live.update(Text("\n".join(told)), refresh=True)
                if keys.wait(0) in ("q", "Q"):
                    return EXIT_OK
    return EXIT_OK
