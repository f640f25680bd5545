"""Makes docs/commands.md from the table of commands. Run as a script, it writes the page.

    python tests/compiler/command_tables.py
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/commands.md"
sys.path[:0] = [str(ROOT / "build/py"), str(ROOT / "mk")]

from man import typed as as_typed  # noqa: E402

from vernis.cli import build_parser  # noqa: E402
from vernis.commands.table import COMMANDS  # noqa: E402

HEAD = """# Commands

After this page you know every command of `vernis` and its options, as `vernis COMMAND --help` prints them.
[compiler.md](compiler.md) and [tools.md](tools.md) explain how to use them. `make docs` writes this page.
"""


def page() -> str:
    overview = "\n".join(f"| [`{name}`](#{name}) | {row.help} |" for name, row in COMMANDS.items())
    return "\n".join([HEAD, "| Command | Does |", "|---|---|", overview, *map(section, COMMANDS), ""])


def section(name: str) -> str:
    parser = argparse.ArgumentParser(prog=f"vernis {name}", add_help=False)
    COMMANDS[name].options(parser)
    usage = "vernis " + name + "".join(f" {as_typed(action)}" for action in parser._actions if not action.option_strings)
    rows = [f"| `{as_typed(action)}` | {action.help} |" for action in parser._actions]
    return "\n".join(["", f"## {name}", "", f"`{usage}`: {COMMANDS[name].help}.", "", "| Option | Meaning |", "|---|---|", *rows])


if __name__ == "__main__":
    build_parser()          # raises if an option is wrong
    PAGE.write_text(page())
