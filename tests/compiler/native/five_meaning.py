"""The meaning of vcl 5.0 in Python, for the random policies of random_five.py, and the values that they use.

It is written from the description of the language and knows neither the checker nor the lowering, so a mistake there gives another
result than this model.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

FIELDS = ["A", "B", "C", "X-d", "Cookie", "Cache-Control"]
VALUES = ["", "a", "b", "ab", "a/b", "x1", "B", "zab", "7", "-12", "a.b", "10.1.2.3"]
METHODS: dict[str, Callable[[str], str]] = {
    "lower()": str.lower, "upper()": str.upper, "trim()": str.strip, 'replace("a", "b/")': lambda v: v.replace("a", "b/"),
    'replace("ab", "")': lambda v: v.replace("ab", "")}
#: Methods whose result may be absent: the text before or behind a separator, if there is one.
PARTS: dict[str, Callable[[str], str | None]] = {
    'before("a")': lambda v: v.partition("a")[0] if "a" in v else None, 'after("/")': lambda v: v.partition("/")[2] if "/" in v else None,
    'before_last("b")': lambda v: v.rpartition("b")[0] if "b" in v else None,
    'after_last("a")': lambda v: v.rpartition("a")[2] if "a" in v else None}
#: The same in PCRE2 and in Python, but for the form of a group's name.
PATTERNS = ["^a", "b$", "(a)(b)?", "^(.)(z)?", r"x(\d)", "(?<n>.)b", "", "a*", "[ab]+", "^$", "a|b", "^(a|(b))", "(.)(?<last>.?)$"]
ALWAYS = {"(a)(b)?": [0, 1], "^(.)(z)?": [0, 1], r"x(\d)": [0, 1], "(?<n>.)b": [0, 1], "^(a|(b))": [0, 1], "(.)(?<last>.?)$": [0, 1, 2]}
GROUPS = {"(a)(b)?": 2, "^(.)(z)?": 2, r"x(\d)": 1, "(?<n>.)b": 1, "^(a|(b))": 2, "(.)(?<last>.?)$": 2}
NAMES = {"(?<n>.)b": {1: "n"}, "(.)(?<last>.?)$": {2: "last"}}
INTS = [0, 1, 2, 3, 7, -1, 1000000, 900000000000000]
SETS = {"FEW": ["a", "b"], "ENDS": ["b", "1", "/b"], "ANY": ["", "ab"]}
CONSTS = {"PLACE": "a", "OTHER": "a/b"}
ACTIONS = ["pass", "purge", "pipe"]
STEPS_MAX = 400         # of statements and operands of a policy

Value: TypeAlias = "str | int | bool | None"
Facts: TypeAlias = frozenset[str]
NONE: Facts = frozenset()


class Fail(Exception):
    """The transaction fails."""


class Unsound(Exception):
    """A value is absent where the checker took it to be there."""


class Returned(Exception):
    """A return: with an action, with a value, or of a sub."""


@dataclass(slots=True)
class State:
    """A request at run time. Its URL is the field ``url``, which no policy can name as a field."""

    fields: dict[str, str]
    names: dict[str, Value] = field(default_factory=dict)
    matches: dict[str, re.Match[str]] = field(default_factory=dict)


Run: TypeAlias = Callable[[State], Value]


class Expr(NamedTuple):
    """``key`` is the name of the fact that the value is there."""

    text: str
    run: Run
    key: str = ""


class Condition(NamedTuple):
    """``yes`` and ``no`` are the facts if it is true, or false."""

    text: str
    run: Run
    yes: Facts = NONE
    no: Facts = NONE


class Block(NamedTuple):
    text: str
    run: Callable[[State], None]
    ends: bool


@dataclass(slots=True)
class Local:
    name: str
    type: str
    mutable: bool = False


@dataclass(slots=True)
class Callee:
    name: str
    params: list[Local]
    result: str
    run: Callable[[State, list[Value]], Value]


@dataclass(slots=True)
class Policy:
    """``uses`` are the forms that the policy has."""

    text: str
    run: Callable[[State], None]
    uses: set[str]

    def expected(self, fields: dict[str, str]) -> tuple[str, dict[str, str]]:
        """The action of vcl_recv ("fail" if it fails) and the fields behind it."""
        state = State(dict(fields))
        try:
            self.run(state)
        except Fail:
            return "fail", state.fields
        except Returned as returned:
            return str(returned.args[0]), state.fields
        return "pass", state.fields


def whole(value: int) -> int:
    if not -(2**63) <= value < 2**63:
        raise Fail
    return value


def shown(value: Value) -> Value:
    """A number as text. Only numbers of 15 digits have one."""
    if isinstance(value, int) and abs(value) > 999999999999999:
        raise Fail
    return value


def arithmetic(op: str, left: int, right: int) -> int:
    match op:
        case "+":
            return whole(left + right)
        case "-":
            return whole(left - right)
        case "*":
            return whole(left * right)
    if right == 0:
        raise Fail
    quotient = abs(left) // abs(right)
    quotient = -quotient if (left < 0) != (right < 0) else quotient
    return whole(quotient) if op == "/" else whole(left - quotient * right)


def compared(op: str, left: Value, right: Value) -> bool:
    """A comparison in which an absent value equals nothing."""
    if left is None or right is None:
        return op == "!="
    if isinstance(left, str) and isinstance(right, str):
        left, right = left.encode(), right.encode()     # type: ignore[assignment]
    return {"==": left == right, "!=": left != right, "<": left < right, "<=": left <= right,   # type: ignore[operator]
            ">": left > right, ">=": left >= right}[op]                                           # type: ignore[operator]


def searched(pattern: str, text: Value) -> re.Match[str] | None:
    return re.search(pattern.replace("(?<", "(?P<"), text) if isinstance(text, str) else None


TESTS: dict[str, Callable[[str, str], bool]] = {
    "in": lambda text, item: text == item, "starts": lambda text, item: text.startswith(item),
    "ends": lambda text, item: text.endswith(item), "contains": lambda text, item: item in text}


def shown_params(params: list[Local]) -> str:
    return ", ".join(f"{param.name} : {param.type}" for param in params)


def keys_of(value: Expr) -> Facts:
    return frozenset((value.key,)) if value.key else NONE


def put(s: State, name: str, value: Value) -> None:
    """Sets a field; an absent value unsets it."""
    if value is None:
        s.fields.pop(name, None)
    else:
        s.fields[name] = str(value)


def bind(s: State, name: str, value: Value) -> bool:
    s.names[name] = value
    return value is not None


def throw(what: Exception) -> None:
    raise what


def void(_: object) -> None:
    return None
