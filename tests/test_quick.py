"""`--quick` of pytest: some tests of each file."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONFTEST = """
import pytest
from support import quick
def pytest_addoption(parser): quick.add_option(parser)
def pytest_configure(config):
    quick.configure(config)
    config.addinivalue_line("markers", "slow: x")
"""
ROWS = """
import pytest
@pytest.mark.parametrize("n", range(100))
def test_row(n): pass
def test_one(): pass
@pytest.mark.slow
def test_slow(): assert False
"""
LONG = """
import time
def test_first(): time.sleep(0.2)
def test_second(): assert False
"""


def quick(folder: Path, *arguments: str) -> str:
    (folder / "conftest.py").write_text(CONFTEST)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", *arguments]
    env = {"PYTHONPATH": str(ROOT / "tests"), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False).stdout


def test_a_few_rows_run_and_no_slow_test(tmp_path: Path) -> None:
    (tmp_path / "test_rows.py").write_text(ROWS)
    said = quick(tmp_path, "--quick", "60")
    assert re.findall(r"test_row\[(\d+)\] PASSED", said) == ["0", "19", "39", "59", "79", "99"]
    assert "test_one PASSED" in said and "7 passed, 95 deselected" in said
    assert "101 passed" in quick(tmp_path) and "1 failed" in quick(tmp_path)


def test_a_file_ends_when_its_time_is_over_and_another_begins(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(LONG)
    (tmp_path / "test_b.py").write_text("def test_b(): pass\n")
    said = quick(tmp_path, "--quick", "0.1", "-rs")
    assert "2 passed, 1 skipped" in said and "--quick: the tests of this file before it took 0.1 s" in said
