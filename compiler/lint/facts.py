"""The knowledge of a walk about chosen names: the state of most rules.

A fact is one of: PRESENT or ABSENT of a header field, TRUE or FALSE of a variable or a test, POSITIVE or
EXPIRED of a duration, or the constant text of a name. A name without a fact may have any value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final

from vernis.lint.automata import language_of
from vernis.lint.paths import Trail
from vernis.lint.view import View, bare, field_of
from vernis.record import record
from vernis.syntax import nodes

PRESENT: Final = "present"
ABSENT: Final = "absent"
TRUE: Final = "true"
FALSE: Final = "false"
POSITIVE: Final = "above zero"
EXPIRED: Final = "at most zero"
_TEXT: Final = "="  # before a constant text

# Durations whose sign decides. Only these are compared with zero.
DURATIONS = ("beresp.ttl", "beresp.grace", "beresp.keep")


@record(frozen=True)
class Facts:
    """Facts by name, sorted."""

    known: tuple[tuple[str, str], ...] = ()

    def get(self, name: str) -> str | None:
        for key, value in self.known:
            if key == name:
                return value
        return None

    def has(self, name: str, fact: str) -> bool:
        return self.get(name) == fact

    def text(self, name: str) -> str | None:
        """The constant text of a name; None if that is unknown."""
        fact = self.get(name)
        return fact.removeprefix(_TEXT) if fact is not None and fact.startswith(_TEXT) else None

    def is_present(self, name: str) -> bool | None:
        """Whether a field exists; None if that is unknown."""
        fact = self.get(name)
        return None if fact is None else fact != ABSENT

    def with_fact(self, name: str, fact: str | None) -> Facts:
        others = [pair for pair in self.known if pair[0] != name]
        return Facts(tuple(sorted(others if fact is None else [*others, (name, fact)])))


def facts(known: Mapping[str, str]) -> Facts:
    return Facts(tuple(sorted(known.items())))


def is_text(text: str) -> str:
    """The fact that a name has this constant text."""
    return _TEXT + text


class Knowledge:
    """The domain of facts about ``names``, and of tests for which ``test_name`` gives a name: such a test is
    TRUE or FALSE from then on. ``watch`` sees each statement with the facts before it. ``also`` are the other
    names on which ``test_name``, ``watch`` and the methods of a subclass depend; with it, the walk steps over
    text without any of the names (``paths.py``)."""

    def __init__(
        self,
        view: View,
        names: Collection[str],
        test_name: Callable[[nodes.Expr], str | None] = lambda test: None,
        watch: Callable[[Facts, nodes.Stmt, Trail], None] = lambda facts, statement, trail: None,
        also: Collection[str] | None = None,
    ) -> None:
        self.view, self.names = view, frozenset(names)
        self.test_name, self.watch = test_name, watch
        self.about = None if also is None else self.names.union(also)

    # ---- tests -----------------------------------------------------------------------------------------

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        name = self.test_name(test)
        if name is not None:
            if isinstance(test, nodes.Compare) and test.op in ("!=", "!~"):
                holds = not holds
            return _told(state, name, TRUE if holds else FALSE)
        if isinstance(test, nodes.Compare):
            return self._compared(state, test, holds)
        name = self.view.variable(test)
        if name is None or name not in self.names:
            return state
        if field_of(name) is not None:
            return _told(state, name, PRESENT if holds else ABSENT)
        return _told(state, name, TRUE if holds else FALSE)

    def _compared(self, state: Facts, test: nodes.Compare, holds: bool) -> Facts | None:
        name = self.view.variable(test.left)
        if name is None or name not in self.names:
            return state
        if name in DURATIONS:
            sign = _sign_when(test.op, test.right, holds)
            return state if sign is None else _told(state, name, sign)
        text = self.view.text(test.right)
        if text is None or test.op not in ("==", "!=", "~", "!~"):
            return state
        if test.op in ("!=", "!~"):
            holds = not holds
        if test.op in ("==", "!="):
            return _equal(state, name, text, holds)
        return _matched(state, name, text, holds)

    # ---- statements ------------------------------------------------------------------------------------

    def do(self, state: Facts, statement: nodes.Stmt, trail: Trail) -> Facts:
        self.watch(state, statement, trail)
        match statement:
            case nodes.Set():
                name = self.view.name(statement.target)
                return state.with_fact(name, self._value(name, statement)) if name in self.names else state
            case nodes.Unset():
                name = self.view.name(statement.target)
                return state.with_fact(name, ABSENT) if name in self.names else state
        return state

    def _value(self, name: str, statement: nodes.Set) -> str | None:
        if name in DURATIONS:
            return _sign_of(statement.value) if statement.op == "=" else None
        text = self.view.text(statement.value)
        if text is not None and statement.op == "=":
            return is_text(text)
        if field_of(name) is not None:
            return PRESENT
        word = self.view.variable(statement.value)
        return word if word in (TRUE, FALSE) else None


def _told(state: Facts, name: str, fact: str) -> Facts | None:
    """The facts after a test that told one; None if it contradicts them."""
    known = state.get(name)
    if known == fact:
        return state
    if known is None:
        return state.with_fact(name, fact)
    if known.startswith(_TEXT) and fact in (PRESENT, TRUE):
        return state
    if known == PRESENT and fact not in (ABSENT, FALSE):
        return state.with_fact(name, fact)
    return None


def _equal(state: Facts, name: str, text: str, holds: bool) -> Facts | None:
    known = state.get(name)
    if holds:
        return _told(state, name, is_text(text))
    return None if known == is_text(text) else state


def _matched(state: Facts, name: str, pattern: str, holds: bool) -> Facts | None:
    """The facts after a pattern held or failed. A missing field is an empty text for it."""
    known, language = state.get(name), language_of(pattern)
    takes_nothing = language is not None and language.matches(b"")
    if known == ABSENT:
        return state if takes_nothing == holds else None
    if known is None:
        return state if takes_nothing == holds else _told(state, name, PRESENT)
    if language is None or not known.startswith(_TEXT):
        return state
    text = known.removeprefix(_TEXT).encode("latin-1")
    return state if language.matches(text) == holds else None


def _sign_of(value: nodes.Expr) -> str | None:
    value = bare(value)
    if isinstance(value, nodes.Neg):
        return EXPIRED
    if isinstance(value, nodes.NumberLit):
        return POSITIVE if float(value.digits) > 0 else EXPIRED
    return None


# The sign when the comparison with a value of at most zero holds, and when it fails.
_AGAINST_ZERO: dict[str, tuple[str | None, str | None]] = {
    "<=": (EXPIRED, POSITIVE),
    "<": (EXPIRED, None),
    ">": (POSITIVE, EXPIRED),
    ">=": (None, EXPIRED),
    "==": (EXPIRED, None),
    "!=": (None, EXPIRED),
}


def _sign_when(op: str, value: nodes.Expr, holds: bool) -> str | None:
    """The sign of a duration after ``duration op value`` held or failed."""
    sign = _sign_of(value)
    if sign == EXPIRED:
        return _AGAINST_ZERO.get(op, (None, None))[not holds]
    if sign == POSITIVE and (op in (">", ">=", "==") and holds or op in ("<", "<=", "!=") and not holds):
        return POSITIVE
    return None
