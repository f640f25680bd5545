"""The command `test`: runs the tests of policies."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from vernis import terminal
from vernis.commands.compile import VMOD_PATH, params_of
from vernis.commands.findings import tell_findings, tell_text
from vernis.commands.outcome import EXIT_OK, EXIT_REFUSED, Trouble
from vernis.native.abi import MissingBuild
from vernis.pipeline import Options
from vernis.shown import in_xml, plain, visible
from vernis.syntax.render import render
from vernis.terminal import Progress, aside
from vernis.trial import coverage_report
from vernis.trial.cases import Case
from vernis.trial.coverage import Coverage
from vernis.trial.mutation import Outcome, try_mutants
from vernis.trial.properties import Drawing
from vernis.trial.suite import ENDING, MISTAKE, Suite, SuiteTrouble, Verdict, default_jobs, load, run_suite


def test(options: argparse.Namespace) -> int:
    """Exit code 1 when a test failed, 2 when a file has no tests that could run."""
    if options.watch:
        from vernis.commands.test_watch import watch

        watch(options)
    return run_once(options, set())


def run_once(options: argparse.Namespace, read: set[str]) -> int:
    """``read`` gets the names of the files of policies."""
    if options.sockets and (_measures(options) or options.mutate):
        raise Trouble("--sockets measures no coverage and tries no mutants: run the tests without it, too")
    began = time.perf_counter()
    results: list[tuple[Suite, list[Verdict]]] = []
    coverage = Coverage() if _measures(options) else None
    known_tags: set[str] = set()
    with Progress("testing") as progress:
        for path in test_files(options.paths):
            suite = _loaded(path, options)
            suite.read = read
            read.update((str(suite.policy), *suite.files))
            known_tags.update(tag for case in suite.cases for tag in case.tags)
            chosen = [case for case in suite.cases if _is_chosen(case, options)]
            progress.begin(f"testing {path}", len(chosen))
            verdicts = _run(suite, chosen, options, coverage, progress)
            results.append((suite, verdicts))
            with aside():
                _print(suite, verdicts, options.verbose)
    if not results:
        where = ", ".join(options.paths) or "."
        raise Trouble(
            f"no file in {where} ends in {ENDING}: write the tests of a policy NAME.vcl into NAME{ENDING}"
        )
    if options.junit:
        _write_junit(Path(options.junit), results)
    everything = [verdict for _, verdicts in results for verdict in verdicts]
    failed = sum(verdict.finding is not None for verdict in everything)
    if not everything:
        raise Trouble(_nothing_chosen(options, known_tags))
    is_low = coverage is not None and _is_low(coverage, options)
    if options.mutate and failed:
        print("no mutants: a test fails")
    elif options.mutate:
        is_low |= _mutate(results, options)
    skipped = sum(bool(verdict.skipped) for verdict in everything)
    others = f", {skipped} not run" if skipped else ""
    seconds = time.perf_counter() - began
    print(f"{len(everything) - failed - skipped} passed, {failed} failed{others} in {seconds:.2f} s")
    mistakes = any(v.finding is not None and v.finding.code == MISTAKE for v in everything)
    return 2 if mistakes else EXIT_REFUSED if failed or is_low else EXIT_OK


def _is_chosen(case: Case, options: argparse.Namespace) -> bool:
    tags = set(case.tags)
    wanted = not options.tag or bool(tags & set(options.tag))
    return options.filter in case.name and wanted and not tags & set(options.skip_tag)


def _nothing_chosen(options: argparse.Namespace, known: set[str]) -> str:
    unknown = [tag for tag in options.tag if tag not in known]
    if not unknown:
        return "no test was chosen"
    tags = f"the tags are: {', '.join(sorted(known))}" if known else "no test has a tag"
    return f"no test was chosen: no test has the tag {unknown[0]}; {tags}"


def _measures(options: argparse.Namespace) -> bool:
    asked = (options.coverage, options.coverage_html, options.coverage_lcov, options.coverage_xml)
    return any(asked) or options.fail_under is not None


def _is_low(coverage: Coverage, options: argparse.Namespace) -> bool:
    """Writes the reports of coverage. True: it is below the limit."""
    files = coverage.files()
    try:
        if options.coverage_html:
            coverage_report.write_html(files, Path(options.coverage_html))
        if options.coverage_lcov:
            Path(options.coverage_lcov).write_bytes(os.fsencode(coverage_report.as_lcov(files)))
        if options.coverage_xml:
            Path(options.coverage_xml).write_bytes(coverage_report.as_cobertura(files, time.time()))
    except OSError as error:
        raise Trouble(f"cannot write {error.filename}: {error.strerror}") from None
    if options.coverage or options.fail_under is not None:
        print(plain(coverage_report.as_text(files)))
    if coverage.not_counted:
        print(f"{coverage.not_counted} places beyond the limit of counters are not measured")
    low = [share for share in coverage_report.shares(files) if _is_under(share, options)]
    return bool(low)


def _is_under(share: coverage_report.Share, options: argparse.Namespace) -> bool:
    """Says so if a share is below the limit."""
    if options.fail_under is None or share.percent >= options.fail_under:
        return False
    print(f"{share.name}: {share.shown} is less than {options.fail_under:g} %")
    return True


def test_files(paths: list[str]) -> Iterator[Path]:
    for name in paths or ["."]:
        path = Path(name)
        if path.is_dir():
            yield from sorted(path.rglob(f"*{ENDING}"))
        elif path.name.endswith(ENDING):
            yield path
        else:
            yield path.with_name(path.name.removesuffix(".vcl") + ENDING)


def _loaded(path: Path, options: argparse.Namespace) -> Suite:
    try:
        suite = load(path, Path(options.policy) if options.policy else None)
    except SuiteTrouble as error:
        raise Trouble(str(error)) from None
    if suite.broken:
        for item in suite.broken:
            tell_text(render(item, suite.table.sources) + "\n\n")
        raise Trouble(f"{path}: not run")
    return suite


_SHOWN = {Outcome.MISSED: "no test notices", Outcome.CRASHED: "the process crashed, or did not end"}


def _mutate(results: list[tuple[Suite, list[Verdict]]], options: argparse.Namespace) -> bool:
    """Shows the mutants of each policy that no test notices. True: too few are noticed."""
    noticed = total = 0
    for suite, verdicts in results:
        names = {verdict.name for verdict in verdicts}
        cases = [case for case in suite.cases if case.name in names]
        if not cases:
            continue
        jobs = options.jobs or default_jobs()
        progress = Progress(f"trying mutants of {suite.policy}", options.mutants)
        try:
            with progress:
                tried = try_mutants(
                    suite, cases, _options(options), options.mutants, options.seed, jobs, progress.step
                )
        except SuiteTrouble as error:
            raise Trouble(str(error)) from None
        for mutant, outcome in ((one.mutant, one.outcome) for one in tried):
            if outcome in _SHOWN:
                print(plain(f"{mutant.place}: {_SHOWN[outcome]}: {mutant.what}\n{mutant.diff()}\n"))
        noticed += sum(one.outcome is not Outcome.MISSED for one in tried)
        total += len(tried)
    share = coverage_report.Share("mutants", noticed, total)
    print(f"mutants noticed: {share.shown}")
    return _is_under(share, options)


def _run(
    suite: Suite,
    chosen: list[Case],
    options: argparse.Namespace,
    coverage: Coverage | None,
    progress: Progress,
) -> list[Verdict]:
    if not chosen:
        return []
    drawing, jobs = Drawing(options.seed, options.runs), options.jobs or default_jobs()
    try:
        if options.sockets:
            return _over_sockets(suite, chosen, options, jobs, drawing, progress)
        return run_suite(suite, chosen, _options(options), jobs, coverage, drawing, progress.step)
    except MissingBuild as error:
        raise Trouble(str(error)) from None
    except SuiteTrouble as error:
        if error.run is not None:
            tell_findings(error.run)
        raise Trouble(str(error)) from None


def _over_sockets(
    suite: Suite,
    chosen: list[Case],
    options: argparse.Namespace,
    jobs: int,
    drawing: Drawing,
    progress: Progress,
) -> list[Verdict]:
    from vernis.commands.run import find_daemon
    from vernis.trial.sockets.daemon import Setup
    from vernis.trial.sockets.runner import run_over_sockets

    modules = ":".join((*options.vmod_path, *VMOD_PATH))
    setup = Setup(find_daemon(options.daemon), (("vmod_path", modules),))
    return run_over_sockets(suite, chosen, _options(options), setup, jobs, drawing, progress.step)


def _options(options: argparse.Namespace) -> Options:
    return Options(
        vcl_path=tuple(options.vcl_path),
        vmod_path=(*options.vmod_path, *VMOD_PATH),
        err_unref=options.err_unref,
        params=params_of(options),
    )


def _print(suite: Suite, verdicts: list[Verdict], verbose: bool) -> None:
    for verdict in verdicts:
        if verdict.finding is not None:
            print(_title("FAILED", suite, verdict, terminal.RED))
            text = plain(render(verdict.finding, suite.table.sources))
            print(terminal.findings(text, sys.stdout) + "\n")
        elif verdict.skipped:
            print(_title("not run", suite, verdict, terminal.YELLOW) + plain(f": {verdict.skipped}"))
        elif verbose:
            print(_title("passed", suite, verdict, terminal.GREEN))


def _title(result: str, suite: Suite, verdict: Verdict, colour: str) -> str:
    title = plain(visible(f"{suite.path}: {verdict.name}"))
    return f"{terminal.coloured(result, colour, sys.stdout)} {title}"


def _write_junit(path: Path, results: list[tuple[Suite, list[Verdict]]]) -> None:
    root = ElementTree.Element("testsuites")
    for suite, verdicts in results:
        failed = sum(verdict.finding is not None for verdict in verdicts)
        skipped = sum(bool(verdict.skipped) for verdict in verdicts)
        seconds = sum(verdict.seconds for verdict in verdicts)
        group = ElementTree.SubElement(root, "testsuite", name=str(suite.path), time=f"{seconds:.6f}")
        for name, number in (
            ("tests", len(verdicts)),
            ("failures", failed),
            ("errors", 0),
            ("skipped", skipped),
        ):
            group.set(name, str(number))
        tags = {case.name: case.tags for case in suite.cases}
        for verdict in verdicts:
            case = ElementTree.SubElement(
                group, "testcase", name=verdict.name, classname=str(suite.path), time=f"{verdict.seconds:.6f}"
            )
            if tags.get(verdict.name):
                properties = ElementTree.SubElement(case, "properties")
                for tag in tags[verdict.name]:
                    ElementTree.SubElement(properties, "property", name="tag", value=tag)
            if verdict.finding is not None:
                failure = ElementTree.SubElement(case, "failure", message=verdict.finding.message)
                failure.text = render(verdict.finding, suite.table.sources)
            elif verdict.skipped:
                ElementTree.SubElement(case, "skipped", message=verdict.skipped)
    try:
        ElementTree.ElementTree(in_xml(root)).write(path, encoding="utf-8", xml_declaration=True)
    except OSError as error:
        raise Trouble(f"cannot write {path}: {error.strerror}") from None
