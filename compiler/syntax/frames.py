"""Sets the recursion limit for the deepest tree that the limits allow.

Walks over the tree recurse once per node. ``Limits.nesting`` brackets, each with an expression of every
precedence between them, are about 2,500 nodes deep with a few frames each. The interpreter's default is 1,000
frames.
"""

from __future__ import annotations

import sys

FRAMES = 20_000


def enough_frames() -> None:
    """Raises the recursion limit, and never lowers it: other threads may be deep in a walk."""
    if sys.getrecursionlimit() < FRAMES:
        sys.setrecursionlimit(FRAMES)
