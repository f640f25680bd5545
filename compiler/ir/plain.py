"""Finds patterns that are plain text with an anchor. They become an inlined comparison instead of a call of
PCRE2."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

PLAIN_TEXT_MAX = 64  # bytes; LLVM does not inline a longer comparison
PATTERNS_KNOWN_MAX = 4096  # results kept; the next compile asks for nearly the same patterns

_SPECIAL = frozenset(b"\\^$.[]|()?*+{}")


@dataclass(slots=True, frozen=True)
class PlainPattern:
    """Matches subjects that begin with, end in, or equal ``text``. The last two ignore a final newline of the
    subject, as ``$`` does."""

    where: Literal["begins", "ends", "is"]
    text: bytes


@lru_cache(maxsize=PATTERNS_KNOWN_MAX)
def plain_pattern(pattern: bytes) -> PlainPattern | None:
    """The plain form of a pattern; None if the pattern needs PCRE2. An empty text needs it too, because an
    unset subject has no address to compare."""
    begins = pattern.startswith(b"^")
    body = _literal(pattern[1:] if begins else pattern)
    if body is None:
        return None
    text, ends = body
    if not 0 < len(text) <= PLAIN_TEXT_MAX or not (begins or ends):
        return None
    return PlainPattern("is" if begins and ends else "begins" if begins else "ends", text)


def _literal(pattern: bytes) -> tuple[bytes, bool] | None:
    """The literal text of a pattern, and whether ``$`` follows it. None if the pattern holds anything
    else."""
    text = bytearray()
    at = 0
    while at < len(pattern):
        byte = pattern[at]
        if byte == ord("$") and at == len(pattern) - 1:
            return bytes(text), True
        if byte == ord("\\"):
            at += 1
            if (
                at == len(pattern)
                or pattern[at] >= 128
                or chr(pattern[at]).isalnum()
                or pattern[at] == ord("_")
            ):
                return None
            byte = pattern[at]
        elif byte in _SPECIAL:
            return None
        text.append(byte)
        at += 1
    return bytes(text), False
