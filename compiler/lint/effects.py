"""The effect of a match on a request: whether it gets an error."""

from __future__ import annotations

import enum

from vernis.lint.uses import Use
from vernis.lint.view import View, bare, children_of
from vernis.syntax import nodes

_ERRORS = ("4", "5", "6")  # first digits: policies drop with 6xx, and redirect with 7xx and more


class Effect(enum.Enum):
    """``DENIES``: the request gets an error if the pattern matches. ``ADMITS``: it gets one if the pattern
    does not match."""

    DENIES = "denies"
    ADMITS = "admits"
    OTHER = "other"


def effect_of(view: View, use: Use) -> Effect:
    arm = view.arms.get(id(use.expr))
    if arm is None or use.test is None or not denies(view, arm.body, set()):
        return Effect.OTHER
    sign = _sign(use.expr, use.test)
    if sign is None:
        return Effect.OTHER
    return Effect.DENIES if sign == (use.test.op == "~") else Effect.ADMITS


def _sign(condition: nodes.Expr, test: nodes.Expr) -> bool | None:
    """Whether a test makes a condition hold (True) or fail (False); None if it is no part of it."""
    condition = bare(condition)
    if condition is test:
        return True
    for part in children_of(condition):
        sign = _sign(part, test)
        if sign is not None:
            return not sign if isinstance(condition, nodes.Not) else sign
    return None


def denies(view: View, block: nodes.Block, seen: set[str]) -> bool:
    """Whether all that come to a block get an error, from it or from a sub that it calls."""
    for statement in block.statements:
        match statement:
            case nodes.Block():
                if denies(view, statement, seen):
                    return True
            case nodes.If() if statement.arms[-1].condition is None:
                if all(denies(view, arm.body, set(seen)) for arm in statement.arms):
                    return True
            case nodes.Return() if statement.action is not None:
                status = bare(statement.args[0]) if statement.args else None
                is_error = isinstance(status, nodes.NumberLit) and status.digits.startswith(_ERRORS)
                if statement.action.text.lower() == "fail" or is_error:
                    return True
            case nodes.CallSub() if statement.value is None:
                key = statement.name.text.lower()
                if key not in seen:
                    seen.add(key)
                    if any(denies(view, one.body, seen) for one in view.defines(key)):
                        return True
    return False
