"""RE003 and RE011: PCRE2 confirms each attack by the steps that it needs."""

from __future__ import annotations

import re

import pytest
from lint_helpers import results_of

from vernis import pcre
from support.reference.regex import MatchLimit, Regex
from vernis.lint.ambiguity import attack_on
from vernis.lint.rules.backtracking import POWER_MIN, USUAL_MAX
from vernis.lint.steps import BYTES_MAX, times_to_limit
from vernis.syntax.diagnostics import Severity

STEPS_MAX = 100_000


def steps(pattern: str, subject: bytes) -> int:
    """The lowest match limit with which PCRE2 answers, at most STEPS_MAX."""
    library, code = pcre.library(), pcre.compiled(pattern.encode("latin-1"), pcre.NEVER_UTF)
    data, context = library.pcre2_match_data_create_8(10, None), library.pcre2_match_context_create_8(None)

    def answers(limit: int) -> bool:
        library.pcre2_set_match_limit_8(context, limit)
        result: int = library.pcre2_match_8(code, subject, len(subject), 0, 0, data, context)
        assert limit < STEPS_MAX or result <= pcre.ERROR_NOMATCH, "an attack must not match"
        return result >= pcre.ERROR_NOMATCH

    try:
        low, high = 1, STEPS_MAX
        if not answers(high):
            return STEPS_MAX
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if answers(middle) else (middle + 1, high)
        return low
    finally:
        library.pcre2_code_free_8(code)
        library.pcre2_match_data_free_8(data)
        library.pcre2_match_context_free_8(context)


@pytest.mark.parametrize("pattern", [
    "(a+)+$",
    "^(a+)+b",  # PCRE2 looks for the b before it begins
    "(a|a)*c$",
    "^([a-z]+)*x",
    "(x+x+)+y",
    "^(\\d+|\\w)+$",
    "(\\w+\\.?)+com$",
    "(a+){2,}b",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "^(([^;]*;)*)*x",
    "^/(\\w+/?)+$",
    "(?i)^(a|A)+!",
    "^(a|ab|ba|b)+$",
])
def test_an_exponential_attack(pattern: str) -> None:
    attack = attack_on(pattern)
    assert attack is not None and attack.power is None
    few, more = steps(pattern, attack.text(4)), steps(pattern, attack.text(8))
    assert more == STEPS_MAX or more >= 8 * few
    assert steps(pattern, attack.text(40)) == STEPS_MAX


@pytest.mark.parametrize(("pattern", "power"), [
    (".*foo.*bar.*baz", 3),
    ("/.*/.*/.*/edit$", 3),
    ("^a.*b.*c.*d$", 3),
    ("(.*)(\\d+)(.*)x$", 3),
])
def test_a_polynomial_attack(pattern: str, power: int) -> None:
    attack = attack_on(pattern)
    assert attack is not None and attack.power is not None
    assert attack.power == power >= POWER_MIN
    few, more = steps(pattern, attack.text(15)), steps(pattern, attack.text(30))
    assert more == STEPS_MAX or more >= 5 * few


@pytest.mark.parametrize("pattern", [
    "^a+b+c$",
    "(a|b)+$",
    "(\\w+\\.)+com$",
    "([^;]*;)*x",
    "(a+)+",  # nothing behind it fails
    "(a*)*b",  # every b matches, and without a b PCRE2 does not begin
    "^(.*)foo(.*)$",
    "\\.(jpg|png)(\\?.*)?$",
    "^(?:/[a-z]+)*/?$",
    "(a+)\\1+$",  # a back reference: not judged
    "(\\bfoo.*)+x",  # a condition inside of a loop: not judged
    "a\n/.*/.*/.*/x$",  # no field has a line feed, so that no value comes to the loops
])
def test_a_pattern_without_attack(pattern: str) -> None:
    assert attack_on(pattern) is None


@pytest.mark.parametrize("pattern", ["(" + "|".join(f"[a-z]{{{n}}}" for n in range(1, 60)) + ")*x", "(a?){300}(b*)*c$"])
def test_a_large_pattern_is_not_judged(pattern: str) -> None:
    assert attack_on(pattern) is None


def gives_up(pattern: str, subject: bytes) -> bool:
    """Whether the reference interpreter, which matches as the daemon does, fails."""
    try:
        assert not Regex(pattern.encode()).matches(subject), "an attack must not match"
    except MatchLimit:
        return True
    return False


@pytest.mark.parametrize(("pattern", "rule", "severity"), [
    ("(a+)+$", "RE003", Severity.ERROR),
    ("^([a-z]+)*x", "RE003", Severity.ERROR),
    ("^(\\d+|\\w)+$", "RE003", Severity.ERROR),
    ("^a.*b.*c.*d$", "RE011", Severity.WARNING),
    ("/.*/.*/.*/edit$", "RE011", Severity.WARNING),
    ("(.*)(\\d+)(.*)x$", "RE011", Severity.WARNING),
    ("^/.*a.*b.*c.*d$", "RE011", Severity.WARNING),
    (".*a.*b.*c.*d.*e$", "RE011", Severity.WARNING),
    # long words between the repeats: many bytes for few ways
    (".*foo.*bar.*baz", "RE011", Severity.NOTE),
    ("(?i).+STONES.+PEBBLES.+GRAVEL$", "RE011", Severity.NOTE),
])
def test_a_finding_says_how_many_bytes_reach_the_limit(pattern: str, rule: str, severity: Severity) -> None:
    [result] = results_of(f'sub vcl_recv {{ if (req.http.X-A ~ "{pattern}") {{ return (pass); }} }}', ("RE003", "RE011"))
    said = re.search(r": ([0-9]+) bytes reach pcre2_match_limit, such as .", result.finding.message)
    assert (result.rule.id, result.diagnostic.severity) == (rule, severity) and said is not None
    attack = attack_on(pattern)
    times = attack and times_to_limit(pattern, attack)
    assert attack is not None and times is not None
    assert len(attack.text(times)) == int(said[1]) and (int(said[1]) > USUAL_MAX) == (severity is Severity.NOTE)
    assert gives_up(pattern, attack.text(times)) and not gives_up(pattern, attack.text(times - 1))


@pytest.mark.parametrize("pattern", [
    "bab\\w+$(a*){3}",  # nothing can follow the end
    "(?i).+{0}.+{0}x.+{0}y$".format("A_VERY_LONG_NAME_OF_A_COLUMN_IN_A_TABLE_THAT_NOBODY_HAS"),  # too many bytes between the repeats
])
def test_no_finding_without_a_value_that_reaches_the_limit(pattern: str) -> None:
    attack = attack_on(pattern)
    assert attack is not None and attack.power is not None and attack.power >= POWER_MIN
    longest = max(times for times in range(BYTES_MAX) if len(attack.text(times)) <= BYTES_MAX)
    assert not gives_up(pattern, attack.text(longest))
    assert not results_of(f'sub vcl_recv {{ if (req.http.X-A ~ "{pattern}") {{ return (pass); }} }}', ("RE003", "RE011"))
