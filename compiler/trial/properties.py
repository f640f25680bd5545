"""Properties: a test that holds for all rows that generators draw. A row that fails is shrunk to a simple one
that still fails, which an author can paste as `case(...)`.

The same seed draws the same rows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

from vernis.record import record
from vernis.trial.facts import Value
from vernis.trial.generators import Choices, Generator

RUNS = 100
SHRINKS_MAX = 1000  # runs of the test in the search for a simpler row

Trace = dict[str, tuple[int, ...]]  # choices by column


@record(frozen=True)
class Drawing:
    """How rows are drawn: ``runs`` of each property, which follow from ``seed``."""

    seed: int = 1
    runs: int = RUNS


@record(frozen=True)
class Drawn:
    """``written`` as a row that can be pasted."""

    columns: Mapping[str, Value]
    written: str
    trace: Trace


def rows(draw: Mapping[str, Generator], name: str, drawing: Drawing) -> Iterator[Drawn]:
    """The rows of a property. The simplest of all is the first. ``name``: so that properties differ."""
    yield _drawn(draw, {})
    for number in range(1, drawing.runs):
        yield _drawn(draw, {}, random.Random(f"{drawing.seed} {number} {name}"))


def _drawn(draw: Mapping[str, Generator], trace: Trace, chance: random.Random | None = None) -> Drawn:
    columns: dict[str, Value] = {}
    made: Trace = {}
    for name, generator in draw.items():
        choices = Choices(trace.get(name, ()), chance)
        columns[name] = generator.draw(choices)
        made[name] = tuple(choices.made)
    texts = (f"{name} = {draw[name].written(value)}" for name, value in columns.items())
    return Drawn(columns, f"case({', '.join(texts)});", made)


def shrunk(draw: Mapping[str, Generator], failed: Drawn, fails: Callable[[Drawn], bool]) -> Drawn:
    """The simplest row found for which ``fails`` holds, as it does for ``failed``."""
    best, seen = failed, {failed.written}
    while True:
        for trace in _simpler(best.trace):
            found = _drawn(draw, trace)
            if found.written in seen or _weight(found.trace) >= _weight(best.trace):
                continue
            if len(seen) > SHRINKS_MAX:
                return best
            seen.add(found.written)
            if fails(found):
                best = found
                break
        else:
            return best


def _weight(trace: Trace) -> tuple[int, list[tuple[int, ...]]]:
    return sum(map(len, trace.values())), list(trace.values())


def _simpler(trace: Trace) -> Iterator[Trace]:
    """One column at a time: emptied, without some choices, or with a smaller choice."""
    for name, choices in trace.items():
        for fewer in _simpler_choices(choices):
            yield {**trace, name: fewer}


def _simpler_choices(choices: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    yield ()
    size = len(choices) // 2
    while size > 0:
        for at in range(len(choices) - size + 1):
            yield choices[:at] + choices[at + size :]
        size //= 2
    for at, choice in enumerate(choices):
        for smaller in _smaller(choice):
            yield (*choices[:at], smaller, *choices[at + 1 :])


def _smaller(choice: int) -> Iterator[int]:
    """0, then ever closer, as a search by halves: a bound is found in few runs."""
    step = choice
    while step > 0:
        yield choice - step
        step //= 2
