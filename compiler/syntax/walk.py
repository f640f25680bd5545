"""Walks over trees of nodes of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def nodes_in(node: Any) -> Iterator[Any]:
    """A node and all nodes in it, in the order of the text."""
    stack = [node]
    while stack:
        one = stack.pop()
        if isinstance(one, tuple):
            stack += reversed(one)
        elif hasattr(one, "at"):
            yield one
            stack += [getattr(one, slot) for slot in reversed(one.__slots__) if slot not in ("at", "name_at")]
