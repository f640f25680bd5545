"""Files of tests: which policy each tests, and how its tests run.

NAME.test.vcl tests NAME.vcl beside it. The policy is compiled once. Each test runs in a world of its own.
Tests run in several processes, so that a crash of one process is a failure and not the end.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from vernis import pipeline
from vernis.pipeline import Compilation, Options
from vernis.record import field, record, replace
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Diagnostic, Severity, Span
from vernis.syntax.parser import ParseOptions, parse_program
from vernis.syntax.source import SourceFile
from vernis.syntax.tokens import TokenTable
from vernis.trial.coverage import Coverage
from vernis.trial.expect import ValueTrouble
from vernis.trial.statements import Run, execute
from vernis.trial.world import Host, WorldError, library_path

ENDING = ".test.vcl"
FAILED, MISTAKE = "failed", "mistake"  # codes of findings: an expectation, and what is no test
CHUNK = 50  # tests that a process takes at once


@record(frozen=True)
class Verdict:
    """``finding`` None: the test passed. ``hits``: of the policy's rules, if coverage is measured."""

    name: str
    seconds: float
    finding: Diagnostic | None
    hits: tuple[int, ...] = ()


@record(frozen=True)
class Image:
    """A compiled policy. ``n_counted`` rules are read after each test."""

    path: Path
    n_counted: int = 0


@record
class Suite:
    """The tests of one file. ``broken``: findings because of which no test ran; ``crashed``: the policy's or
    the runtime's fault."""

    path: Path
    policy: Path
    program: nodes.Program
    tests: tuple[nodes.TestCase, ...]
    broken: list[Diagnostic] = field(default_factory=list)

    @property
    def table(self) -> TokenTable:
        table = self.program.tokens
        assert isinstance(table, TokenTable)
        return table


class SuiteTrouble(Exception):
    """A file cannot be read, has no policy, or a policy with errors. ``run``: the findings about it."""

    def __init__(self, message: str, run: Compilation | None = None) -> None:
        super().__init__(message)
        self.run = run


def policy_of(path: Path) -> Path:
    return path.with_name(path.name.removesuffix(ENDING) + ".vcl")


def load(path: Path, policy: Path | None = None) -> Suite:
    """Reads a file of tests. SuiteTrouble: it cannot be read."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SuiteTrouble(f"cannot read {path}: {error.strerror}") from None
    program, found = parse_program(SourceFile(str(path), data), ParseOptions(tests=True))
    tests = tuple(decl for decl in program.declarations if isinstance(decl, nodes.TestCase))
    suite = Suite(path, policy or policy_of(path), program, tests, list(found.items))
    for decl in program.declarations:
        if not isinstance(decl, nodes.TestCase | nodes.Version | nodes.Broken):
            suite.broken.append(
                _finding(
                    suite, MISTAKE, decl.at, "a file of tests has only tests", "declare it in the policy"
                )
            )
    names: set[str] = set()
    for test in tests:
        if test.name in names:
            suite.broken.append(_finding(suite, MISTAKE, test.name_at, "two tests have this name"))
        names.add(test.name)
    return suite


def compile_policy(
    suite: Suite, folder: Path, options: Options, changed: Mapping[str, bytes] | None = None
) -> Compilation:
    """Compiles the suite's policy to an image. ``changed``: texts in place of those on disk, by real path.
    SuiteTrouble: there is no image."""
    image = folder / "policy.so"
    run = Compilation(
        suite.policy.stem, str(suite.policy), options=options, image=image, changed=changed or {}
    )
    try:
        pipeline.compile_policy(run)
    except pipeline.UnreadableSource as error:
        raise SuiteTrouble(f"{suite.path} tests {suite.policy.name}: {error}") from None
    if run.failed:
        raise SuiteTrouble(f"{suite.policy} does not compile", run)
    return run


def run_suite(
    suite: Suite,
    tests: Sequence[nodes.TestCase],
    options: Options,
    jobs: int,
    coverage: Coverage | None = None,
) -> list[Verdict]:
    """Verdicts in the order of the file. ``coverage`` gets the counts of the tests. MissingBuild: the
    runtime's library is missing."""
    library_path()
    options = replace(options, coverage=coverage is not None)
    with tempfile.TemporaryDirectory(prefix="vernis-test-") as folder:
        run = compile_policy(suite, Path(folder), options)
        assert run.image is not None and run.module is not None
        image = Image(run.image, len(run.module.spots))
        chunks = [list(tests[at : at + CHUNK]) for at in range(0, len(tests), CHUNK)]
        verdicts = [verdict for chunk in _in_processes(suite, image, chunks, jobs) for verdict in chunk]
    if coverage is not None:
        coverage.add(run.module, [verdict.hits for verdict in verdicts])
    return verdicts


