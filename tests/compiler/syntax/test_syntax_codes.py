"""Every code has an entry, and the entry's examples give the described findings."""

import re
from pathlib import Path

import pytest
from support.lacking import assert_none_missing
from syntax_helpers import parse

import vernis.syntax
from vernis.syntax.codes import CODES

ROOM = Path(vernis.syntax.__file__).resolve().parent


def source(example: str) -> str:
    return example if example.startswith("vcl ") else f"vcl 4.1;\n{example}"


@pytest.mark.parametrize("code", [c for c, info in CODES.items() if info.bad and c != "V210"])
def test_the_bad_example_gives_the_code(code: str) -> None:
    files = {"policy.vcl": source(CODES[code].bad).encode()}
    _, diags = parse(source(CODES[code].bad), files=files)
    found = [d.code for d in diags.items]
    assert found == [code], f"the bad policy of {code} gives {found}. Mend `bad` in compiler/syntax/codes.py, or the parser's report of {code}"


@pytest.mark.parametrize("code", [c for c, info in CODES.items() if info.good])
def test_the_good_example_gives_no_finding(code: str) -> None:
    _, diags = parse(source(CODES[code].good))
    assert [(d.code, d.message) for d in diags.items] == []


def test_every_code_that_is_reported_is_in_the_table() -> None:
    used = {code for file in ROOM.glob("*.py") if file.name != "codes.py" for code in re.findall(r'"(V\d{3})"', file.read_text())}
    used |= set(re.findall(r'error\(\s*"(V\d{3})"', (ROOM.parent / "pipeline.py").read_text()))
    used.remove("V765")                     # of a budget: in semantics/codes_five.py
    assert_none_missing(sorted(set(CODES) - used), "compiler/syntax/codes.py has codes that nothing reports",
                        "Report them in a file of compiler/syntax, or delete their rows.")
    assert_none_missing(sorted(used - set(CODES)), "compiler/syntax reports codes without a row",
                        "Write a row with a bad and a good policy in compiler/syntax/codes.py.")


@pytest.mark.parametrize("code", CODES)
def test_every_finding_has_a_help(code: str) -> None:
    files = {"policy.vcl": source(CODES[code].bad).encode()}
    _, diags = parse(source(CODES[code].bad), files=files)
    assert all(d.help and d.message for d in diags.items)
