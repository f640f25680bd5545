"""Runs a suite against mutants of its policy, and tells which of them no test notices.

Each mutant has a process of its own, which compiles it and runs tests until one fails. So a mutant that
crashes or does not end harms no other.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from pathlib import Path

from vernis.pipeline import PARSE, Compilation, Options, run_stages, warm_up
from vernis.record import record, replace
from vernis.trial.cases import Case
from vernis.trial.mutate import Mutant, drawn
from vernis.trial.suite import Suite, SuiteTrouble, Work, compile_policy, image_of, run_case, units_of
from vernis.trial.world import Host, library_path

LIMIT_S = 60.0  # a mutant that takes longer does not end


class Outcome(Enum):
    """Of a mutant; the values are exit codes of its process. ``CRASHED``: a signal ended it, or it did not
    end. A test would have failed, so these count as noticed."""

    MISSED = 10
    NOTICED = 11
    NO_POLICY = 12  # it does not compile
    CRASHED = -1


@record(frozen=True)
class Tried:
    mutant: Mutant
    outcome: Outcome


def try_mutants(
    suite: Suite,
    cases: Sequence[Case],
    options: Options,
    number: int,
    seed: int,
    jobs: int,
    on_done: Callable[[int], None] = lambda number: None,
) -> list[Tried]:
    """Tries ``number`` mutants that compile, or all if there are fewer; in the order of the draw. The suite
    must pass with the policy as it is. ``on_done`` is told how many more are done. SuiteTrouble: a process of
    a mutant failed for another reason."""
    library_path()
    warm_up()
    options = replace(options, err_unref=False, rule_counters=False, coverage=False)
    run = run_stages(Compilation(suite.policy.stem, str(suite.policy), options=options), PARSE)
    if run.program is None or run.failed:
        raise SuiteTrouble(f"{suite.policy} does not compile", run)
    mutants = drawn(run.program, seed)
    with tempfile.TemporaryDirectory(prefix="vernis-mutants-") as folder:
        found: dict[int, Outcome] = {}
        for place, outcome in _outcomes(suite, cases, options, mutants, number, jobs, Path(folder)):
            found[place] = outcome
            on_done(outcome is not Outcome.NO_POLICY)
    tried = [Tried(mutants[place], found[place]) for place in sorted(found)]
    return [one for one in tried if one.outcome is not Outcome.NO_POLICY]


def _outcomes(
    suite: Suite,
    cases: Sequence[Case],
    options: Options,
    mutants: list[Mutant],
    number: int,
    jobs: int,
    folder: Path,
) -> Iterator[tuple[int, Outcome]]:
    """Starts no more mutants than may still be wanted, so that the set does not depend on ``jobs``."""
    context = multiprocessing.get_context("fork")
    running: dict[int, tuple[ForkProcess, float]] = {}
    begun = n_valid = 0
    while running or begun < len(mutants) and n_valid < number:
        while begun < len(mutants) and len(running) < jobs and n_valid + len(running) < number:
            place = folder / str(begun)
            process = context.Process(target=_try, args=(suite, cases, options, mutants[begun], place))
            process.start()
            running[begun] = process, time.monotonic() + LIMIT_S
            begun += 1
        for at, outcome in _ended(running):
            n_valid += outcome is not Outcome.NO_POLICY
            yield at, outcome


def _ended(running: dict[int, tuple[ForkProcess, float]]) -> Iterator[tuple[int, Outcome]]:
    """Waits for a process to end, or to reach its limit. Removes those that did."""
    first = min(limit for _, limit in running.values())
    wait([process.sentinel for process, _ in running.values()], max(0.0, first - time.monotonic()))
    for at, (process, limit) in list(running.items()):
        if process.is_alive() and time.monotonic() < limit:
            continue
        process.kill()
        process.join()
        del running[at]
        yield at, _outcome(process.exitcode)


def _outcome(code: int | None) -> Outcome:
    """``code``: negative if a signal ended the process."""
    if code is None or code < 0:
        return Outcome.CRASHED
    try:
        return Outcome(code)
    except ValueError:
        raise SuiteTrouble(f"a process that runs a mutant exited with {code}") from None


# ---- inside the process of a mutant ------------------------------------------------------------------------


def _try(suite: Suite, cases: Sequence[Case], options: Options, mutant: Mutant, folder: Path) -> None:
    """Exits at once, because the memory of the parent needs no clean end. Reports of crashes would stand
    between those of the command, which names the mutant."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os._exit(_result(suite, cases, options, mutant, folder).value)


def _result(suite: Suite, cases: Sequence[Case], options: Options, mutant: Mutant, folder: Path) -> Outcome:
    folder.mkdir()
    changed = {os.path.realpath(mutant.file.name): mutant.data}
    try:
        run = compile_policy(suite, folder, options, changed)
    except SuiteTrouble:
        return Outcome.NO_POLICY
    units = units_of(run, cases, options, folder)
    work, host = Work(suite, image_of(run), units=units), Host()
    passed = all(run_case(work, case, host).finding is None for case in cases)
    return Outcome.MISSED if passed else Outcome.NOTICED
