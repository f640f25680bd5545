"""Fixtures of end-to-end tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from proxy.daemon import VERNISD, Daemon


@pytest.fixture
def start_daemon(tmp_path: Path) -> Iterator[Callable[..., Daemon]]:
    """``start_daemon(policy=None, args=(), ...)`` starts daemons, which are stopped after the test."""
    if not VERNISD.exists():
        pytest.skip("run make build first")
    with ExitStack() as stack:
        yield lambda *args, **named: stack.enter_context(Daemon(tmp_path, *args, **named))


@pytest.fixture
def daemon(start_daemon: Callable[..., Daemon]) -> Daemon:
    """A daemon without a policy; ``serve`` loads one."""
    return start_daemon()
