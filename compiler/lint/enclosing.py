"""The conditions around a statement, by the text. A walk (``paths.py``) knows what is possible; this tells
for which requests the author wrote a statement."""

from __future__ import annotations

from vernis.lint.view import Place, View
from vernis.syntax import nodes

_CALLS_MAX = 20  # subs in subs
_ARMS_MAX = 20  # of one `if`: earlier ones are forgotten
_SHOWN_MAX = 50  # characters of a condition in a message


def which(view: View, place: Place) -> str:
    """The responses or requests that come to a statement, as the end of a message: the tests around it."""
    said = [
        f"{'passes' if holds else 'fails'} {_shown(view, one)}" for one, holds in view.enclosing.told(place)
    ]
    return "".join(" and " + one for one in said)


def _shown(view: View, condition: nodes.Expr) -> str:
    text = " ".join(view.written(condition).split())
    if len(text) <= _SHOWN_MAX and "`" not in text:
        return f"`{text}`"
    return f"the test in line {view.sources.place(view.span(condition))[1]}"


class Enclosing:
    """``of`` has the conditions of the arms around a statement, and around the only call of its sub; ``told``
    also has the conditions of earlier arms, which failed."""

    def __init__(self, view: View) -> None:
        self._around: dict[int, tuple[tuple[nodes.Expr, bool], ...]] = {}
        self._calls: dict[str, list[Place]] = {}
        for key in view.subs:
            for definition in view.defines(key):
                self._block(definition.body, ())
        for place in view.places:
            statement = place.statement
            if isinstance(statement, nodes.CallSub) and statement.value is None:
                self._calls.setdefault(statement.name.text.lower(), []).append(place)

    def _block(self, block: nodes.Block, around: tuple[tuple[nodes.Expr, bool], ...]) -> None:
        for statement in block.statements:
            self._around[id(statement)] = around
            match statement:
                case nodes.If():
                    inside = around
                    for arm in statement.arms:
                        if arm.condition is None:
                            self._block(arm.body, inside)
                        elif len(inside) - len(around) < _ARMS_MAX:
                            self._block(arm.body, (*inside, (arm.condition, True)))
                            inside = (*inside, (arm.condition, False))
                        else:
                            self._block(arm.body, (*around, (arm.condition, True)))
                case nodes.Block():
                    self._block(statement, around)
                case nodes.For():
                    self._block(statement.body, around)

    def of(self, place: Place) -> tuple[nodes.Expr, ...]:
        return tuple(condition for condition, holds in self.told(place) if holds)

    def told(self, place: Place) -> tuple[tuple[nodes.Expr, bool], ...]:
        found: tuple[tuple[nodes.Expr, bool], ...] = ()
        for _ in range(_CALLS_MAX):
            found = self._around.get(id(place.statement), ()) + found
            calls = self._calls.get(place.sub, [])
            if len(calls) != 1:
                break
            place = calls[0]
        return found
