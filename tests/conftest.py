"""Markers of the whole test suite."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than ten seconds; leave out with -m 'not slow'")
