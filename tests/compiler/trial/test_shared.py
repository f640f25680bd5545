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
        ("call nothing;", "neither this file nor the policy has a sub nothing"),
        ("call vcl_init;", "no hook that a request runs calls sub vcl_init"),
        ('set req.none = "1"; call vcl_recv;', "sub vcl_recv does not compile alone: there is no variable req.none"),
        ("set req.url = 1; call vcl_recv;", "req.url is set to a text here"),
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
        ("sub setup { call vcl_recv; }", "a test that calls a sub of the policy sends no request"),
        ("sub setup { call vcl_recv; call vcl_hit; }", "a test calls one sub of the policy"),
        ("sub setup { call vcl_recv; set req.ttl = 1s; }", "set stands behind call"),
        ('sub setup { set req.url = "/"; }', "set gives a variable to a sub of the policy"),
    ],
)
def test_a_file_with_a_mistake_does_not_run(tmp_path: Path, text: str, message: str) -> None:
    calls = "call a; " if "sub a " in text else ""
    suite = suites.load(written(tmp_path, text + 'test "x" { ' + calls + 'request("/"); }'))
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
    found = run(written(tmp_path, code_of("Set-up that tests share"), PAGE_POLICY))
    assert len(found) >= 2 and set(found.values()) == {None}
    code = code_of("One sub alone")
    at = code.index('test "')
    hooks = "sub vcl_recv { call strip_tracking; }\nsub vcl_backend_response { call lifetimes; }\n"
    policy = 'vcl 4.1;\nbackend main { .host = "main.invalid"; }\n' + code[:at] + hooks
    found = run(written(tmp_path, code[at:], policy))
    assert len(found) >= 4 and set(found.values()) == {None}


