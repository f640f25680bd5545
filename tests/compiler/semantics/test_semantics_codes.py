"""Every code has an entry, every entry is used, and its examples give the described findings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from semantics_helpers import check

import vernis.semantics
from vernis.semantics.codes import CODES

ROOM = Path(vernis.semantics.__file__).resolve().parent
ERRORS_ONLY_ABOUT_BACKENDS = ("V516",)


def source(code: str, example: str) -> str:
    backend = "" if code in ERRORS_ONLY_ABOUT_BACKENDS else "backend origin none;"
    return f"vcl {'5.0' if code[1] == '7' else '4.1'}; {backend}\n{example}\n"


def test_the_table_lists_the_codes_of_this_room() -> None:
    texts = [path.read_text() for path in ROOM.glob("*.py") if not path.name.startswith("codes")]
    used = {code for text in texts for code in re.findall(r'"(V\d{3})"', text)}
    assert used == set(CODES)


@pytest.mark.parametrize("code", [code for code in CODES if CODES[code].bad])
def test_bad_example_gives_the_code(code: str) -> None:
    assert code in check(source(code, CODES[code].bad)).codes


@pytest.mark.parametrize("code", CODES)
def test_good_example_gives_no_finding(code: str) -> None:
    assert check(source(code, CODES[code].good)).codes == []
