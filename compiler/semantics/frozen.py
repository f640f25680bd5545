"""The table of the language, ready to load: the build writes ``grammar/vocabulary.toml`` as a Python module, since reading TOML
took a tenth of a whole ``vernis check``. The file itself stays what counts: a module made of another text is passed over.

Imports nothing of the package, because the build runs it before there is one:

    frozen.py vocabulary.toml OUT.py
"""

from __future__ import annotations

import importlib
import sys
import zlib
from os import PathLike
from typing import Any

MODULE = "_vclvocabulary"
PLACES = (f"vernis.semantics.{MODULE}", MODULE)     # installed; in a build tree, beside the parser extension


def table(text: bytes) -> dict[str, Any]:
    """What the text of ``vocabulary.toml`` says."""
    for place in PLACES:
        try:
            module = importlib.import_module(place)
        except ImportError:
            continue
        if module.SOURCE == source(text):
            return module.TABLE         # type: ignore[no-any-return]
    return _parsed(text)


def source(text: bytes) -> tuple[int, int]:
    """What tells one text from another: enough for a table that is edited by hand."""
    return len(text), zlib.crc32(text)


def as_module(text: bytes) -> str:
    """The module of a text, as source."""
    return f'"""Made by frozen.py of vocabulary.toml."""\n\nSOURCE = {source(text)!r}\nTABLE = {_parsed(text)!r}\n'


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
