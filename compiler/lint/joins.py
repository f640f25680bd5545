"""The path of the walk of CK001 (``taint.py``), and the values behind paths that meet.

One table has the values of the present path. A journal holds what each change replaced, so that the walk goes
back to the begin of a branch, and a branch that was left is only what it changed. Where branches meet, only
names that one of them changed are compared: the cost is the number of changes, not of names. All branches of
one ``if`` meet at once, and so do all returns of one block.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple, TypeAlias

from vernis.lint.atoms import NOTHING, Atoms, Join, Settled, Value

STEPS_MAX = 20_000  # statements of one walk; over it the walk tells nothing
KEY_BITS = 7  # so many bits of the facts that are compared to join keys count as a step

# An atom, and what it is on this path.
Fact: TypeAlias = tuple[int, object]

METHODS = ("req.method", "bereq.method")


class TooLong(Exception):
    """The walk took more than STEPS_MAX steps."""


class RuledOut:
    """The sides of a choice, and of those in it, that a test has ruled out, from the outer to the inner ones:
    the fact about the outer choice. Others with the same sides are not equal."""

    def __init__(self, sides: tuple[tuple[int, int], ...]) -> None:
        self.sides = sides  # each as the number of the choice, and the side


class Mark(NamedTuple):
    """A place of the path: the lengths of its journals, and the key."""

    values: int
    facts: int
    keyed: Value


class Branch(NamedTuple):
    """The changes of a branch since a place, which is ``at``."""

    at: Mark
    values: dict[str, Value]
    facts: list[Fact]
    keyed: Value


class Path:
    """The path from the begin of the walk to the present statement: values by name, the facts that tests have
    fixed, with their places in the journal, and the atoms in the key."""

    def __init__(self, atoms: Atoms) -> None:
        self.atoms = atoms
        self.values: dict[str, Value] = {}
        self.facts: dict[Fact, int] = {}
        self.keyed: Value = NOTHING
        self._values: list[tuple[str, Value | None]] = []  # names, and their values before
        self._facts: list[Fact] = []
        self._ruled_out: dict[int, list[Fact]] = {}  # by the outer choice
        self._steps = 0

    def spend(self, n: int) -> None:
        self._steps += n
        if self._steps > STEPS_MAX:
            raise TooLong

    # ---- the present path ------------------------------------------------------------------------------

    def read(self, name: str) -> Value:
        known = self.values.get(name)
        return self.atoms.input(name) if known is None else known

    def assign(self, name: str, value: Value) -> None:
        self._values.append((name, self.values.get(name)))
        self.values[name] = value

    def fix(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            if fact not in self.facts:
                self.facts[fact] = len(self._facts)
                self._facts.append(fact)
                if isinstance(fact[1], RuledOut):
                    self._ruled_out.setdefault(fact[0], []).append(fact)

    def mark(self) -> Mark:
        return Mark(len(self._values), len(self._facts), self.keyed)

    def since(self, at: Mark) -> Branch:
        """The changes since a place."""
        values = {name: self.values[name] for name, _ in self._values[at.values :]}
        return Branch(at, values, self._facts[at.facts :], self.keyed)

    def facts_since(self, at: Mark) -> list[Fact]:
        return self._facts[at.facts :]

    def back(self, at: Mark) -> None:
        """Goes back to a place."""
        for name, before in reversed(self._values[at.values :]):
            if before is None:
                del self.values[name]
            else:
                self.values[name] = before
        del self._values[at.values :]
        for fact in self._facts[at.facts :]:
            del self.facts[fact]
            if isinstance(fact[1], RuledOut):
                self._ruled_out[fact[0]].pop()
        del self._facts[at.facts :]
        self.keyed = at.keyed

    def go(self, branch: Branch) -> None:
        """Goes along a branch that begins here."""
        for name, value in branch.values.items():
            self.assign(name, value)
        self.fix(branch.facts)
        self.keyed = branch.keyed

    # ---- joins -----------------------------------------------------------------------------------------

    def joined(self, branches: list[Branch], at: Mark, join: Join) -> Branch:
        """All branches, which left the path between a place and here, as one that begins at this place."""
        if len(branches) == 1:
            return self._from(branches[0], at)
        meet = _Meet(self, branches, join)
        if len(branches) == 2 and len(self._values) == at.values:
            one, other = branches[0].values, branches[1].values
            values = {name: meet.value_of_two(name, one.get(name), other.get(name)) for name in one | other}
        else:
            changed: dict[str, list[int]] = {}
            for index, branch in enumerate(branches):
                for name in branch.values:
                    changed.setdefault(name, []).append(index)
            steps = self._steps_since(at)
            values = {
                name: meet.value(name, changed.get(name, []), steps.get(name, ())) for name in changed | steps
            }
        return Branch(at, values, self._common_facts(branches, at), self._common_key(branches, join))

    def _from(self, branch: Branch, at: Mark) -> Branch:
        """A branch as one that begins at an earlier place."""
        if branch.at.values == at.values:
            values = branch.values
        else:
            later = self.values | {
                name: before
                for name, before in reversed(self._values[branch.at.values :])
                if before is not None
            }
            names = (name for name, _ in self._values[at.values : branch.at.values])
            values = {name: later[name] for name in names} | branch.values
        facts = branch.facts
        if branch.at.facts > at.facts:
            facts = self._facts[at.facts : branch.at.facts] + facts
        return Branch(at, values, facts, branch.keyed)

    def _steps_since(self, at: Mark) -> dict[str, list[tuple[int, Value | None]]]:
        """The changes of each name since a place: where, and its value before."""
        steps: dict[str, list[tuple[int, Value | None]]] = {}
        for index in range(at.values, len(self._values)):
            name, before = self._values[index]
            steps.setdefault(name, []).append((index, before))
        return steps

    def _common_facts(self, branches: list[Branch], at: Mark) -> list[Fact]:
        """The facts since a place that all branches have fixed."""
        first, *others = branches
        common = first.facts
        for branch in others:
            if not common:
                break
            common = [fact for one in common if (fact := self._in_branch(one, branch)) is not None]
        return self._facts[at.facts : first.at.facts] + common

    def _in_branch(self, fact: Fact, branch: Branch) -> Fact | None:
        """A fact if a branch has fixed it, too, or the part of it that the branch has fixed."""
        before = branch.at.facts
        if self.facts.get(fact, before) < before or fact in branch.facts:
            return fact
        if not isinstance(fact[1], RuledOut):
            return None
        others = [one for one in self._ruled_out.get(fact[0], ()) if self.facts[one] < before]
        others += [one for one in branch.facts if one[0] == fact[0]]
        sides: tuple[tuple[int, int], ...] = ()
        for _, other in others:
            if isinstance(other, RuledOut):
                pairs = zip(fact[1].sides, other.sides, strict=False)
                same = tuple(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
                sides = max(sides, same, key=len)
        return (fact[0], RuledOut(sides)) if sides else None

    def _common_key(self, branches: list[Branch], join: Join) -> Value:
        """The atoms that all keys settle. Keys that differ also tell which path was taken."""
        keyed = branches[0].keyed
        if not any(branch.keyed is not keyed and branch.keyed != keyed for branch in branches):
            return keyed
        facts = self._facts_of(branches[0])
        for branch, length in zip(branches[1:], join.lengths[1:]):
            others = self._facts_of(branch)
            if branch.keyed != keyed:
                self.spend(len(facts) + len(others) >> KEY_BITS)
                both = keyed | branch.keyed
                one = Settled(self.atoms, keyed, self.fixed(facts)).unsettled(both)
                other = Settled(self.atoms, branch.keyed, self.fixed(others)).unsettled(both)
                keyed = (both - one - other).union(join.tests[:length])
            facts &= others
        return keyed

    def _facts_of(self, branch: Branch) -> set[Fact]:
        return {*self._facts[: branch.at.facts], *branch.facts}

    def fixed(self, facts: Iterable[Fact]) -> set[int]:
        """The atoms that facts have fixed."""
        found: set[int] = set()
        for number, what in facts:
            if not isinstance(what, RuledOut):
                found.add(number)
                continue
            for choice, side in what.sides:
                join, length = self.atoms.all[choice].tests_of_side(side)
                found.update(join.tests[:length])
        return found


class _Meet:
    """The values behind one join."""

    def __init__(self, path: Path, branches: list[Branch], join: Join) -> None:
        self.path, self.atoms, self.branches, self.join = path, path.atoms, branches, join
        self.values = [branch.at.values for branch in branches]
        self.facts = [branch.at.facts for branch in branches]
        self.absent: dict[int, list[int]] = {}  # the branches that found an atom absent
        for index, branch in enumerate(branches):
            for fact in branch.facts:
                if fact[1] is None:
                    self.absent.setdefault(fact[0], []).append(index)

    def value_of_two(self, name: str, one: Value | None, other: Value | None) -> Value:
        """The value of a name behind two branches; None: that of the path, as they did not change it."""
        if one is None:
            one = self.path.read(name)
        if other is None:
            other = self.path.read(name)
        if one == other:
            return one
        one = self._first_side(name, one, 1)
        ((_, other),) = self._sides(name, other, 1, 2)
        if one == other or self._are_same(one, other):
            return one
        return self.atoms.choice(name, (one, other), (0, 1), self.join)

    def value(self, name: str, own: list[int], steps: Sequence[tuple[int, Value | None]]) -> Value:
        """The value of a name that the branches of ``own`` changed, and the path before they left it in
        ``steps``."""
        if len(own) == 1 and not steps:
            return self._value_of_one(name, own[0])
        return self._value_of_runs(name, list(self._runs(name, own, steps)))

    def _value_of_one(self, name: str, own: int) -> Value:
        """The value of a name that one branch changed, most often a field that one of many arms sets."""
        value, before = self.branches[own].values[name], self.path.read(name)
        if value == before:
            return value
        runs = [(own, value)]
        if own > 0:
            runs.insert(0, (0, before))
        if own + 1 < len(self.branches):
            runs.append((own + 1, before))
        if name in METHODS or self._are_same(value, before) or any(map(self._may_be_absent, (value, before))):
            return self._value_of_runs(name, runs)
        starts, sides = zip(*runs, strict=True)
        return self.atoms.choice(name, sides, starts, self.join)

    def _may_be_absent(self, value: Value) -> bool:
        """Whether some path has found a value absent."""
        if len(value) != 1:
            return False
        (number,) = value
        return number in self.absent or (number, None) in self.path.facts

    def _value_of_runs(self, name: str, runs: list[tuple[int, Value]]) -> Value:
        first = runs[0][1]
        if len(runs) == 1:
            return first
        sides = [self._first_side(name, first, runs[1][0])]
        starts = [0]
        ends = (*(start for start, _ in runs[2:]), len(self.branches))
        for (start, value), end in zip(runs[1:], ends, strict=True):
            for index, side in self._sides(name, value, start, end):
                if side != sides[-1] and not (len(sides) == 1 and self._are_same(side, sides[0])):
                    sides.append(side)
                    starts.append(index)
        return (
            sides[0] if len(sides) == 1 else self.atoms.choice(name, tuple(sides), tuple(starts), self.join)
        )

    def _are_same(self, one: Value, other: Value) -> bool:
        """Whether two values are the same constant."""
        known = self.atoms.constants(one)
        return known is not None and len(known) == 1 and known == self.atoms.constants(other)

    def _runs(
        self, name: str, own: list[int], steps: Sequence[tuple[int, Value | None]]
    ) -> Iterator[tuple[int, Value]]:
        """The values of a name by branch: each with the first branch of a run that has it."""
        last: Value | None = None
        for index, value in self._by_branch(name, own, self._shared(name, steps)):
            if value != last:
                yield index, value
                last = value

    def _shared(self, name: str, steps: Sequence[tuple[int, Value | None]]) -> list[tuple[int, Value]]:
        """The values of a name on the path that the branches left, each with the first branch that begins
        with it."""
        found: list[tuple[int, Value]] = []
        start = 0
        for place, before in steps:
            end = bisect_right(self.values, place)
            if end > start:
                found.append((start, self.atoms.input(name) if before is None else before))
                start = end
        if start < len(self.branches):
            found.append((start, self.path.read(name)))
        return found

    def _by_branch(
        self, name: str, own: list[int], shared: list[tuple[int, Value]]
    ) -> Iterator[tuple[int, Value]]:
        at = index = 0
        for changed in (*own, len(self.branches)):
            while index < changed:
                while at + 1 < len(shared) and shared[at + 1][0] <= index:
                    at += 1
                yield index, shared[at][1]
                index = min(changed, shared[at + 1][0] if at + 1 < len(shared) else changed)
            if changed < len(self.branches):
                yield changed, self.branches[changed].values[name]
                index = changed + 1

    # A field is absent on a path if a test has found it so. A method may be known by a test, too.

    def _first_side(self, name: str, value: Value, end: int) -> Value:
        """The value of a name on the paths before ``end``, which all have it."""
        if len(value) != 1:
            return value
        (number,) = value
        own, told = self.absent.get(number, ()), self._told_from((number, None))
        here = min(end, told)
        if bisect_left(own, here) == here:
            return self.atoms.absent(name)
        if name in METHODS:
            for text in self._texts(number):
                if all(self._has((number, text), index) for index in range(end)):
                    return self.atoms.method(name, text)
        return value

    def _sides(self, name: str, value: Value, start: int, end: int) -> Iterator[tuple[int, Value]]:
        """The value of a name on the paths of a run, each with the first path that has it."""
        number = next(iter(value)) if len(value) == 1 else None
        if number is None:
            yield start, value
        elif name in METHODS:
            for index in range(start, end):
                texts = (text for text in self._texts(number) if self._has((number, text), index))
                text = next(texts, None)
                yield index, value if text is None else self.atoms.method(name, text)
        else:
            own, told = self.absent.get(number), self._told_from((number, None))
            if own is None and told >= end:
                yield start, value
                return
            index, here = start, min(end, told)
            own = own or []
            for one in own[bisect_left(own, start) : bisect_left(own, here)]:
                if one > index:
                    yield index, value
                yield one, self.atoms.absent(name)
                index = one + 1
            if index < here:
                yield index, value
            if told < end:
                yield max(start, told), self.atoms.absent(name)

    def _told_from(self, fact: Fact) -> int:
        """The first branch that left the path behind a test that fixed a fact."""
        place = self.path.facts.get(fact)
        return len(self.branches) if place is None else bisect_right(self.facts, place)

    def _has(self, fact: Fact, index: int) -> bool:
        return index >= self._told_from(fact) or fact in self.branches[index].facts

    def _texts(self, number: int) -> list[str]:
        """The texts of which a test may have told that an atom is this one."""
        facts = (self.path.facts, *(branch.facts for branch in self.branches))
        texts = (fact[1] for some in facts for fact in some if fact[0] == number)
        return sorted({text for text in texts if isinstance(text, str)})
