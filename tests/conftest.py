"""Markers of the whole test suite."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support import quick

# Any example takes long on a busy machine. Hypothesis's own profile for CI sets the same.
settings.register_profile("without a clock", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
if settings.get_current_profile_name() == "default":
    settings.load_profile("without a clock")


def pytest_addoption(parser: pytest.Parser) -> None:
    quick.add_option(parser)


def pytest_configure(config: pytest.Config) -> None:
    quick.configure(config)
    # A shell sets SIGINT to "ignore" for a background job; the programs that tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "slow: takes more than ten seconds; `make test-quick` leaves it out")


@pytest.fixture
def checkout_of_everybody() -> None:
    """Skips the test if other users cannot read this checkout, for example below /root: a program that is
    started from the checkout cannot change to such a user."""
    root = Path(__file__).resolve().parents[1]
    closed = [p for p in (root, *root.parents) if not p.stat().st_mode & 0o005 == 0o005]
    if closed:
        pytest.skip(f"{closed[0]} is closed to other users")
