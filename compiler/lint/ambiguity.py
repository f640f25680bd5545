"""Finds subjects on which PCRE2 tries very many ways through a pattern before it gives up.

The automaton has one state, a place, for each byte that the pattern reads. If two paths read the same text
from a place back to this place, each repetition of the text doubles the number of paths: exponential. If one
path stays in a first loop, one in a second loop, and one goes from the first to the second, all with the same
text, the number of paths grows with its repetitions; each further loop behind these adds one to the power.

An attack is such a text with an end that makes the match fail. It has the bytes that PCRE2 looks for before
it begins, so that PCRE2 does not give up at once. Limits keep the cost of a pattern small; beyond them the
pattern gets no answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from vernis.lint.automata import FIELD, Language, TooLargeError, language_of, readable_byte
from vernis.lint.pattern import (
    PATTERNS_MAX,
    Bytes,
    Choice,
    Edge,
    Group,
    Repeat,
    Sequence,
    Tree,
    parsed,
    trees_in,
)
from vernis.record import record
from vernis.regex import later

PLACES_MAX = 250  # of a pattern
ARROWS_MAX = 4000  # between places
LOOPS_MAX = 12  # that are compared with each other
LOOP_PLACES_MAX = 40  # of one loop
WALK_MAX = 4000  # states of a walk over two or three places at once
ENDS_MAX = 16  # bytes that are tried behind a loop

_State: TypeAlias = tuple[int, ...]


@record(frozen=True)
class Attack:
    """``pieces``: a text that leads to a loop, and the text that is repeated there. ``power``: the number of
    steps grows with this power of the length; None: exponentially."""

    pieces: tuple[tuple[bytes, bytes], ...]
    after: bytes
    power: int | None

    def text(self, times: int) -> bytes:
        return b"".join(before + pump * times for before, pump in self.pieces) + self.after


_UNLIMITED = later(r"[*+]|\{[^}]*,")


def may_grow(pattern: str) -> bool:
    """Whether anything in a pattern repeats without limit, as its text tells."""
    return _UNLIMITED.search(pattern) is not None


@lru_cache(maxsize=PATTERNS_MAX)
def may_exceed_square(pattern: str) -> bool:
    """Whether the steps may grow with more than the square of the length. They do not if there are at most
    two loops, each of one byte and none repeated: such a loop reads a text in one way, and three loops in a
    row make the third power."""
    read = parsed(pattern) if may_grow(pattern) else None
    if read is None:
        return False
    repeats = [one for one in trees_in(read.tree) if isinstance(one, Repeat)]
    loops = [one for one in repeats if one.most is None]
    repeated = (part for one in repeats if one.most != 1 for part in trees_in(one.item))
    nested = any(isinstance(part, Repeat) and part.most is None for part in repeated)
    return len(loops) > 2 or nested or not all(isinstance(one.item, Bytes) for one in loops)


@lru_cache(maxsize=PATTERNS_MAX)
def attack_on(pattern: str, alphabet: int = FIELD) -> Attack | None:
    """The worst attack with bytes of ``alphabet``; None if there is none, or none is known."""
    read = parsed(pattern) if may_grow(pattern) else None
    if read is None or not _has_plain_loops(read.tree):
        return None
    language = language_of(pattern)
    if language is None:
        return None
    try:
        places = _Places(read.tree, alphabet)
        loops = places.loops()
        doubled = (_doubled(places, loop) for loop in loops)
        found = next((one for one in doubled if one is not None), None)
        if found is not None:
            return _ended(places, language, [found], None)
        return _polynomial(places, language, loops)
    except TooLargeError:
        return None


def _has_plain_loops(tree: Tree) -> bool:
    """Whether anything repeats without limit, and no condition such as \\b is inside of a loop."""
    loops = [one for one in trees_in(tree) if isinstance(one, Repeat) and one.most is None]
    inner = (part for loop in loops for part in trees_in(loop))
    return bool(loops) and not any(isinstance(part, Edge) for part in inner)


# ---- places ------------------------------------------------------------------------------------------------


@record
class _Part:
    """A part of the pattern: the places that it may read first and last, and whether it may read nothing."""

    first: list[int]
    last: list[int]
    empty: bool


class _Places:
    """The automaton. ``after[p]`` counts the ways from a place to each next one."""

    def __init__(self, tree: Tree, alphabet: int) -> None:
        self.alphabet = alphabet
        self.masks: list[int] = []
        self.after: list[dict[int, int]] = []
        self._arrows = 0
        self.whole = self._part(tree)

    def _part(self, tree: Tree) -> _Part:
        match tree:
            case Bytes():
                if len(self.masks) >= PLACES_MAX:
                    raise TooLargeError
                self.masks.append(tree.mask & self.alphabet)
                self.after.append({})
                place = len(self.masks) - 1
                return _Part([place], [place], False)
            case Edge():
                return _Part([], [], True)
            case Group():
                return self._part(tree.item)
            case Sequence():
                return self._joined(self._part(item) for item in tree.items)
            case Choice():
                parts = [self._part(item) for item in tree.items]
                return _Part(
                    [place for part in parts for place in part.first],
                    [place for part in parts for place in part.last],
                    any(part.empty for part in parts),
                )
            case Repeat():
                return self._repeated(tree)

    def _joined(self, parts: Iterable[_Part]) -> _Part:
        whole = _Part([], [], True)
        for part in parts:
            self._connect(whole.last, part.first)
            whole = _Part(
                whole.first + part.first if whole.empty else whole.first,
                whole.last + part.last if part.empty else part.last,
                whole.empty and part.empty,
            )
        return whole

    def _repeated(self, tree: Repeat) -> _Part:
        """The item as often as it must come, then a loop or optional ones."""
        parts = [self._part(tree.item) for _ in range(tree.least)]
        if tree.most is None:
            loop = parts.pop() if parts else self._part(tree.item)
            self._connect(loop.last, loop.first)
            parts.append(_Part(loop.first, loop.last, loop.empty or tree.least == 0))
        else:
            for _ in range(tree.most - tree.least):
                part = self._part(tree.item)
                parts.append(_Part(part.first, part.last, True))
        return self._joined(parts)

    def _connect(self, sources: list[int], targets: list[int]) -> None:
        self._arrows += len(sources) * len(targets)
        if self._arrows > ARROWS_MAX:
            raise TooLargeError
        for source in sources:
            for target in targets:
                self.after[source][target] = self.after[source].get(target, 0) + 1

    def reached(self, start: int) -> set[int]:
        """The places behind a place, with at least one byte."""
        seen: set[int] = set()
        stack = [start]
        while stack:
            for target in self.after[stack.pop()]:
                if target not in seen and self.masks[target]:
                    seen.add(target)
                    stack.append(target)
        return seen

    def is_possessive(self, place: int) -> bool:
        """Whether PCRE2 gives back no byte of a loop of one place, because nothing behind it can read one."""
        others = [self.masks[target] for target in self.after[place] if target != place]
        return place not in self.whole.last and not any(mask & self.masks[place] for mask in others)

    def loops(self) -> list[list[int]]:
        """The sets of places that reach each other, in the order of the pattern."""
        back = [place for place in range(len(self.masks)) if self.masks[place]]
        reach = {place: self.reached(place) for place in back}
        found: list[list[int]] = []
        seen: set[int] = set()
        for place in back:
            if place in reach[place] and place not in seen:
                loop = sorted(other for other in reach[place] if place in reach[other])
                seen.update(loop)
                found.append(loop)
        return found


# ---- walks -------------------------------------------------------------------------------------------------


class _Walk:
    """A walk that moves several places at once with the same bytes. Place n stays in ``inside[n]``."""

    def __init__(self, places: _Places, start: _State, inside: tuple[frozenset[int], ...]) -> None:
        self.places, self.inside = places, inside
        self.start = start
        self.before: dict[_State, tuple[_State, int]] = {}  # the first way to a state
        self.sources: dict[_State, list[tuple[_State, int]]] = {}
        queue = [start]
        for state in queue:
            for target, mask in self._moves(state):
                if target not in self.before:
                    if len(self.before) >= WALK_MAX:
                        raise TooLargeError
                    self.before[target] = (state, mask)
                    queue.append(target)
                self.sources.setdefault(target, []).append((state, mask))

    def _moves(self, state: _State) -> list[tuple[_State, int]]:
        found: list[tuple[_State, int]] = [((), self.places.alphabet)]
        for place, within in zip(state, self.inside, strict=True):
            found = [
                ((*reached, target), mask & self.places.masks[target])
                for reached, mask in found
                for target in self.places.after[place]
                if target in within and mask & self.places.masks[target]
            ]
        return found

    def word_to(self, state: _State) -> bytes:
        """The shortest text from the start to a state; at least one byte if the state is the start."""
        word = bytearray()
        while True:
            state, mask = self.before[state]
            word.append(readable_byte(mask))
            if state == self.start:
                return bytes(reversed(word))

    def words_back(self) -> dict[_State, bytes]:
        """For each state from which the walk returns to its start: a shortest text with which it does."""
        found: dict[_State, bytes] = {self.start: b""}
        queue = [self.start]
        for state in queue:
            for source, mask in self.sources.get(state, ()):
                if source not in found:
                    found[source] = bytes((readable_byte(mask),)) + found[state]
                    queue.append(source)
        return found


def _word(places: _Places, start: int, goal: int, inside: frozenset[int]) -> bytes:
    """The shortest text from one place to another, empty if they are the same."""
    return b"" if start == goal else _Walk(places, (start,), (inside,)).word_to((goal,))


def _word_from_start(places: _Places, goal: int) -> bytes | None:
    """The shortest text that a match reads up to a place; None if other bytes lead there."""
    everywhere = frozenset(range(len(places.masks)))
    firsts = [place for place in places.whole.first if places.masks[place]]
    words = [
        bytes((readable_byte(places.masks[first]),)) + _word(places, first, goal, everywhere)
        for first in dict.fromkeys(firsts)
        if first == goal or goal in places.reached(first)
    ]
    return min(words, key=len, default=None)


def _word_to_end(places: _Places, start: int) -> bytes:
    """The shortest text with which a match ends behind a place."""
    if start in places.whole.last:
        return b""
    walk = _Walk(places, (start,), (frozenset(range(len(places.masks))),))
    ends = [walk.word_to((last,)) for last in places.whole.last if (last,) in walk.before]
    return min(ends, key=len, default=b"")


# ---- ambiguity ---------------------------------------------------------------------------------------------

_Pump: TypeAlias = tuple[int, int, bytes]  # the place before, the place behind, and the text between


def _doubled(places: _Places, loop: list[int]) -> _Pump | None:
    """A text with two paths from a place of the loop back to it. If one place has such a text, all have."""
    if len(loop) > LOOP_PLACES_MAX:
        raise TooLargeError
    inside, start = frozenset(loop), loop[0]
    for source in loop:
        for target, ways in places.after[source].items():
            if ways > 1 and target in inside:
                there = _word(places, start, source, inside)
                byte = bytes((readable_byte(places.masks[target]),))
                return start, start, there + byte + _word(places, target, start, inside)
    if len(loop) == 1:
        return None
    walk = _Walk(places, (start, start), (inside, inside))
    back = walk.words_back()
    for state in walk.before:
        if state[0] != state[1] and state in back:
            return start, start, walk.word_to(state) + back[state]
    return None


def _growing(places: _Places, loops: list[list[int]]) -> Iterator[_Pump]:
    """A place of a first loop, a place of a second loop, and a text that stays at both and leads from the
    first to the second; one for each two loops."""
    everywhere = frozenset(range(len(places.masks)))
    for loop in loops:
        behind = places.reached(loop[0])
        for other in loops:
            if other is not loop and other[0] in behind and len(loop) * len(other) <= LOOP_PLACES_MAX:
                inside = (frozenset(loop), everywhere, frozenset(other))
                pump = _first(_shared(places, place, end, inside) for place in loop for end in other)
                if pump is not None:
                    yield pump


def _shared(places: _Places, place: int, end: int, inside: tuple[frozenset[int], ...]) -> _Pump | None:
    walk = _Walk(places, (place, place, end), inside)
    goal = (place, end, end)
    return (place, end, walk.word_to(goal)) if goal in walk.before else None


def _first(pumps: Iterator[_Pump | None]) -> _Pump | None:
    return next((pump for pump in pumps if pump is not None), None)


def _polynomial(places: _Places, language: Language, loops: list[list[int]]) -> Attack | None:
    """An attack with the longest chain of loops."""
    pumps = list(_growing(places, loops[:LOOPS_MAX]))
    reach = {place: places.reached(place) | {place} for pump in pumps for place in pump[:2]}
    chains: dict[_Pump, list[_Pump]] = {}

    def chain(pump: _Pump) -> list[_Pump]:
        if pump not in chains:
            further = [chain(other) for other in pumps if other[0] in reach[pump[1]] and other is not pump]
            chains[pump] = [pump, *max(further, key=len, default=[])]
        return chains[pump]

    longest = max((chain(pump) for pump in pumps), key=len, default=[])
    if not longest:
        return None
    power = len(longest) + 1 - places.is_possessive(longest[-1][1])
    return _ended(places, language, longest, power)


def _ended(places: _Places, language: Language, pumps: list[_Pump], power: int | None) -> Attack | None:
    """The attack with an end that makes the match fail, if there is one."""
    everywhere = frozenset(range(len(places.masks)))
    first = _word_from_start(places, pumps[0][0])
    if first is None:
        return None
    pieces = [(first, pumps[0][2])]
    for before, pump in zip(pumps, pumps[1:], strict=False):
        pieces.append((_word(places, before[1], pump[0], everywhere), pump[2]))
    rest = _word_to_end(places, pumps[-1][1])
    pumped = language.walked(language.start, Attack(tuple(pieces), b"", power).text(2))
    if pumped == language.everything or not language.accepts(language.walked(pumped, rest)):
        return None  # nothing behind the loop can fail, or a condition such as \b is in the way
    # PCRE2 looks for bytes that every match has before it begins, so the end has all bytes of the rest.
    for byte in [*(bytes((byte,)) for byte in language.representatives(places.alphabet)[:ENDS_MAX]), b""]:
        for after in (byte + rest, byte + rest[::-1], rest + byte):
            if not language.accepts(language.walked(pumped, after)):
                attack = Attack(tuple(pieces), after, power)
                if not language.matches(attack.text(9)):
                    return attack
    return None
