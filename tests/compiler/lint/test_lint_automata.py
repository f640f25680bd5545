"""Automata answer as PCRE2 does, and what walks over several of them say is true for PCRE2."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.reference.regex import Regex
from vernis.lint.automata import TooLargeError, are_equal, common, language_of, matches_nothing, outside, text_language
from vernis.lint.pattern import ALL_BYTES, parsed
from vernis.pcre import PatternError

ATOMS = ["a", "b", "ab", ".", "\\.", "^", "$", "\\b", "\\B", "\\A", "\\z", "\\Z", "[ab]", "[^a]", "[[:alpha:]]", "[^\\n]", "\\d", "\\w",
         "\\s", "\\h", "\\W", "\\x41", "\\n", "A", "1", "_", "(?i)", "(?s)", "(?-i)", "[a-c]", "[]a]", "[\\d.-]", "{", "}", "{2", "-"]
PATTERNS = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=2, max_size=3).map("|".join),
        inner.map(lambda text: f"({text})"),
        inner.map(lambda text: f"(?:{text})"),
        inner.map(lambda text: f"(?i:{text})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?"])).map(lambda pair: f"(?:{pair[0]}){pair[1]}"),
    ),
    max_leaves=8,
)
SUBJECTS = st.lists(st.text("aAbB1_ .\n-{", max_size=6), min_size=6, max_size=6)


@settings(max_examples=250, deadline=None)
@given(PATTERNS, SUBJECTS)
def test_answers_are_those_of_pcre2(pattern: str, subjects: list[str]) -> None:
    language = language_of(pattern)
    try:
        regex = Regex(pattern.encode("latin-1"))
    except PatternError:
        return
    if language is None:
        return
    for subject in ["", *subjects]:
        text = subject.encode()
        assert language.matches(text) == regex.matches(text), (pattern, subject)


@settings(max_examples=150, deadline=None)
@given(PATTERNS, PATTERNS, SUBJECTS)
def test_walks_over_two_languages_are_right(one: str, other: str, subjects: list[str]) -> None:
    """A witness has the answers that it was asked for, and without a witness no subject has them."""
    first, second = language_of(one), language_of(other)
    try:
        one_regex, other_regex = Regex(one.encode("latin-1")), Regex(other.encode("latin-1"))
    except PatternError:
        return
    if first is None or second is None:
        return
    try:
        beyond, both = outside(first, second, ALL_BYTES), common(first, second, ALL_BYTES)
        equal = are_equal(first, second, ALL_BYTES)
    except TooLargeError:
        return
    if beyond is not None:
        assert one_regex.matches(beyond) and not other_regex.matches(beyond), beyond
        assert not equal
    if both is not None:
        assert one_regex.matches(both) and other_regex.matches(both), both
    for subject in ["", *subjects]:
        answers = one_regex.matches(subject.encode()), other_regex.matches(subject.encode())
        assert not (beyond is None and answers == (True, False))
        assert not (both is None and answers == (True, True))
        assert not (equal and answers[0] != answers[1])


@pytest.mark.parametrize(("small", "big", "expected"), [
    ("^/a/b", "^/a", None),
    ("^/a", "^/a/b", b"/a"),
    ("^a$", "^(a|b)$", None),
    ("www.example.com", "example", None),
    ("^[a-c]+$", "^[a-z]*$", None),
    ("^(a|b)*c", "c", None),
    ("\\.jpg$", "\\.(jpg|png)$", None),
    ("(?i)^a$", "^a$", b"A"),
    ("a{3}", "a{2}", None),
    ("a{2}", "a{3}", b"aa"),
])
def test_inclusion(small: str, big: str, expected: bytes | None) -> None:
    first, second = language_of(small), language_of(big)
    assert first is not None and second is not None
    assert outside(first, second) == expected


def test_a_text_is_a_language() -> None:
    prefix = language_of("^/a")
    assert prefix is not None
    assert outside(text_language("/a/b"), prefix) is None
    assert outside(text_language("/b"), prefix) == b"/b"


def test_a_walk_that_grows_too_much_ends() -> None:
    """An automaton for this pattern without choices of paths would have 2 to the 40 states."""
    many, other = language_of("^[ab]*a[ab]{40}$"), language_of("^[ab]*b[ab]{41}$")
    assert many is not None and other is not None
    with pytest.raises(TooLargeError):
        are_equal(many, other)


@pytest.mark.parametrize("pattern", ["(a)\\1", "a(?=b)", "(?>a)", "a++", "(?R)", "\\Kx", "(?|a)", "a{1001}", "(" * 99 + ")" * 99])
def test_a_pattern_beyond_automata_is_unknown(pattern: str) -> None:
    assert parsed(pattern) is None


TIGHT = ["a", "b", "^", "$", "\\b", "\\B", "\\z", "[^\\d\\D]", "[ab]", "-", ".", "(^|a)", "($|b)", "a?", "(?:b|^)", "\\n", "!"]


def test_what_is_said_to_match_nothing_matches_no_text() -> None:
    """PCRE2 finds none of all short texts, for each of 600 patterns; and most of those that match none of them are found."""
    random = Random(36)
    texts = ["".join(one).encode() for length in range(5) for one in product("ab-!\n", repeat=length)]
    said = missed = 0
    for _ in range(600):
        pattern = "".join(random.choices(TIGHT, k=random.randint(1, 5)))
        regex = Regex(pattern.encode())
        found = next((text for text in texts if regex.matches(text)), None)
        if matches_nothing(pattern):
            said += 1
            assert found is None, (pattern, found)
        else:
            missed += found is None
    assert said > 100 and missed < 10


@pytest.mark.parametrize("pattern, nothing", [
    ("!^Identity$", True), ("a^b", True), ("$a", True), ("a\\b\\Bc", True), ("a\\bc", True), ("(a|b)^", True), ("(?i)x$y", True),
    ("[^\\s\\S]", True), ("^a$", False), ("(^|a)b", False), ("a($|/)", False), ("(x^)?a", False), ("$\\n", False), ("^^a", False),
    ("a*^b", False), ("(?=a)b", False), ("\\^a", False), ("[a^b]", False), ("", False),
])
def test_patterns_that_match_nothing(pattern: str, nothing: bool) -> None:
    """A look-ahead is unknown, so nothing is said of it."""
    assert matches_nothing(pattern) is nothing
