"""Finds the policies in folders that a user names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from vernis.commands.outcome import Trouble
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


def policies_in(paths: Iterable[str], vcl_path: Iterable[str]) -> list[str]:
    """The files, and for each folder the policies in it: files with a version statement that no other file of
    the folder includes or imports. Raises Trouble for a folder without one."""
    found: list[str] = []
    for path in paths:
        found += _policies(path, [*vcl_path]) if os.path.isdir(path) else [path]
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
            f"no policies in {folder}: a policy is a file NAME{ENDING} that begins with vcl 4.0; or vcl 4.1; "
            "and that no other file includes"
        )
    return policies


def _text(file: str) -> bytes | None:
    """None for an unreadable file, which the checker then reports."""
    try:
        return read_file(file, Limits().source_bytes)
    except OSError:
        return None
