"""Coverage of `vernis test`: lines, branches and hooks, and the reports about them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.examples import example_suites

from vernis.pipeline import Options
from vernis.trial import coverage_report as report
from vernis.trial import suite as suites
from vernis.trial.coverage import Coverage, FileCoverage

ROOT = Path(__file__).resolve().parents[3]
VERNIS = ROOT / "build" / "bin" / "vernis"
Measure = Callable[..., FileCoverage]

POLICY = """vcl 4.1;
backend main { .host = "main.invalid"; }
sub mark {
    set req.http.X-Marked = "é";
}
sub vcl_recv {
    if (req.url ~ "^/a") {
        call mark;
    } elseif (req.url ~ "^/b") {
        if (req.http.B) { return (pass); }
    }
    else {
        return (synth(404));
        }
    if (req.http.C == "é") {
        unset req.http.C;
    }
}
sub vcl_deliver {
    set resp.http.X = "1";
}
"""


@pytest.fixture
def measure(tmp_path: Path) -> Measure:
    """The coverage of a policy by tests."""

    def measure(tests: str, policy: str = POLICY) -> FileCoverage:
        (tmp_path / "p.vcl").write_text(policy)
        (tmp_path / "p.test.vcl").write_text("vcl 4.1;\n" + tests)
        suite = suites.load(tmp_path / "p.test.vcl")
        coverage = Coverage()
        suites.run_suite(suite, suite.cases, Options(), 1, coverage)
        (found,) = coverage.files()
        return found

    return measure


def taken(file: FileCoverage) -> dict[str, int]:
    return {f"{branch.line} {branch.head}": branch.hits for branch in file.branches}


def test_each_statement_condition_and_sub_counts_its_line(measure: Measure) -> None:
    found = measure('test "a" { request("/a"); request("/a", header = "C: x"); }').lines
    assert found == {3: 2, 4: 2, 6: 2, 7: 2, 8: 2, 9: 0, 10: 0, 13: 0, 15: 2, 16: 0, 19: 2, 20: 2}


def test_each_arm_and_the_way_around_is_a_branch(measure: Measure) -> None:
    found = taken(measure('test "a" { request("/b"); request("/b", header = "B: 1"); request("/c"); }'))
    assert found == {
        '7 if (req.url ~ "^/a")': 0,
        '9 elseif (req.url ~ "^/b")': 2,
        "12 else": 1,
        "10 if (req.http.B)": 1,
        "10 no arm": 1,
        '15 if (req.http.C == "é")': 0,
        "15 no arm": 1,
    }


def test_an_if_that_never_ran_is_not_reached(measure: Measure) -> None:
    branches = measure('test "a" { request("/c"); }').branches
    assert {branch.line for branch in branches if branch.is_reached} == {7, 9, 12}


def test_subs_count_their_runs(measure: Measure) -> None:
    hooks = measure('test "a" { request("/a"); request("/c"); }').hooks
    assert [(hook.name, hook.line, hook.hits) for hook in hooks] == [("mark", 3, 1), ("vcl_recv", 6, 2), ("vcl_deliver", 19, 1)]


def test_a_hook_that_fails_covers_only_its_first_half(measure: Measure) -> None:
    policy = "vcl 4.1;\nbackend b none;\nsub vcl_recv {\n  call other;\n  set req.http.A = 1;\n}\nsub other { return (fail); }\n"
    assert measure('test "a" { request("/"); }', policy).lines == {3: 1, 4: 1, 5: 0, 7: 1}


def test_init_counts_and_fini_is_left_out(measure: Measure) -> None:
    policy = "vcl 4.1;\nbackend b none;\nsub vcl_init {\n return (ok);\n}\nsub vcl_fini {\n return (ok);\n}\n"
    found = measure('test "a" { request("/"); }', policy)
    assert (found.lines, [hook.name for hook in found.hooks]) == ({3: 1, 4: 1}, ["vcl_init"])


def test_a_later_definition_of_a_hook_counts(measure: Measure) -> None:
    policy = "vcl 4.1;\nbackend b none;\nsub vcl_recv {\n unset req.http.A;\n}\nsub vcl_recv {\n return (pass);\n}\n"
    assert measure('test "a" { request("/"); }', policy).lines == {3: 1, 4: 1, 7: 1}


def test_suites_of_one_policy_add_up(measure: Measure, tmp_path: Path) -> None:
    measure('test "a" { request("/a"); }')
    coverage = Coverage()
    for name in ("p", "q"):
        (tmp_path / f"{name}.test.vcl").write_text('vcl 4.1; test "a" { request("/c"); }')
        suite = suites.load(tmp_path / f"{name}.test.vcl", tmp_path / "p.vcl")
        suites.run_suite(suite, suite.cases, Options(), 1, coverage)
    (found,) = coverage.files()
    assert taken(found)["12 else"] == 2


def test_without_coverage_only_subs_and_arms_count(measure: Measure, tmp_path: Path) -> None:
    measure("")
    run = suites.compile_policy(suites.load(tmp_path / "p.test.vcl"), tmp_path, Options())
    assert run.module is not None
    assert (len(run.module.rules), run.module.spots) == (8, [])


# ---- the command -------------------------------------------------------------------------------------------


def vernis(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(VERNIS), "test", *map(str, arguments)], capture_output=True, text=True, timeout=60, cwd=cwd, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.vcl").write_text(POLICY)
    (tmp_path / "p.test.vcl").write_text('vcl 4.1;\ntest "a" { request("/a"); request("/a"); }\ntest "c" { request("/c"); }\n')
    return tmp_path


def test_the_text_names_the_places_that_no_test_ran(folder: Path) -> None:
    assert vernis("--coverage", cwd=folder).stdout.splitlines()[:-1] == [
        "coverage of p.vcl: lines 83.3 % (10 of 12), branches 42.8 % (3 of 7), hooks 100.0 % (3 of 3)",
        "p.vcl: lines that did not run: 10, 16",
        'p.vcl:9:7: not taken: elseif (req.url ~ "^/b")',
        "p.vcl:10:9: not taken: if (req.http.B)",
        "p.vcl:10:9: not taken: no arm",
        'p.vcl:15:5: not taken: if (req.http.C == "é")',
    ]


@pytest.mark.parametrize(("limit", "code"), [("42.8", 0), ("43", 1)])
def test_coverage_below_the_limit_fails(folder: Path, limit: str, code: int) -> None:
    found = vernis("--fail-under", limit, cwd=folder)
    assert (found.returncode, "branches: 42.8 % (3 of 7) is less than 43 %" in found.stdout) == (code, code == 1)


def test_lcov_has_functions_branches_and_lines(folder: Path) -> None:
    vernis("--coverage-lcov", "out", cwd=folder)
    assert (folder / "out").read_text().split("\n") == [
        "TN:", f"SF:{folder}/p.vcl",
        "FN:3,mark", "FN:6,vcl_recv", "FN:19,vcl_deliver", "FNDA:2,mark", "FNDA:3,vcl_recv", "FNDA:2,vcl_deliver", "FNF:3", "FNH:3",
        "BRDA:7,0,0,2", "BRDA:7,0,1,0", "BRDA:7,0,2,1", "BRDA:10,1,0,-", "BRDA:10,1,1,-", "BRDA:15,2,0,0", "BRDA:15,2,1,2",
        "BRF:7", "BRH:3",
        "DA:3,2", "DA:4,2", "DA:6,3", "DA:7,3", "DA:8,2", "DA:9,1", "DA:10,0", "DA:13,1", "DA:15,2", "DA:16,0", "DA:19,2", "DA:20,2",
        "LF:12", "LH:10", "end_of_record", "",
    ]  # fmt: skip


def test_cobertura_has_rates_and_conditions(folder: Path) -> None:
    vernis("--coverage-xml", "out", cwd=folder)
    root = ElementTree.parse(folder / "out").getroot()
    assert (root.get("line-rate"), root.get("branches-covered"), root.get("branches-valid")) == ("0.8333", "3", "7")
    (found,) = root.iter("class")
    assert found.get("filename") == "p.vcl"
    lines = {line.get("number"): line for line in found.findall("lines/line")}
    assert (lines["7"].get("condition-coverage"), lines["7"].get("hits")) == ("66% (2/3)", "3")
    assert lines["8"].get("branch") == "false"
    assert [method.get("name") for method in found.iter("method")] == ["mark", "vcl_recv", "vcl_deliver"]


def test_pages_show_hits_and_missed_branches(folder: Path) -> None:
    vernis("--coverage-html", "pages", cwd=folder)
    assert '<a href="1-p.html">p.vcl</a></td><td>83.3 % (10 of 12)</td>' in (folder / "pages/index.html").read_text()
    page = (folder / "pages/1-p.html").read_text()
    assert '<tr class="missed" id="L16"><td class="number">16</td><td class="hits">0</td>' in page
    assert '<tr class="ran" id="L8">' in page
    assert '<tr class="partly" id="L15">' in page
    assert '<span class="note">not taken: if (req.http.C == &quot;é&quot;)</span>' in page


def test_a_report_that_cannot_be_written_is_named(folder: Path) -> None:
    found = vernis("--coverage-lcov", "no/such/file", cwd=folder)
    assert (found.returncode, "cannot write no/such/file: No such file" in found.stderr) == (2, True)


def test_a_policy_without_code_is_covered() -> None:
    assert [share.shown for share in report.shares([])] == ["100.0 % (0 of 0)"] * 3


@pytest.mark.parametrize("path", example_suites(), ids=lambda path: path.parent.name)
def test_the_examples_are_covered(path: Path) -> None:
    suite, coverage = suites.load(path), Coverage()
    suites.run_suite(suite, suite.cases, Options(), 1, coverage)
    _, branches, hooks = report.shares(coverage.files())
    assert branches.percent > 90, report.as_text(coverage.files())
    assert hooks.percent == 100, report.as_text(coverage.files())
