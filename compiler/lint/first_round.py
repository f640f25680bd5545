"""The first round of a request: before any restart, and outside of includes."""

from __future__ import annotations

from vernis.lint.view import View, bare
from vernis.syntax import nodes

RESTARTS, LEVEL = "req.restarts", "req.esi_level"


def first_round(view: View, test: nodes.Expr, counts: tuple[str, ...] = (RESTARTS, LEVEL)) -> bool | None:
    """The answer of a test of one of these counts in the first round, where they are zero. None for any other
    test."""
    if not isinstance(test, nodes.Compare):
        return False if view.variable(test) in counts else None
    right = bare(test.right)
    if view.variable(test.left) not in counts or not isinstance(right, nodes.NumberLit):
        return None
    zero = float(right.digits) == 0
    return {"==": zero, "!=": not zero, "<": not zero, "<=": True, ">": False, ">=": zero}.get(test.op)
