"""Commands that need no daemon: build, check, parse, ir, explain.

Results go to stdout. Diagnostics are the result of `check`; other commands print them to stderr.
"""

from __future__ import annotations

import argparse
import os
import sys

from vernis import pipeline
from vernis.commands import baseline
from vernis.commands.findings import finish, tell_findings
from vernis.commands.outcome import EXIT_OK, EXIT_REFUSED, Trouble
from vernis.commands.policy_files import policies_in
from vernis.pipeline import Compilation, Options, Stage, UnreadableSource
from vernis.shown import plain, visible
from vernis.terminal import Progress


STDIN_NAME = "<stdin>"
VMOD_PATH = ("/usr/lib/vernis/modules",)  # default of the daemon's parameter vmod_path


def build(options: argparse.Namespace) -> int:
    from pathlib import Path

    from vernis.native.abi import MissingBuild

    output = Path(options.output)
    if not output.absolute().parent.is_dir():
        raise Trouble(f"{output.parent}: no such directory")
    run = Compilation(
        options.name or _policy_name(options.file),
        options.file,
        options=_options(options, options.optimisation, target=options.target),
        image=output,
    )
    try:
        _run(run, pipeline.CHECK)
        look_into_tables(run)
        if not run.failed:
            _run(run, pipeline.COMPILE[len(pipeline.CHECK) :])
    except MissingBuild as error:
        raise Trouble(str(error)) from None
    except OSError as error:
        raise Trouble(f"cannot write {output}: {error.strerror}") from None
    tell_findings(run)
    if options.timings:
        for name, seconds in run.timings.items():
            print(f"{name:24s}{seconds * 1000:9.2f} ms")
    return EXIT_REFUSED if run.failed else EXIT_OK


def check(options: argparse.Namespace) -> int:
    """Checks all files, each as a policy of its own. Reports unreadable files at the end."""
    from vernis.semantics.hosts import warn_of_unresolved

    baseline.refuse_combinations(options)
    unreadable: list[str] = []
    runs: list[Compilation] = []
    files = policies_in(options)
    with Progress("checking", len(files)) as progress:
        for file in files:
            run = compilation_of(file, options)
            progress.step()
            try:
                runs.append(pipeline.run_stages(run, pipeline.CHECK))
            except UnreadableSource as error:
                unreadable.append(str(error))
                continue
            look_into_tables(run)
            if run.checked is not None and not run.failed:
                warn_of_unresolved(run.checked, run.diagnostics)
    if unreadable and options.write_baseline:
        raise Trouble("; ".join(unreadable))
    status = finish([(run, (), frozenset()) for run in runs], options)
    if options.costs:
        for run in runs:
            _print_costs(run)
    if unreadable:
        raise Trouble("; ".join(unreadable))
    return status


def look_into_tables(run: Compilation) -> None:
    """Reports the files of tables that a daemon would refuse."""
    if run.checked is not None and any(table.file is not None for table in run.checked.tables):
        from vernis.commands.table_files import report_table_files  # few policies have such tables

        report_table_files(run)


def _print_costs(run: Compilation) -> None:
    """Prints a table of the hooks that the policy defines."""
    from vernis.ir.costs import LIMITS, costs_of
    from vernis.ir.ir import HOOKS
    from vernis.ir.lower import lower

    if run.failed or run.checked is None:
        return
    costs = costs_of(lower(run.checked))
    print(plain(f"{visible(run.path)}: at most, in one run of a hook"))
    print(f"{'':24}" + "".join(f"{name:>10}" for name in LIMITS))
    for hook in HOOKS:
        print(f"{hook:24}" + "".join(f"{getattr(costs[hook], name):>10}" for name in LIMITS))


def compilation_of(file: str, options: argparse.Namespace) -> Compilation:
    """The compilation of a file; ``-`` is stdin."""
    if file != "-":
        return Compilation(_policy_name(file), file, options=_options(options))
    return Compilation(
        "stdin", STDIN_NAME, sys.stdin.buffer.read() if sys.stdin is not None else b"", _options(options)
    )


def parse(options: argparse.Namespace) -> int:
    from vernis.syntax.dump import dump

    run = Compilation("policy", options.file, options=_options(options, builtin=options.builtin))
    _run(run, pipeline.PARSE)
    assert run.program is not None
    sys.stdout.write(plain(dump(run.program, builtin=options.builtin)))
    tell_findings(run)
    return EXIT_REFUSED if run.failed else EXIT_OK


def print_ir(options: argparse.Namespace) -> int:
    from vernis.ir.pretty import function_text, module_text

    run = Compilation(_policy_name(options.file), options.file, options=_options(options))
    _run(run, pipeline.LOWER if options.canonical else pipeline.OPTIMISE)
    tell_findings(run)
    if run.failed:
        return EXIT_REFUSED
    assert run.module is not None
    if options.function is None:
        sys.stdout.write(plain(module_text(run.module)))
        return EXIT_OK
    function = run.module.functions.get(options.function)
    if function is None:
        raise Trouble(
            f"{options.file} has no sub {options.function}; it has {', '.join(run.module.functions)}"
        )
    sys.stdout.write(plain(function_text(run.module, function)))
    return EXIT_OK


def explain(options: argparse.Namespace) -> int:
    from vernis.semantics.codes import ALL_CODES

    code = options.code.upper()
    if code in ALL_CODES:
        info = ALL_CODES[code]
        _print_page(f"{code}: {info.title}", f"{info.what} {info.why}", info.bad, info.good)
        return EXIT_OK
    from vernis.commands.linting import known_rules

    for rule in known_rules():
        if options.code.lower() in (rule.id.lower(), rule.name):
            title = f"{rule.id}: {rule.name} ({rule.severity.value})"
            fixed = f"After the fix {rule.changes}.\n" if rule.changes else ""
            text = f"{rule.what} {rule.why}\n\nRemedy: {rule.remedy}.\n{fixed}Source: {rule.source}"
            _print_page(title, text, rule.bad, rule.good)
            return EXIT_OK
    raise Trouble(
        f"there is no code {options.code}; codes go from {min(ALL_CODES)} to {max(ALL_CODES)}, "
        "and `vernis rules` lists the rules"
    )


def _print_page(title: str, text: str, bad: str, good: str) -> None:
    print(plain(f"{title}\n\n{text}"))
    for label, example in (("Wrong", bad), ("Right", good)):
        if example:
            print(plain(f"\n{label}:\n    " + example.replace("\n", "\n    ")))


def _policy_name(file: str) -> str:
    return os.path.splitext(os.path.basename(file))[0]


def _options(
    options: argparse.Namespace, optimisation: int = 0, builtin: bool = True, target: str | None = None
) -> Options:
    return Options(
        optimisation=optimisation,
        vcl_path=tuple(options.vcl_path),
        vmod_path=tuple(options.vmod_path or VMOD_PATH),
        err_unref=options.err_unref,
        builtin=builtin,
        target=target,
        params=params_of(options),
    )


def params_of(options: argparse.Namespace) -> dict[str, str]:
    """The values that ``-D NAME=VALUE`` gives."""
    params: dict[str, str] = {}
    for given in options.define:
        name, found, value = given.partition("=")
        if not found or not name:
            raise Trouble(f"-D {given}: write -D NAME=VALUE")
        params[name] = value
    return params


def _run(run: Compilation, stages: tuple[Stage, ...]) -> None:
    try:
        with Progress(f"compiling {run.path}"):
            pipeline.run_stages(run, stages)
    except UnreadableSource as error:
        raise Trouble(str(error)) from None
