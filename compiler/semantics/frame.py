"""Local names of vcl 5.0, and what is known about values at one point of a sub.

A *fact* is a key: that of a header field or a local (the value is there), of a capture (the match has
succeeded), or of a count with a bound. The checker holds the facts of the current point in ``Frame.known``,
adds those of conditions, and forgets those that a statement may make untrue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from vernis.record import field, record
from vernis.semantics.types import Type
from vernis.syntax import nodes

Facts: TypeAlias = frozenset[str]
NO_FACTS: Facts = frozenset()


@record
class LocalVar:
    """A local. ``number`` is unique in the program. ``optional``: its value may be absent. ``alias`` is the
    key of the field that a hidden local has read; no statement runs between the two."""

    name: str
    type: Type
    optional: bool
    mutable: bool
    at: nodes.At
    number: int
    alias: str = ""
    used: bool = False

    @property
    def key(self) -> str:
        return f"#{self.number}"


@record
class Match:
    """The name of ``as m``: groups of a pattern in the text that the test saw. ``always`` are the groups that
    take part in every match."""

    name: str
    at: nodes.At
    number: int
    pattern: bytes
    regex: int
    subject: LocalVar
    always: frozenset[int]
    used: bool = False

    @property
    def key(self) -> str:
        return f"~{self.number}"


LocalName: TypeAlias = LocalVar | Match


@record
class Frame:
    """``scopes`` are the local names of the open blocks, innermost last. ``count`` numbers locals."""

    scopes: list[dict[str, LocalName]] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    count: int = 0

    def begin(self) -> None:
        """A sub begins."""
        self.scopes, self.known = [{}], set()

    def find(self, name: str) -> LocalName | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def names(self) -> Iterator[str]:
        for scope in self.scopes:
            yield from scope

    def number(self) -> int:
        self.count += 1
        return self.count

    def hidden(self, type: Type, optional: bool, at: nodes.At, alias: str = "") -> LocalVar:
        """A local that the checker makes to evaluate something once."""
        return LocalVar("", type, optional, False, at, self.number(), alias, used=True)

    @contextmanager
    def scope(self) -> Iterator[dict[str, LocalName]]:
        """A block."""
        self.scopes.append({})
        try:
            yield self.scopes[-1]
        finally:
            self.scopes.pop()

    # ---- facts

    def assume(self, facts: Iterable[str]) -> None:
        self.known.update(facts)

    def forget(self, key: str) -> None:
        """Forgets that a value is there. ``req_top`` is ``req`` unless the request is an ESI include."""
        self.known.discard(key)
        if key.startswith("req.http."):
            self.known.discard(key.replace("req", "req_top", 1))

    def forget_message(self, message: str) -> None:
        """Forgets what is known about the fields of a message; of all messages if it is empty."""
        start = f"{message}.http." if message else ""
        if message == "req":
            self.forget_message("req_top")
        self.known = {key for key in self.known if key[0] in "#~" or not key.startswith(start)}

    def forget_written(self, writes: Iterable[str]) -> None:
        """Forgets what a function may change, by the names in its row."""
        for name in writes:
            message, is_field, _ = name.partition(".http.")
            if name == "*":
                self.forget_message("")
            elif is_field and name.endswith("*"):
                self.forget_message(message)
            elif is_field:
                self.forget(name.lower())

    def forget_changeable(self) -> None:
        """Forgets what any statement could change."""
        locals = {var.key for scope in self.scopes for var in scope.values() if not _changes(var)}
        self.known = {key for key in self.known if key in locals or key[0] == "~"}


def _changes(name: LocalName) -> bool:
    return isinstance(name, LocalVar) and name.mutable
