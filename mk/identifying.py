"""Writes the names of parameters that identify from ``compiler/observe/identifying.py`` to
``identifying_names.h``, for the dashboard.

``mk/generated.mk`` runs it as a plain script.
"""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

TABLES = {"PARAMETERS": "identifying_parameters", "WORD_ENDS": "identifying_word_ends"}


def header(tables: dict[str, tuple[str, ...]]) -> str:
    lines = [
        "/* Made from compiler/observe/identifying.py by mk/identifying.py. */",
        "#ifndef VERNIS_GEN_IDENTIFYING_NAMES_H",
        "#define VERNIS_GEN_IDENTIFYING_NAMES_H",
    ]
    for name, names in tables.items():
        lines += ["", f"static const char *const {name}[] = {{ {', '.join(map(json.dumps, names))} }};"]
    return "\n".join([*lines, "", "#endif", ""])


if __name__ == "__main__":
    source, target = sys.argv[1:]
    found = runpy.run_path(source)
    Path(target).write_text(header({name: found[table] for table, name in TABLES.items()}))
