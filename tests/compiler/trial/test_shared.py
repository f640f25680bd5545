"""What tests of a file share: set-up, subs, includes, tags, rows of tables and the environment."""

from __future__ import annotations

import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from test_vernis_test import ROOT, message_of, vernis

from vernis.pipeline import Options
from vernis.trial import suite as suites
from vernis.trial.properties import Drawing
from vernis.trial.sockets.daemon import Setup
from vernis.trial.sockets.runner import run_over_sockets

POLICY = """vcl 5.0;
import std;
table moved : STRING by exact [ "/old" => "/new" ];
table ages : DURATION by prefix [ "/a" => 10s ];
table nets : INT by ip [ "192.0.2.0"/24 => 1 ];
backend main { .host = "main.invalid"; }
sub vcl_init { if (std.getenv("BROKEN") is set) { return (fail("told to")); } }
sub vcl_recv {
    if (let to = moved[req.url]) { return (synth(301, to)); }
    if (let net = nets[client.ip]) { set req.http.X-Net = "" + net; }
    set req.http.X-Site = std.getenv("SITE");
    unset req.http.Cookie;
    if (req.http.X-Forwarded-Proto != "https") { return (synth(403)); }
    set req.url = req.url.lower();
}
sub vcl_backend_response { if (let age = ages[bereq.url]) { set beresp.ttl = age; } }
sub vcl_synth { if (resp.status == 301) { set resp.http.Location = resp.reason; } return (deliver); }
"""
SETUP = """sub setup { client(header = "X-Forwarded-Proto: https", header = "Cookie: a=1", address = "192.0.2.77"); tag("all"); }
"""
PASSING = {
    "client": 'request("/"); expect(resp.status == 200 && bereq.http.X-Forwarded-For == "192.0.2.77" && req.http.X-Net == "1");',
    "own field": 'request("/", header = "x-forwarded-proto: http"); expect(resp.status == 403); request("/"); expect(miss);',
    "another client": 'client(address = "10.0.0.1", header = "X: 1"); request("/"); expect(req.http.X == "1" && !req.http.X-Net);',
    "request": 'request("/AB", method = "HEAD"); expect(req.url == "/ab" && req.method == "HEAD" && !req.http.Cookie);',
    "a row goes": 'request("/old"); expect(synth && resp.status == 301); row("moved", "/old"); request("/old"); expect(miss);',
    "a row comes": 'row("moved", "/x", "/y"); request("/x"); expect(resp.http.Location == "/y"); request("/old"); expect(resp.status == 301);',
    "a row changes": 'row("ages", "/a", 5m); request("/a"); expect(beresp.ttl == 5m); row("ages", "/a", "7s"); request("/ab"); expect(beresp.ttl == 7s);',
    "a network": 'row("nets", "10.0.0.0/8", 7); client(address = "10.1.1.1"); request("/"); expect(req.http.X-Net == "7");',
    "rows are as before": 'request("/old"); expect(resp.status == 301);',
    "env": 'env("SITE", "shop"); request("/"); expect(req.http.X-Site == "shop");',
    "env of rows": 'case(site = "a"); case(site = "b"); env("SITE", site); request("/"); expect(req.http.X-Site == site);',
    "env is as before": 'request("/"); expect(!req.http.X-Site);',
    "sub": "call outer; expect(fetches == 1);",
    "columns in a sub": 'case(path = "/one"); case(path = "/two"); call ask;',
}  # fmt: skip
SUBS = """sub outer { call inner; expect(miss); }
sub inner { request("/"); }
sub ask { request(path); expect(req.url == path); }
"""


def written(folder: Path, tests: str, policy: str = POLICY) -> Path:
    (folder / "p.vcl").write_text(policy)
    (folder / "p.test.vcl").write_text("vcl 4.1;\n" + tests)
    return folder / "p.test.vcl"


def run(path: Path) -> dict[str, str | None]:
    suite = suites.load(path)
    assert suite.broken == []
    return {v.name: message_of(v) for v in suites.run_suite(suite, suite.cases, Options(), 1)}


def passing() -> str:
    return "".join(f'test "{name}" {{ {text} }}\n' for name, text in PASSING.items())


def test_tests_share_set_up_subs_rows_and_environment(tmp_path: Path) -> None:
    found = run(written(tmp_path, SETUP + SUBS + passing()))
    assert [(name, message) for name, message in found.items() if message is not None] == []
    assert len(found) == len(PASSING) + 2


def test_the_same_holds_over_sockets(tmp_path: Path) -> None:
    suite = suites.load(written(tmp_path, SETUP + SUBS + passing()))
    setup = Setup(str(ROOT / "build/bin/vernisd"))
    found = run_over_sockets(suite, suite.cases, Options(), setup, 1, Drawing())
    assert [(v.name, message_of(v), v.skipped) for v in found if v.finding is not None or v.skipped] == []


