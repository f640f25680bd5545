"""Writes the options of the daemon from ``runtime/manager/options.toml`` to C: ``OPTION_TEXT`` for getopt,
and the rows of ``--help``.

``mk/generated.mk`` runs it as a plain script. ``mk/pages/options.py`` reads the same file.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

KEYS = {"letter", "long", "forms", "help", "doc", "also"}


def read(path: Path) -> list[dict[str, object]]:
    """The options in the order of the file. Exits with a line for each mistake."""
    rows: list[dict[str, object]] = tomllib.loads(path.read_text())["option"]
    said = []
    for row in rows:
        said += [f"option {row.get('letter')}: unknown key {key}" for key in row.keys() - KEYS]
        said += [f"option {row.get('letter')}: no {key}" for key in KEYS - {"long", "also"} - row.keys()]
    if said:
        sys.exit("\n".join(f"{path}: {text}" for text in said))
    return rows


def argument(row: dict[str, object]) -> str:
    """The forms of the argument in one text; empty if the option takes none."""
    forms = row["forms"]
    assert isinstance(forms, list)
    return " | ".join(forms)


def optstring(rows: list[dict[str, object]]) -> str:
    letters = sorted(rows, key=lambda row: (str(row["letter"]).lower(), str(row["letter"]).swapcase()))
    return "".join(str(row["letter"]) + (":" if argument(row) else "") for row in letters)


def header(rows: list[dict[str, object]]) -> str:
    lines = [
        f"    {{ '{row['letter']}', {json.dumps(row['long']) if 'long' in row else 'NULL'}, "
        f"{json.dumps(argument(row)) if argument(row) else 'NULL'}, {json.dumps(row['help'])} }}, \\"
        for row in rows
    ]
    return "\n".join(
        [
            "/* Made from runtime/manager/options.toml by mk/options.py. */",
            "#ifndef VERNIS_GEN_OPTION_ROWS_H",
            "#define VERNIS_GEN_OPTION_ROWS_H",
            "",
            f"#define OPTION_TEXT {json.dumps(optstring(rows))}",
            "#define OPTION_ROWS \\",
            *lines,
            "",
            "#endif",
            "",
        ]
    )


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.write_text(header(read(source)))
