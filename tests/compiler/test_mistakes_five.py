"""Mistakes that people make in vcl 5.0 have the message, the help and the edits that tests/data/mistakes_of_five.txt expects.

A section is a policy without its version and backend. A line for each finding follows: code, line, message, help. `mended` at the
end: the edits lead to a valid policy. The other sections have no edits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from test_advice import ROUNDS_MAX, check, edited

from vernis.syntax.diagnostics import Diagnostic

DATA = Path(__file__).resolve().parents[1] / "data/mistakes_of_five.txt"
HEAD = 'vcl 5.0;\nbackend origin { .host = "192.0.2.1"; }\n'
FINDING = re.compile(r"^--- (V\d{3}):(\d+) (.*?) \| (.*)$", re.M)
UNUSED = "V602"


@dataclass(slots=True, frozen=True)
class Case:
    title: str
    policy: str
    findings: tuple[tuple[str, int, str, str], ...]
    mended: bool


def cases() -> list[Case]:
    found = []
    for section in re.split(r"^=== ", DATA.read_text(), flags=re.M)[1:]:
        title, _, rest = section.partition("\n")
        findings = tuple((m[1], int(m[2]), m[3], m[4]) for m in FINDING.finditer(rest))
        found.append(Case(title, HEAD + rest[:rest.index("--- V")], findings, rest.rstrip().endswith("\nmended")))
    return found


CASES = cases()


def findings(policy: bytes, folder: Path) -> list[Diagnostic]:
    return [item for item in check(policy, folder).diagnostics.items if item.code != UNUSED]


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 110 and sum(case.mended for case in CASES) >= 60
    assert len({case.title for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_a_mistake_has_its_message_and_help(case: Case, tmp_path: Path) -> None:
    run = check(case.policy.encode(), tmp_path)
    found = [(i.code, run.sources.place(i.span)[1] - HEAD.count("\n"), i.message, i.help) for i in run.diagnostics.items if i.code != UNUSED]
    assert found == list(case.findings)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_suggested_edits_compile(case: Case, tmp_path: Path) -> None:
    policy = case.policy.encode()
    items = findings(policy, tmp_path)
    has_edits = any(item.edits for item in items)
    for _ in range(ROUNDS_MAX):
        policy = edited(policy, items)
        items = findings(policy, tmp_path)
    assert (not items) == case.mended, policy.decode()
    assert case.mended or not has_edits, policy.decode()