def test_an_included_file_brings_set_up_and_subs(tmp_path: Path) -> None:
    (tmp_path / "common.vcl").write_text(SETUP + SUBS)
    more = 'sub setup { client(header = "X-More: 1"); }\n'
    path = written(tmp_path, 'include "./common.vcl";\n' + more + passing() + 'test "both" { call inner; expect(req.http.X-More); }')
    assert [message for message in run(path).values() if message is not None] == []
    found = vernis(cwd=tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr


def test_a_failure_in_a_sub_has_its_place(tmp_path: Path) -> None:
    found = vernis(cwd=written(tmp_path, SUBS + 'test "x" { call inner; call outer; }').parent)
    assert "FAILED p.test.vcl: x\np.test.vcl:2:32: error[failed]: the request was a" in found.stdout


def test_a_world_that_cannot_begin_names_the_reason(tmp_path: Path) -> None:
    found = run(written(tmp_path, 'test "x" { env("BROKEN", "1"); request("/"); }'))
    assert "told to" in (found["x"] or "")


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ('row("none", "/a", "x");', 'row "/a" of table none: the policy has no such table'),
        ('row("ages", "/a", "x");', 'row "/a" of table ages: its key or value is not a DURATION such as 10m'),
        ('row("nets", "nowhere", 1);', 'row "nowhere" of table nets: its key or value '),
        ('env("A=B", "x");', '"A=B" is no name of a variable'),
        ("env();", "env needs name"),
        ('client(address = "here");', '"here" is no IP address'),
        ('client(header = "nonsense");', '"nonsense" is no header'),
        ("call nothing;", "this file has no sub nothing"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, statements: str, message: str) -> None:
    assert (run(written(tmp_path, f'test "x" {{ {statements} }}'))["x"] or "").startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sub vcl_recv { }", "vcl_recv is a hook of policies"),
        ("sub a { call b; } sub b { call a; } ", "sub a calls itself"),
        ("sub a { } sub a { }", "two subs have the name a"),
        ('sub a { case(x = "1"); } ', "a sub has no case"),
        ("backend b none;", "a file of tests has only tests and subs"),
        ("sub setup { tag(1); }", "a tag is a text"),
        ("sub setup { tag(); }", "tag needs a name"),
    ],
)
def test_a_file_with_a_mistake_does_not_run(tmp_path: Path, text: str, message: str) -> None:
    suite = suites.load(written(tmp_path, text + 'test "x" { call a; request("/"); }'))
    assert message in [item.message for item in suite.broken]


TAGGED = """sub setup { tag("all"); }
test "one" { tag("quick", "shop"); request("/"); }
test "two" { tag("slow"); request("/"); }
test "three" { request("/"); }
"""


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("--tag", "quick"), ["one"]),
        (("--tag", "quick", "--tag", "slow"), ["one", "two"]),
        (("--tag", "all", "--skip-tag", "slow"), ["one", "three"]),
        (("--skip-tag", "quick", "--skip-tag", "slow"), ["three"]),
        (("--tag", "all", "--filter", "t"), ["two", "three"]),
    ],
)
def test_tags_choose_tests(tmp_path: Path, words: tuple[str, ...], names: list[str]) -> None:
    written(tmp_path, TAGGED)
    found = vernis("-v", *words, cwd=tmp_path)
    assert [line.rpartition(" ")[2] for line in found.stdout.splitlines() if line.startswith("passed ")] == names


def test_an_unknown_tag_is_named_and_a_report_has_the_tags(tmp_path: Path) -> None:
    written(tmp_path, TAGGED)
    found = vernis("--tag", "fast", cwd=tmp_path)
    assert (found.returncode, "no test has the tag fast; the tags are: all, quick, shop, slow" in found.stderr) == (2, True)
    vernis("--tag", "quick", "--junit", "r.xml", cwd=tmp_path)
    case = ElementTree.parse(tmp_path / "r.xml").getroot()[0][0]
    assert [one.get("value") for one in case.iter("property")] == ["all", "quick", "shop"]


PAGE_POLICY = """vcl 5.0;
import std;
table moved : STRING by exact [ "/gone" => "/" ];
backend main { .host = "main.invalid"; }
sub vcl_recv {
    if (let to = moved[req.url]) {
        if (std.getenv("SITE") == "shop") { return (synth(301, to)); }
    }
    if (req.http.Cookie ~ "session=") { return (pass); }
}
sub vcl_synth { set resp.http.Location = resp.reason; return (deliver); }
sub vcl_deliver { set resp.http.Cache-Control = "no-store"; }
"""


def test_the_examples_of_the_page_run(tmp_path: Path) -> None:
    section = (ROOT / "docs/test.md").read_text().partition("## Set-up that tests share")[2].partition("\n## ")[0]
    code = [line.removeprefix("    ") for line in section.splitlines() if line.startswith("    ") or not line]
    found = run(written(tmp_path, "\n".join(code), PAGE_POLICY))
    assert len(found) >= 2 and set(found.values()) == {None}


def test_coverage_mutants_and_the_style_know_the_words(tmp_path: Path) -> None:
    path = written(tmp_path, SETUP + SUBS + passing())
    assert "coverage of p.vcl" in vernis("--coverage", cwd=tmp_path).stdout
    found = vernis("--mutate", "--mutants", "3", cwd=tmp_path)
    assert "mutants noticed: " in found.stdout, found.stdout + found.stderr
    command = [str(ROOT / "build/bin/vernis"), "fmt"]
    subprocess.run([*command, str(path)], check=True)
    assert subprocess.run([*command, "--check", str(path)]).returncode == 0
    assert [message for message in run(path).values() if message is not None] == []
