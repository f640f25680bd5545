"""Fixtures that load and run a policy in the runtime's harness, without a daemon."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.language import Harness, compile_text, policy


@pytest.fixture
def harness() -> Iterator[Harness]:
    with Harness() as made:
        yield made


@pytest.fixture
def loaded(harness: Harness, tmp_path: Path) -> Callable[[str], Harness]:
    def load(text: str) -> Harness:
        assert harness.load(compile_text(text, tmp_path)) == ""
        return harness

    return load


@pytest.fixture
def run(loaded: Callable[[str], Harness]) -> Callable[..., Harness]:
    """``run(hook="recv", expected="hash", recv=..., ...)``: loads a policy with these bodies, runs one hook,
    checks its action."""
    def ran(hook: str = "recv", expected: str = "hash", **hooks: str) -> Harness:
        harness = loaded(policy(**hooks))
        assert harness.run(f"vcl_{hook}") == expected
        return harness

    return ran
