"""`make check` finds mistakes: each test seeds one mistake and runs the tool with the repository's
configuration."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOOLS = ROOT / "build/venv/bin"
SEEDED = ROOT / "build/seeded"

WRONG_C = {
    "clang's warnings": ("int wide(long n);\nint wide(long n) { return n; }\n", "-Wshorten-64-to-32"),
    "the analyzer": ("int first(int *p);\nint first(int *p) { return p == 0 ? *p : 0; }\n", "core.NullDereference"),
    "clang-tidy": ("#include <stdlib.h>\n#include <string.h>\nchar *room(const char *s);\nchar *room(const char *s) { return malloc(strlen(s + 1)); }\n",
                   "bugprone-misplaced-operator-in-strlen-in-alloc"),
}
WRONG_PYTHON = {
    "a name that is unknown": ("print(nmae)\n", "F821"),
    "a function made in a loop": ("made = []\nfor i in range(3):\n    made.append(lambda: i)\n", "B023"),
    "a line that is too long": (f"x = '{'x' * 140}'\n", "E501"),
}

needs_tools = pytest.mark.skipif(
    not (TOOLS / "ruff").exists() or shutil.which("clang-tidy-14") is None or shutil.which("shellcheck") is None,
    reason="needs the tools of `make check-tools`")
pytestmark = needs_tools


def output(*command: str | Path, text: str = "") -> str:
    """Runs a command that must fail, and returns its output."""
    done = subprocess.run([str(word) for word in command], input=text, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode != 0
    return done.stdout + done.stderr


def test_mistakes_in_c_are_found() -> None:
    SEEDED.mkdir(parents=True, exist_ok=True)
    targets = []
    for number, (text, _) in enumerate(WRONG_C.values()):
        (SEEDED / f"wrong{number}.c").write_text(text)
        targets.append(f"build/check/build/seeded/wrong{number}.ok")
    (SEEDED / "right.c").write_text("int right(void);\nint right(void) { return 0; }\n")
    try:
        said = output("make", "-k", "-j2", "SKIP_PACKAGES=1", "build/check/build/seeded/right.ok", *targets)
        assert {name: finding for name, (_, finding) in WRONG_C.items() if finding not in said} == {}, said
        assert (ROOT / "build/check/build/seeded/right.ok").exists()
    finally:
        shutil.rmtree(SEEDED)
        shutil.rmtree(ROOT / "build/check/build", ignore_errors=True)


def test_c_in_another_style_is_found() -> None:
    wrong = "int f(void) {\n  return 0;\n}\n"
    assert "code should be clang-formatted" in output(TOOLS / "clang-format", "--dry-run", "-Werror", "--assume-filename=runtime/f.c", text=wrong)


@pytest.mark.parametrize("name", WRONG_PYTHON)
def test_mistakes_in_python_are_found(name: str) -> None:
    text, finding = WRONG_PYTHON[name]
    assert finding in output(TOOLS / "ruff", "check", "--no-cache", "--stdin-filename", "compiler/wrong.py", "-", text=text)


def test_python_in_another_style_is_found() -> None:
    wrong = "x = {  'a':1 }\n"
    assert '+x = {"a": 1}' in output(TOOLS / "ruff", "format", "--no-cache", "--diff", "--stdin-filename", "compiler/wrong.py", "-", text=wrong)


def test_wrong_types_are_found(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def f(x):\n    return x\n\n\ndef g() -> int:\n    return ''\n")
    said = output(TOOLS / "mypy", "--cache-dir", str(tmp_path / "cache"), str(wrong))
    assert "no-untyped-def" in said
    assert "return-value" in said


def test_mistakes_in_shell_scripts_are_found() -> None:
    assert "SC2086" in output("shellcheck", "-", text='#!/bin/sh\nrm -f "$1" $2\n')


def test_continuous_integration_runs_the_checks() -> None:
    assert "\nmake check\n" in (ROOT / ".ci/run").read_text()
