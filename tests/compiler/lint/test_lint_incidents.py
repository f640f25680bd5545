"""Faults of published policies, rebuilt in our own words: the rules find each cause once. Each file has a link to
the report, what happened, and a mark at the line of the cause."""

from __future__ import annotations

from pathlib import Path

import pytest
from lint_helpers import check_marks

FILES = sorted((Path(__file__).parent / "incidents").glob("*.vcl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_cause_of_an_incident_is_found_once(path: Path) -> None:
    text = path.read_text()
    assert text.startswith("# https://") and "#! " in text
    check_marks(text, "recommended", "security")
