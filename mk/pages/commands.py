"""docs/commands.md, from the table of commands."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable

from man import typed as as_typed
from vernis.commands.table import COMMANDS, GROUPS

from pages import ROOT

PAGE = ROOT / "docs/commands.md"

#: So many commands have an option that is listed once, for all of them.
SHARED_MIN = 3

HEAD = """# Commands

After this page you know every command of `vernis` and its options, as `vernis COMMAND --help` prints them.
[tools.md](tools.md) explains those for a running daemon. `make docs` writes this page.
"""

OF_ALL = """## Options of all commands

`--color WHEN`, and the options that choose a daemon (`-n`, `-T`, `-S`, `-t`), may stand before or behind the name of a
command. `--color always` and `never` decide before all variables, `auto` (the default) colours only a terminal whose
`TERM` is not `dumb`. `NO_COLOR` with any value turns colours off; else `FORCE_COLOR` or `CLICOLOR_FORCE`, other than 0,
turn them on, `CLICOLOR=0` off. Without colours the live views of `stat` and `top` keep bold and reverse.

A command that works or waits for more than a second shows its **progress** on stderr, unless stderr is no terminal,
`TERM` is `dumb`, or `CI` is set.
"""

OF_SEVERAL = """## Options of several commands

The sections below name these options behind "Also".
"""


def page() -> str:
    return "\n".join([HEAD, *map(overview, GROUPS), "", OF_ALL, of_several(), *map(section, COMMANDS), ""])


def overview(group: str) -> str:
    return f"* {group}: {', '.join(f'[`{name}`](#{name})' for name in GROUPS[group])}"


def parser_of(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"vernis {name}", add_help=False)
    COMMANDS[name].options(parser)
    return parser


def row(action: argparse.Action) -> str:
    return f"* `{as_typed(action)}`: {action.help}"


def shared() -> list[argparse.Action]:
    """Options that several commands have, in the same words: one table for all. A letter has one row there, the
    most frequent one."""
    options = [action for name in COMMANDS for action in parser_of(name)._actions if action.option_strings]
    counts = Counter(map(row, options))
    found: dict[str, argparse.Action] = {}
    for action in options:
        known = found.get(action.option_strings[0])
        if counts[row(action)] >= SHARED_MIN and (known is None or counts[row(action)] > counts[row(known)]):
            found[action.option_strings[0]] = action
    return list(found.values())


def of_several() -> str:
    return "\n".join([OF_SEVERAL, *map(row, shared())])


def section(name: str) -> str:
    actions = parser_of(name)._actions
    usage = (
        "vernis " + name + "".join(f" {as_typed(action)}" for action in actions if not action.option_strings)
    )
    common = {row(action) for action in shared()}
    own = [row(action) for action in actions if row(action) not in common]
    also = listed(action for action in actions if row(action) in common)
    lines = ["", f"## {name}", "", f"`{usage}`: {COMMANDS[name].help}."]
    lines += [f"Also: {also}."] if also else []
    earlier = earlier_command(name, own)
    as_there = rows_of(earlier) if earlier else set()
    if earlier:
        lines += [
            f"As for [{earlier}](#{earlier}): {listed(action for action in actions if row(action) in as_there.intersection(own))}."
        ]
    rest = [one for one in own if one not in as_there]
    return "\n".join([*lines, *(["", *rest] if rest else [])])


def listed(actions: Iterable[argparse.Action]) -> str:
    return ", ".join(f"`{action.option_strings[0]}`" for action in actions)


def rows_of(name: str) -> set[str]:
    return {row(action) for action in parser_of(name)._actions if action.option_strings}


def earlier_command(name: str, own: list[str]) -> str | None:
    """The first command with several of these options in the same words: its section lists them."""
    earlier = list(COMMANDS)[: list(COMMANDS).index(name)]
    return next((one for one in earlier if len(rows_of(one).intersection(own)) >= SHARED_MIN), None)
