"""The vocabulary as a Python module. The build writes it from ``grammar/vocabulary.toml``, because parsing
the TOML took a tenth of a whole ``vernis check``. The TOML file is the source: a module made from another
text is ignored.

This file imports nothing of the package, because the build runs it before the package exists:

    frozen.py vocabulary.toml OUT.py
"""

from __future__ import annotations

import importlib
import sys
import zlib
from os import PathLike
from typing import Any

MODULE = "_vclvocabulary"
PLACES = (
    f"vernis.semantics.{MODULE}",
    MODULE,
)  # the installed place, then the build tree, beside the parser extension


def table(text: bytes) -> dict[str, Any]:
    """Returns the parsed text of ``vocabulary.toml``."""
    for place in PLACES:
        try:
            module = importlib.import_module(place)
        except ImportError:
            continue
        if module.SOURCE == source(text):
            return module.TABLE  # type: ignore[no-any-return]
    return _parsed(text)


def source(text: bytes) -> tuple[int, int]:
    """Identifies a text by length and checksum, which is enough for a file edited by hand."""
    return len(text), zlib.crc32(text)


def as_module(text: bytes) -> str:
    """Returns the source of the Python module for a text."""
    title = '"""Made by frozen.py of vocabulary.toml."""'
    return f"{title}\n\nSOURCE = {source(text)!r}\nTABLE = {_parsed(text)!r}\n"


def _parsed(text: bytes) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(text.decode())


def main(toml: str | PathLike[str], out: str | PathLike[str]) -> None:
    with open(toml, "rb") as file:
        made = as_module(file.read())
    with open(out, "w", encoding="utf-8") as file:
        file.write(made)


if __name__ == "__main__":
    main(*sys.argv[1:])
