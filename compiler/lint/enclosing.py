"""The conditions around a statement, by the text. A walk (``paths.py``) knows what is possible; this tells
for which requests the author wrote a statement."""

from __future__ import annotations

from vernis.lint.view import Place, View
from vernis.syntax import nodes

_CALLS_MAX = 20  # subs in subs


class Enclosing:
    """``of`` has the conditions of the arms around a statement, and around the only call of its sub."""

    def __init__(self, view: View) -> None:
        self._around: dict[int, tuple[nodes.Expr, ...]] = {}
        self._calls: dict[str, list[Place]] = {}
        for key in view.subs:
            for definition in view.defines(key):
                self._block(definition.body, ())
        for place in view.places:
            statement = place.statement
            if isinstance(statement, nodes.CallSub) and statement.value is None:
                self._calls.setdefault(statement.name.text.lower(), []).append(place)

    def _block(self, block: nodes.Block, around: tuple[nodes.Expr, ...]) -> None:
        for statement in block.statements:
            self._around[id(statement)] = around
            match statement:
                case nodes.If():
                    for arm in statement.arms:
                        own = () if arm.condition is None else (arm.condition,)
                        self._block(arm.body, around + own)
                case nodes.Block():
                    self._block(statement, around)
                case nodes.For():
                    self._block(statement.body, around)

    def of(self, place: Place) -> tuple[nodes.Expr, ...]:
        found: tuple[nodes.Expr, ...] = ()
        for _ in range(_CALLS_MAX):
            found = self._around.get(id(place.statement), ()) + found
            calls = self._calls.get(place.sub, [])
            if len(calls) != 1:
                break
            place = calls[0]
        return found
