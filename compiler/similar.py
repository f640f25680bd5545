"""Names that a misspelt word probably means. Every "did you mean" of vernis asks here."""

from __future__ import annotations

import os
from collections.abc import Iterable

LIKENESS_MIN, LIKENESS_CLOSE = 0.6, 0.8  # of difflib: 1 is equal
NAMES_MAX = 500  # compared names; of more, those that begin as the word does
NAME_BYTES_MAX = 100  # of a compared name: difflib's time grows with the square


def similar(word: str, names: Iterable[str], most: int = 1, likeness: float = LIKENESS_MIN) -> list[str]:
    """At most ``most`` of the names, the most similar first. Case does not matter."""
    from difflib import get_close_matches  # imported only for a mistake

    if len(word) > NAME_BYTES_MAX:
        return []
    by_lower = {name.lower(): name for name in names if len(name) <= NAME_BYTES_MAX}
    compared = list(by_lower)
    if len(compared) > NAMES_MAX:
        start = word[:1].lower()
        compared = [name for name in compared if name.startswith(start)][:NAMES_MAX]
    return [by_lower[lower] for lower in get_close_matches(word.lower(), compared, most, likeness)]


def unreadable(path: str, error: OSError) -> str:
    """Why a file cannot be read, with the name of a file beside it that was probably meant."""
    folder, name = os.path.split(path)
    try:
        beside = os.listdir(folder or ".") if isinstance(error, FileNotFoundError) else []
    except OSError:
        beside = []
    near = similar(name, beside)
    meant = f"; did you mean {os.path.join(folder, near[0])}?" if near else ""
    return f"cannot read {path}: {error.strerror}{meant}"


def suggestion(word: str, names: Iterable[str]) -> str:
    """``; did you mean NAME?`` for the end of a message, or an empty text. Two names if both are close."""
    names = [*names]
    near = similar(word, names, 2, LIKENESS_CLOSE) or similar(word, names)
    return f"; did you mean {' or '.join(near)}?" if near else ""
