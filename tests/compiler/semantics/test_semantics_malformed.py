"""Malformed policies: each gets the findings its own text announces, at those lines, and no consequences of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from semantics_helpers import DATA, assert_as_written, check, expectations

FILES = sorted((DATA / "malformed_semantics").glob("*.vcl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_malformed_policy_gives_its_expected_findings(path: Path) -> None:
    text = path.read_text()
    assert expectations(text), "the policy announces nothing"
    assert_as_written(text, check(text))


def test_there_are_enough_malformed_policies() -> None:
    assert len(FILES) >= 100
