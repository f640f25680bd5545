"""Finds the policies in folders that a user names."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator

from vernis.commands.outcome import Trouble
from vernis.shown import plain
from vernis.syntax.limits import Limits
from vernis.syntax.source import read_file

ENDING, TESTS = ".vcl", ".test.vcl"
#: The version statement, after comments. A file without it is only for includes.
_VERSION = re.compile(rb"(?:\s|#[^\n]*\n|//[^\n]*\n|/\*.*?\*/)*vcl\s+\d+\.\d+\s*;", re.S)
_INCLUDE = re.compile(rb'\b(?:include\s+(?:\+glob\s+)?|import\s+)"([^"\n]+)"')


def vcl_files(folder: str) -> Iterator[str]:
    """All files with the ending, in order. Leaves out hidden files and folders, and links to folders."""
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.endswith(ENDING) and not name.startswith("."):
                yield os.path.join(path, name)


def policies_in(options: argparse.Namespace) -> list[str]:
    """The named files, and for each named folder the policies in it: files with a version statement that no
    other file of the folder includes or imports. Leaves out files of tests, which a pattern such as ``*.vcl``
    of a shell names too, and says so. Raises Trouble for a folder without a policy, and if only tests are
    named."""
    found: list[str] = []
    tests: list[str] = []
    for path in options.files:
        if os.path.isdir(path):
            found += _policies(path, options.vcl_path)
        else:
            (tests if path.endswith(TESTS) else found).append(path)
    if tests and not found:
        raise Trouble(f"{tests[0]} has tests, and no policy is named; `vernis test {tests[0]}` runs them")
    if tests:
        more = f" and {len(tests) - 1} more" if len(tests) > 1 else ""
        note = f"left out {tests[0]}{more}: tests, which `vernis test` runs"
        sys.stderr.write(plain(f"vernis {options.command}: {note}\n"))
    return found


def _policies(folder: str, vcl_path: list[str]) -> list[str]:
    texts = {file: _text(file) for file in vcl_files(folder) if not file.endswith(TESTS)}
    included = {
        os.path.realpath(os.path.join(place, os.fsdecode(name)))
        for file, text in texts.items()
        for name in _INCLUDE.findall(text or b"")
        for place in (os.path.dirname(file), folder, *vcl_path)
    }
    policies = [
        file
        for file, text in texts.items()
        if text is None or (_VERSION.match(text) and os.path.realpath(file) not in included)
    ]
    if not policies:
        raise Trouble(
            f"no policies in {folder}: a policy is a file NAME{ENDING} that begins with vcl 4.0;, "
            "4.1; or 5.0; and that no other file includes"
        )
    return policies


def _text(file: str) -> bytes | None:
    """None for an unreadable file, which the checker then reports."""
    try:
        return read_file(file, Limits().source_bytes)
    except OSError:
        return None