def code_of(title: str) -> str:
    section = (ROOT / "docs/test.md").read_text().partition(f"## {title}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("    ") or not line]
    return "\n".join(line.removeprefix("    ") for line in lines)


# ---- one sub of the policy ---------------------------------------------------------------------------------

UNITS = """vcl 4.1;
import std;
backend a { .host = "a.invalid"; .probe = { .url = "/"; } }
backend b { .host = "b.invalid"; }
acl office { "10.0.0.0"/8; }
sub strip { set req.url = regsub(req.url, "[?]utm_.*$", ""); if (req.url ~ "^/admin") { return (pass); } }
sub choose { if (req.http.Host ~ "^b") { set req.backend_hint = b; } if (client.ip ~ office) { set req.http.In = std.healthy(a); } }
sub vcl_recv { call strip; call choose; if (req.method == "BREW") { return (synth(418, "no")); } }
sub vcl_recv { set req.http.Second = "1"; }
sub life { if (beresp.status == 404) { set beresp.ttl = 7s; } elsif (beresp.ttl > 1h) { set beresp.ttl = 1h; return (deliver); } }
sub vcl_backend_fetch { if (bereq.http.Site == "b") { set bereq.backend = b; } set bereq.http.Seen = bereq.url; }
sub vcl_backend_response { call deeper; }
sub deeper { call life; }
sub vcl_deliver { unset resp.http.Server; set resp.http.X-Hits = obj.hits; }
sub vcl_hit { set req.http.Hit = "yes"; }
sub vcl_miss { if (req.http.Never) { return (synth(404)); } }
sub vcl_pass { set req.http.Passed = req.method; }
sub vcl_pipe { set bereq.http.Connection = "close"; }
sub vcl_purge { return (synth(200, "Gone")); }
sub vcl_hash { hash_data(req.http.Lang); }
sub vcl_backend_error { set beresp.http.Oops = "1"; }
sub vcl_synth { set resp.http.Synth = resp.status; }
"""
CALLS = {
    "strip": 'case(url = "/a?utm_x=1", clean = "/a"); case(url = "/b", clean = "/b"); set req.url = url; call strip;'
    ' expect(req.url == clean && !returned && fetches == 0);',
    "twice": 'set req.url = "/admin?utm_x"; call strip; expect(req.url == "/admin" && returned == "pass");'
    ' set req.url = "/c"; call strip; expect(!returned);',
    "drawn": 'draw(path = text("/[a-z]{1,4}")); set req.url = path + "?utm_a=1"; call strip; expect(req.url == path || returned == "pass");',
    "a hook in parts": 'set req.method = "BREW"; set req.http.X = "1"; call vcl_recv; expect(returned == "synth" && resp.status == 418);'
    ' set req.method = "GET"; call vcl_recv; expect(!returned && req.http.Second == "1");',
    "client and health": 'client(address = "10.1.1.1"); health("a", false); call choose; expect(req.http.In == "false");'
    ' health("a", true); call choose; expect(req.http.In == "true");',
    "answer": "answer(status = 404); call life; expect(beresp.ttl == 7s && !returned);",
    "given": 'set beresp.ttl = 2h; call life; expect(beresp.ttl == 1h && returned == "deliver");',
    "fetch": 'set req.http.Site = "b"; set req.url = "/x"; call vcl_backend_fetch; expect(backend == "b" && bereq.http.Seen == "/x");',
    "deliver": 'answer(header = "Server: x"); call vcl_deliver; expect(!resp.http.Server && resp.http.X-Hits == "0");',
    "hit": 'call vcl_hit; expect(req.http.Hit == "yes" && hit && !returned);',
    "miss": 'set req.http.Never = "1"; call vcl_miss; expect(returned == "synth" && resp.status == 404);',
    "pass": 'set req.method = "PUT"; call vcl_pass; expect(req.http.Passed == "PUT" && pass);',
    "pipe": "call vcl_pipe; expect(pipe && !returned);",
    "purge": 'call vcl_purge; expect(purge && returned == "synth");',
    "hash": 'set req.http.Lang = "de"; call vcl_hash; expect(key == "de");',
    "error": "call vcl_backend_error; expect(resp.http.Oops && resp.status == 503);",
    "synth": 'call vcl_synth; expect(resp.http.Synth == "200");',
}  # fmt: skip


def calling() -> str:
    return "".join(f'test "{name}" {{ {text} }}\n' for name, text in CALLS.items())


def test_a_sub_of_the_policy_runs_alone(tmp_path: Path) -> None:
    found = run(written(tmp_path, calling(), UNITS))
    assert [(name, message) for name, message in found.items() if message is not None] == []


def test_a_changed_sub_fails_its_test(tmp_path: Path) -> None:
    found = run(written(tmp_path, calling(), UNITS.replace("beresp.ttl = 7s", "beresp.ttl = 8s")))
    assert [(name, message) for name, message in found.items() if message is not None] == [("answer", "beresp.ttl is 8")]


def test_a_sub_of_the_policy_is_no_test_over_sockets(tmp_path: Path) -> None:
    suite = suites.load(written(tmp_path, calling(), UNITS))
    found = run_over_sockets(suite, suite.cases, Options(), Setup("/no/daemon"), 1, Drawing())
    assert {v.skipped for v in found} == {"it calls a sub of the policy, without a request (call)"}


def test_mutants_are_noticed_by_calls(tmp_path: Path) -> None:
    policy = 'vcl 4.1;\nbackend a { .host = "a.invalid"; }\nsub vcl_recv { if (req.url == "/a") { return (pass); } }\n'
    tests = 'test "x" { case(url = "/a", pass = "yes"); set req.url = url; call vcl_recv; expect(returned == "pass"); }'
    written(tmp_path, tests.replace(', pass = "yes"', ""), policy)
    found = vernis("--mutate", cwd=tmp_path)
    assert found.returncode == 0 and "mutants noticed: " in found.stdout and "mutants noticed: 0" not in found.stdout


def test_coverage_mutants_and_the_style_know_the_words(tmp_path: Path) -> None:
    path = written(tmp_path, SETUP + SUBS + passing())
    assert "coverage of p.vcl" in vernis("--coverage", cwd=tmp_path).stdout
    found = vernis("--mutate", "--mutants", "3", cwd=tmp_path)
    assert "mutants noticed: " in found.stdout, found.stdout + found.stderr
    command = [str(ROOT / "build/bin/vernis"), "fmt"]
    subprocess.run([*command, str(path)], check=True)
    assert subprocess.run([*command, "--check", str(path)]).returncode == 0
    assert [message for message in run(path).values() if message is not None] == []