def _in_processes(
    suite: Suite, image: Image, chunks: list[list[nodes.TestCase]], jobs: int
) -> list[list[Verdict]]:
    try:
        return _pooled(suite, image, chunks, jobs)
    except BrokenProcessPool:
        found: list[list[Verdict]] = []
        for test in (test for chunk in chunks for test in chunk):
            found.append(_alone(suite, image, test))
        return found


def _pooled(suite: Suite, image: Image, chunks: list[list[nodes.TestCase]], jobs: int) -> list[list[Verdict]]:
    context = multiprocessing.get_context("fork")
    workers = max(1, min(jobs, len(chunks)))
    with ProcessPoolExecutor(workers, context, _enter, (suite, image)) as pool:
        return list(pool.map(_run_chunk, [[suite.tests.index(test) for test in chunk] for chunk in chunks]))


def _alone(suite: Suite, image: Image, test: nodes.TestCase) -> list[Verdict]:
    try:
        return _pooled(suite, image, [[test]], 1)[0]
    except BrokenProcessPool:
        finding = _finding(suite, FAILED, test.name_at, "the process crashed in this test")
        return [Verdict(test.name, 0.0, finding)]


# ---- inside a process --------------------------------------------------------------------------------------

_here: list[tuple[Suite, Image, Host]] = []  # one, in a process of the pool


def _enter(suite: Suite, image: Image) -> None:
    _here[:] = [(suite, image, Host())]


def _run_chunk(indices: list[int]) -> list[Verdict]:
    ((suite, image, host),) = _here
    return [run_test(suite, suite.tests[index], image, host) for index in indices]


def run_test(suite: Suite, test: nodes.TestCase, image: Image, host: Host) -> Verdict:
    began = time.perf_counter()
    finding: Diagnostic | None = None
    hits: tuple[int, ...] = ()
    try:
        with host.world(image.path) as world:
            finding = _run_body(suite, test, Run(world, lambda at: _text(suite.table, at)))
            hits = world.rule_hits(image.n_counted)
    except WorldError as error:
        finding = finding or _finding(suite, FAILED, test.name_at, str(error))
    return Verdict(test.name, time.perf_counter() - began, finding, hits)


def _run_body(suite: Suite, test: nodes.TestCase, run: Run) -> Diagnostic | None:
    for statement in test.body.statements:
        try:
            miss = execute(run, statement)
        except ValueTrouble as error:
            return _finding(suite, MISTAKE, error.at, error.message, error.help)
        if miss is not None:
            return _finding(suite, FAILED, miss.at, miss.message)
    return None


def _text(table: TokenTable, at: nodes.At) -> str:
    span = table.span(at)
    return table.sources.files[span.file].text[span.start : span.end]


def _finding(suite: Suite, code: str, at: nodes.At, message: str, help: str = "") -> Diagnostic:
    span: Span = suite.table.span(at)
    return Diagnostic(code, Severity.ERROR, message, span, help)


def default_jobs() -> int:
    return len(os.sched_getaffinity(0))
