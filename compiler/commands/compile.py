"""Commands that need no daemon: build, check, parse, ir, explain.

Results go to stdout, what is wrong with a policy too where that is the result (`check`), else to stderr.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from vernis import pipeline
from vernis.cli import EXIT_OK, EXIT_REFUSED, Trouble
from vernis.pipeline import Compilation, Options, Stage, UnreadableSource, rendered_diagnostics
from vernis.syntax.diagnostics import Diagnostic, Severity


def build(options: argparse.Namespace) -> int:
    from vernis.native.abi import MissingBuild

    output = Path(options.output)
    if not output.absolute().parent.is_dir():
        raise Trouble(f"{output.parent}: no such directory")
    run = Compilation(options.name or Path(options.file).stem, options.file, options=_options(options, options.optimisation),
                      image=output)
    try:
        _run(run, pipeline.COMPILE)
    except MissingBuild as error:
        raise Trouble(str(error)) from None
    except OSError as error:
        raise Trouble(f"cannot write {output}: {error.strerror}") from None
    sys.stderr.write(_plain(rendered_diagnostics(run)))
    if options.timings:
        for name, seconds in run.timings.items():
            print(f"{name:24s}{seconds * 1000:9.2f} ms")
    return EXIT_REFUSED if run.failed else EXIT_OK


def check(options: argparse.Namespace) -> int:
    """All files are checked, each as a policy of its own; one that cannot be read counts as trouble at the end."""
    unreadable: list[str] = []
    runs: list[Compilation] = []
    for file in options.files:
        run = Compilation(Path(file).stem, file, options=_options(options))
        try:
            runs.append(pipeline.run_stages(run, pipeline.CHECK))
        except UnreadableSource as error:
            unreadable.append(str(error))
    _print_findings(runs, options.format)
    if unreadable:
        raise Trouble("; ".join(unreadable))
    return EXIT_REFUSED if any(run.failed for run in runs) else EXIT_OK


def parse(options: argparse.Namespace) -> int:
    from vernis.syntax.dump import dump

    run = Compilation("policy", options.file, options=_options(options, builtin=options.builtin))
    _run(run, pipeline.PARSE)
    assert run.program is not None
    sys.stdout.write(_plain(dump(run.program, builtin=options.builtin)))
    sys.stderr.write(_plain(rendered_diagnostics(run)))
    return EXIT_REFUSED if run.failed else EXIT_OK


def print_ir(options: argparse.Namespace) -> int:
    from vernis.ir.pretty import function_text, module_text

    run = Compilation(Path(options.file).stem, options.file, options=_options(options))
    _run(run, pipeline.LOWER if options.canonical else pipeline.OPTIMISE)
    sys.stderr.write(_plain(rendered_diagnostics(run)))
    if run.failed:
        return EXIT_REFUSED
    assert run.module is not None
    if options.function is None:
        sys.stdout.write(_plain(module_text(run.module)))
        return EXIT_OK
    function = run.module.functions.get(options.function)
    if function is None:
        raise Trouble(f"{options.file} has no sub {options.function}; there are {', '.join(run.module.functions)}")
    sys.stdout.write(_plain(function_text(run.module, function)))
    return EXIT_OK


def explain(options: argparse.Namespace) -> int:
    from vernis.semantics import codes as semantic
    from vernis.syntax import codes as syntactic

    table = syntactic.CODES | semantic.CODES
    code = options.code.upper()
    if code not in table:
        raise Trouble(f"there is no code {options.code}; codes go from {min(table)} to {max(table)}")
    info = table[code]
    print(f"{code}: {info.title}\n\n{info.what} {info.why}")
    for label, example in (("Wrong", info.bad), ("Right", info.good)):
        if example:
            print(f"\n{label}:\n    " + example.replace("\n", "\n    "))
    return EXIT_OK


def _options(options: argparse.Namespace, optimisation: int | None = None, builtin: bool = True) -> Options:
    return Options(optimisation=optimisation, vcl_path=tuple(options.vcl_path), err_unref=options.err_unref, builtin=builtin)


def _run(run: Compilation, stages: tuple[Stage, ...]) -> None:
    try:
        pipeline.run_stages(run, stages)
    except UnreadableSource as error:
        raise Trouble(str(error)) from None


def _plain(text: str) -> str:
    """Printable whatever the locale: bytes of names that are not UTF-8 become escapes."""
    return text.encode(sys.stdout.encoding or "utf-8", "backslashreplace").decode(sys.stdout.encoding or "utf-8")


# ---- findings in the three formats of `check` --------------------------------------------------------------------------


def _print_findings(runs: list[Compilation], form: str) -> None:
    match form:
        case "json":
            findings = [_finding(item, run) for run in runs for item in run.diagnostics.items]
            print(json.dumps(findings, indent=1))
        case "concise":
            for run in runs:
                for item in run.diagnostics.items:
                    name, line, column = run.sources.place(item.span)
                    print(_plain(f"{name}:{line}:{column}: {item.severity.value}[{item.code}] {item.message}"))
        case _:
            text = "\n".join(filter(None, map(rendered_diagnostics, runs)))
            sys.stdout.write(_plain(text))
            if text and os.isatty(1):
                print(f"\n{_summary(runs)}")


def _summary(runs: list[Compilation]) -> str:
    items = [item for run in runs for item in run.diagnostics.items]
    errors = sum(item.severity is Severity.ERROR for item in items)
    return f"{errors} errors, {len(items) - errors} warnings"


def _finding(item: Diagnostic, run: Compilation) -> dict[str, Any]:
    """One finding for machines. Offsets are bytes of the file."""
    name, line, column = run.sources.place(item.span)
    return {
        "file": name, "line": line, "column": column, "start": item.span.start, "end": item.span.end, "code": item.code,
        "severity": item.severity.value, "message": item.message, "help": item.help,
        "labels": [{"file": place[0], "line": place[1], "column": place[2], "text": label.text}
                   for label in item.labels for place in [run.sources.place(label.span)]],
        "edits": [{"file": run.sources.files[edit.span.file].name, "start": edit.span.start, "end": edit.span.end,
                   "text": edit.text} for edit in item.edits],
    }
