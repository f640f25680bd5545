"""The values of the walk of CK001 (``taint.py``): atoms, and which of them the key or a path settles.

Equal atoms have one number, and an atom is made of atoms before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from enum import Enum
from itertools import accumulate
from operator import or_
from typing import TypeAlias

from vernis.record import record
from vernis.syntax import nodes

# Inputs besides the fields of the request. The method is none: it is GET.
INPUTS = frozenset(
    ("req.url", "client.ip", "client.identity", "remote.ip", "local.ip", "local.endpoint", "local.socket")
)
COOKIES = "cookie."  # the jar of vmod cookie
CONSTANTS_MAX = 32  # that a value may be; a value with more counts as unknown
TOLD_MAX = 1000  # constants of a choice whose result is a side of another; one with more counts as unknown

Value: TypeAlias = frozenset[int]
NOTHING: Value = frozenset()
Constants: TypeAlias = frozenset[str | None]  # None: the field is absent


class Kind(Enum):
    INPUT = "input"
    SET = "set"
    TEST = "test"
    CHOICE = "choice"


def input_of(name: str) -> str | None:
    """The input of the request that a name is until a statement sets it."""
    if name.startswith(COOKIES):
        return "req.http.cookie"
    name = name.removeprefix("be") if name.startswith("bereq.") else name
    return name if name.startswith("req.http.") or name in INPUTS else None


@record(frozen=True)
class Join:
    """Paths that meet, in order. The first ``lengths[k]`` of ``tests`` choose between path k and those before
    it, and ``choices[k]`` is the number of this choice of tests."""

    tests: tuple[int, ...]
    lengths: tuple[int, ...]
    choices: tuple[int, ...]


@record
class Atom:
    """``made_of`` are the atoms behind it. A choice has its ``sides``, each for a run of paths that meet one
    after another, and ``joins``: each join that made it, with the first path of each side. The tests of the
    join are behind a choice, too. ``text`` is the constant that a statement set, None for others; ``absent``
    is an ``unset``."""

    kind: Kind
    name: str
    made_of: Value = NOTHING
    node: nodes.Stmt | nodes.Expr | None = None
    text: str | None = None
    absent: bool = False
    sides: tuple[Value, ...] = ()
    joins: tuple[tuple[Join, tuple[int, ...]], ...] = ()

    def tests_of_side(self, side: int) -> tuple[Join, int]:
        """The join, and how many of its tests choose a side. They also choose each side before it."""
        join, starts = self.joins[0]
        if side + 1 < len(starts):
            return join, join.lengths[starts[1] if side == 0 else starts[side + 1] - 1]
        return join, join.lengths[-1]

    def is_one_path(self, side: int) -> bool:
        join, starts = self.joins[0]
        end = starts[side + 1] if side + 1 < len(starts) else len(join.lengths)
        return end - starts[side] == 1


class Atoms:
    """All atoms, by number."""

    def __init__(self) -> None:
        self.all: list[Atom] = []
        self._constants: list[Constants | None] = []
        self._known: dict[object, int] = {}
        self._choices: dict[tuple[int, Value], int] = {}
        self._inputs: dict[str, Value] = {}

    def number(self, key: object) -> int | None:
        """The number of the atom with a key, if it exists."""
        return self._known.get(key)

    def add(self, key: object, atom: Atom) -> int:
        """The number of the atom with a key, which is ``atom`` if it does not exist."""
        number = self._known.get(key)
        return self._new(key, atom) if number is None else number

    def _new(self, key: object, atom: Atom) -> int:
        number = self._known[key] = len(self.all)
        self.all.append(atom)
        if atom.text is not None or atom.absent:
            self._constants.append(frozenset((atom.text,)))
        else:
            self._constants.append(self._constants_of(atom.sides) if atom.sides else None)
        return number

    def one(self, key: object, atom: Atom) -> Value:
        """The value of a single atom."""
        return frozenset((self.add(key, atom),))

    def input(self, name: str) -> Value:
        """The value of a name as the client sent it."""
        known = self._inputs.get(name)
        if known is None:
            known = self._inputs[name] = self._input(name)
        return known

    def _input(self, name: str) -> Value:
        sent = input_of(name)
        return NOTHING if sent is None else self.one(("input", sent), Atom(Kind.INPUT, sent))

    def method(self, name: str, text: str) -> Value:
        """The value of a method that a test has told."""
        return self.one(("method", text), Atom(Kind.SET, name, text=text))

    def absent(self, name: str) -> Value:
        """The value of a field of which a test has told that it does not exist."""
        return self.one(("absent", name), Atom(Kind.SET, name, absent=True))

    def choice_of_tests(self, before: int, more: Value) -> int:
        """The number of a set of tests that choose: those of an earlier choice, 0 for none, and more."""
        return self._choices.setdefault((before, more), len(self._choices) + 1)

    def choice(self, name: str, sides: tuple[Value, ...], starts: tuple[int, ...], join: Join) -> Value:
        """A choice between values of paths that meet."""
        choices = join.choices
        asked = (choices[starts[1]], *(choices[start - 1] for start in starts[2:]), choices[-1])
        key = ("choice", name, sides, asked)
        number = self._known.get(key)
        if number is None:
            number = self._new(key, Atom(Kind.CHOICE, name, NOTHING.union(*sides), sides=sides))
        self.all[number].joins += ((join, starts),)
        return frozenset((number,))

    def constants(self, value: Value) -> Constants | None:
        """All constants that a value may be; None if it may be something else."""
        if len(value) != 1:
            return None
        (number,) = value
        return self._constants[number]

    def _constants_of(self, sides: tuple[Value, ...]) -> Constants | None:
        found: set[str | None] = set()
        for side in sides:
            known = self.constants(side)
            if known is None:
                return None
            found |= known
            if len(found) > CONSTANTS_MAX:
                return None
        return frozenset(found)


class Settled:
    """The atoms on which all requests with one key agree: ``keyed`` are those in the key, and ``fixed`` those
    that the path has fixed."""

    def __init__(self, atoms: Atoms, keyed: Value, fixed: Iterable[int]) -> None:
        self.atoms = atoms.all
        self.numbers = keyed.union(fixed)
        self._constants = atoms.constants
        self._told: dict[int, set[int]] = {}  # the paths of joins, by the ids of joins
        self._of: dict[int, set[str | None] | None] = {}  # the constants of choices
        # The sides of a choice have lower numbers.
        for number in sorted(self._choices_in(keyed)):
            self._of[number] = self._tell(self.atoms[number])

    def _choices_in(self, keyed: Value) -> set[int]:
        """The choices in a value, and those that are a side of one."""
        found: set[int] = set()
        waiting = list(keyed)
        while waiting:
            number = waiting.pop()
            atom = self.atoms[number]
            if atom.kind is Kind.CHOICE and number not in found:
                found.add(number)
                waiting += [next(iter(side)) for side in atom.sides if len(side) == 1]
        return found

    def _tell(self, atom: Atom) -> set[str | None] | None:
        """Notes of which joins a choice in the key tells the path that was taken: it has other constants on
        each path. Returns its constants."""
        first = self._constants_in(atom.sides[0])
        found = None if first is None else set(first)
        for side, value in enumerate(atom.sides[1:], 1):
            more = self._constants_in(value)
            if found is None or more is None:
                found = None
                continue
            if found.isdisjoint(more):
                for join, starts in atom.joins:
                    self._told.setdefault(id(join), set()).add(starts[side])
            found |= more
        return None if found is None or len(found) > TOLD_MAX else found

    def _constants_in(self, value: Value) -> AbstractSet[str | None] | None:
        if len(value) == 1 and (number := next(iter(value))) in self._of:
            return self._of[number]
        return self._constants(value)

    def deciding(self, atom: Atom) -> tuple[Join, int] | None:
        """The join of a choice, and how many of its tests decide it. None if the key tells the path: then the
        choice is one of its sides, whatever decides."""
        if not self._told:
            join, _ = atom.joins[0]
            return join, join.lengths[-1]
        for join, starts in atom.joins:
            told = self._told.get(id(join), ())
            path = len(join.lengths) - 1
            while path in told:
                path -= 1
            if path < starts[1]:
                return None
        return join, join.lengths[path]

    def unsettled(self, value: Value) -> set[int]:
        """The atoms that a value depends on and that neither key nor path settles."""
        found: set[int] = set()
        visited: dict[int, int] = {}  # the number of tests, by the ids of joins
        stack = list(value)
        while stack:
            number = stack.pop()
            if number in self.numbers or number in found:
                continue
            found.add(number)
            atom = self.atoms[number]
            stack += atom.made_of
            deciding = self.deciding(atom) if atom.joins else None
            if deciding is not None:
                join, length = deciding
                stack += join.tests[visited.get(id(join), 0) : length]
                visited[id(join)] = max(length, visited.get(id(join), 0))
        return found

    def inputs(self, through: bool = True) -> Inputs:
        """The inputs behind each atom that nothing settles. ``through`` tests: with those that only a test
        has read. An atom is made of atoms before it, so that one pass knows all."""
        names = [atom.name for atom in self.atoms if atom.kind is Kind.INPUT]
        bits = {name: 1 << index for index, name in enumerate(names)}
        masks: list[int] = []
        of_tests: dict[int, list[int]] = {}  # the masks of the first tests of joins, by the ids of joins
        a_test, an_input = Kind.TEST, Kind.INPUT  # an Enum is slow to read
        for number, atom in enumerate(self.atoms):
            mask = 0
            if number not in self.numbers and (through or atom.kind is not a_test):
                if atom.kind is an_input:
                    mask = bits[atom.name]
                for part in atom.made_of:
                    mask |= masks[part]
                deciding = self.deciding(atom) if atom.joins else None
                if deciding is not None and deciding[1]:
                    join, length = deciding
                    known = of_tests.get(id(join))
                    if known is None:
                        known = list(accumulate(map(masks.__getitem__, join.tests), or_))
                        of_tests[id(join)] = known
                    mask |= known[length - 1]
            masks.append(mask)
        return Inputs(names, bits, masks)


@record(frozen=True)
class Inputs:
    """The unsettled inputs behind each atom, as bits of a mask."""

    all_names: list[str]
    bits: dict[str, int]
    masks: list[int]

    def of(self, value: Value) -> int:
        mask = 0
        for number in value:
            mask |= self.masks[number]
        return mask

    def names(self, mask: int) -> list[str]:
        found: list[str] = []
        while mask:
            lowest = mask & -mask
            found.append(self.all_names[lowest.bit_length() - 1])
            mask ^= lowest
        return sorted(found)
