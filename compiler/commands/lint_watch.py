"""`lint --watch`: lints again whenever a file of a policy changes, until it is interrupted."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Iterable, Sequence
from typing import NoReturn

from vernis import settings
from vernis.shown import plain
from vernis.commands.lint import run_once
from vernis.commands.lint_settings import SettingsReader
from vernis.commands.linting import Linted, Linter
from vernis.commands.outcome import Trouble
from vernis.commands.watching import POLL_S, times_of
from vernis.syntax.source import read_file


def watch(linter: Linter, files: Sequence[str]) -> NoReturn:
    linted: list[Linted] = []  # of the last run, if it could read all files
    while True:
        before = times_of(_paths(linter, files, linted))
        linter.settings = SettingsReader(linter.options, linter.rules)
        try:
            _, linted = run_once(linter, files)
        except Trouble as error:
            linted = []
            sys.stderr.write(plain(f"vernis lint: {error}\n"))
        paths = _paths(linter, files, linted)
        known = {path: before.get(path, at) for path, at in times_of(paths).items()}
        is_current = all(map(_is_read, linted))
        sys.stdout.flush()
        sys.stderr.write("vernis lint: waits for changes\n")
        sys.stderr.flush()
        gc.collect()  # a single run ends before it would pay off
        while is_current and known == times_of(paths):
            time.sleep(POLL_S)


def _is_read(one: Linted) -> bool:
    """Whether the files still are what was linted: an include may have changed before its time was known."""
    try:
        return all(
            read_file(source.name, len(source.data)) == source.data
            for source in one.run.sources.files
            if not source.name.startswith("<")
        )
    except OSError:
        return False


def _paths(linter: Linter, files: Sequence[str], linted: Iterable[Linted]) -> set[str]:
    """The files of all policies, their settings, and their folders: a missing include may be made there."""
    paths = {
        source.name for one in linted for source in one.run.sources.files if not source.name.startswith("<")
    }
    paths |= set(files)
    folders = {os.path.dirname(os.path.abspath(path)) for path in paths}
    found = {linter.options.config} if linter.options.config else set(map(settings.find, folders))
    return paths | folders | {path for path in found if path is not None}
