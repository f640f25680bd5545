"""Names that a misspelt word probably means. Every "did you mean" of vernis asks here."""

from __future__ import annotations

from collections.abc import Iterable

LIKENESS_MIN, LIKENESS_CLOSE = 0.6, 0.8  # of difflib: 1 is equal


def similar(word: str, names: Iterable[str], most: int = 1, likeness: float = LIKENESS_MIN) -> list[str]:
    """At most ``most`` of the names, the most similar first. Case does not matter."""
    from difflib import get_close_matches  # imported only for a mistake

    by_lower = {name.lower(): name for name in names}
    return [by_lower[lower] for lower in get_close_matches(word.lower(), by_lower, most, likeness)]


def suggestion(word: str, names: Iterable[str]) -> str:
    """``; did you mean NAME?`` for the end of a message, or an empty text. Two names if both are close."""
    names = [*names]
    near = similar(word, names, 2, LIKENESS_CLOSE) or similar(word, names)
    return f"; did you mean {' or '.join(near)}?" if near else ""
