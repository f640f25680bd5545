"""`vernis test`: statements, facts, failures, and the suites of the examples."""

from __future__ import annotations

import os
import re
import subprocess
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.examples import example_suites

from vernis.native.abi import MissingBuild
from vernis.pipeline import Options
from vernis.trial import suite as suites
from vernis.trial import world
from vernis.trial.suite import Verdict

ROOT = Path(__file__).resolve().parents[3]
VERNIS = ROOT / "build" / "bin" / "vernis"

POLICY = """vcl 4.1;
import std;
backend main { .host = "a.name.that.nobody.looks.up.invalid"; }
backend api { .host = "api.invalid"; .host_header = "api"; }
acl purgers { "192.0.2.9"; }
sub vcl_recv {
    if (req.method == "PURGE" && client.ip ~ purgers) { return (purge); }
    if (req.url ~ "^/api/") { set req.backend_hint = api; return (pass); }
    if (req.url ~ "^/pipe") { return (pipe); }
    if (req.url ~ "^/again" && req.restarts == 0) { return (restart); }
    if (req.url ~ "^/no") { return (synth(403, "No")); }
    std.log("seen " + req.url);
}
sub vcl_backend_response {
    if (bereq.url ~ "^/day") { set beresp.ttl = 1d; }
    if (bereq.url ~ "^/aged") { return (deliver); }
}
sub vcl_deliver { set resp.http.X-Hits = obj.hits; }
"""


@pytest.fixture
def run(tmp_path: Path):  # type: ignore[no-untyped-def]
    """Runs tests of POLICY in this process's children. The result: message by name; None for those that pass."""

    def run(text: str, policy: str = POLICY, jobs: int = 1) -> dict[str, str | None]:
        (tmp_path / "p.vcl").write_text(policy)
        path = tmp_path / "p.test.vcl"
        path.write_text("vcl 4.1;\n" + text)
        suite = suites.load(path)
        assert suite.broken == []
        return {v.name: message_of(v) for v in suites.run_suite(suite, suite.cases, Options(), jobs)}

    return run


def message_of(verdict: Verdict) -> str | None:
    return None if verdict.finding is None else verdict.finding.message


def body(run, statements: str) -> str | None:  # type: ignore[no-untyped-def]
    """The message of one test with these statements."""
    found: str | None = run('test "x" { ' + statements + " }")["x"]
    return found


# ---- facts -------------------------------------------------------------------------------------------------

KEPT = 'answer(header = "Cache-Control: max-age=60", body = "hello"); '


