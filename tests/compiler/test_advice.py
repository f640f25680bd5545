"""The help of a finding fits the mistake, and its edits fix the mistake, as tests/data/advice.txt expects.

A section is a policy without its version and backend (`=!=` marks a whole policy). A line for each finding
follows, in order: code, line and help. `mended` at the end: applying the edits again and again leads to a
valid policy.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from pages.messages import BARE, PROLOGUE, mistakes

from vernis import pipeline
from vernis.commands.migrate import migrate
from vernis.pipeline import Compilation, Options
from vernis.semantics.codes import ALL_CODES
from vernis.semantics.codes_five import FIVE
from vernis.semantics.report import Reporter
from vernis.syntax.diagnostics import Diagnostic, Edit, Severity

DATA = Path(__file__).resolve().parents[1] / "data"
PACKAGE = Path(__file__).resolve().parents[2] / "compiler"
FINDING = re.compile(r"^--- (V\d{3}):(\d+)(?: (.*))?$", re.M)
ROUNDS_MAX = 6


@dataclass(slots=True, frozen=True)
class Case:
    title: str
    policy: str
    findings: tuple[tuple[str, int, str], ...]
    mended: bool


def cases() -> list[Case]:
    found = []
    for section in re.split(r"^=== ", (DATA / "advice.txt").read_text(), flags=re.M)[1:]:
        title, _, rest = section.partition("\n")
        policy = rest[:rest.index("--- V")]
        policy = policy.removeprefix(BARE) if policy.startswith(BARE) else PROLOGUE + policy
        findings = tuple((m[1], int(m[2]), m[3] or "") for m in FINDING.finditer(rest))
        found.append(Case(title, policy, findings, rest.rstrip().endswith("\nmended")))
    return found


CASES = cases()


def check(policy: bytes, folder: Path) -> Compilation:
    path = folder / "policy.vcl"
    path.write_bytes(policy)
    return pipeline.run_stages(Compilation("policy", str(path), options=Options()), pipeline.CHECK)


def edited(policy: bytes, items: list[Diagnostic]) -> bytes:
    """The policy after all edits that do not overlap."""
    edits = sorted({(edit.span.start, edit.span.end, edit.text) for item in items for edit in item.edits}, reverse=True)
    before = len(policy)
    for start, end, text in edits:
        if end <= before:
            policy, before = policy[:start] + text.encode() + policy[end:], start
    return policy


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 450
    assert len({case.title for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_a_finding_has_the_expected_help(case: Case, tmp_path: Path) -> None:
    run = check(case.policy.encode(), tmp_path)
    found = [(item.code, run.sources.place(item.span)[1], item.help) for item in run.diagnostics.items]
    assert [(code, line) for code, line, _ in found] == [(code, line) for code, line, _ in case.findings], found
    for (_, _, help), (_, _, words) in zip(found, case.findings):
        assert words in help


@pytest.mark.parametrize("case", [case for case in CASES if case.mended], ids=lambda case: case.title)
def test_edits_lead_to_a_valid_policy(case: Case, tmp_path: Path) -> None:
    policy = case.policy.encode()
    for _ in range(ROUNDS_MAX):
        items = check(policy, tmp_path).diagnostics.items
        policy = edited(policy, items)
        if not items:
            return
    raise AssertionError([(item.code, item.message) for item in items], policy.decode())


def all_policies() -> list[tuple[str, bytes]]:
    files = [path for folder in ("malformed_syntax", "malformed_semantics") for path in sorted((DATA / folder).glob("*.vcl"))]
    return [*((path.stem, path.read_bytes()) for path in files), *((m.title, m.policy.encode()) for m in mistakes()),
            *((case.title, case.policy.encode()) for case in CASES), *_mistakes_of_five()]


def _mistakes_of_five() -> list[tuple[str, bytes]]:
    sections = re.split(r"^=== ", (DATA / "mistakes_of_five.txt").read_text(), flags=re.M)[1:]
    return [(title, b'vcl 5.0;\nbackend origin { .host = "192.0.2.1"; }\n' + rest[:rest.index("--- V")].encode())
            for title, _, rest in (section.partition("\n") for section in sections)]


MADE: set[tuple[str, int]] = set()     # expressions in the compiler that have made an edit
TRIED: set[str] = set()


@pytest.fixture
def recorded_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Records in MADE which expression makes each edit."""
    make, say = Edit.__init__, Reporter.error

    def record() -> None:
        frame = sys._getframe(2)
        MADE.add((Path(frame.f_code.co_filename).name, frame.f_lineno))

    def record_edit(self: Edit, *args: object, **named: object) -> None:
        record()
        make(self, *args, **named)              # type: ignore[arg-type]

    def record_error(self: Reporter, *args: object, **named: object) -> None:
        if named.get("replace") is not None:
            record()
        say(self, *args, **named)               # type: ignore[arg-type]

    monkeypatch.setattr(Edit, "__init__", record_edit)
    monkeypatch.setattr(Reporter, "error", record_error)


