"""Files that comments and documents name exist, so that no comment sends its reader to a file that has
moved."""

from __future__ import annotations

import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILE_NAME = re.compile(
    r'(?<![\w/.<"*{}-])((?:[A-Za-z_][\w.-]*/)*[A-Za-z_][\w-]*\.(?:py|c|h|cpp|g4|mk|toml|md|sh))(?![\w/*]|\.\w)')
C_TEXT_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.DOTALL)
PLACEHOLDER = re.compile(r"[A-Z]{2,}")      # exports_ROOM.h, NAME.toml
PROGRAMS = {"testssl.sh"}           # of others, named like a file
HASH_COMMENTS = (".mk", ".sh", ".toml", "Makefile")


def repository() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\n") if name and (ROOT / name).is_file()]


def known_names() -> set[str]:
    """Paths of the repository and of generated files, whole and without leading folders."""
    made = [str(path.relative_to(ROOT / "build")) for path in (ROOT / "build/gen").glob("*")]
    return PROGRAMS | {"/".join(parts[i:]) for name in [*repository(), *made] for parts in [name.split("/")] for i in range(len(parts))}


def comments(name: str, text: str) -> Iterator[tuple[int, str]]:
    """Comments, docstrings and documents, each with the line on which it begins."""
    if name.endswith((".c", ".h", ".cpp", ".g4")):
        for match in C_TEXT_OR_COMMENT.finditer(text):
            if match[0].startswith("/"):
                yield text.count("\n", 0, match.start()) + 1, match[0]
    elif name.endswith(".py"):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT or token.type == tokenize.STRING and token.string.startswith('"""'):
                yield token.start[0], token.string
    elif name.endswith(HASH_COMMENTS):
        for number, line in enumerate(text.split("\n"), 1):
            if "#" in line:
                yield number, line[line.index("#"):]
    elif name.endswith(".md"):
        yield 1, text


def missing(name: str, text: str, known: set[str]) -> list[str]:
    found = []
    for line, comment in comments(name, text):
        for match in FILE_NAME.finditer(comment):
            if match[1] not in known and not PLACEHOLDER.search(match[1]):
                found.append(f"{name}:{line + comment.count(chr(10), 0, match.start())}: {match[1]}")
    return found


@pytest.mark.parametrize("name, text", [
    ("a.c", '#include "gone.h"\n/* See policy/gone.h. */\n'), ("a.py", '"""As in ``gone.py``."""\nx = "gone.py"\n'),
    ("a.mk", "x: gone.c\n# made of gone.c\n"), ("a.md", "See [this](gone.md).\n"), ("a.g4", "// syntax/gone.py\n"),
])
def test_a_missing_file_is_reported_once(name: str, text: str) -> None:
    assert len(missing(name, text, {"here.c"})) == 1


@pytest.mark.parametrize("text", ["/* here.c */", "/* base/here.c */", "/* <sys/gone.h> */", "/* NAME.toml */", 'f("gone.c");'])
def test_existing_files_placeholders_and_includes_are_not_reported(text: str) -> None:
    assert missing("a.c", text, {"here.c", "base/here.c"}) == []


@pytest.mark.skipif(not (ROOT / "build/gen").exists(), reason="run make build first: comments name generated headers")
def test_files_that_comments_name_exist() -> None:
    known = known_names()
    # guides name files that their reader makes; tests/test_links.py checks their links
    files = [name for name in repository() if "/generated/" not in name and not name.startswith(("tests/data/", "docs/guides/"))]
    assert [found for name in files for found in missing(name, (ROOT / name).read_text(errors="replace"), known)] == []
