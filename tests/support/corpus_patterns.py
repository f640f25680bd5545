"""Prints the regular expressions of the policies below a folder, each followed by a NUL byte.

Expressions are the texts after ``~`` and ``!~``, and the second arguments of ``regsub`` and ``regsuball``.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

TEXT = r'(?:"([^"\n]*)"|\{"(.*?)"\}|"""(.*?)""")'
PLACES = re.compile(rf"(?:!?~|regsub(?:all)?\s*\([^\"{{;]*?,)\s*{TEXT}", re.S)


def patterns(folder: Path) -> list[str]:
    """Each pattern once, in order of appearance. Latin-1 keeps every byte."""
    found: dict[str, None] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            for match in PLACES.finditer(path.read_text("latin-1")):
                found[next(text for text in match.groups() if text is not None)] = None
    return list(found)


if __name__ == "__main__":
    for pattern in patterns(Path(sys.argv[1])):
        sys.stdout.buffer.write(pattern.encode("latin-1") + b"\0")
