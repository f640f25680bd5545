"""A row of the table of commands, and the decorator that makes one from the function with its options."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from vernis.record import record
from vernis.terminal import COLOUR_CHOICES

Options = Callable[[argparse.ArgumentParser], None]
Rows = dict[str, "Command"]


@record(frozen=True)
class Command:
    run: str  # "daemon.load" is `load` in vernis.commands.daemon
    help: str
    options: Options  # adds them to the command's parser
    is_short: bool  # ends before garbage collection would pay off


def options_of_all(parser: argparse.ArgumentParser) -> None:
    """The options that each command has, and that may stand before its name, too."""
    parser.add_argument(
        "--color",
        choices=COLOUR_CHOICES,
        default="auto",
        help="colours: always, never, or auto, for terminals unless NO_COLOR is set; default: auto",
    )


def command(
    rows: Rows, name: str, run: str, help: str, is_short: bool = False
) -> Callable[[Options], Options]:
    """Enters the decorated function in ``rows``. The order of the rows is that of the overview."""

    def enter(options: Options) -> Options:
        rows[name] = Command(run, help, options, is_short)
        return options

    return enter