@pytest.mark.parametrize(
    "statements",
    [
        'request("/a"); expect(miss && !hit && fetches == 1); request("/a"); expect(hit && !miss && fetches == 0);',
        'request("/api/a"); expect(pass && backend == "api" && bereq.http.Host == "example.com");',
        'request("/pipe"); expect(pipe && backend == "main");',
        'request("/no"); expect(synth && resp.status == 403 && fetches == 0);',
        'request("/a", method = "PURGE", client = "192.0.2.9"); expect(purge);',
        'request("/again"); expect(restarts == 1 && miss);',
        'request("/a"); expect(log == "seen /a" && key ~ "^/a\\n");',
        'request("/a?x=1", header = "Host: h"); expect(bereq.url == "/a?x=1" && bereq.http.host == "h");',
        'request("/a", method = "POST", body = "abc"); expect(bereq.http.Content-Length == "3");',
        KEPT + 'request("/a"); expect(beresp.ttl == 1m && beresp.grace == 10s && beresp.keep == 0s);',
        'answer(header = "Cache-Control: max-age=0", header = "Age: 5"); request("/aged"); expect(beresp.ttl == -5s);',
        'answer(header = "Cache-Control: max-age=60", header = "Age: 5"); request("/a"); expect(beresp.ttl == 55s);',
        'answer(header = "Age: 5"); request("/day"); expect(beresp.ttl == 1d);',
        'answer(header = "Age: 5", status = 500); request("/a"); expect(beresp.uncacheable && beresp.ttl == 2m);',
        KEPT + 'request("/a"); expect(resp.body == "hello" && resp.http.Content-Length == "5");',
        KEPT + 'request("/a"); advance(59s); request("/a"); expect(resp.http.Age == "59" && fetches == 0);',
        KEPT + 'request("/a"); advance(61s); request("/a"); expect(hit && fetches == 1);',
        KEPT + 'request("/a"); advance(71s); request("/a"); expect(miss);',
        'answer(header = "Set-Cookie: a=1"); request("/a"); expect(beresp.uncacheable); request("/a"); expect(hit_for_miss);',
        'answer(header = "X: a", header = "X: b"); request("/a"); expect(resp.http.x == "a, b" && !resp.http.Y);',
        'answer(delay = 5s); request("/a"); expect(resp.status == 200);',
        'answer(delay = 2m); request("/a"); expect(resp.status == 503 && errors ~ "first byte timeout");',
        'answer(fails = "refuses"); request("/a"); expect(resp.status == 503 && errors ~ "Connection refused");',
        'answer(url = "/b*", status = 404); request("/a"); expect(resp.status == 503); request("/bc"); expect(resp.status == 404);',
        'answer(backend = "api", body = "x"); request("/api/"); expect(resp.body == "x"); request("/"); expect(resp.status == 503);',
        'answer(times = 1); request("/a"); request("/b"); expect(errors ~ "no answer");',
        'health("main", false); request("/a"); expect(resp.status == 503); health("main", true); request("/b"); expect(miss);',
        'request("/day"); expect(beresp.ttl == 1d && (miss || hit) && !(hit || pass));',
        'request("/a"); expect(beresp.ttl > 1s && beresp.ttl >= 2m && beresp.ttl < 1h && beresp.ttl <= 120s);',
    ],
)  # fmt: skip
def test_what_a_test_may_expect(run, statements: str) -> None:  # type: ignore[no-untyped-def]
    assert body(run, statements) is None


@pytest.mark.parametrize(
    "statements",
    [
        'request("/a"); expect(req.proto == "HTTP/1.1"); request("/b", protocol = "HTTP/2.0"); expect(req.proto == "HTTP/2.0");',
        'client(protocol = "HTTP/2.0"); request("/pipe"); expect(pass && !pipe && errors ~ "returned pipe");',
        'request("/a", protocol = "HTTP/2.0", header = "cookie: a=1", header = "cookie: b=2"); expect(req.http.cookie == "a=1; b=2");',
    ],
)  # fmt: skip
def test_a_request_has_the_protocol_that_the_test_says(run, statements: str) -> None:  # type: ignore[no-untyped-def]
    assert body(run, statements) is None


def test_an_unknown_protocol_is_named(run) -> None:  # type: ignore[no-untyped-def]
    assert body(run, 'request("/a", protocol = "HTTP/3");') == 'protocol is "HTTP/1.1" or "HTTP/2.0", not "HTTP/3"'


TLS_POLICY = """vcl 4.1;
import proxy;
import tls;
backend default none;
sub vcl_recv {
    if (!tls.is_tls()) { return (synth(301)); }
    if (req.url ~ "^/admin" && tls.client_verify() != "ok") { return (synth(403)); }
    return (synth(200));
}
sub vcl_synth {
    set resp.http.Version = tls.version();
    set resp.http.Authority = proxy.authority();
    set resp.http.Subject = tls.client_subject();
    set resp.http.CN = proxy.client_cert_cn();
    set resp.http.Verify = tls.client_verify() + " " + proxy.ssl_verify_result() + " " + proxy.client_has_cert_conn();
    set resp.http.JA4 = tls.ja4();
    set resp.http.Resumed = tls.resumed();
}
"""


