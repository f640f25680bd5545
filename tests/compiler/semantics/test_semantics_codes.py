"""Every code has an entry, every entry is used, and its examples give the described findings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from semantics_helpers import check
from support.lacking import assert_none_missing

import vernis.semantics
from vernis.semantics.codes import CODES

ROOM = Path(vernis.semantics.__file__).resolve().parent
ERRORS_ONLY_ABOUT_BACKENDS = ("V516",)


def source(code: str, example: str) -> str:
    backend = "" if code in ERRORS_ONLY_ABOUT_BACKENDS else "backend origin none;"
    return f"vcl {'5.0' if code[1] == '7' else '4.1'}; {backend}\n{example}\n"


def test_the_table_lists_the_codes_of_this_room() -> None:
    texts = [path.read_text() for path in ROOM.glob("*.py") if not path.name.startswith("codes")]
    texts.append((ROOM.parent / "commands/table_files.py").read_text())      # reads files, so not in this room
    used = {code for text in texts for code in re.findall(r'"(V\d{3})"', text)}
    assert_none_missing(sorted(set(CODES) - used), "compiler/semantics/codes.py has codes that nothing reports",
                        "Report them in a file of compiler/semantics, or delete their rows.")
    assert_none_missing(sorted(used - set(CODES)), "compiler/semantics reports codes without a row",
                        "Write a row with a bad and a good policy in compiler/semantics/codes.py.")


@pytest.mark.parametrize("code", [code for code in CODES if CODES[code].bad and code != "V768"])      # needs a file
def test_bad_example_gives_the_code(code: str) -> None:
    found = check(source(code, CODES[code].bad)).codes
    assert code in found, f"the bad policy of {code} gives {found}. Mend `bad` in compiler/semantics/codes.py, or the check that reports {code}"


@pytest.mark.parametrize("code", CODES)
def test_good_example_gives_no_finding(code: str) -> None:
    found = check(source(code, CODES[code].good)).codes
    assert found == [], f"the good policy of {code} gives {found}. Mend `good` in compiler/semantics/codes.py, or the check that reports them"
