"""`vernis table`: lists the tables of a running daemon's policies, shows and compares their rows, and
replaces them by those of a file."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from vernis.commands.answers import print_answer
from vernis.commands.daemon import ask, connect
from vernis.commands.outcome import EXIT_OK, Trouble

#: Arguments of each action: the fewest and the most.
_ARGUMENTS = {"list": (0, 0), "show": (1, 2), "diff": (2, 2), "replace": (2, 2)}
_USAGE = {"list": "list", "show": "show NAME [KEY]", "diff": "diff NAME FILE", "replace": "replace NAME FILE"}


def table(options: argparse.Namespace) -> int:
    action: str = options.action
    words: list[str] = [*options.words]
    least, most = _ARGUMENTS[action]
    if not least <= len(words) <= most:
        raise Trouble(f"usage: vernis table {_USAGE[action]}")
    if action in ("diff", "replace"):
        words[1] = str(Path(words[1]).absolute())  # the daemon has another current folder
    with connect(options) as client:
        answer = ask(client, f"table.{action}", *(["-j"] if options.json else []), *words)
    if not answer.ok or not options.json:
        return print_answer(answer)
    print(json.dumps(answer.told(), indent=2))
    return EXIT_OK
