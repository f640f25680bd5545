"""`make test-again` on small suites: tests that failed run once more, alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SUITE = """
import pathlib, pytest

@pytest.mark.parametrize("n", range({failing}))
def test_fails(n):
    assert False

def test_fails_once():
    first = not pathlib.Path("ran").exists()
    pathlib.Path("ran").touch()
    assert not first

def test_passes():
    with open("passes", "a") as runs:
        runs.write("run\\n")
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def run(suite: Path, *command: str) -> tuple[int, str]:
    done = subprocess.run([sys.executable, *command], cwd=suite, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def first_run(suite: Path, failing: int) -> None:
    (suite / "test_some.py").write_text(SUITE.format(failing=failing))
    assert run(suite, "-m", "pytest")[0] == 1


def again(suite: Path) -> tuple[int, str]:
    return run(suite, str(ROOT / "mk/test_again.py"))


def test_a_test_that_passes_alone_is_named(suite: Path) -> None:
    first_run(suite, failing=0)
    status, said = again(suite)
    assert status == 0
    assert "has one:\n  test_some.py::test_fails_once\n" in said
    assert "1 passed" in said
    assert (suite / "passes").read_text() == "run\n"        # only in the first run


def test_a_test_that_fails_again_fails(suite: Path) -> None:
    first_run(suite, failing=2)
    status, said = again(suite)
    assert status == 1
    assert "2 failed, 1 passed" in said


def test_many_failures_do_not_run_again(suite: Path) -> None:
    first_run(suite, failing=3)
    assert again(suite) == (1, "test-again: 4 tests failed, more than 3: none runs again\n")


def test_a_failure_before_pytest_stays_one(suite: Path) -> None:
    assert again(suite) == (1, "test-again: pytest had no failure: what failed before it does not run again\n")
