"""Room on the interpreter's stack for the deepest tree the limits allow.

Walks over the tree recurse once per node. ``Limits.nesting`` brackets, each with an expression of every precedence
between, are some 2,500 nodes deep, with a few frames a node: more than the interpreter's default of 1,000 frames.
"""

from __future__ import annotations

import sys

FRAMES = 20_000


def enough_frames() -> None:
    """Raise the interpreter's limit, once and for all: lowering it again would pull the stack from under other threads."""
    if sys.getrecursionlimit() < FRAMES:
        sys.setrecursionlimit(FRAMES)
