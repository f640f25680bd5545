"""docs/commands.md, from the table of commands."""

from __future__ import annotations

import argparse

from man import typed as as_typed
from vernis.commands.table import COMMANDS, GROUPS

from pages import ROOT

PAGE = ROOT / "docs/commands.md"

HEAD = """# Commands

After this page you know every command of `vernis` and its options, as `vernis COMMAND --help` prints them.
[compiler.md](compiler.md) and [tools.md](tools.md) explain how to use them. `make docs` writes this page.
"""


OF_ALL = """## Options of all commands

`--color WHEN` stands before or behind the name of any command. The options that choose a daemon may stand before
it, too, as `varnishadm` has them: `vernis -n DIR status` is `vernis status -n DIR`, and likewise `-T`, `-S` and `-t`.

**Colours.** With `--color auto`, the default, output has colours only on a terminal. `NO_COLOR` with any value turns
them off, `FORCE_COLOR` or `CLICOLOR_FORCE` with a value other than 0 turns them on elsewhere, and `CLICOLOR=0` or
`TERM=dumb` turn them off on a terminal. `--color` decides before all of them, `NO_COLOR` before the others. The live
views of `stat` and `top` keep bold and reverse without colours.

**Progress.** A command that works or waits for more than a second shows on stderr what it does, how much of it is
done, and for how long. The line goes when there is a result. It stays away if stderr is no terminal, if `TERM` is
`dumb`, and if `CI` is set. `NO_COLOR` does not silence it.
"""


def page() -> str:
    return "\n".join([HEAD, *map(overview, GROUPS), OF_ALL, *map(section, COMMANDS), ""])


def overview(group: str) -> str:
    rows = [f"| [`{name}`](#{name}) | {COMMANDS[name].help} |" for name in GROUPS[group]]
    return "\n".join([f"**{group}**", "", "| Command | Does |", "|---|---|", *rows, ""])


def section(name: str) -> str:
    parser = argparse.ArgumentParser(prog=f"vernis {name}", add_help=False)
    COMMANDS[name].options(parser)
    usage = (
        "vernis "
        + name
        + "".join(f" {as_typed(action)}" for action in parser._actions if not action.option_strings)
    )
    rows = [f"| `{as_typed(action)}` | {action.help} |" for action in parser._actions]
    return "\n".join(
        [
            "",
            f"## {name}",
            "",
            f"`{usage}`: {COMMANDS[name].help}.",
            "",
            "| Option | Meaning |",
            "|---|---|",
            *rows,
        ]
    )