@pytest.mark.parametrize(("title", "policy"), all_policies(), ids=lambda value: value if isinstance(value, str) else "")
def test_each_edit_removes_its_finding(title: str, policy: bytes, tmp_path: Path, recorded_edits: None) -> None:
    TRIED.add(title)
    items = check(policy, tmp_path).diagnostics.items
    before = Counter((item.code, item.message) for item in items)
    for item in items:
        if item.edits:
            after = Counter((i.code, i.message) for i in check(edited(policy, [item]), tmp_path).diagnostics.items)
            said = (item.code, item.message)
            assert after[said] < before[said], (said, edited(policy, [item]).decode(errors="replace"))


@pytest.mark.parametrize(("before", "after"), [
    ('if (req.http.A > "b") { return (pass); }', 'if (!(req.http.A <= "b")) {'),     # true for an absent text in 4.x
    ("set req.url = std.querysort(req.url);", "req.url.query.sort();"),
])
def test_an_edit_of_the_migration_keeps_the_meaning(before: str, after: str, tmp_path: Path, recorded_edits: None) -> None:
    """No finding shows the place, so only a migration makes this edit."""
    path = tmp_path / "policy.vcl"
    path.write_text(f'vcl 4.1;\nimport std;\nbackend b {{ .host = "192.0.2.1"; }}\nsub vcl_recv {{ {before} }}\n')
    made = migrate(lambda changed: Compilation("policy", str(path), options=Options(err_unref=False), changed=changed))
    assert after in made.texts[str(path)].decode()


# ---- an invalid pattern is marked at the offset of the error -----------------------------------------------


@pytest.mark.parametrize(("pattern", "marked"), [
    ('"ab(cd"', '"'), ('"ab)cd"', ')'), ('{"a)"}', ')'), ('"""a)b"""', ')'), ('("a" + "b)c")', ')'), ('{"a\nb)"}', ')'), ('"(a" + "b"', '"'),
])
def test_an_invalid_pattern_is_marked_at_its_error(pattern: str, marked: str, tmp_path: Path) -> None:
    policy = f"{PROLOGUE}sub vcl_recv {{ if (req.url ~ {pattern}) {{ return (pass); }} }}".encode()
    (item,) = check(policy, tmp_path).diagnostics.items
    assert item.code == "V307" and policy[item.span.start:item.span.end].decode() == marked
    assert policy.rindex(marked.encode(), 0, policy.index(b" { return")) >= item.span.start > policy.index(b"~ ") + 2


# ---- these policies exercise every edit --------------------------------------------------------------------


def places_of_edits() -> set[tuple[str, int]]:
    """File and line of each expression in the compiler that makes an edit."""
    found = set()
    for path in (*PACKAGE.glob("syntax/*.py"), *PACKAGE.glob("semantics/*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            edit = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Edit"
            error = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "error"
            if edit or error and any(keyword.arg == "replace" for keyword in node.keywords):
                found.add((path.name, node.lineno))
    return found


def test_every_edit_was_exercised() -> None:
    """The tests above exercise them, which saves checking all policies again."""
    if len(TRIED) < len({title for title, _ in all_policies()}):
        pytest.skip("needs the tests of all policies to run first")
    assert sorted(places_of_edits() - MADE) == []


# ---- examples of `vernis explain`, as a user tries them ----------------------------------------------------

EXAMPLES = ALL_CODES
VERSIONED = ("V210", "V211", "V247", "V248", "V212")                # have their own version lines
NOT_HERE = ("V226", "V520", "V768")    # V226 needs a file of that name; V520 comes from resolving names, V768 from reading files


def errors(code: str, example: str, folder: Path) -> list[str]:
    backend = "" if code == "V516" else "backend origin none;\n"
    version = "5.0" if code in FIVE else "4.1"
    text = f"{example}\n{backend}" if code in VERSIONED else f"vcl {version};\n{backend}{example}\n"
    items = check(text.encode(), folder).diagnostics.items
    return [item.code for item in items if item.severity is Severity.ERROR and (item.code != "V602" or code == "V602")]


@pytest.mark.parametrize("code", [code for code, info in EXAMPLES.items() if info.bad and code not in NOT_HERE])
def test_the_wrong_example_has_only_this_mistake(code: str, tmp_path: Path) -> None:
    assert set(errors(code, EXAMPLES[code].bad, tmp_path)) <= {code}


@pytest.mark.parametrize("code", [code for code, info in FIVE.items() if info.bad and code not in NOT_HERE])
def test_the_wrong_example_of_five_has_its_code(code: str, tmp_path: Path) -> None:
    """Also where the code is a warning."""
    text = f"vcl 5.0;\nbackend origin none;\n{FIVE[code].bad}\n"
    assert code in [item.code for item in check(text.encode(), tmp_path).diagnostics.items]


@pytest.mark.parametrize("code", [code for code, info in EXAMPLES.items() if info.good and code not in NOT_HERE])
def test_the_right_example_is_accepted(code: str, tmp_path: Path) -> None:
    assert errors(code, EXAMPLES[code].good, tmp_path) == []
