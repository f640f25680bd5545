"""Markers of the whole test suite."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest


def pytest_configure(config: pytest.Config) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)        # a shell's background job ignores it, and so would what tests start
    config.addinivalue_line("markers", "slow: takes more than ten seconds; leave out with -m 'not slow'")


@pytest.fixture
def checkout_of_everybody() -> None:
    """Skips where other users cannot read this checkout, such as below /root: a program started from it cannot become one of them."""
    root = Path(__file__).resolve().parents[1]
    closed = [p for p in (root, *root.parents) if not p.stat().st_mode & 0o005 == 0o005]
    if closed:
        pytest.skip(f"{closed[0]} is closed to other users")