@pytest.mark.parametrize(
    "statements",
    [
        'request("/"); expect(resp.status == 301 && resp.http.Version == "");',
        'request("/", tls = "version: TLSv1.2"); expect(resp.http.Version == "TLSv1.2" && resp.http.Resumed == "false");',
        'request("/", tls = "resumed: true"); expect(resp.status == 200 && resp.http.Resumed == "true" && resp.http.Version == "");',
        'request("/", tls = "authority: a.test", tls = "ja4: t13"); expect(resp.http.Authority == "a.test" && resp.http.JA4 == "t13");',
        'request("/admin", tls = "alpn: h2"); expect(resp.status == 403 && resp.http.Verify == "none 0 false");',
        'request("/admin", tls = "client_verify: ok", tls = "client_subject: CN=a", tls = "client_cn: a"); '
        'expect(resp.status == 200 && resp.http.Subject == "CN=a" && resp.http.CN == "a" && resp.http.Verify == "ok 0 true");',
        'request("/admin", tls = "client_verify: certificate has expired"); expect(resp.http.Verify == "certificate has expired 1 true");',
        'client(tls = "client_verify: ok"); request("/admin"); expect(resp.status == 200); '
        'request("/admin", tls = "client_verify: none"); expect(resp.status == 403); request("/admin"); expect(resp.status == 200);',
        'request("/", tls = "alpn: h2"); request("/"); expect(resp.status == 301);',
    ],
)  # fmt: skip
def test_a_client_has_the_tls_that_the_test_says(run, statements: str) -> None:  # type: ignore[no-untyped-def]
    assert run('test "x" { ' + statements + " }", TLS_POLICY) == {"x": None}


def test_a_client_in_5_has_the_scheme_that_the_test_says(run) -> None:  # type: ignore[no-untyped-def]
    policy = 'vcl 5.0; backend default none; sub vcl_recv { return (synth(200)); } sub vcl_synth { set resp.http.S = req.scheme; }'
    for tls, scheme in ((', tls = "version: TLSv1.3"', "https"), ("", "http")):
        assert run(f'test "x" {{ request("/"{tls}); expect(resp.http.S == "{scheme}"); }}', policy) == {"x": None}


