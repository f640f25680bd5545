"""Files of tests: which policy each tests, and how its tests run.

NAME.test.vcl tests NAME.vcl beside it. The policy is compiled once. Each test runs in a world of its own.
Tests run in several processes, so that a crash of one process is a failure and not the end.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from vernis.syntax.splice import DiskResolver
from vernis.syntax.tokens import TokenTable
from vernis.trial.cases import Case, cases_of
from vernis.trial.coverage import Coverage
from vernis.trial.expect import ValueTrouble
from vernis.trial.facts import Value
from vernis.trial.failures import PlaceOf
from vernis.trial.properties import Drawing, Drawn, rows, shrunk
from vernis.trial.shared import Shared
from vernis.trial.statements import Run, environment, execute
from vernis.trial.unit import Unit, UnitImage, unit_images
from vernis.trial.world import AnyHost, Environment, Host, WorldError, library_path

ENDING = ".test.vcl"
FAILED, MISTAKE = "failed", "mistake"  # codes of findings: an expectation, and what is no test
CHUNK = 50  # cases that a process takes at once


Hits = tuple[int, ...]  # of the policy's rules


@record(frozen=True)
class Verdict:
    """Of a case. ``finding`` None: it passed, or ``skipped`` says why it did not run. ``hits``: of the
    policy's rules, if coverage is measured."""

    name: str
    seconds: float
    finding: Diagnostic | None
    hits: Hits = ()
    skipped: str = ""


@record(frozen=True)
class Image:
    """A compiled policy. ``n_counted`` rules are read after each test. ``place_of`` names its statements."""

    path: Path
    place_of: PlaceOf
    n_counted: int = 0


@record
class Suite:
    """The tests of one file. ``broken``: findings because of which no test ran. ``read`` gets the names of
    the files of the policy when it is compiled."""

    path: Path
    policy: Path
    program: nodes.Program
    cases: list[Case] = field(default_factory=list)
    broken: list[Diagnostic] = field(default_factory=list)
    read: set[str] = field(default_factory=set)

    @property
    def table(self) -> TokenTable:
        table = self.program.tokens
        assert isinstance(table, TokenTable)
        return table

    @property
    def files(self) -> list[str]:
        """The file of the tests, and those that it includes."""
        return [source.name for source in self.table.sources.files]

    def text(self, at: nodes.At) -> str:
        span = self.table.span(at)
        return self.table.sources.files[span.file].text[span.start : span.end]


@record(frozen=True)
class Work:
    """A suite and its image: all that a process needs to run cases."""

    suite: Suite
    image: Image
    drawing: Drawing = field(default_factory=Drawing)
    units: Mapping[Unit, UnitImage] = field(default_factory=dict)


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
    options = ParseOptions(tests=True, resolver=DiskResolver((str(path.parent),)))
    program, found = parse_program(SourceFile(str(path), data), options)
    tests = tuple(decl for decl in program.declarations if isinstance(decl, nodes.TestCase))
    suite = Suite(path, policy or policy_of(path), program, broken=list(found.items))
    shared = _shared(suite)
    names: set[str] = set()
    for test in tests:
        if test.name in names:
            suite.broken.append(_finding(suite, MISTAKE, test.name_at, "two tests have this name"))
        names.add(test.name)
        try:
            suite.cases += cases_of(test, suite.text, shared)
        except ValueTrouble as error:
            suite.broken.append(_finding(suite, MISTAKE, error.at, error.message, error.help))
    return suite


def _shared(suite: Suite) -> Shared:
    """The subs of the file. Mistakes go to ``broken``."""
    shared = Shared()
    for decl in suite.program.declarations:
        try:
            if isinstance(decl, nodes.Sub):
                shared.add(decl)
            elif not isinstance(decl, nodes.TestCase | nodes.Version | nodes.Broken):
                raise ValueTrouble(
                    decl.at, "a file of tests has only tests and subs", "declare it in the policy"
                )
        except ValueTrouble as error:
            suite.broken.append(_finding(suite, MISTAKE, error.at, error.message, error.help))
    return shared


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
    suite.read.update(source.name for source in run.sources.files if not source.name.startswith("<"))
    if run.failed:
        raise SuiteTrouble(f"{suite.policy} does not compile", run)
    return run


def run_suite(
    suite: Suite,
    cases: Sequence[Case],
    options: Options,
    jobs: int,
    coverage: Coverage | None = None,
    drawing: Drawing | None = None,
    on_done: Callable[[int], None] = lambda number: None,
) -> list[Verdict]:
    """Verdicts in the order of the file. ``coverage`` gets the counts of the tests. ``on_done`` is told how
    many more tests are done. MissingBuild: the runtime's library is missing."""
    library_path()
    options = replace(options, coverage=coverage is not None)
    with tempfile.TemporaryDirectory(prefix="vernis-test-") as folder:
        run = compile_policy(suite, Path(folder), options)
        assert run.image is not None and run.module is not None
        units = units_of(run, cases, options, Path(folder))
        work = Work(suite, image_of(run), drawing or Drawing(), units)
        chunks = [list(cases[at : at + CHUNK]) for at in range(0, len(cases), CHUNK)]
        verdicts: list[Verdict] = []
        for chunk in _in_processes(work, chunks, jobs):
            verdicts += chunk
            on_done(len(chunk))
    if coverage is not None:
        coverage.add(run.module, [verdict.hits for verdict in verdicts])
    return verdicts


def units_of(
    run: Compilation, cases: Sequence[Case], options: Options, folder: Path
) -> Mapping[Unit, UnitImage]:
    return unit_images(run, [case.unit for case in cases if case.unit is not None], options, folder)


