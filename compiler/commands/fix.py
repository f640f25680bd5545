"""`vernis fix --migrate`: rewrites policies of vcl 4.x as 5.0, with the files that they include.

Exit codes: 0 nothing to do, or done; 1 with --check or --diff, if a file would change; 2 a policy cannot be
migrated or read, or the usage is wrong. Either all files of all policies change, or none.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping

from vernis.commands.compile import compilation_of
from vernis.commands.files import print_diff, replace_files, unified_diff
from vernis.commands.findings import tell_findings
from vernis.commands.outcome import EXIT_OK, EXIT_REFUSED, EXIT_TROUBLE, Trouble
from vernis.commands.policy_files import policies_in
from vernis.commands.migrate import Migration, migrate
from vernis.pipeline import Compilation, UnreadableSource
from vernis.record import field, record
from vernis.shown import plain
from vernis.terminal import Progress, aside


@record
class _Done:
    """The changes of all policies together, by real path."""

    texts: dict[str, bytes] = field(default_factory=dict)
    before: dict[str, bytes] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    failed: bool = False

    def add(self, made: Migration) -> None:
        """Adds a policy. Raises Trouble if another one needs a shared file changed in another way."""
        for path, text in made.texts.items():
            if self.texts.setdefault(path, text) != text:
                raise Trouble(
                    f"{made.names[path]}: its policies need different changes of it; nothing is written"
                )
        self.before |= made.before
        self.names |= made.names


def fix(options: argparse.Namespace) -> int:
    if not options.migrate:
        raise Trouble("fix needs --migrate")
    if "-" in options.files:
        raise Trouble("fix cannot change stdin")
    done = _Done()
    files = policies_in(options)
    with Progress("migrating", len(files)) as progress:
        for file in files:
            _migrate(file, options, done)
            progress.step()
    if done.failed:
        sys.stderr.write("vernis fix: nothing is written\n")
        return EXIT_TROUBLE
    if options.diff or options.check:
        _show(options, done)
        return EXIT_REFUSED if done.texts else EXIT_OK
    replace_files(done.texts)
    for path in sorted(done.texts):
        sys.stdout.write(plain(f"migrated {done.names[path]}\n"))
    return EXIT_OK


def _migrate(file: str, options: argparse.Namespace, done: _Done) -> None:
    def run(texts: Mapping[str, bytes]) -> Compilation:
        made = compilation_of(file, options)
        made.changed = texts
        return made

    try:
        named = {os.path.realpath(name) for name in options.files}
        made = migrate(run, lambda path: _may_write(path, options), named.__contains__)
    except UnreadableSource as error:
        _tell(f"vernis fix: {error}")
        done.failed = True
        return
    if made.refused is not None:
        tell_findings(made.refused)
        done.failed = True
        return
    outside = sorted(made.names[path] for path in made.texts if not _may_write(path, options))
    if outside:
        names = ", ".join(outside)
        _tell(f"vernis fix: {file} needs changes in {names}, outside of its folder; see --fix-in")
        done.failed = True
        return
    for note in made.notes:
        _tell(f"{note.file}:{note.line}: {note.text}")
    done.add(made)


def _tell(text: str) -> None:
    with aside():
        sys.stderr.write(plain(f"{text}\n"))


def _may_write(path: str, options: argparse.Namespace) -> bool:
    """Whether a file is named, or in the folder of a named one or of --fix-in."""
    folders = [
        name if os.path.isdir(name) else os.path.dirname(os.path.realpath(name)) for name in options.files
    ]
    return any(
        os.path.commonpath([path, os.path.realpath(folder)]) == os.path.realpath(folder)
        for folder in [*folders, *options.fix_in]
    )


def _show(options: argparse.Namespace, done: _Done) -> None:
    for path, text in sorted(done.texts.items()):
        if options.diff:
            print_diff(unified_diff(done.names[path], done.before[path], text))
        else:
            sys.stdout.write(plain(f"would migrate {done.names[path]}\n"))
