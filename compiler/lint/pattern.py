"""A pattern of PCRE2 as a tree, read from its bytes as PCRE2 reads them without options.

The tree decides which subjects match, and has the places in the pattern for findings and edits. Back
references, look-around, atomic groups and the like have no tree: ``UnknownPatternError``. So a judgement
about a pattern is right, or there is none.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

from vernis.record import record
from vernis.regex import later

REPEAT_MAX = 1000  # of one item: a pattern that counts further is unknown
NESTING_MAX = 60  # groups in groups
PATTERNS_MAX = 16_384  # patterns whose trees and answers a process keeps

ALL_BYTES = (1 << 256) - 1


class UnknownPatternError(ValueError):
    """Nothing is known about which subjects match."""


@record(frozen=True)
class Bytes:
    """One byte of a set: bit n of ``mask`` is byte n. ``written`` is the text of the pattern."""

    mask: int
    start: int
    end: int
    kind: str  # "literal", "dot", "class" or "escape"


@record(frozen=True)
class Edge:
    """A condition between two bytes: ``^``, ``$`` (also before a last line feed), ``z``, ``b`` or ``B``."""

    kind: str
    start: int


@record(frozen=True)
class Sequence:
    items: tuple[Tree, ...]


@record(frozen=True)
class Choice:
    """``spans`` are the places of the alternatives."""

    items: tuple[Tree, ...]
    spans: tuple[tuple[int, int], ...]


@record(frozen=True)
class Repeat:
    """``most`` is None without a limit. ``start`` to ``end`` includes the item."""

    item: Tree
    least: int
    most: int | None
    start: int
    end: int


@record(frozen=True)
class Group:
    """Parentheses; ``number`` is None if they capture nothing."""

    item: Tree
    number: int | None
    start: int


Tree: TypeAlias = Bytes | Edge | Sequence | Choice | Repeat | Group


# ---- sets of bytes -----------------------------------------------------------------------------------------


def mask_of(text: bytes) -> int:
    mask = 0
    for byte in text:
        mask |= 1 << byte
    return mask


def _range(first: int, last: int) -> int:
    return ((1 << (last - first + 1)) - 1) << first


LF = 1 << 10
DIGITS = _range(0x30, 0x39)
_LOWER, _UPPER = _range(0x61, 0x7A), _range(0x41, 0x5A)
WORD = DIGITS | _LOWER | _UPPER | mask_of(b"_")
_SPACE = mask_of(b" \t\n\v\f\r")
_GRAPH = _range(0x21, 0x7E)
_POSIX = {
    "alnum": DIGITS | _LOWER | _UPPER,
    "alpha": _LOWER | _UPPER,
    "ascii": _range(0, 127),
    "blank": mask_of(b" \t"),
    "cntrl": _range(0, 31) | 1 << 127,
    "digit": DIGITS,
    "graph": _GRAPH,
    "lower": _LOWER,
    "print": _GRAPH | mask_of(b" "),
    "punct": _GRAPH & ~(DIGITS | _LOWER | _UPPER),
    "space": _SPACE,
    "upper": _UPPER,
    "word": WORD,
    "xdigit": DIGITS | mask_of(b"abcdefABCDEF"),
}
_SETS = {"d": DIGITS, "w": WORD, "s": _SPACE, "h": mask_of(b"\t \xa0"), "v": mask_of(b"\n\v\f\r\x85")}
_SETS |= {name.upper(): ALL_BYTES & ~mask for name, mask in _SETS.items()}
_SETS["N"] = ALL_BYTES & ~LF
_CONTROLS = {"a": 7, "t": 9, "n": 10, "f": 12, "r": 13, "e": 27}
_EDGES = {"A": "^", "Z": "$", "z": "z", "b": "b", "B": "B"}


def folded(mask: int) -> int:
    """The set with the other case of each letter in it."""
    return mask | (mask & _LOWER) >> 32 | (mask & _UPPER) << 32


# ---- the reader --------------------------------------------------------------------------------------------

_PLAIN = later(r"[\w /=&;:,%@!~'\"<>#-]+(?![*+?{\w /=&;:,%@!~'\"<>#-])", re.A)
_COUNT = later(r"\{(\d{1,5})(,(\d{1,5})?)?\}")
_ODD_COUNT = later(r"\{[ \t]*,?[ \t]*\d+[ \t]*(,[ \t]*\d*[ \t]*)?\}")  # a repeat for some releases only
_NAMED = later(r"\?(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')")
_OPTIONS = later(r"\?([is]*)(?:-([is]+))?([:)])")
_HEX = later(r"x(?:([0-9A-Fa-f]{1,2})|\{([0-9A-Fa-f]{1,2})\})")
_POSIX_NAME = later(r"\[:(\^?)([a-z]+):\]")


@record(frozen=True)
class Pattern:
    """``text`` has one character a byte. ``groups`` capture."""

    text: str
    tree: Tree
    groups: int


@lru_cache(maxsize=PATTERNS_MAX)
def parsed(text: str) -> Pattern | None:
    """The pattern, one character a byte; None if there is no tree for it."""
    try:
        reader = _Reader(text)
        tree = reader.alternatives(0)
        if reader.at < len(text):
            return None
    except (UnknownPatternError, IndexError):
        return None
    return Pattern(text, tree, reader.groups)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at, self.groups, self.caseless, self.dotall = text, 0, 0, False, False

    def alternatives(self, depth: int) -> Tree:
        """Up to the end of a group or of the pattern. Options that change inside hold to its end."""
        if depth > NESTING_MAX:
            raise UnknownPatternError
        before = self.caseless, self.dotall
        items: list[Tree] = []
        spans: list[tuple[int, int]] = []
        while True:
            start = self.at
            items.append(self.sequence(depth))
            spans.append((start, self.at))
            if not self.takes("|"):
                break
        self.caseless, self.dotall = before
        return items[0] if len(items) == 1 else Choice(tuple(items), tuple(spans))

    def sequence(self, depth: int) -> Tree:
        items: list[Tree] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            self.plain_bytes(items)
            start = self.at
            if start == len(self.text) or self.text[start] in "|)":
                break
            item = self.item(depth)
            if item is not None:
                items.append(self.repeated(item, start))
        return Sequence(tuple(items))

    def plain_bytes(self, items: list[Tree]) -> None:
        """Adds the next bytes that are only themselves, but not the last one, which may be repeated."""
        run = _PLAIN.match(self.text, self.at)
        if run is None:
            return
        for at in range(self.at, run.end()):
            byte = ord(self.text[at])
            items.append(Bytes(folded(1 << byte) if self.caseless else 1 << byte, at, at + 1, "literal"))
        self.at = run.end()

    def item(self, depth: int) -> Tree | None:
        start = self.at
        char = self.text[start]
        self.at += 1
        match char:
            case "(":
                return self.group(depth, start)
            case "[":
                return Bytes(self.char_class(), start, self.at, "class")
            case "\\":
                return self.escape(start)
            case ".":
                return Bytes(ALL_BYTES if self.dotall else ALL_BYTES & ~LF, start, self.at, "dot")
            case "^" | "$":
                return Edge(char, start)
            case "*" | "+" | "?":
                raise UnknownPatternError
        if char == "{" and _ODD_COUNT.match(self.text, start):
            raise UnknownPatternError
        return self.literal(ord(char), start)

    def literal(self, byte: int, start: int) -> Bytes:
        mask = 1 << byte
        return Bytes(folded(mask) if self.caseless else mask, start, self.at, "literal")

    def takes(self, text: str) -> bool:
        if self.text.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    # ---- repeats ---------------------------------------------------------------------------------------

    def repeated(self, item: Tree, start: int) -> Tree:
        while (bounds := self.bounds()) is not None:
            if isinstance(item, Edge) or self.takes("+"):
                raise UnknownPatternError
            self.takes("?")
            item = Repeat(item, *bounds, start, self.at)
        return item

    def bounds(self) -> tuple[int, int | None] | None:
        for sign, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.takes(sign):
                return bounds
        count = _COUNT.match(self.text, self.at)
        if count is None:
            return None
        least = int(count[1])
        most = least if count[2] is None else None if count[3] is None else int(count[3])
        if max(least, most or 0) > REPEAT_MAX or (most is not None and most < least):
            raise UnknownPatternError
        self.at = count.end()
        return least, most

    # ---- groups ----------------------------------------------------------------------------------------

    def group(self, depth: int, start: int) -> Tree | None:
        number = None
        before = self.caseless, self.dotall
        if self.text.startswith("*", self.at):
            raise UnknownPatternError
        if self.takes("?#"):
            self.at = self.text.index(")", self.at) + 1 if ")" in self.text[self.at :] else len(self.text) + 1
            if self.at > len(self.text) or self.bounds() is not None:
                raise UnknownPatternError
            return None
        named, options = _NAMED.match(self.text, self.at), _OPTIONS.match(self.text, self.at)
        if options is not None:
            self.at = options.end()
            self.set_options(options[1], options[2] or "")
            if options[3] == ")":
                if self.bounds() is not None:
                    raise UnknownPatternError
                return None
        elif named is not None or not self.text.startswith("?", self.at):
            self.at = self.at if named is None else named.end()
            self.groups += 1
            number = self.groups
        else:
            raise UnknownPatternError
        inner = self.alternatives(depth + 1)
        if not self.takes(")"):
            raise UnknownPatternError
        self.caseless, self.dotall = before
        return Group(inner, number, start)

    def set_options(self, on: str, off: str) -> None:
        self.caseless = ("i" in on or self.caseless) and "i" not in off
        self.dotall = ("s" in on or self.dotall) and "s" not in off

    # ---- escapes and classes ---------------------------------------------------------------------------

    def escape(self, start: int) -> Tree:
        char = self.text[self.at]
        if char in _EDGES:
            self.at += 1
            return Edge(_EDGES[char], start)
        if char in _SETS:
            self.at += 1
            return Bytes(_SETS[char], start, self.at, "escape")
        return self.literal(self.escaped_byte(), start)

    def escaped_byte(self) -> int:
        """The byte of an escape; the backslash has been read."""
        char = self.text[self.at]
        self.at += 1
        if char in _CONTROLS:
            return _CONTROLS[char]
        digits = _HEX.match(self.text, self.at - 1)
        if digits is not None:
            self.at = digits.end()
            return int(digits[1] or digits[2], 16)
        if char.isascii() and char.isalnum():
            raise UnknownPatternError
        return ord(char)

    def char_class(self) -> int:
        negated = self.takes("^")
        mask = 0
        first = True
        while first or not self.text.startswith("]", self.at):
            mask |= self.class_item()
            first = False
        self.at += 1
        mask = folded(mask) if self.caseless else mask
        return ALL_BYTES & ~mask if negated else mask

    def class_item(self) -> int:
        posix = _POSIX_NAME.match(self.text, self.at)
        if posix is not None:
            if posix[2] not in _POSIX:
                raise UnknownPatternError
            self.at = posix.end()
            self.no_range()
            return ALL_BYTES & ~_POSIX[posix[2]] if posix[1] else _POSIX[posix[2]]
        if self.text.startswith(("[.", "[=", "[:"), self.at):
            raise UnknownPatternError
        if self.text[self.at] == "\\" and self.text[self.at + 1] in _SETS:
            name = self.text[self.at + 1]
            self.at += 2
            self.no_range()
            if name == "N":
                raise UnknownPatternError
            return _SETS[name]
        low = self.class_byte()
        if not self.text.startswith("-", self.at) or self.text.startswith("-]", self.at):
            return 1 << low
        self.at += 1
        if self.text.startswith("[:", self.at):
            raise UnknownPatternError
        high = self.class_byte()
        if high < low:
            raise UnknownPatternError
        return _range(low, high)

    def no_range(self) -> None:
        if self.text.startswith("-", self.at) and not self.text.startswith("-]", self.at):
            raise UnknownPatternError

    def class_byte(self) -> int:
        char = self.text[self.at]
        self.at += 1
        if char != "\\":
            return ord(char)
        if self.text[self.at] == "b":
            self.at += 1
            return 8
        return self.escaped_byte()


# ---- shapes ------------------------------------------------------------------------------------------------


@record(frozen=True)
class Shape:
    """A pattern that is one text: ``^text$`` and the like."""

    text: str
    at_start: bool
    at_end: bool


def shape_of(tree: Tree) -> Shape | None:
    """The text that a pattern without a choice is; None if it is more."""
    items = list(flat(tree))
    at_start = bool(items) and isinstance(items[0], Edge) and items[0].kind == "^"
    at_end = len(items) > at_start and isinstance(items[-1], Edge) and items[-1].kind in "$z"
    inner = items[at_start : len(items) - at_end]
    text = [one_byte(item) for item in inner]
    if None in text:
        return None
    return Shape("".join(filter(None, text)), at_start, at_end)


def flat(tree: Tree) -> tuple[Tree, ...]:
    """The items of a sequence, with those of groups that are sequences."""
    if isinstance(tree, Group):
        return flat(tree.item)
    if isinstance(tree, Sequence):
        return tuple(inner for item in tree.items for inner in flat(item))
    return (tree,)


def one_byte(tree: Tree) -> str | None:
    if isinstance(tree, Bytes) and tree.mask & (tree.mask - 1) == 0 and tree.mask:
        return chr(tree.mask.bit_length() - 1)
    return None


def has_start(tree: Tree) -> bool:
    """Whether a match begins where the text does."""
    if isinstance(tree, Group):
        return has_start(tree.item)
    if isinstance(tree, Choice):
        return all(map(has_start, tree.items))
    if isinstance(tree, Sequence):
        return bool(tree.items) and has_start(tree.items[0])
    return isinstance(tree, Edge) and tree.kind == "^"


def trees_in(tree: Tree) -> list[Tree]:
    """A tree and all trees in it, in the order of the pattern."""
    found, stack = [], [tree]
    while stack:
        one = stack.pop()
        found.append(one)
        if isinstance(one, Sequence | Choice):
            stack += reversed(one.items)
        elif isinstance(one, Repeat | Group):
            stack.append(one.item)
    return found
