"""Generators: what `draw(path = text("/[a-z]+"), wait = number(1s, 1h));` draws a value from.

A generator makes its value of a sequence of small numbers, the *choices*. The smaller and fewer these are,
the simpler is the value. So shrinking (properties.py) works on choices, and knows nothing about values.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache

from vernis.lint import pattern as patterns
from vernis.record import record
from vernis.syntax import nodes
from vernis.trial.expect import Scope, ValueTrouble, shown, value_of
from vernis.trial.facts import Value

REPEATS_MAX = 8  # of an item that a pattern repeats without a limit, beyond its least number
NUMBER_MAX = 2**53  # integers up to here are exact

_SIMPLE_FIRST = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./"
_PRINTABLE = (
    [ord(c) for c in _SIMPLE_FIRST] + [b for b in range(33, 127) if chr(b) not in _SIMPLE_FIRST] + [32]
)
_OTHER = [byte for byte in range(1, 256) if byte not in _PRINTABLE and byte not in b"\r\n"]


class Choices:
    """Choices that were made before, then those of ``chance``; without it, 0. ``made`` records all."""

    def __init__(self, before: Sequence[int] = (), chance: random.Random | None = None) -> None:
        self._before, self._chance = before, chance
        self.made: list[int] = []

    def below(self, n: int) -> int:
        """At least 0, less than ``n``. The ends of a range are drawn more often: faults sit there."""
        if len(self.made) < len(self._before):
            choice = min(self._before[len(self.made)], n - 1)
        elif self._chance is None:
            choice = 0
        else:
            choice = (
                (0, n - 1)[self._chance.randrange(2)]
                if self._chance.random() < 0.2
                else self._chance.randrange(n)
            )
        self.made.append(choice)
        return choice


@record(frozen=True)
class Generator:
    """``written`` gives the text of a value in the language, to be pasted into a row."""

    draw: Callable[[Choices], Value]
    written: Callable[[Value], str]


def written_text(value: Value) -> str:
    """A literal of the language."""
    if not isinstance(value, str):
        return shown(value)
    return f'"{value}"' if '"' not in value else '{"' + value + '"}'


def generator_of(node: nodes.Expr) -> Generator:
    """ValueTrouble: that is no generator."""
    if not isinstance(node, nodes.CallExpr) or node.receiver is not None:
        raise ValueTrouble(node.at, "a value is drawn from a generator", _known())
    make = GENERATORS.get(node.name.text)
    if make is None:
        raise ValueTrouble(node.name.at, f"{node.name.text} is no generator", _known())
    for argument in node.args:
        if argument.name is not None:
            raise ValueTrouble(argument.at, "arguments of generators have no names")
    return make.build(node)


def _known() -> str:
    return "generators: " + ", ".join(make.usage for make in GENERATORS.values())


# ---- texts -------------------------------------------------------------------------------------------------


def _text(node: nodes.CallExpr) -> Generator:
    (value,) = _values(node, 1)
    if not isinstance(value, str):
        raise ValueTrouble(node.args[0].at, "text() takes a pattern")
    return _of_pattern(value, node)


def _of_pattern(text: str, node: nodes.CallExpr) -> Generator:
    found = patterns.parsed(text)
    if found is None or any(map(_is_condition, patterns.trees_in(found.tree))):
        raise ValueTrouble(
            node.at,
            "no text can be drawn from this pattern",
            "use neither look-around, back references nor \\b",
        )
    tree = found.tree
    return Generator(lambda choices: bytes(_drawn(tree, choices)).decode("latin-1"), written_text)


def _is_condition(tree: patterns.Tree) -> bool:
    return isinstance(tree, patterns.Edge) and tree.kind in "bB" or _is_empty(tree)


def _is_empty(tree: patterns.Tree) -> bool:
    return isinstance(tree, patterns.Bytes) and not _bytes_of(tree.mask)


@lru_cache(maxsize=256)
def _bytes_of(mask: int) -> list[int]:
    """Simple ones first. Control characters only if the set has nothing else, and no line ends."""
    return [b for b in _PRINTABLE if mask >> b & 1] or [b for b in _OTHER if mask >> b & 1]


def _drawn(tree: patterns.Tree, choices: Choices) -> list[int]:
    match tree:
        case patterns.Bytes():
            known = _bytes_of(tree.mask)
            return [known[choices.below(len(known))] if len(known) > 1 else known[0]]
        case patterns.Sequence():
            return [byte for item in tree.items for byte in _drawn(item, choices)]
        case patterns.Choice():
            return _drawn(tree.items[choices.below(len(tree.items))], choices)
        case patterns.Repeat():
            return _repeated(tree, choices)
        case patterns.Group():
            return _drawn(tree.item, choices)
        case patterns.Edge():
            return []  # the text is the whole subject


def _repeated(tree: patterns.Repeat, choices: Choices) -> list[int]:
    """One choice before each further item, so that shrinking can take an item out of the middle."""
    found = [byte for _ in range(tree.least) for byte in _drawn(tree.item, choices)]
    most = tree.least + REPEATS_MAX if tree.most is None else tree.most
    for _ in range(tree.least, most):
        if choices.below(4) == 0:
            break
        found += _drawn(tree.item, choices)
    return found


# ---- others ------------------------------------------------------------------------------------------------


def _one_of(node: nodes.CallExpr) -> Generator:
    values = _values(node, None)
    return Generator(lambda choices: values[choices.below(len(values))], written_text)


def _number(node: nodes.CallExpr) -> Generator:
    least, most = _values(node, 2)
    if not isinstance(least, float) or not isinstance(most, float):
        raise ValueTrouble(node.at, "number() takes two numbers", "such as: number(1, 100) or number(1s, 1h)")
    if most < least or least != int(least) or most != int(most) or max(abs(least), abs(most)) > NUMBER_MAX:
        raise ValueTrouble(node.at, "number() draws whole numbers from the first to the second")
    first, n = least, int(most - least) + 1
    units = [arg.value.unit for arg in node.args if isinstance(arg.value, nodes.NumberLit)]
    unit = "s" if any(units) else ""
    return Generator(lambda choices: first + choices.below(n), lambda value: shown(value) + unit)


def _truth(node: nodes.CallExpr) -> Generator:
    _values(node, 0)
    return Generator(lambda choices: choices.below(2) == 1, shown)


def _fixed(pattern: str) -> Callable[[nodes.CallExpr], Generator]:
    def make(node: nodes.CallExpr) -> Generator:
        _values(node, 0)
        return _of_pattern(pattern, node)

    return make


def _values(node: nodes.CallExpr, n: int | None) -> list[Value]:
    """The arguments. ``n`` None: one or more."""
    if len(node.args) != n if n is not None else not node.args:
        raise ValueTrouble(node.at, f"write: {GENERATORS[node.name.text].usage}")
    return [value_of(argument.value, Scope()) for argument in node.args]


_SEGMENT = r"[a-z0-9._-]{1,6}"
_PAIR = r"[a-z]{1,3}=[a-z0-9+%]{0,4}"


@record(frozen=True)
class Maker:
    usage: str
    what: str
    build: Callable[[nodes.CallExpr], Generator]


GENERATORS: dict[str, Maker] = {
    "text": Maker('text("PATTERN")', "a text that the pattern matches as a whole", _text),
    "one_of": Maker('one_of("a", "b")', "one of these values", _one_of),
    "number": Maker("number(1, 100)", "a whole number in a range; of seconds: number(1s, 1h)", _number),
    "truth": Maker("truth()", "true or false", _truth),
    "method": Maker(
        "method()",
        "GET, HEAD, POST, PUT, DELETE, OPTIONS or PATCH",
        _fixed("GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH"),
    ),
    "url": Maker(
        "url()",
        "a path of up to four segments, with or without a query",
        _fixed(rf"/(?:{_SEGMENT}(?:/{_SEGMENT}){{0,3}})?(?:\?{_PAIR}(?:&{_PAIR}){{0,2}})?"),
    ),
    "address": Maker(
        "address()",
        "an IP address of the networks for documentation",
        _fixed(r"(?:192\.0\.2|198\.51\.100|203\.0\.113)\.[1-9][0-9]?|2001:db8::[1-9a-f]"),
    ),
}
