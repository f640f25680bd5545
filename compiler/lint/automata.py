"""Decides by automata which subjects a pattern matches, and compares the subjects of two patterns.

A ``Language`` is the set of subjects that a pattern matches anywhere, or the set of one text. ``witness``
walks several languages at once, one class of bytes at a time, and returns a shortest subject with the wanted
answers. It makes states only when the walk reaches them, and gives up (``TooLargeError``) after
PRODUCT_STATES_MAX states.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from vernis.lint.pattern import (
    ALL_BYTES,
    LF,
    PATTERNS_MAX,
    WORD,
    Bytes,
    Choice,
    Edge,
    Group,
    Repeat,
    Sequence,
    Tree,
    mask_of,
    parsed,
)
from vernis.regex import later

STATES_MAX = 3000  # of the automaton of one pattern
PRODUCT_STATES_MAX = 1500  # of one walk
STEPS_MAX = 20000  # of one walk: states times classes of bytes

# A field or a URL has no line feed, so `.` is any byte of it, and `$` is its end.
FIELD = ALL_BYTES & ~mask_of(b"\0\r\n")

# The bytes of an example, the best first.
_READABLE = b"abcdefghijklmnopqrstuvwxyz0123456789-./_ABCDEFGHIJKLMNOPQRSTUVWXYZ=&?:;, +%#@!~*'()"


class TooLargeError(Exception):
    """A limit ended a walk: the answer is unknown."""


# A configuration is a state with a condition for the rest of the subject: nine values for each state. The
# rest is free, empty (behind `$` or `\z`), or one line feed (behind `$`); and the next byte is free, a letter
# of a word, or none (behind `\b` and `\B`).
_FREE, _EMPTY, _LAST_LF = 0, 3, 6
_ANY, _IN_WORD, _OUT_OF_WORD = 0, 1, 2


class Language:
    """The automaton of a tree. State 0 begins; ``end`` accepts. ``search``: the match may begin and end
    anywhere in the subject; otherwise the tree matches the whole of it."""

    def __init__(self, tree: Tree, search: bool = True) -> None:
        self.moves: list[tuple[int, int] | None] = []  # mask and target
        self.jumps: list[list[tuple[str, int]]] = []  # condition and target
        self.masks: set[int] = set()
        start, first = self._state(), self._state()
        self._jump(start, first)
        if search:
            self._move(start, ALL_BYTES, start)
        self.end = self._add(tree, first)
        if search:
            self._move(self.end, ALL_BYTES, self.end)
        self.search = search
        self._steps: dict[tuple[frozenset[int], int], frozenset[int]] = {}
        self._useful = self._reaching_end()
        self.start = self._closed({0}, None)

    # ---- construction ----------------------------------------------------------------------------------

    def _state(self) -> int:
        if len(self.moves) >= STATES_MAX:
            raise TooLargeError
        self.moves.append(None)
        self.jumps.append([])
        return len(self.moves) - 1

    def _jump(self, source: int, target: int, condition: str = "") -> None:
        self.jumps[source].append((condition, target))

    def _move(self, source: int, mask: int, target: int) -> None:
        self.moves[source] = (mask, target)
        self.masks.add(mask)

    def _add(self, tree: Tree, source: int) -> int:
        """Adds a tree behind a state; returns the state behind it."""
        match tree:
            case Bytes():
                target, behind = self._state(), self._state()
                self._jump(source, target)
                self._move(target, tree.mask, behind)
                return behind
            case Edge():
                behind = self._state()
                self._jump(source, behind, tree.kind)
                self.masks.add(LF if tree.kind == "$" else WORD if tree.kind in "bB" else ALL_BYTES)
                return behind
            case Group():
                return self._add(tree.item, source)
            case Sequence():
                for item in tree.items:
                    source = self._add(item, source)
                return source
            case Choice():
                ends = [self._add(item, self._behind(source)) for item in tree.items]
                behind = self._state()
                for end in ends:
                    self._jump(end, behind)
                return behind
            case Repeat():
                return self._add_repeat(tree, source)

    def _behind(self, source: int) -> int:
        state = self._state()
        self._jump(source, state)
        return state

    def _add_repeat(self, tree: Repeat, source: int) -> int:
        for _ in range(tree.least):
            source = self._add(tree.item, source)
        if tree.most is None:
            loop = self._behind(source)
            self._jump(self._add(tree.item, loop), loop)
            return self._behind(loop)
        skips = [source]
        for _ in range(tree.most - tree.least):
            source = self._add(tree.item, source)
            skips.append(source)
        behind = self._state()
        for skip in skips:
            self._jump(skip, behind)
        return behind

    def _reaching_end(self) -> list[bool]:
        """Which states may still accept, after the first byte."""
        sources: list[list[int]] = [[] for _ in self.moves]
        for state, jumps in enumerate(self.jumps):
            for condition, target in jumps:
                if condition != "^":
                    sources[target].append(state)
            move = self.moves[state]
            if move is not None:
                sources[move[1]].append(state)
        useful = [False] * len(self.moves)
        useful[self.end] = True
        stack = [self.end]
        while stack:
            for source in sources[stack.pop()]:
                if not useful[source]:
                    useful[source] = True
                    stack.append(source)
        return useful

    # ---- walking ---------------------------------------------------------------------------------------

    def _closed(self, states: set[int], last: int | None) -> frozenset[int]:
        """The configurations behind ``last`` that need no further byte; None: at the start."""
        seen: set[int] = set()
        stack = [state * 9 if last is None else state for state in states]
        in_word = last is not None and bool(WORD >> last & 1)
        while stack:
            configuration = stack.pop()
            state, mode = divmod(configuration, 9)
            if configuration in seen or (last is not None and not self._useful[state]):
                continue
            seen.add(configuration)
            for condition, target in self.jumps[state]:
                for after in _passed(condition, mode, last is None, in_word):
                    stack.append(target * 9 + after)
        if self.search and self.end * 9 in seen:
            return self.everything
        moving = {one for one in seen if self.moves[one // 9] is not None or one // 9 == self.end}
        return frozenset(moving)

    @property
    def everything(self) -> frozenset[int]:
        """The state in which any rest is accepted."""
        return frozenset((self.end * 9,))

    def step(self, state: frozenset[int], byte: int) -> frozenset[int]:
        known = self._steps.get((state, byte))
        if known is not None:
            return known
        if self.search and state == self.everything:
            return state
        reached: set[int] = set()
        for configuration in state:
            origin, mode = divmod(configuration, 9)
            move = self.moves[origin]
            if move is None or not move[0] >> byte & 1:
                continue
            rest, following = mode - mode % 3, mode % 3
            if rest == _EMPTY or (rest == _LAST_LF and byte != 10):
                continue
            if following != _ANY and (following == _IN_WORD) != bool(WORD >> byte & 1):
                continue
            reached.add(move[1] * 9 + (_EMPTY if rest == _LAST_LF else _FREE))
        result = self._steps[state, byte] = self._closed(reached, byte)
        return result

    def accepts(self, state: frozenset[int]) -> bool:
        base = self.end * 9
        return any(
            base + mode in state for mode in (_FREE, _FREE + _OUT_OF_WORD, _EMPTY, _EMPTY + _OUT_OF_WORD)
        )

    def representatives(self, alphabet: int) -> list[int]:
        """One byte of each class that the language tells apart, the most readable first."""
        return _representatives(frozenset(self.masks), alphabet)

    def matches(self, subject: bytes) -> bool:
        return self.accepts(self.walked(self.start, subject))

    def walked(self, state: frozenset[int], text: bytes) -> frozenset[int]:
        """The state after a text."""
        for byte in text:
            state = self.step(state, byte)
            if not state or state == self.everything:
                return state
        return state


def _passed(condition: str, mode: int, at_start: bool, in_word: bool) -> tuple[int, ...]:
    """The modes in which a condition lets a configuration through."""
    rest, following = mode - mode % 3, mode % 3
    match condition:
        case "":
            return (mode,)
        case "^":
            return (mode,) if at_start else ()
        case "$":
            return (_EMPTY + following, _LAST_LF + following) if rest == _FREE else (mode,)
        case "z":
            return () if rest == _LAST_LF else (_EMPTY + following,)
    wanted = _IN_WORD if (condition == "b") != in_word else _OUT_OF_WORD
    return (rest + wanted,) if following in (_ANY, wanted) else ()


# ---- languages ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def language_of(pattern: str, search: bool = True) -> Language | None:
    """The subjects that a pattern matches, None if that is unknown. With ``search`` false: the texts that it
    matches as a whole."""
    read = parsed(pattern)
    try:
        return None if read is None else Language(read.tree, search)
    except TooLargeError:
        return None


@lru_cache(maxsize=1024)
def text_language(text: str) -> Language:
    """The language of one text, one character a byte."""
    return Language(
        Sequence(tuple(Bytes(1 << ord(c), n, n + 1, "literal") for n, c in enumerate(text))), False
    )


# ---- walks over several languages --------------------------------------------------------------------------


def witness(
    languages: tuple[Language, ...],
    wanted: Callable[[tuple[bool, ...]], bool],
    alphabet: int = FIELD,
    dead: Callable[[tuple[bool, ...], tuple[bool, ...]], bool] = lambda none, every: False,
) -> bytes | None:
    """A shortest subject of bytes of ``alphabet`` for which the answers of the languages are as wanted; None
    if there is none. ``dead`` gets which languages can accept nothing more, and which accept everything from
    there; it returns whether the walk need not go on."""
    bytes_of_classes = _classes(languages, alphabet)
    start = tuple(language.start for language in languages)
    known: dict[tuple[frozenset[int], ...], tuple[tuple[frozenset[int], ...], int] | None] = {start: None}
    queue = [start]
    steps = 0
    for state in queue:
        if wanted(tuple(language.accepts(one) for language, one in zip(languages, state, strict=True))):
            return _word_to(state, known)
        if len(known) > PRODUCT_STATES_MAX or steps > STEPS_MAX:
            raise TooLargeError
        steps += len(bytes_of_classes)
        for byte in bytes_of_classes:
            after = tuple(language.step(one, byte) for language, one in zip(languages, state, strict=True))
            if after in known:
                continue
            none = tuple(not one for one in after)
            every = tuple(
                language.search and one == language.everything
                for language, one in zip(languages, after, strict=True)
            )
            if not dead(none, every):
                known[after] = (state, byte)
                queue.append(after)
    return None


def _word_to(
    state: tuple[frozenset[int], ...],
    known: dict[tuple[frozenset[int], ...], tuple[tuple[frozenset[int], ...], int] | None],
) -> bytes:
    word = bytearray()
    while (before := known[state]) is not None:
        state, byte = before
        word.append(byte)
    return bytes(reversed(word))


def _classes(languages: tuple[Language, ...], alphabet: int) -> list[int]:
    """One byte of each class that the languages tell apart, the most readable of it."""
    masks = frozenset().union(*(language.masks for language in languages))
    return _representatives(masks, alphabet)


@lru_cache(maxsize=1024)
def readable_byte(mask: int) -> int:
    """The most readable byte of a set."""
    return next((byte for byte in _READABLE if mask >> byte & 1), (mask & -mask).bit_length() - 1)


@lru_cache(maxsize=1024)
def _representatives(masks: frozenset[int], alphabet: int) -> list[int]:
    parts = [alphabet]
    for mask in sorted(masks):
        parts = [half for part in parts for half in (part & mask, part & ~mask) if half]
    order = {byte: rank for rank, byte in enumerate(_READABLE)}
    found = [readable_byte(part) for part in parts]
    return sorted(found, key=lambda byte: order.get(byte, 256 + byte))


def outside(small: Language, big: Language, alphabet: int = FIELD) -> bytes | None:
    """A shortest subject of ``small`` that ``big`` lacks; None if ``big`` includes it."""
    return witness(
        (small, big),
        lambda answers: answers[0] and not answers[1],
        alphabet,
        lambda none, every: none[0] or every[1],
    )


def common(one: Language, other: Language, alphabet: int = FIELD) -> bytes | None:
    """A shortest subject of both languages; None if they have none in common."""
    return witness((one, other), all, alphabet, lambda none, every: any(none))


def are_equal(one: Language, other: Language, alphabet: int = FIELD) -> bool:
    return witness((one, other), lambda answers: answers[0] != answers[1], alphabet) is None


def shortest(language: Language, alphabet: int = FIELD) -> bytes | None:
    return witness((language,), all, alphabet, lambda none, every: none[0])


# A pattern that matches no text has ^ behind a byte, $ before one, another edge, or a class without bytes.
_UNLIKELY = later(r"(?s)(?<=[^\[])\^|\$.|\\[bBAzZ]|\[\^(\[:|[^\]]*\\)")


@lru_cache(maxsize=PATTERNS_MAX)
def matches_nothing(pattern: str) -> bool:
    """Whether no text at all matches a pattern. False if that is unknown."""
    if not _UNLIKELY.search(pattern):
        return False
    read = parsed(pattern)
    if read is None or _has_text(read.tree):
        return False
    language = language_of(pattern)
    try:
        return language is not None and shortest(language, ALL_BYTES) is None
    except TooLargeError:
        return False


def _has_text(tree: Tree, first: bool = True, last: bool = True) -> bool:
    """Whether a tree surely matches some text: each set of bytes has one, ``^`` is only at the begin and
    ``$`` at the end, and there is no ``\\b``. False is no answer, but few patterns need an automaton."""
    match tree:
        case Bytes():
            return tree.mask != 0
        case Edge():
            return first if tree.kind == "^" else last and tree.kind in "$z"
        case Group():
            return _has_text(tree.item, first, last)
        case Choice():
            return any(_has_text(item, first, last) for item in tree.items)
        case Repeat():
            return tree.least == 0 or _has_text(tree.item, first and tree.most == 1, last and tree.most == 1)
        case Sequence():
            end = len(tree.items) - 1
            return all(
                _has_text(one, first and n == 0, last and n == end) for n, one in enumerate(tree.items)
            )
