r"""Finds patterns that are plain text with an anchor, or a few such texts. They become inlined comparisons
instead of a call of PCRE2.

The texts of ``in``, ``starts`` and ``ends`` of 5.0 are patterns with a group: ``\A(?:a|b)\z``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

PLAIN_TEXT_MAX = 64  # bytes; LLVM does not inline a longer comparison
TEXTS_MAX = 32  # of one pattern: about 8 instructions each, and a call of PCRE2 takes 550
PATTERNS_KNOWN_MAX = 4096  # results kept; the next compile asks for nearly the same patterns

_SPECIAL = frozenset(b"\\^$.[]|()?*+{}")


@dataclass(slots=True, frozen=True)
class PlainPattern:
    """Matches subjects that begin with, end in, or equal ``text``. The last two ignore a final newline of the
    subject, as ``$`` does. The others match one of ``count`` texts, and ignore nothing; ``text`` has a byte
    with the length before each."""

    where: Literal["begins", "ends", "is", "one_begins", "one_ends", "one_is"]
    text: bytes
    count: int = 1


@lru_cache(maxsize=PATTERNS_KNOWN_MAX)
def plain_pattern(pattern: bytes) -> PlainPattern | None:
    """The plain form of a pattern; None if the pattern needs PCRE2. An empty text needs it too, because an
    unset subject has no address to compare."""
    if pattern.startswith((b"\\A(?:", b"(?:")):
        return _texts(pattern)
    begins = pattern.startswith(b"^")
    body = _literal(pattern[1:] if begins else pattern)
    if body is None:
        return None
    text, ends = body
    if not 0 < len(text) <= PLAIN_TEXT_MAX or not (begins or ends):
        return None
    return PlainPattern("is" if begins and ends else "begins" if begins else "ends", text)


def _texts(pattern: bytes) -> PlainPattern | None:
    begins, ends = pattern.startswith(b"\\A"), pattern.endswith(b")\\z")
    if not ends and not (begins and pattern.endswith(b")")):
        return None
    bodies = [_literal(item) for item in pattern[5 if begins else 3 : -3 if ends else -1].split(b"|")]
    texts = [body[0] for body in bodies if body is not None and not body[1]]
    if len(texts) < len(bodies) or len(texts) > TEXTS_MAX:
        return None
    if not all(0 < len(text) <= PLAIN_TEXT_MAX for text in texts):
        return None
    packed = b"".join(bytes((len(text),)) + text for text in texts)
    return PlainPattern(
        "one_is" if begins and ends else "one_begins" if begins else "one_ends", packed, len(texts)
    )


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
