"""`vernis stat`: shows the counters, live or once, as text, JSON or Prometheus metrics."""

from __future__ import annotations

import argparse
import sys
import time

from vernis.commands.observing import attach_daemon
from vernis.commands.outcome import EXIT_OK
from vernis.observe import vsc
from vernis.shown import plain
from vernis.similar import suggestion
from vernis.terminal import console

_UPTIME = "MAIN.uptime"


def stat(options: argparse.Namespace) -> int:
    wanted = vsc.Filter()
    for letter, glob in options.globs:
        wanted.option(letter, glob)
    counters = vsc.Counters(attach_daemon(options))
    _check_globs(counters, wanted)
    match options.output:
        case "once":
            lines = vsc.as_text(counters.read(wanted, options.raw), _uptime_s(counters))
        case "list":
            lines = vsc.as_list(counters.read(wanted, options.raw))
        case "json":
            lines = iter(
                (vsc.as_json(counters.read(wanted, options.raw), time.strftime("%Y-%m-%dT%H:%M:%S")),)
            )
        case "prometheus":
            from vernis.observe.metrics import exposition

            sys.stdout.buffer.write(exposition(counters.read(wanted, options.raw)))
            return EXIT_OK
        case _:
            return _live(options, counters, wanted)
    sys.stdout.writelines(plain(f"{line}\n") for line in lines)
    return EXIT_OK


def _check_globs(counters: vsc.Counters, wanted: vsc.Filter) -> None:
    """Warns of each glob that matches no counter. Counters may come later, with a policy or a worker."""
    names = [counter.name for counter in counters.read()] if wanted.globs else []
    for glob, _ in wanted.globs:
        if names and not any(vsc.glob_matches(glob, name) for name in names):
            print(f"vernis stat: no counter matches {glob}{suggestion(glob, names)}", file=sys.stderr)


def _uptime_s(counters: vsc.Counters) -> int:
    """Uptime of the worker. Read apart, because the filter may hide it."""
    [*found] = counters.read(vsc.Filter([(_UPTIME, True)]))
    return found[0].value if found else 0


def _live(options: argparse.Namespace, counters: vsc.Counters, wanted: vsc.Filter) -> int:
    from vernis.observe.keys import Keys, need_terminal

    need_terminal()
    from rich.live import Live

    from vernis.observe.stat_view import StatView

    screen, view = console(is_live=True), StatView(raw=options.raw)
    with Keys() as keys, Live(console=screen, screen=True, auto_refresh=False) as live:
        while True:
            view.take(counters.read(wanted, view.raw), time.monotonic())
            until = time.monotonic() + view.interval_s
            key = ""
            while key or time.monotonic() < until:
                live.update(view.draw(screen.height), refresh=True)
                key = keys.wait(until - time.monotonic())
                if not view.key(key, screen.height):
                    return EXIT_OK
