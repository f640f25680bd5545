"""`vernis fmt`: formats policies in place, or tells which ones it would format.

Exit codes: 0 nothing to do, or done; 1 with --check or --diff, if a file would change; 2 a file has errors or
cannot be read, or the usage is wrong. A file with errors stays as it is.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator

from vernis import settings
from vernis.commands.files import print_diff, replace_files, unified_diff
from vernis.commands.findings import tell_text
from vernis.commands.outcome import EXIT_OK, EXIT_REFUSED, EXIT_TROUBLE, Trouble
from vernis.commands.policy_files import ENDING, vcl_files
from vernis.format.format import ChangedTokens, Formatted, format_source
from vernis.format.layout import Style
from vernis.record import record, replace
from vernis.shown import plain
from vernis.similar import unreadable
from vernis.syntax.limits import Limits
from vernis.syntax.source import SourceFile, read_file
from vernis.terminal import Progress, aside
from vernis.trouble import helped

STDIN = "-"
STDIN_NAME = "<stdin>"

Lines = tuple[int, int]


@record
class _Run:
    """The options, and what happened so far."""

    options: argparse.Namespace
    lines: Lines | None
    styles: dict[str, Style]  # by folder
    would_change: bool = False
    failed: bool = False

    def style(self, folder: str) -> Style:
        """The style of files in a folder: the options of the command line, else those of vernis.toml."""
        if folder not in self.styles:
            path = settings.find(folder)
            try:
                values = settings.read(path).get("format", {}) if path else {}
            except settings.WrongSettings as error:
                raise Trouble(str(error)) from None
            given = {key: getattr(self.options, _attribute(key)) for key in settings.TABLES["format"]}
            values = values | {key: value for key, value in given.items() if value is not None}
            self.styles[folder] = replace(
                Style(), **{_attribute(key): value for key, value in values.items()}
            )
        return self.styles[folder]

    def fail(self, text: str) -> None:
        sys.stdout.flush()
        tell_text(text + "\n")
        self.failed = True


def fmt(options: argparse.Namespace) -> int:
    for key, values in settings.TABLES["format"].items():
        given = getattr(options, _attribute(key))
        refusal = "" if given is None else values.refusal(given)
        if refusal:
            raise Trouble(f"--{key} {refusal}")
    run = _Run(options, _range(options), {})
    if options.files == [STDIN]:
        _format_stdin(run)
    elif STDIN in options.files:
        raise Trouble("- cannot be used with other files")
    else:
        with Progress("formatting") as progress:
            for path in _policies(run, options.files):
                _format_file(run, path)
                progress.step()
    if run.would_change and options.check:
        sys.stderr.write("vernis fmt: `vernis fmt` without --check formats them\n")
    return EXIT_TROUBLE if run.failed else EXIT_REFUSED if run.would_change else EXIT_OK


def _attribute(key: str) -> str:
    return key.replace("-", "_")


def _range(options: argparse.Namespace) -> Lines | None:
    if options.lines is None:
        return None
    first, dash, last = options.lines.partition("-")
    if not (_is_line(first) and (_is_line(last) if dash else not last)):
        raise Trouble(f"--lines wants the first and the last line, such as 10-20, not {options.lines}")
    if len(options.files) > 1 or os.path.isdir(options.files[0]):
        raise Trouble("--lines works on one file")
    lines = int(first), int(last or first)
    if lines[0] > lines[1]:
        raise Trouble(f"--lines wants the first line first, not {options.lines}")
    return lines


def _is_line(text: str) -> bool:
    return bool(re.fullmatch("[1-9][0-9]{0,8}", text))


def _policies(run: _Run, paths: list[str]) -> Iterator[str]:
    """The files, and all files with the ending in the folders."""
    for path in paths:
        files = vcl_files(path) if os.path.isdir(path) else iter((path,))
        is_empty = True
        for file in files:
            is_empty = False
            yield file
        if is_empty:
            run.fail(f"vernis fmt: no {ENDING} files in {path}")


def _format_stdin(run: _Run) -> None:
    name = run.options.stdin_filename or STDIN_NAME
    data = sys.stdin.buffer.read(Limits().source_bytes + 1) if sys.stdin is not None else b""
    after = _formatted(run, name, data)
    if after is None or _told(run, name, data, after):
        return
    sys.stdout.buffer.write(after)
    sys.stdout.buffer.flush()


def _format_file(run: _Run, path: str) -> None:
    try:
        data = read_file(path, Limits().source_bytes)
    except OSError as error:
        run.fail(helped(f"vernis fmt: {unreadable(path, error)}", error))
        return
    after = _formatted(run, path, data)
    if after is None or after == data or _told(run, path, data, after):
        return
    try:
        replace_files({os.path.realpath(path): after})
    except Trouble as error:
        run.fail(helped(f"vernis fmt: {error}", error))
        return
    _tell(f"formatted {path}")


def _tell(text: str) -> None:
    with aside():
        sys.stdout.write(plain(f"{text}\n"))


def _formatted(run: _Run, name: str, data: bytes) -> bytes | None:
    folder = "" if name == STDIN_NAME else os.path.dirname(name)
    try:
        result = format_source(SourceFile(name, data), run.style(folder), run.lines)
    except ChangedTokens as error:
        run.fail(f"vernis fmt: {error}")
        return None
    if result.data is None:
        run.fail(_errors(result))
    return result.data


def _errors(result: Formatted) -> str:
    from vernis.syntax.render import render_all

    return render_all(result.diags.items, result.sources)


def _told(run: _Run, name: str, before: bytes, after: bytes) -> bool:
    """Reports a change for --check and --diff. Returns whether the file stays as it is."""
    if not (run.options.check or run.options.diff):
        return False
    if before != after:
        run.would_change = True
        if run.options.diff:
            with aside():
                print_diff(unified_diff(name, before, after))
        else:
            _tell(f"would format {name}")
    return True
