"""`test --watch`: runs the tests again whenever a test or a policy changes, until it is interrupted."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from pathlib import Path
from typing import NoReturn

from vernis.shown import plain
from vernis.commands.outcome import Trouble
from vernis.commands.test import run_once, test_files
from vernis.commands.watching import POLL_S, times_of


def watch(options: argparse.Namespace) -> NoReturn:
    files = _named(options)
    while True:
        began, before = time.time_ns(), times_of(files)
        read: set[str] = set()
        try:
            run_once(options, read)
        except Trouble as error:
            sys.stderr.write(plain(f"vernis test: {error}\n"))
        files = _named(options) | read
        # Reports may be written into a watched folder, so the times of folders are those after the run.
        folders = times_of(_folders(options, files))
        known = {path: before.get(path, at) for path, at in times_of(files).items()}
        is_current = not any(at is not None and at[0] >= began for at in known.values())
        sys.stdout.flush()
        sys.stderr.write("vernis test: waits for changes\n")
        sys.stderr.flush()
        gc.collect()  # a single run ends before it would pay off
        while is_current and known == times_of(files) and folders == times_of(folders):
            time.sleep(POLL_S)


def _named(options: argparse.Namespace) -> set[str]:
    """The files of tests."""
    return {str(path) for path in test_files(options.paths)}


def _folders(options: argparse.Namespace, files: set[str]) -> set[str]:
    """Those of the files and those to search: a new or missing file may be made there."""
    searched = {path for path in options.paths or ["."] if Path(path).is_dir()}
    return searched | {os.path.dirname(os.path.abspath(path)) for path in files}
