"""Random policies of vcl 5.0 give the same results in the model of random_five.py, in the interpreter and as native code: a few here,
any number with five_run.py. The checker's facts about absent values hold when such policies run."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from five_run import STARTS, difference, lowered
from language_run import KNOWS_MORE, Runner
from five_meaning import Fail, Policy, Returned, State, Unsound
from random_five import Writer, random_fields, random_five

EXAMPLES = int(os.environ.get("VERNIS_LANGUAGE_EXAMPLES", "8"))
FORMS = {"==", "??", "argument by name", "arithmetic", "as", "cache_control", "call of fn", "call with arguments", "case ~",
         "comparison of numbers", "const", "contains", "cookie", "default", "ends", "ext", "for", "group", "if", "if let", "in", "int", "is empty",
         "is set", "join", "keep",
         "keep of cookies", "length", "let",
         "let mut", "lifted method", "local", "method", "narrowed field", "narrowed local", "number in text", "optional local",
         "order of texts", "part of a text", "path", "query", "remove", "remove of cookies", "return", "return of a sub", "set of a local",
         "set of a path", "set to an absent value", "sort", "starts", "switch", "table by exact", "table by ip", "table by prefix",
         "table by suffix", "unset", "~"}


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(tmp_path_factory.mktemp("five"))


@pytest.mark.parametrize("number", range(EXAMPLES * 4))
def test_policies_run_the_same(number: int, runner: Runner) -> None:
    rng = random.Random(number)
    policy = random_five(rng)
    assert difference(runner, policy, rng, native=number % 8 == 0) == "", policy.text
    assert all(text.startswith(KNOWS_MORE) for text in runner.refused), runner.refused


def unsound(policy: Policy, rng: random.Random) -> str:
    """The value that a request shows to be absent where the policy needs one; empty if there is none."""
    for _ in range(STARTS):
        try:
            policy.run(State(random_fields(rng)))
        except Unsound as found:
            return str(found)
        except (Fail, Returned):
            pass
    return ""


def test_facts_about_absent_values_hold(runner: Runner) -> None:
    """Where the checker accepts a value that may be absent, it is there in every request; and it refuses some."""
    accepted = refused = 0
    for number in range(EXAMPLES * 12):
        rng = random.Random(1 << 32 | number)
        policy = random_five(rng, probes=3)
        if lowered(runner, policy) is None:
            refused += runner.refused[-1].startswith("V731")
            continue
        accepted += 1
        assert unsound(policy, rng) == "", policy.text
    assert accepted > EXAMPLES and refused > EXAMPLES


def test_a_value_that_is_absent_is_noticed() -> None:
    policy = Writer(random.Random(1), probes=1)
    policy.begin("hook", [])
    block = policy.probe()
    with pytest.raises(Unsound, match=r"req\..* at v"):
        block.run(State({"url": "/"}))


def test_every_form_is_written() -> None:
    counts: Counter[str] = Counter()
    for number in range(300):
        counts.update(random_five(random.Random(number)).uses)
    assert {name for name in FORMS if counts[name] < 10} == set()
    assert set(counts) == FORMS
