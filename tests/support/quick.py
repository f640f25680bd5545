"""`--quick SECONDS` of pytest, for `make test-quick`: of each file as many tests as run within that time, and of each
parametrized test a few rows. So every file is tried, new ones too, and the whole takes about as long on any machine.

Tests that are marked `slow` are left out. The summary counts what was left out as skipped; -rs shows the reasons.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

ROWS = 6  # of a parametrized test, evenly spread


def add_option(parser: pytest.Parser) -> None:
    parser.addoption("--quick", metavar="SECONDS", type=float, help="run some tests of each file: at most so long")


def configure(config: pytest.Config) -> None:
    if (seconds := config.getoption("--quick")) is not None:
        config.pluginmanager.register(Quick(seconds))


class Quick:
    """The plugin of a quick run. With pytest-xdist each process has one; a file stays in one process."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._used: dict[Path, float] = defaultdict(float)

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        kept = few_rows(items)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        began = time.monotonic()
        try:
            return (yield)
        finally:
            self._used[item.path] += time.monotonic() - began

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if self._used[item.path] >= self._seconds:
            pytest.skip(f"--quick: the tests of this file before it took {self._seconds:g} s")


def few_rows(items: list[pytest.Item]) -> set[pytest.Item]:
    """Of each test ROWS rows with the first and the last, none of a slow one."""
    rows: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("slow") is None:
            rows.setdefault(item.nodeid.partition("[")[0], []).append(item)
    return {one for found in rows.values() for one in spread(found)}


def spread(found: list[pytest.Item]) -> list[pytest.Item]:
    if len(found) <= ROWS:
        return found
    return [found[place * (len(found) - 1) // (ROWS - 1)] for place in range(ROWS)]
