"""A malformed policy gives exactly the findings that its text expects, on those lines, without follow-up
errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from semantics_helpers import DATA, assert_as_written, check, expectations

FILES = sorted((DATA / "malformed_semantics").glob("*.vcl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_malformed_policy_gives_its_expected_findings(path: Path) -> None:
    text = path.read_text()
    assert expectations(text), "the policy expects no finding"
    assert_as_written(text, check(text))


def test_there_are_enough_malformed_policies() -> None:
    assert len(FILES) >= 100
