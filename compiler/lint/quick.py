"""Answers about patterns that need no automaton, and often not even a tree."""

from __future__ import annotations

import re
from functools import lru_cache

from vernis.lint.pattern import PATTERNS_MAX, Bytes, Choice, Edge, Group, Repeat, Sequence, Tree, parsed
from vernis.regex import later

#: Bytes at the begin of a pattern without alternatives that stand for themselves, and are not repeated.
_LITERAL = later(r"\^?([\w /=&;:,%@!~'\"<>#-]+)(?![\w /=&;:,%@!~'\"<>#*+?{-])(?!.*\|)", re.A | re.S)


@lru_cache(maxsize=PATTERNS_MAX)
def needs_bytes(text: str) -> bool:
    """Whether no empty subject matches a pattern: cheaper than its automaton. False if that is unknown."""
    if _LITERAL.match(text):
        return True
    read = parsed(text)
    return read is not None and _needs_bytes(read.tree)


def _needs_bytes(tree: Tree) -> bool:
    match tree:
        case Bytes():
            return True
        case Sequence():
            return any(map(_needs_bytes, tree.items))
        case Choice():
            return all(map(_needs_bytes, tree.items))
        case Repeat():
            return tree.least > 0 and _needs_bytes(tree.item)
        case Group():
            return _needs_bytes(tree.item)
    return False


def begins_otherwise(text: str, subject: str) -> bool:
    """Whether literal bytes at the begin of a pattern show that no subject with this begin matches."""
    literal = _LITERAL.match(text)
    if literal is not None and text[0] == "^":
        differs = (one != other for one, other in zip(literal[1], subject, strict=False))
        if any(differs):
            return True
    read = parsed(text)
    items = read.tree.items if read is not None and isinstance(read.tree, Sequence) else ()
    if not items or not isinstance(items[0], Edge) or items[0].kind != "^":
        return False
    for item, char in zip(items[1:], subject, strict=False):
        if not isinstance(item, Bytes) or item.kind != "literal":
            return False
        if not item.mask >> ord(char) & 1:
            return True
    return False
