"""The options -i, -x, -I and -X, which select the records of a group. Their order matters."""

from __future__ import annotations

from dataclasses import dataclass, field

from vernis.observe import tags
from vernis.observe.pattern import Pattern
from vernis.pcre import PatternError
from vernis.observe.records import BACKEND, CLIENT, Record
from vernis.observe.transactions import Sides


class SelectionError(ValueError):
    """An option has an invalid argument."""


@dataclass(slots=True)
class _Expression:
    tags: frozenset[int] | None  # None: all
    pattern: Pattern

    def matches(self, record: Record) -> bool:
        return (self.tags is None or record.tag in self.tags) and not self.pattern.refuses(record.text)


@dataclass(slots=True)
class Selection:
    sides: Sides = field(default_factory=Sides)  # set once
    caseless: bool = False
    _wanted_sides: int = field(default=0, init=False)  # a bit of a record's owner; 0: any
    _hidden: set[int] = field(default_factory=set)
    _included: list[_Expression] = field(default_factory=list)
    _excluded: list[_Expression] = field(default_factory=list)
    _used: bool = False

    def __post_init__(self) -> None:
        if self.sides.client != self.sides.backend:  # both: every record, as without the options
            self._wanted_sides = CLIENT if self.sides.client else BACKEND

    def option(self, letter: str, argument: str) -> None:
        """Applies one option: ``i``, ``x``, ``I`` or ``X``. If the first option is an inclusion, all other
        records are hidden."""
        if letter in "iI" and not self._used:
            self._hidden |= tags.ALL
        self._used = True
        try:
            match letter:
                case "i":
                    self._hidden -= tags.listed(argument)
                case "x":
                    self._hidden |= tags.listed(argument)
                case "I":
                    self._included.append(self._expression(argument))
                case "X":
                    self._excluded.append(self._expression(argument))
        except tags.TagError as error:
            raise SelectionError(f"-{letter}: {error}") from None
        except PatternError as error:
            raise SelectionError(f"-{letter}: regular expression: {error} (at {error.offset})") from None

    def keep_structure(self) -> None:
        """Keeps Begin, Link and End, because readers of a dump need them to group its records."""
        self._used = True
        self._hidden -= {tags.BEGIN, tags.END, tags.LINK}

    def _expression(self, argument: str) -> _Expression:
        names, colon, expression = argument.partition(":")
        selected = tags.listed(names) if colon else None
        text = expression if colon else argument
        return _Expression(selected, Pattern(text.encode("utf-8", "surrogateescape"), self.caseless))

    def shows(self, record: Record) -> bool:
        if self._wanted_sides and not record.owner & self._wanted_sides:
            return False
        if any(expression.matches(record) for expression in self._included):
            return True
        if any(expression.matches(record) for expression in self._excluded):
            return False
        return record.tag not in self._hidden
