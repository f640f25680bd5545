"""A row of the table of commands, and the decorator that makes one from the function with its options."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from vernis.record import record

Options = Callable[[argparse.ArgumentParser], None]
Rows = dict[str, "Command"]


@record(frozen=True)
class Command:
    run: str  # "daemon.load" is `load` in vernis.commands.daemon
    help: str
    options: Options  # adds them to the command's parser
    is_short: bool  # ends before garbage collection would pay off


def command(
    rows: Rows, name: str, run: str, help: str, is_short: bool = False
) -> Callable[[Options], Options]:
    """Enters the decorated function in ``rows``. The order of the rows is that of the overview."""

    def enter(options: Options) -> Options:
        rows[name] = Command(run, help, options, is_short)
        return options

    return enter
