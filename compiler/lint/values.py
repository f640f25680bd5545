"""Compares tests of one value: which values pass the first, the second, both, or none.

A test of a text is an automaton, a test of a number is an interval, a test against an ACL is a set of
networks. Most patterns are one text with or without anchors, and are compared as texts. Beyond its limits a
comparison answers that it knows nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

from vernis.lint.automata import (
    FIELD,
    Language,
    TooLargeError,
    common,
    language_of,
    outside,
    readable_byte,
    shortest,
    text_language,
    witness,
)
from vernis.lint.pattern import (
    ALL_BYTES,
    PATTERNS_MAX,
    Bytes,
    Choice,
    Group,
    Repeat,
    Sequence,
    Shape,
    Tree,
    has_start,
    parsed,
    shape_of,
)
from vernis.lint.quick import needs_bytes
from vernis.lint.uses import alphabet_of
from vernis.lint.view import MESSAGES, View, bare, field_of
from vernis.record import record
from vernis.semantics.typed import Acl
from vernis.semantics.types import BYTES_UNITS, DURATION_UNITS
from vernis.syntax import nodes

WALKS_MAX = 300  # of automata, for one policy
TEXTS_MAX = 32  # of one pattern, a text for each of its alternatives
ENTRIES_MAX = 400  # of an ACL
LANGUAGES_MAX = 16  # that one walk compares

_Networks: TypeAlias = tuple[tuple[int, int], ...]  # first and last address of each range, in order


@record(frozen=True)
class Test:
    """A test of ``name`` without its sign. ``kind``: "match" has a pattern in ``text``, "text" the text to
    compare with, "present" nothing, "acl" the name of an ACL, "number" an interval, "true" nothing."""

    name: str
    kind: str
    text: str = ""
    interval: Interval | None = None


@record(frozen=True)
class Interval:
    """The numbers from ``low`` to ``high``, with or without its ends."""

    low: float
    low_in: bool
    high: float
    high_in: bool

    def includes(self, other: Interval) -> bool:
        low = self.low < other.low or (self.low == other.low and (self.low_in or not other.low_in))
        high = self.high > other.high or (self.high == other.high and (self.high_in or not other.high_in))
        return low and high

    def is_apart(self, other: Interval) -> bool:
        one, two = sorted((self, other), key=lambda interval: (interval.low, not interval.low_in))
        return one.high < two.low or (one.high == two.low and not (one.high_in and two.low_in))


_INFINITE = float("inf")
_UNITS = {**BYTES_UNITS, **DURATION_UNITS}  # `m` is minutes, except in sizes
# Besides the messages: what a name without side effects begins with.
_ROOTS = MESSAGES | {"client", "server", "local", "remote"}


def test_of(view: View, test: nodes.Expr) -> tuple[Test, bool] | None:
    """The test of one variable, and whether it holds when the expression does; None for other expressions."""
    tests = view.tests
    if id(test) not in tests:
        tests[id(test)] = _test_of(view, test)
    known: tuple[Test, bool] | None = tests[id(test)]
    return known


def _test_of(view: View, test: nodes.Expr) -> tuple[Test, bool] | None:
    if not isinstance(test, nodes.Compare):
        name = _stable(view, test)
        return None if name is None else (Test(name, "present" if _is_text(name) else "true"), True)
    name, text = _stable(view, test.left), view.text(test.right)
    if name is None:
        return None
    if test.op in ("~", "!~"):
        acl = view.variable(test.right)
        if text is not None:
            return Test(name, "match", text), test.op == "~"
        return (Test(name, "acl", acl), test.op == "~") if acl in view.acls else None
    if text and test.op in ("==", "!="):
        return Test(name, "text", text), test.op == "=="
    number = _number(test.right)
    return None if number is None else _number_test(name, test.op, number)


def one_of_texts(view: View, test: nodes.Expr) -> tuple[Test, bool] | None:
    """The test whether a variable has one of several texts, of ``a == "x" || a == "y"`` and its negation."""
    if not isinstance(test, nodes.And | nodes.Or):
        return None
    sign = isinstance(test, nodes.Or)
    texts: list[Test] = []
    for operand in test.operands:
        found = test_of(view, bare(operand))
        if found is None or found[0].kind != "text" or found[1] is not sign:
            return None
        texts.append(found[0])
    if len({one.name for one in texts}) > 1:
        return None
    return Test(texts[0].name, "match", f"^({'|'.join(re.escape(one.text) for one in texts)})$"), sign


def _stable(view: View, expr: nodes.Expr) -> str | None:
    """The name of a variable that only the policy changes while a hook runs, or of a local of 5.0."""
    name = view.variable(expr)
    if name is None or "." not in name:
        return name if name in view.sets else None
    return name if name.partition(".")[0] in _ROOTS else None


def _may_be_unset(name: str) -> bool:
    """Whether a value may not exist: that of a field, or of a local variable of 5.0, which has no dot."""
    return field_of(name) is not None or "." not in name


def _is_text(name: str) -> bool:
    return field_of(name) is not None or name.rpartition(".")[2] in ("url", "method", "proto", "reason")


def _number(expr: nodes.Expr) -> float | None:
    expr = bare(expr)
    if isinstance(expr, nodes.Neg):
        inner = _number(expr.operand)
        return None if inner is None else -inner
    if not isinstance(expr, nodes.NumberLit):
        return None
    unit = 1.0 if expr.unit is None else _UNITS.get(expr.unit.lower())
    return None if unit is None else float(expr.digits) * unit


def _number_test(name: str, op: str, number: float) -> tuple[Test, bool] | None:
    intervals = {
        "==": Interval(number, True, number, True),
        "!=": Interval(number, True, number, True),
        "<": Interval(-_INFINITE, True, number, False),
        ">=": Interval(-_INFINITE, True, number, False),
        "<=": Interval(-_INFINITE, True, number, True),
        ">": Interval(-_INFINITE, True, number, True),
    }
    return Test(name, "number", "", intervals[op]), op in ("==", "<", "<=")


class Values:
    """The comparisons of one policy. ``one`` and ``other`` are tests of the same name. An answer is False if
    the contrary holds or nothing is known."""

    def __init__(self, view: View) -> None:
        self.acls = {acl.name.lower(): acl for acl in view.checked.acls}
        self.walks = 0
        self._known: dict[tuple[str, Test, Test], bool] = {}
        self._ranges: dict[str, tuple[_Networks, ...] | None] = {}
        self._possible: dict[tuple[tuple[Test, bool], ...], bool] = {}

    def includes(self, one: Test, other: Test) -> bool:
        """Whether all values that pass ``other`` pass ``one``."""
        if one == other:
            return True
        return self._answer("includes", one, other)

    def are_apart(self, one: Test, other: Test) -> bool:
        """Whether no value passes both."""
        return one != other and self._answer("apart", one, other)

    def cover_all(self, one: Test, other: Test) -> bool:
        """Whether each value passes one of both."""
        return self._answer("cover", one, other)

    def answer(self, test: Test, known: Test, held: bool) -> bool | None:
        """Whether a value passes ``test``, if it is known that it passed ``known``, or did not."""
        if held:
            if self.includes(test, known):
                return True
            return False if self.are_apart(test, known) else None
        if self.includes(known, test):
            return False
        return True if self.cover_all(known, test) else None

    def are_related(self, one: Test, other: Test) -> bool:
        """Whether the result of one test can tell that of the other."""
        return any(self.answer(one, other, held) is not None for held in (True, False))

    def is_possible(self, results: tuple[tuple[Test, bool], ...]) -> bool:
        """Whether a value can give its tests these results. True if that is unknown."""
        if results not in self._possible:
            absent = _may_be_unset(results[0][0].name) and all(
                passes(test, None) in (held, None) for test, held in results
            )
            self._possible[results] = absent or self._has_text(results)
        return self._possible[results]

    def _has_text(self, results: tuple[tuple[Test, bool], ...]) -> bool:
        if any(test.kind == "present" and not held for test, held in results):
            return False
        found = [(_language(test), held) for test, held in results if test.kind in ("match", "text")]
        languages = tuple(language for language, _ in found if language is not None)
        if len(languages) < len(found) or len(found) > LANGUAGES_MAX:
            return True
        wanted = tuple(held for _, held in found)

        def is_over(none: tuple[bool, ...], every: tuple[bool, ...]) -> bool:
            return any(no if held else all_ for held, no, all_ in zip(wanted, none, every, strict=True))

        try:
            self._walk()
            alphabet = alphabet_of(results[0][0].name)
            return witness(languages, lambda answers: answers == wanted, alphabet, is_over) is not None
        except TooLargeError:
            return True

    def is_always(self, one: Test) -> bool:
        """Whether all values pass: a pattern that matches everything."""
        if one.kind != "match" or needs_bytes(one.text) or not _passes_unset(one):
            return False
        return self.cover_all(one, one)

    def _answer(self, question: str, one: Test, other: Test) -> bool:
        key = (question, one, other)
        if key not in self._known:
            try:
                self._known[key] = self._compared(question, one, other)
            except TooLargeError:
                self._known[key] = False
        return self._known[key]

    def _compared(self, question: str, one: Test, other: Test) -> bool:
        if one.interval is not None and other.interval is not None:
            if question == "includes":
                return one.interval.includes(other.interval)
            return question == "apart" and one.interval.is_apart(other.interval)
        if one.kind == other.kind == "acl":
            return self._compared_acls(question, one.text, other.text)
        texts = ("match", "text", "present")
        if one.kind not in texts or other.kind not in texts:
            return False
        if question == "includes":
            return (_passes_unset(one) or not _passes_unset(other)) and self._text_includes(one, other)
        if question == "apart":
            both = _may_be_unset(one.name) and _passes_unset(one) and _passes_unset(other)
            return not both and self._texts_apart(one, other)
        return (_passes_unset(one) or _passes_unset(other)) and self._texts_cover(one, other)

    # ---- texts -----------------------------------------------------------------------------------------

    def _text_includes(self, one: Test, other: Test) -> bool:
        if one.kind == "present":
            return True
        big, small = _shape(one), _shape(other)
        if big is not None and small is not None:
            return _shape_includes(big, small)
        wide, narrow = _language(one), _language(other)
        if wide is None or narrow is None or _is_outside(_sample(other), wide):
            return False
        example = _example(other, narrow)
        if example is None or not wide.matches(example):
            return False
        self._walk()
        return outside(narrow, wide, alphabet_of(one.name)) is None

    def _texts_apart(self, one: Test, other: Test) -> bool:
        shapes = _shape(one), _shape(other)
        if shapes[0] is not None and shapes[1] is not None:
            return _shapes_apart(shapes[0], shapes[1])
        if not (_begins(one) and _begins(other)):
            return False  # a text may have both in it
        first, second = _language(one), _language(other)
        if first is None or second is None:
            return False
        examples = _example(one, first), _example(other, second)
        if examples[0] is None or examples[1] is None:
            return False
        if second.matches(examples[0]) or first.matches(examples[1]):
            return False
        self._walk()
        return common(first, second, alphabet_of(one.name)) is None

    def _texts_cover(self, one: Test, other: Test) -> bool:
        if "present" in (one.kind, other.kind):
            return True
        if _fails_empty(one) and _fails_empty(other):
            return False
        first, second = _language(one), _language(other)
        if first is None or second is None:
            return False
        if not all(first.matches(text) or second.matches(text) for text in (b"", b"a", b"/", b"0 =z")):
            return False
        self._walk()
        return witness((first, second), lambda answers: not any(answers), alphabet_of(one.name)) is None

    def _walk(self) -> None:
        self.walks += 1
        if self.walks > WALKS_MAX:
            raise TooLargeError

    # ---- ACLs ------------------------------------------------------------------------------------------

    def _compared_acls(self, question: str, one: str, other: str) -> bool:
        first, second = self._networks(one), self._networks(other)
        if first is None or second is None:
            return False
        if question == "includes":
            return all(map(_covers, first, second))
        return question == "apart" and all(map(_no_overlap, first, second))

    def _networks(self, name: str) -> tuple[_Networks, ...] | None:
        """The addresses of version 4 and 6 in an ACL."""
        if name not in self._ranges:
            acl = self.acls.get(name)
            large = acl is None or len(acl.entries) > ENTRIES_MAX
            self._ranges[name] = None if large or acl is None else (ranges_of(acl, 4), ranges_of(acl, 16))
        return self._ranges[name]


def ranges_of(acl: Acl, width: int) -> _Networks:
    """The addresses of ``width`` bytes in an ACL. The longest network that has an address decides."""
    spans = []
    for entry in acl.entries:
        if len(entry.address) == width:
            size = 1 << (8 * width - entry.bits)
            first = int.from_bytes(entry.address) // size * size
            spans.append((entry.bits, first, first + size - 1, not entry.negated))
    edges = sorted({edge for _, first, last, _ in spans for edge in (first, last + 1)})
    found: list[tuple[int, int]] = []
    for low, high in zip(edges, edges[1:], strict=False):
        holding = [(bits, inside) for bits, first, last, inside in spans if first <= low <= last]
        if holding and max(holding)[1]:
            if found and found[-1][1] == low - 1:
                found[-1] = (found[-1][0], high - 1)
            else:
                found.append((low, high - 1))
    return tuple(found)


def _covers(wide: _Networks, narrow: _Networks) -> bool:
    return all(any(a <= first and last <= b for a, b in wide) for first, last in narrow)


def _no_overlap(one: _Networks, other: _Networks) -> bool:
    return not any(a <= last and first <= b for a, b in one for first, last in other)


# ---- shapes of patterns ------------------------------------------------------------------------------------


def passes(one: Test, text: str | None) -> bool | None:
    """Whether a text passes a test of a text; None if that is unknown. ``text`` None: a value that does not
    exist, which is an empty text for a pattern."""
    match one.kind:
        case "present":
            return text is not None
        case "text":
            return text == one.text
        case "match":
            language = language_of(one.text)
            return None if language is None else language.matches((text or "").encode("latin-1"))
    return None


def _passes_unset(one: Test) -> bool:
    """Whether a value that does not exist passes. It is an empty text for a pattern. Others exist."""
    if not _may_be_unset(one.name):
        return True
    language = _language(one) if one.kind == "match" and not needs_bytes(one.text) else None
    return language is not None and language.matches(b"")


def _fails_empty(one: Test) -> bool:
    """Whether an empty text fails, as can be told without an automaton."""
    return bool(one.text) if one.kind == "text" else needs_bytes(one.text)


def _shape(one: Test) -> Shape | None:
    if one.kind == "text":
        return Shape(one.text, True, True)
    return _shape_of(one.text) if one.kind == "match" and alphabet_of(one.name) != ALL_BYTES else None


@lru_cache(maxsize=PATTERNS_MAX)
def _shape_of(pattern: str) -> Shape | None:
    read = parsed(pattern)
    return None if read is None else shape_of(read.tree)


def _shape_includes(big: Shape, small: Shape) -> bool:
    if (big.at_start and not small.at_start) or (big.at_end and not small.at_end):
        return False
    if big.at_start and big.at_end:
        return small.text == big.text
    if big.at_start:
        return small.text.startswith(big.text)
    return small.text.endswith(big.text) if big.at_end else big.text in small.text


def _shapes_apart(one: Shape, other: Shape) -> bool:
    for whole, part in ((one, other), (other, one)):
        if whole.at_start and whole.at_end:
            return not _shape_includes(part, whole)
    if one.at_start and other.at_start:
        return not (one.text.startswith(other.text) or other.text.startswith(one.text))
    if one.at_end and other.at_end:
        return not (one.text.endswith(other.text) or other.text.endswith(one.text))
    return False


def _begins(one: Test) -> bool:
    """Whether the test is about the begin of a text."""
    read = parsed(one.text) if one.kind == "match" else None
    return one.kind == "text" or (read is not None and has_start(read.tree))


def _language(one: Test) -> Language | None:
    if one.kind == "text":
        return text_language(one.text)
    return language_of(one.text if one.kind == "match" else "")


def _is_outside(sample: bytes | None, language: Language) -> bool:
    return sample is not None and not language.matches(sample)


def _sample(one: Test) -> bytes | None:
    """A text that passes a test of a text; None if none is found without a walk. It need not be a short one,
    so it costs a tenth of ``_example``."""
    if one.kind == "text":
        return one.text.encode("latin-1")
    return _sample_of(one.text, alphabet_of(one.name)) if one.kind == "match" else None


@lru_cache(maxsize=PATTERNS_MAX)
def _sample_of(pattern: str, alphabet: int) -> bytes | None:
    read, language = parsed(pattern), language_of(pattern)
    sample = None if read is None else _first_text(read.tree, alphabet)
    return sample if sample is not None and language is not None and language.matches(sample) else None


def _first_text(tree: Tree, alphabet: int) -> bytes | None:
    """The text of the first alternatives, without optional parts. Edges are left to the caller."""
    match tree:
        case Bytes():
            mask = tree.mask & alphabet
            return bytes((readable_byte(mask),)) if mask else None
        case Group():
            return _first_text(tree.item, alphabet)
        case Choice():
            return _first_text(tree.items[0], alphabet)
        case Repeat():
            inner = _first_text(tree.item, alphabet) if tree.least else b""
            return None if inner is None else inner * tree.least
        case Sequence():
            parts = [_first_text(item, alphabet) for item in tree.items]
            return None if None in parts else b"".join(part for part in parts if part is not None)
    return b""


@lru_cache(maxsize=PATTERNS_MAX)
def texts_of(pattern: str, alphabet: int) -> tuple[str, ...]:
    """A text for each alternative of a pattern, without optional parts; nothing for a pattern with too many,
    or one that is unknown. A repeated alternative is the same one each time."""
    read, language = parsed(pattern), language_of(pattern)
    found = None if read is None else _texts(read.tree, alphabet)
    if not found or language is None or not all(map(language.matches, found)):
        return ()
    return tuple(text.decode("latin-1") for text in found)


def _texts(tree: Tree, alphabet: int) -> list[bytes] | None:
    match tree:
        case Group():
            return _texts(tree.item, alphabet)
        case Choice():
            found = [_texts(item, alphabet) for item in tree.items]
            return [text for texts in found for text in texts or ()] if None not in found else None
        case Repeat():
            inner = _texts(tree.item, alphabet) if tree.least else [b""]
            return None if inner is None else [text * tree.least for text in inner]
        case Sequence():
            texts: list[bytes] = [b""]
            for item in tree.items:
                more = _texts(item, alphabet)
                if more is None or len(texts) * len(more) > TEXTS_MAX:
                    return None
                texts = [text + end for text in texts for end in more]
            return texts
    first = _first_text(tree, alphabet)
    return None if first is None else [first]


def _example(one: Test, language: Language) -> bytes | None:
    return one.text.encode("latin-1") if one.kind == "text" else _shortest(language)


@lru_cache(maxsize=1024)
def _shortest(language: Language) -> bytes | None:
    return shortest(language, FIELD)