@pytest.mark.parametrize(
    ("tls", "message"),
    [
        ("versoin: TLSv1.3", "module tls has no versoin; did you mean version"),
        ("resumed: 1", "resumed is true or false"),
        ("TLSv1.3", '"TLSv1.3" is no fact of TLS'),
    ],
)  # fmt: skip
def test_an_unknown_fact_of_tls_is_named(run, tls: str, message: str) -> None:  # type: ignore[no-untyped-def]
    for statement in (f'request("/a", tls = "{tls}");', f'client(tls = "{tls}");'):
        assert body(run, statement) == message


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ('request("/a"); expect(hit);', "the request was a miss"),
        ('request("/a"); expect(resp.status == 404);', "resp.status is 200"),
        ('request("/a"); expect(miss && resp.http.X-Hits == "1");', 'resp.http.X-Hits is "0"'),
        ('request("/a"); expect(resp.http.Nothing);', "resp.http.Nothing is unset"),
        ('request("/a"); expect(hit || pass);', "the request was a miss; the request was a miss"),
        ('request("/a"); expect(!miss);', "miss is true"),
        ('request("/a"); expect(resp.http.X-Hits !~ "0");', 'resp.http.X-Hits is "0"'),
    ],
)
def test_a_failure_shows_what_the_value_is(run, statements: str, message: str) -> None:  # type: ignore[no-untyped-def]
    assert body(run, statements) == message


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ("expect(hit);", "hit has no value before the first request"),
        ('request("/a"); expect(hitt);', "hitt is no fact about a request"),
        ('request("/a"); expect(resp.status == "200");', '200 and "200" are of different types'),
        ('request("/a"); expect(resp.body < 1);', '"" and 1 are of different types'),
        ('request("/a"); expect(resp.body ~ "(");', "PCRE2: missing closing parenthesis"),
        ('request("/a"); expect(resp.status ~ "2");', "200 is no text"),
        ("request();", "request needs url"),
        ('request("/a", foo = 1);', "request has no argument foo"),
        ('request("/a", "GET", "H: x", "b", "192.0.2.1", 1, "HTTP/2.0", "alpn: h2", "x");', "request has too many arguments"),
        ('request("/a", url = "/b");', "url is given twice"),
        ("request(1);", "url is a text, and 1 is none"),
        ('request("/a b");', "malformed"),
        ('request("/a", header = "nonsense");', '"nonsense" is no header'),
        ('request("/a", client = "example.com");', '"example.com" is no IP address'),
        ('answer(status = 20);', "20 is no status"),
        ('answer(fails = "sleeps");', "fails is one of: refuses, closes, cuts off"),
        ('health("main", false, polls = 1);', "the policy has no backend main with a probe"),
        ('health("main", false, polls = 0.5);', "polls is a whole number from 0 to 64"),
        ("advance(-1s);", "time does not run backwards"),
        ("advance(5 parsecs);", "parsecs is no unit"),
        ('health("nowhere", true);', "the policy has no backend nowhere"),
        ("chance(0);", "seed is a whole number from 1 to 2147483647"),
        ('request("/a", times = 0);', "times is a whole number from 1 to 10000"),
        ('request("/a", times = 1.5);', "times is a whole number from 1 to 10000"),
        ('request("/a", times = 10001);', "times is a whole number from 1 to 10000"),
        ('request("/a", times = "3");', 'times is a number, and "3" is none'),
        ("answer(times = 1.5);", "times is a whole number from 0 to 10000"),
        ("answer(times = -1);", "times is a whole number from 0 to 10000"),
        ("frobnicate();", "frobnicate is no statement of tests"),
        ('unset req.url;', "a test has no such statement"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_test_is_named(run, statements: str, message: str) -> None:  # type: ignore[no-untyped-def]
    found = body(run, statements)
    assert found is not None and message in found


CHANCE = 'vcl 4.1; import std; backend b none; sub vcl_recv { return (synth(200, "" + std.random(0, 1000000))); }'


# ---- health and failures -----------------------------------------------------------------------------------

PROBED = """vcl 4.1;
import directors;
import saintmode;
import std;
probe default { .url = "/health"; .interval = 5s; .window = 5; .threshold = 3; .initial = 0; }
backend a { .host = "a.invalid"; }
backend b { .host = "b.invalid"; .probe = { .url = "/"; .interval = 1s; .window = 8; .threshold = 8; } }
backend nothing none;
sub vcl_init {
    new d = directors.round_robin(); d.add_backend(a); d.add_backend(b);
    new sm = saintmode.saintmode(b, 1);
}
sub vcl_recv {
    if (req.url ~ "^/d") { set req.backend_hint = d.backend(); }
    if (req.url ~ "^/b") { set req.backend_hint = b; }
    if (req.url ~ "^/saint") { set req.backend_hint = sm.backend(); }
    if (req.url ~ "^/none") { set req.backend_hint = nothing; }
    if (req.url ~ "^/ready") {
        if (std.healthy(d.backend())) { return (synth(200)); }
        return (synth(503, "not ready"));
    }
    if (req.url ~ "^/fail") { return (fail); }
    if (req.url ~ "^/loop") { return (restart); }
}
sub vcl_backend_fetch { if (bereq.url ~ "lost") { return (fail("no way")); } }
sub vcl_backend_response {
    if (bereq.url ~ "^/saint") { saintmode.denylist(1m); return (retry); }
    if (bereq.url ~ "error") { return (error(503, "no")); }
    if (bereq.url ~ "abandon") { return (abandon); }
    if (bereq.url ~ "keep") { set beresp.ttl = 1m; }
    set beresp.grace = 0s;
}
"""
SICK = 'health("a", false); health("b", false); '

HEALTH = [
    'request("/a"); request("/a"); expect(hit); request("/b"); expect(backend == "b");',
    'request("/ready"); expect(resp.status == 200); ' + SICK + 'request("/ready"); expect(resp.status == 503);',
    'health("a", false); request("/d1"); expect(backend == "b"); request("/d2"); expect(backend == "b");',
    'health("a", false, polls = 2); request("/1"); expect(resp.status == 200); health("a", false, polls = 1);'
    ' request("/2"); expect(resp.status == 503); health("a", true, polls = 2); request("/3"); expect(resp.status == 503);'
    ' health("a", true, polls = 1); request("/4"); expect(resp.status == 200);',
    'answer(header = "Cache-Control: max-age=12"); request("/a"); health("a", true, polls = 2); request("/a");'
    ' expect(hit && resp.http.Age == "10"); health("a", true, polls = 1); request("/a"); expect(miss);',
    'health("a", false); health("a", true, polls = 1); request("/a"); expect(resp.status == 200);',
]  # fmt: skip


@pytest.mark.parametrize("statements", HEALTH)
def test_backends_with_a_probe_begin_healthy_and_polls_change_that(run, statements: str) -> None:  # type: ignore[no-untyped-def]
    assert run('test "x" { ' + statements + " }", PROBED)["x"] is None


REASONS = [
    (SICK + 'request("/a"); expect(hit);', "the request was a miss; the response is a 503: the fetch failed: backend a: unhealthy"),
    ('health("b", false, polls = 1); request("/b"); expect(resp.status == 200);', "resp.status is 503; the fetch failed: backend b: unhealthy"),
    (SICK + 'request("/d"); expect(resp.status == 200);', "resp.status is 503; the fetch failed: Director d returned no backend (sick: a, b)"),
    ('request("/none"); expect(resp.status == 200);', "resp.status is 503; the fetch failed: No backend: the policy chose none"),
    ('answer(fails = "closes"); request("/a"); expect(resp.status == 200);', "resp.status is 503; the fetch failed: HTC eof (-1)"),
    ('answer(delay = 2m); request("/a"); expect(resp.status == 200);', "resp.status is 503; the fetch failed: first byte timeout"),
    ('answer(url = "/x"); request("/a"); expect(resp.status == 200);', "resp.status is 503; the fetch failed: the test has no answer for GET /a of backend a"),
    ('answer(status = 503); request("/a"); expect(resp.status == 200);', "resp.status is 503; origin a answered 503"),
    ('answer(status = 503); request("/keep"); request("/keep"); expect(resp.status == 200);', "resp.status is 503; the stored response has status 503"),
    ('request("/fail"); expect(resp.status == 200);', "resp.status is 503; vcl_recv returned fail at p.vcl:22:31"),
    ('request("/loop"); expect(resp.status == 200);', "resp.status is 503; vcl_recv returned restart at p.vcl:23:31: Too many restarts"),
    (SICK + 'request("/ready"); expect(resp.status == 200);', "resp.status is 503; vcl_recv returned synth at p.vcl:20:9"),
    ('request("/lost"); expect(resp.status == 200);', "resp.status is 503; vcl_backend_fetch returned fail at p.vcl:25:51: no way"),
    ('request("/error"); expect(resp.status == 200);', "resp.status is 503; vcl_backend_response returned error at p.vcl:28:32"),
    ('request("/abandon"); expect(resp.status == 200);', "resp.status is 503; vcl_backend_response returned abandon at p.vcl:29:34"),
    ('answer(header = "Transfer-Encoding: junk"); request("/a"); expect(resp.status == 200);', "resp.status is 503; the fetch failed: Body cannot be fetched"),
    ('answer(header = "Content-Encoding: gzip", body = "junk"); request("/a"); expect(resp.status == 200);', "resp.status is 503; the fetch failed: Invalid Gzip data: incorrect header check"),
    ('request("/saint"); expect(resp.status == 200);', "resp.status is 503; the fetch failed: Director sm returned no backend"),
]  # fmt: skip


@pytest.mark.parametrize(("statements", "message"), REASONS)
def test_a_failed_expectation_names_the_reason_of_a_503(run, statements: str, message: str) -> None:  # type: ignore[no-untyped-def]
    found = run('test "x" { ' + statements + " }", PROBED)["x"]
    assert re.sub("[^ ]*/p[.]vcl", "p.vcl", found) == message


@pytest.mark.parametrize(
    ("fails", "why"),
    [("refuses", "backend a: fail errno 111 (Connection refused)"), ("cuts off", "straight insufficient bytes")],
)
def test_a_failure_that_sockets_show_in_another_way_is_named(run, fails: str, why: str) -> None:  # type: ignore[no-untyped-def]
    text = f'test "x" {{ answer(body = "abc", fails = "{fails}"); request("/a"); expect(resp.status == 200); }}'
    assert run(text, PROBED)["x"] == f"resp.status is 503; the fetch failed: {why}"


def test_a_seed_chooses_the_random_numbers(run) -> None:  # type: ignore[no-untyped-def]
    def told(statements: str) -> str:
        found = run('test "x" { ' + statements + ' request("/"); expect(resp.body == ""); }', CHANCE)["x"]
        return str(found)

    assert told("") == told("chance(1);") == told("chance(7); chance(1);")
    assert len({told(f"chance({seed});") for seed in range(1, 6)}) == 5


def test_includes_are_part_of_the_response_and_count_as_fetches(run) -> None:  # type: ignore[no-untyped-def]
    policy = 'vcl 4.1; backend b { .host = "b.invalid"; } sub vcl_backend_response { set beresp.do_esi = true; }'
    page = 'answer(url = "/", body = {"<p><esi:include src="/part"/></p>"}); answer(url = "/part", body = "in"); '
    first = 'request("/"); expect(resp.body == "<p>in</p>" && fetches == 2 && miss); '
    again = 'request("/"); expect(resp.body == "<p>in</p>" && fetches == 0 && hit);'
    assert run('test "x" { ' + page + first + again + " }", policy) == {"x": None}


def test_tests_do_not_see_each_other(run) -> None:  # type: ignore[no-untyped-def]
    names = [f"t{i}" for i in range(120)]  # more than a process takes at once
    text = "".join(f'test "{n}" {{ request("/a"); expect(miss); request("/a"); expect(hit); }}\n' for n in names)
    assert run(text, jobs=2) == dict.fromkeys(names)


#: What a policy can remember, and the statements of a test that sees it: they pass only in a world of their own.
MEMORY = """vcl 4.1;
import directors; import saintmode; import std; import var; import vsthrottle; import xkey;
backend main { .host = "a.invalid"; }
backend other { .host = "b.invalid"; }
sub vcl_init {
    new turns = directors.round_robin();
    turns.add_backend(main);
    turns.add_backend(other);
    new saint = saintmode.saintmode(main, 1);
    var.global_set("init", var.global_get("init") + "x");
}
sub vcl_recv {
    if (req.url == "/denied") { return (synth(200, "" + vsthrottle.is_denied("k", 2, 60s))); }
    if (req.url == "/left") { return (synth(200, "" + vsthrottle.remaining("k", 2, 60s))); }
    if (req.url == "/var") {
        var.global_set("g", var.global_get("g") + "x");
        return (synth(200, var.global_get("g") + var.global_get("init")));
    }
    if (req.url == "/file") { return (synth(200, std.fileread("FILE"))); }
    if (req.url == "/random") { return (synth(200, "" + std.random(0, 1000000))); }
    if (req.url == "/ban") { std.ban("obj.status == 200"); return (synth(200, "ban")); }
    if (req.url == "/xkey") { return (synth(200, "" + xkey.purge("k"))); }
    if (req.url == "/turn") { set req.backend_hint = turns.backend(); return (pass); }
    if (req.url == "/saint") { set req.backend_hint = saint.backend(); }
}
sub vcl_backend_response { if (bereq.url == "/saint") { saintmode.denylist(1h); } }
sub vcl_deliver { set resp.http.Reason = resp.reason; set resp.http.Hits = obj.hits; }
sub vcl_synth { set resp.http.Reason = resp.reason; return (deliver); }
"""
REMEMBERED = [
    'request("/denied", times = 2); expect(resp.http.Reason == "false"); request("/denied"); expect(resp.http.Reason == "true");',
    'request("/left"); expect(resp.http.Reason == "2"); request("/denied"); request("/left"); expect(resp.http.Reason == "1");',
    'request("/var"); expect(resp.http.Reason == "xx"); request("/var"); expect(resp.http.Reason == "xxx");',
    'request("/a"); expect(miss && fetches == 1); request("/ban"); request("/a"); expect(miss && fetches == 1);',
    'request("/a"); expect(miss); request("/a", times = 3); expect(hit && resp.http.Hits == "3");',
    'answer(header = "xkey: k"); request("/a"); request("/xkey"); expect(resp.http.Reason == "1");',
    'request("/xkey"); expect(resp.http.Reason == "0");',
    'request("/turn"); expect(backend == "main"); request("/turn"); expect(backend == "other");',
    'request("/saint"); expect(resp.status == 200 && backend == "main");',
    'health("main", false); request("/a"); expect(resp.status == 503);',
]


def of_memory(times: int = 2) -> str:
    """Tests of all that policies remember, so often."""
    rows = [f'test "{n} {turn}" {{ {text} }}' for turn in range(times) for n, text in enumerate(REMEMBERED)]
    return "\n".join(rows)


def test_a_test_sees_nothing_that_another_left_in_a_policy(run) -> None:  # type: ignore[no-untyped-def]
    found = run(of_memory(), MEMORY)
    assert len(found) == 2 * len(REMEMBERED) and set(found.values()) == {None}


def test_random_numbers_begin_anew_in_each_test(run) -> None:  # type: ignore[no-untyped-def]
    found = run("".join(f'test "{n}" {{ request("/random"); expect(!resp.http.Reason); }}\n' for n in "ab"), MEMORY)
    assert found["a"] == found["b"] and "resp.http.Reason is" in str(found["a"])


def test_a_file_is_read_again_in_each_test(tmp_path: Path) -> None:
    (tmp_path / "p.vcl").write_text(MEMORY.replace("FILE", f"{tmp_path}/words.txt"))
    (tmp_path / "p.test.vcl").write_text('vcl 4.1; test "a" { request("/file"); expect(!resp.http.Reason); }')
    suite = suites.load(tmp_path / "p.test.vcl")
    run = suites.compile_policy(suite, tmp_path, Options())
    work = suites.Work(suite, suites.image_of(run))
    with closing(world.Host()) as host:
        for words in ("one", "two"):
            (tmp_path / "words.txt").write_text(words)
            assert message_of(suites.run_case(work, suite.cases[0], host)) == f'resp.http.Reason is "{words}"'


def test_a_request_is_sent_so_often(run) -> None:  # type: ignore[no-untyped-def]
    once, thrice = 'request("/a"); ', 'request("/a", times = 3); '
    assert run(f'test "x" {{ {once}{thrice}expect(hit && resp.http.X-Hits == "3" && fetches == 0); }}') == {"x": None}
    assert run(f'test "x" {{ {thrice}expect(resp.http.X-Hits == "2"); }}') == {"x": None}
    bodies = 'answer(body = "1", times = 2); answer(body = "2"); '
    assert run(f'test "x" {{ {bodies}request("/api/", times = 3); expect(resp.body == "2"); }}') == {"x": None}


def test_a_crash_is_the_failure_of_its_test(run, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    real = suites.run_case

    def crash(work, case, host):  # type: ignore[no-untyped-def]
        if case.name == "b":
            os._exit(1)
        return real(work, case, host)

    monkeypatch.setattr(suites, "run_case", crash)
    found = run("".join(f'test "{n}" {{ request("/a"); expect(miss); }}\n' for n in "abc"))
    assert found == {"a": None, "b": "the process crashed in this test", "c": None}


def test_a_function_that_waits_for_a_file_does_not_hold_up_the_test(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    policy = f'vcl 4.1; import std; backend b none; sub vcl_recv {{ return (synth(200, std.fileread("{tmp_path}/FILE"))); }}'
    for number in range(20):  # each file is read once
        (tmp_path / f"file{number}").write_text("x")
        found = run('test "x" { request("/"); expect(resp.body ~ "<h1>Error 200 x</h1>"); }', policy.replace("FILE", f"file{number}"))
        assert found == {"x": None}


# ---- files -------------------------------------------------------------------------------------------------


def vernis(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(VERNIS), "test", *map(str, arguments)], capture_output=True, text=True, timeout=60, cwd=cwd, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.vcl").write_text(POLICY)
    (tmp_path / "p.test.vcl").write_text(
        'vcl 4.1;\ntest "good" { request("/a"); expect(miss); }\ntest "bad" { request("/a"); expect(hit); }\n'
    )
    return tmp_path


def test_the_command_finds_tests_and_shows_failures_with_their_places(folder: Path) -> None:
    found = vernis("-v", cwd=folder)
    assert found.returncode == 1
    assert "passed p.test.vcl: good\n" in found.stdout
    assert "FAILED p.test.vcl: bad\np.test.vcl:3:36: error[failed]: the request was a miss\n" in found.stdout
    assert "1 passed, 1 failed" in found.stdout


def test_a_filter_a_policy_and_a_folder_choose_tests(folder: Path) -> None:
    assert vernis("--filter", "good", cwd=folder).returncode == 0
    assert "1 passed" in vernis("p.vcl", "--filter", "good", cwd=folder).stdout
    assert "1 passed" in vernis(folder, "--filter", "good", cwd=folder.parent).stdout
    found = vernis("--filter", "other", cwd=folder)
    assert (found.returncode, "no test was chosen" in found.stderr) == (2, True)


def test_a_report_of_junit_has_every_test(folder: Path) -> None:
    vernis("--junit", "r.xml", cwd=folder)
    suite = ElementTree.parse(folder / "r.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [(case.get("name"), len(case)) for case in suite] == [("good", 0), ("bad", 1)]


@pytest.mark.parametrize(
    ("tests", "policy", "message"),
    [
        ('test "a" { ', POLICY, "V2"),
        ('backend a none;\ntest "a" { }', POLICY, "a file of tests has only tests and subs"),
        ('test "a" { }\ntest "a" { }', POLICY, "two tests have this name"),
        ('test "a" { }', "vcl 4.1;\nbackend b none;\nsub vcl_recv { set req.nothing = 1; }", "does not compile"),
        ('test "a" { }', None, "cannot read p.vcl"),
    ],
)
def test_a_file_that_cannot_run_is_refused(tmp_path: Path, tests: str, policy: str | None, message: str) -> None:
    (tmp_path / "p.test.vcl").write_text("vcl 4.1;\n" + tests)
    if policy is not None:
        (tmp_path / "p.vcl").write_text(policy)
    found = vernis(cwd=tmp_path)
    assert found.returncode == 2
    assert message in found.stderr


def test_the_suites_of_the_examples_pass() -> None:
    found = vernis(*map(str, example_suites()), cwd=ROOT)
    assert (found.returncode, found.stdout[:7] != "0 passed") == (0, True), found.stdout + found.stderr


def test_a_missing_library_is_named(run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(world, "library_folder", lambda: tmp_path)
    with pytest.raises(MissingBuild, match=r"libvernisrt\.so is missing"):
        run('test "a" { request("/"); }')