def image_of(run: Compilation) -> Image:
    assert run.image is not None and run.module is not None
    names = [source.name for source in run.module.sources]
    return Image(run.image, lambda file, *at: ":".join(map(str, (names[file], *at))), len(run.module.spots))


def _in_processes(work: Work, chunks: list[list[Case]], jobs: int) -> Iterator[list[Verdict]]:
    """The verdicts of the chunks in order. After a crash the cases of the chunks that are left run alone."""
    n_done = 0
    try:
        for verdicts in _pooled(work, chunks, jobs):
            n_done += 1
            yield verdicts
    except BrokenProcessPool:
        for chunk in chunks[n_done:]:
            yield [verdict for case in chunk for verdict in _alone(work, case)]


def _pooled(work: Work, chunks: list[list[Case]], jobs: int) -> Iterator[list[Verdict]]:
    context = multiprocessing.get_context("fork")
    workers = max(1, min(jobs, len(chunks)))
    place = {id(case): number for number, case in enumerate(work.suite.cases)}
    with ProcessPoolExecutor(workers, context, _enter, (work,)) as pool:
        yield from pool.map(_run_chunk, [[place[id(case)] for case in chunk] for chunk in chunks])


def _alone(work: Work, case: Case) -> list[Verdict]:
    try:
        [verdicts] = _pooled(work, [[case]], 1)
        return verdicts
    except BrokenProcessPool:
        finding = _finding(work.suite, FAILED, case.test.name_at, "the process crashed in this test")
        return [Verdict(case.name, 0.0, finding)]


# ---- inside a process --------------------------------------------------------------------------------------

# one of each, in a process of the pool
_work: list[Work] = []
_host: list[Host] = []


def _enter(work: Work) -> None:
    _work[:] = [work]


def _run_chunk(places: list[int]) -> list[Verdict]:
    """Makes the host here and not in ``_enter``: the pool prints an error from there as a traceback."""
    if not _host:
        _host.append(Host())
    (work,), (host,) = _work, _host
    return [run_case(work, work.suite.cases[place], host) for place in places]


def run_case(work: Work, case: Case, host: AnyHost) -> Verdict:
    began = time.perf_counter()
    finding, hits = _property(work, case, host) if case.draw else _once(work, case, case.columns, host)
    return Verdict(case.name, time.perf_counter() - began, finding, hits)


def _property(work: Work, case: Case, host: AnyHost) -> tuple[Diagnostic | None, Hits]:
    """The finding is that of the simplest row that fails in the same way."""
    hits: Hits = ()
    for number, row in enumerate(rows(case.draw, case.name, work.drawing), 1):
        finding, more = _once(work, case, row.columns, host)
        hits = tuple(map(sum, zip(hits, more, strict=True))) if hits else more
        if finding is not None:
            simple = _simplest(work, case, row, finding, host)
            found = f"found in draw {number} with the seed {work.drawing.seed}; add this row to the test:"
            return replace(simple[1], help=f"{found}\n{simple[0].written}"), hits
    return None, hits


def _simplest(
    work: Work, case: Case, row: Drawn, finding: Diagnostic, host: AnyHost
) -> tuple[Drawn, Diagnostic]:
    findings = {row.written: finding}

    def fails(other: Drawn) -> bool:
        again, _ = _once(work, case, other.columns, host)
        if again is None or again.code != finding.code:
            return False
        findings[other.written] = again
        return True

    best = shrunk(case.draw, row, fails)
    return best, findings[best.written]


def _once(
    work: Work, case: Case, columns: Mapping[str, Value], host: AnyHost
) -> tuple[Diagnostic | None, Hits]:
    finding: Diagnostic | None = None
    hits: Hits = ()
    try:
        env = environment(case.env, columns)
        if case.unit is not None:
            return _unit_once(work, case, columns, host, env), ()
        with host.world(work.image.path, env) as world:
            finding = _run_steps(work.suite, case, Run(world, work.suite.text, work.image.place_of, columns))
            hits = world.rule_hits(work.image.n_counted)
    except ValueTrouble as error:
        finding = _finding(work.suite, MISTAKE, error.at, error.message, error.help)
    except WorldError as error:
        finding = finding or _finding(work.suite, FAILED, case.test.name_at, str(error))
    return finding, hits


def _unit_once(
    work: Work, case: Case, columns: Mapping[str, Value], host: AnyHost, env: Environment
) -> Diagnostic | None:
    """A case that calls a sub of the policy. Its counts are not those of the policy."""
    assert case.unit is not None
    unit = work.units[case.unit]
    if unit.trouble:
        call = next(step for step in case.steps if isinstance(step, nodes.CallSub))
        return _finding(work.suite, MISTAKE, call.at, unit.trouble)
    with host.world(unit.path, env) as world:
        run = Run(world, work.suite.text, unit.place_of, columns, unit.hook)
        return _run_steps(work.suite, case, run)


def _run_steps(suite: Suite, case: Case, run: Run) -> Diagnostic | None:
    for statement in case.steps:
        try:
            miss = execute(run, statement)
        except ValueTrouble as error:
            return _finding(suite, MISTAKE, error.at, error.message, error.help)
        if miss is not None:
            return _finding(suite, FAILED, miss.at, miss.message)
    return None


def _finding(suite: Suite, code: str, at: nodes.At, message: str, help: str = "") -> Diagnostic:
    span: Span = suite.table.span(at)
    return Diagnostic(code, Severity.ERROR, message, span, help)


def default_jobs() -> int:
    return len(os.sched_getaffinity(0))
