"""Malformed policies give exactly the findings that their text expects.

The line of each error contains ``### CODE words of the message``.
"""

import re
from pathlib import Path

import pytest
from syntax_helpers import ENGINES

from vernis.syntax.engine import Engine
from vernis.syntax.parser import ParseOptions, parse_program
from vernis.syntax.render import render
from vernis.syntax.source import SourceFile

DATA = Path(__file__).resolve().parents[2] / "data" / "malformed_syntax"
FILES = sorted(DATA.glob("*.vcl"))
_MARK = re.compile(rb"### (V\d{3}) (.*)")


def expected(data: bytes) -> list[tuple[int, str, str]]:
    """(line, code, words) of each expectation."""
    return [(number, found[1].decode(), found[2].decode())
            for number, line in enumerate(data.split(b"\n"), 1) if (found := _MARK.search(line)) is not None]


def test_there_are_enough_malformed_policies() -> None:
    assert len(FILES) >= 100


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_malformed_policy_gives_its_expected_findings(path: Path, engine: Engine) -> None:
    data = path.read_bytes()
    program, diags = parse_program(SourceFile(str(path), data), ParseOptions(engine=engine))
    sources = program.sources
    found = [(sources.place(d.span)[1], d.code) for d in diags.items]       # type: ignore[attr-defined]
    marks = expected(data)
    assert found == [(line, code) for line, code, _ in marks], [d.message for d in diags.items]
    for item, (_, _, words) in zip(diags.items, marks):
        assert words in item.message
        shown = render(item, sources)       # type: ignore[arg-type]
        assert f"error[{item.code}]" in shown and "^" in shown and "help: " in shown
