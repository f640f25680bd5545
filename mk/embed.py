"""Writes the files of the dashboard's page to ``dashboard_pages.h``, from which the manager serves them.

``mk/generated.mk`` runs it as a plain script: the header, then the files.
"""

from __future__ import annotations

import sys
from pathlib import Path

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
BYTES_A_LINE = 24


def array(name: str, data: bytes) -> list[str]:
    lines = [f"static const char {name}[] = {{"]
    for at in range(0, len(data), BYTES_A_LINE):
        part = data[at : at + BYTES_A_LINE]
        lines.append("    " + " ".join(f"{byte if byte < 128 else byte - 256}," for byte in part))
    return [*lines, "};"]


def header(files: list[Path]) -> str:
    lines = [
        "/* Made from runtime/manager/dashboard/page/ by mk/embed.py. */",
        "#ifndef VERNIS_GEN_DASHBOARD_PAGES_H",
        "#define VERNIS_GEN_DASHBOARD_PAGES_H",
        "",
        "#include <stddef.h>",
        "",
    ]
    for number, file in enumerate(files):
        lines += array(f"page_{number}", file.read_bytes())
    lines += ["", "static const struct {", "    const char *path, *type, *bytes;", "    size_t n;"]
    lines += ["} dashboard_pages[] = {"]
    for number, file in enumerate(files):
        path = "/" if file.name == "index.html" else f"/{file.name}"
        lines.append(f'    {{ "{path}", "{TYPES[file.suffix]}", page_{number}, sizeof page_{number} }},')
    return "\n".join([*lines, "};", "", "#endif", ""])


if __name__ == "__main__":
    target, *files = map(Path, sys.argv[1:])
    target.write_text(header(files))
