"""Automata answer as PCRE2 does, and inclusion is inclusion."""

from __future__ import annotations


from hypothesis import given, settings
from hypothesis import strategies as st

from vernis.ir.world_pcre import Regex
from vernis.lint.automata import language_of
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


@settings(max_examples=600, deadline=None)
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
