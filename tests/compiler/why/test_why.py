"""`vernis why`: the reason that it names is the true one, and each change that it proposes makes a hit."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from situations import COOKIE, HEAD, MINUTE, SITUATIONS, Situation, ask, say, twice

from vernis.record import replace
from vernis.trial.world import Host
from vernis.why import report
from vernis.why.explain import Explanation, explain
from vernis.why.freshness import lifetime_of
from vernis.why.inquiry import Inquiry
from vernis.why.page import page
from vernis.why.play import PolicyTrouble, is_fresh_hit
from vernis.observe import tags
from vernis.observe.reason_texts import LOG_REASONS, REASONS
from vernis.observe.records import Record
from vernis.why.observed import Log

HEAD_LINES = HEAD.count("\n")


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    host = Host()
    yield host
    host.close()


def inquiry_of(s: Situation) -> Inquiry:
    return Inquiry("p.vcl", s.sent[-1], s.sent[:-1], text=(HEAD + s.policy + "\n").encode())


def explained(host: Host, *sent, policy: str = "") -> Explanation:  # type: ignore[no-untyped-def]
    return explain(host, inquiry_of(Situation("", "", "", tuple(sent), policy)))


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda s: s.name)
def test_a_situation(host: Host, situation: Situation) -> None:
    found = explain(host, inquiry_of(situation))
    assert (found.verdict.decision, found.verdict.reason) == (situation.decision, situation.reason)
    lines = [one.place.line - HEAD_LINES for one in found.verdict.deciders if one.place.file == 0]
    assert situation.at == 0 or situation.at in lines
    assert found.changes
    for change in found.changes:
        again = explain(host, change.apply(found.inquiry), with_changes=False)
        assert is_fresh_hit(again.played), change.what
        assert again.verdict.decision == "hit", change.what


def test_there_are_fifty_situations_of_each_kind() -> None:
    assert len(SITUATIONS) >= 50
    decisions = {situation.decision for situation in SITUATIONS}
    assert {"miss", "pass", "hit-for-miss", "hit-for-pass", "stale hit", "synth", "pipe"} <= decisions


def test_every_reason_but_that_of_a_fresh_hit_has_a_situation() -> None:
    assert {situation.reason for situation in SITUATIONS} == set(REASONS) - {"fresh"}


def test_the_field_and_not_the_statement_about_grace_ends_the_freshness(host: Host) -> None:
    sent = ask(answer=say(Expires="Thu, 01 Jan 1970 00:00:00 GMT"))
    found = explained(host, *twice(sent), policy="sub vcl_backend_response { set beresp.grace = 1h; return (deliver); }")
    assert found.verdict.sentence == "the answer has no freshness: ttl 0 s is not above 0 (Expires: Thu, 01 Jan 1970 00:00:00 GMT)"
    assert found.verdict.deciders == ()
    grace = "sub vcl_backend_response {\n    set beresp.ttl = 0s; set beresp.grace = 0s; set beresp.keep = 0s; return (deliver);\n}"
    found = explained(host, *twice(ask(answer=MINUTE)), policy=grace)
    assert found.verdict.sentence == "the answer has no freshness: ttl 0 s is not above 0 (set by the policy)"
    assert [one.place.column for one in found.verdict.deciders] == [5]


def test_what_was_not_stored_is_not_listed_as_stored(host: Host) -> None:
    policy = "sub vcl_backend_response { return (deliver); }"
    assert report.stored(explained(host, *twice(ask(answer=say(Vary="*"))), policy=policy)) == []
    assert report.stored(explained(host, *twice(ask(answer=say(Vary="Accept"))), policy=policy)) == [
        "a response, key '/ example.com', Vary: Accept, 120 s left"]
    assert report.stored(explained(host, *twice(ask(answer=say(Set_Cookie="a=1"))))) == ["a marker: not shared, key '/ example.com', 120 s left"]


def test_an_invalid_vary_is_no_failure_of_the_fetch(host: Host) -> None:
    found = explained(host, ask(answer=say(Vary="a b(")))
    assert (found.verdict.decision, found.played.response.status, report.failed(found)) == ("miss", 200, [])


def test_a_hit_needs_no_change(host: Host) -> None:
    found = explained(host, *twice(ask(answer=MINUTE), 20))
    assert found.verdict.decision == "hit"
    assert found.verdict.sentence == "a fresh response is stored: age 20 s, ttl left 40 s, grace 10 s"
    assert found.changes == []


def test_the_longest_wait_is_proposed(host: Host) -> None:
    found = explained(host, *twice(ask(answer=MINUTE), 600))
    assert found.changes[0].what == "ask at most 59 s after the request before"


def test_one_cookie_of_several_is_the_smaller_change(host: Host) -> None:
    policy = 'sub vcl_recv { if (req.http.Cookie !~ "sid=") { unset req.http.Cookie; } }'
    found = explained(host, *twice(ask(fields={"Cookie": "_ga=1; sid=2"})), policy=policy)
    assert found.changes[0].what == "without the cookie sid"


def test_two_changes_are_proposed_if_one_is_not_enough(host: Host) -> None:
    policy = """sub vcl_recv {
    if (req.method == "POST" || req.http.X-Preview || req.http.Authorization) { return (pass); }
    unset req.http.Cookie;
}
sub vcl_backend_response { if (bereq.http.X-Trace) { set beresp.uncacheable = true; } }"""
    fields = {"X-Preview": "1", "X-Trace": "1"}
    found = explained(host, *twice(ask(fields=fields)), policy=policy)
    assert found.verdict.reason == "pass-policy"
    assert [change.what for change in found.changes] == [
        "without the field X-Preview; without the field X-Trace"
    ]


def test_the_arithmetic_of_freshness(host: Host) -> None:
    answer = say(Cache_Control="max-age=60", Age="10")
    found = explained(host, *twice(ask(answer=answer), 600), policy="sub vcl_backend_response {\n set beresp.ttl = 30s; }")
    fetch = found.history[0].fetch
    assert fetch is not None
    lifetime = lifetime_of(fetch, found.teller)
    assert lifetime is not None
    assert (lifetime.grace_s, lifetime.age_s) == (10.0, 10.0)
    assert lifetime.left_s(0) == 30.0  # the policy's ttl counts from the fetch
    assert "p.vcl:5:2 sets beresp.ttl = 30s" in lifetime.steps


@pytest.mark.parametrize(("field", "value", "said"), [
    ("Cache_Control", "max-age=0", "max-age or s-maxage is 0 s"), ("Cache_Control", "public, S-MaxAge = 0", "max-age or s-maxage is 0 s"),
    ("Cache_Control", "max-age=60", "max-age or s-maxage is 60 s"), ("CDN_Cache_Control", "max-age=0", "max-age or s-maxage is 0 s"),
    ("Cache_Control", "public", "no max-age"), ("Cache_Control", "x-max-age=0", "no max-age"), ("Expires", "Thu, 01 Jan 1970 00:00:00 GMT", "no max-age"),
])
def test_a_max_age_of_zero_is_told(host: Host, field: str, value: str, said: str) -> None:
    found = explained(host, *twice(ask(answer=say(**{field: value}))))
    fetch = found.history[0].fetch
    assert fetch is not None
    lifetime = lifetime_of(fetch, found.teller)
    assert lifetime is not None
    assert [step.partition(", so")[0] for step in lifetime.steps if "the proposed ttl" in step] == [said]


def test_the_built_in_steps_are_told(host: Host) -> None:
    found = explained(host, ask(fields=COOKIE))
    run = found.played.last.run_of("vcl_recv")
    assert run is not None and run.decider is not None
    assert found.teller.is_builtin(run.decider.place)
    assert found.teller.line_of(run.decider.place) == "return (pass);"
    assert run.calls[-1] == "vcl_req_cookie"


PROBED = 'backend slow { .host = "slow.invalid"; .probe = { .url = "/"; .initial = 0; } }\nsub vcl_recv { set req.backend_hint = slow; }'


def test_a_backend_with_a_probe_is_healthy_as_in_a_daemon_that_runs(host: Host) -> None:
    found = explained(host, ask(), ask(), policy=PROBED)
    assert (found.verdict.decision, report.failed(found)) == ("hit", [])


def test_a_failed_fetch_is_named_whatever_the_decision(host: Host) -> None:
    fails = ask(answer=say(fails="closes"))
    found = explained(host, fails, fails)
    assert (found.verdict.decision, found.verdict.sentence) == ("failure", "the fetch failed: HTC eof (-1)")
    assert report.failed(found) == []  # the verdict says so
    passed = ask(method="POST", answer=say(fails="closes"))
    found = explained(host, passed)
    assert found.verdict.reason == "pass-method"
    assert report.failed(found) == ["status 503: the fetch failed: HTC eof (-1)"]
    assert "status 503: the fetch failed: HTC eof (-1)" in report.text(found) and "HTC eof" in page(found)
    assert report.as_json(found)["fetch_failed"] == "HTC eof (-1)"
    found = explained(host, ask(answer=say()), policy='sub vcl_backend_response { return (error(503, "no")); }')
    assert re.search(r"the fetch failed: vcl_backend_response returned error at p.vcl:\d+:\d+", found.verdict.sentence)


def test_the_words_of_the_daemon_name_a_failure(host: Host) -> None:
    answer = replace(say(fails="closes"), failure="backend a: unhealthy")
    found = explained(host, ask(answer=answer), ask(answer=answer))
    assert found.verdict.sentence == "the fetch failed: backend a: unhealthy"


def test_a_policy_with_errors_is_refused(host: Host, tmp_path: Path) -> None:
    with pytest.raises(PolicyTrouble) as trouble:
        explain(host, Inquiry("p.vcl", ask(), text=b"vcl 4.1;\nsub vcl_recv { set req.url = ; }\n"))
    assert trouble.value.run.failed


VERNIS = Path(__file__).parents[3] / "build" / "bin" / "vernis"
MODULE = """#include <stdio.h>
__attribute__((constructor)) static void
begin(void)
{
    fclose(fopen(LOADED, "w"));
}
"""
DESCRIPTION = """abi = 1
[[module]]
name = "own"
doc = "For tests."
function = [{ name = "word", symbol = "word", result = "STRING", params = [], doc = "A word." }]
"""


def ran(*words: str) -> subprocess.CompletedProcess[str]:
    """A process of its own, because this one has a trial."""
    return subprocess.run([VERNIS, *words], capture_output=True, text=True)


def test_a_module_that_a_policy_names_by_path_is_not_loaded(tmp_path: Path) -> None:
    loaded, folder = tmp_path / "loaded", tmp_path / "modules"
    folder.mkdir()
    (tmp_path / "own.c").write_text(MODULE)
    subprocess.run(["cc", "-shared", "-fPIC", f'-DLOADED="{loaded}"', "-o", folder / "libvmod_own.so", tmp_path / "own.c"], check=True)
    (folder / "own.toml").write_text(DESCRIPTION)
    policy = tmp_path / "p.vcl"
    for place in (f"{folder}", f"{folder}/libvmod_own.so", f"{folder}/../modules/libvmod_own.so"):
        policy.write_text(f'vcl 4.1; import own from "{place}"; backend default none; sub vcl_recv {{ return (synth(200, own.word())); }}')
        found = ran("why", str(policy), "http://h/")
        assert (found.returncode, found.stdout) == (2, "")
        assert f"imports module own from {folder}" in found.stderr and f"--vmod-path {folder}" in found.stderr
        assert ran("check", str(policy)).returncode == 0
        assert ran("lint", str(policy)).returncode in (0, 1)
        assert not loaded.exists()
    assert ran("why", str(policy), "http://h/", "--vmod-path", str(folder)).returncode == 2
    assert loaded.exists()                                                      # and the runtime refuses it: it describes nothing


def test_the_page_lists_each_reason() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "why.md").read_text()
    rows = [line for line in page.partition("## Reasons")[2].splitlines() if line.startswith("| `")]
    every = {**REASONS, **LOG_REASONS}
    assert rows == [f"| `{id}` | {sentence.format(about='...')} |" for id, sentence in every.items()]


# ---- what the log has besides requests ----


def told(log: Log, tag: str, text: str) -> None:
    log.untied(Record(tags.NUMBERS[tag], 0, text.encode() + b"\0"))


def test_the_log_has_the_health_that_probes_found() -> None:
    log = Log()
    for text in ("boot.b Still healthy 4---X-RH 5 3 5 0.1 0.1", "boot.b Went sick 4---X--- 2 3 5 0.1 0.1", "boot.b Still sick 4---X--- 1 3 5 0.1 0.1",
                 "boot.b Ejected for 10.000 s: x", "boot.b Went healthy 4---X-RH 3 3 5 0.1 0.1"):
        told(log, "Backend_health", text)
    told(log, "CLI", "Rd backend.set_health boot.b sick")
    told(log, "CLI", "Wr 200 0 ")
    assert [one.text for one in log.commands] == [
        "backend_health boot.b healthy", "backend_health boot.b sick", "backend_health boot.b healthy", "backend.set_health boot.b sick"]


@pytest.mark.parametrize(("commands", "status"), [
    ((), 200), (("backend.set_health * sick",), 503), (("backend.set_health mai* sick",), 503), (("backend.set_health other sick",), 200),
    (("backend_health main sick",), 503), (("backend_health main sick", "backend_health main healthy"), 200),
    (("backend_health main sick", "backend.set_health main healthy"), 200), (("backend.set_health main healthy", "backend_health main sick"), 200),
    (("backend.set_health main healthy", "backend_health main sick", "backend.set_health main auto"), 503),
    (("backend.set_health main sick", "backend.set_health main auto"), 200),
])
def test_a_command_decides_before_a_probe(host: Host, commands: tuple[str, ...], status: int) -> None:
    sent = replace(ask(), commands=commands)
    found = explained(host, sent, policy="sub vcl_recv { if (!std.healthy(req.backend_hint)) { return (synth(503)); } }")
    assert found.played.response.status == status


@pytest.mark.parametrize(("command", "is_hit"), [
    ("purge 192.0.2.1 GET / Host: example.com", False), ("purge -j 192.0.2.1 GET / Host: example.com", False), ("purge 192.0.2.1 GET / Host: h", True),
    ("purge 192.0.2.1 GET / User-Agent: X (rv:1.0) Host: example.com", False), ("purge 192.0.2.1 GET / no field", True), ("purge 192.0.2.1 GET /a Host: example.com", True),
    ("purge_key a", True), ("purge_all", False), ("purge_all -j", False), ("purge_all -j -s", False),
])
def test_a_purge_by_a_command_is_played(host: Host, command: str, is_hit: bool) -> None:
    found = explained(host, ask(answer=MINUTE), replace(ask(answer=MINUTE), commands=(command,)))
    assert is_fresh_hit(found.played) is is_hit
