"""`vernis log --why` names the reason of each hit, miss and pass of a running daemon, and the statement of the
policy that decided. Reasons are logged only while a command wants them."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving
from proxy.test_delivery import policy
from proxy.test_not_stored import statement

RULES = """import xkey;
sub vcl_recv {
    if (req.http.X == "miss") { set req.hash_always_miss = true; }
    if (req.http.X == "ttl") { set req.ttl = 1s; }
    if (req.http.X == "grace") { set req.grace = 1s; }
    if (req.url == "/pass") { return (pass); }
    if (req.url == "/pipe") { return (pipe); }
    if (req.url == "/synth") { return (synth(404)); }
    if (req.url == "/fail") { return (fail); }
    if (req.url == "/host") { unset req.http.host; }
    if (req.url == "/again" && req.restarts == 0) { return (restart); }
    if (req.url == "/loop") { return (restart); }
    if (req.method == "PURGE") { return (purge); }
    if (req.http.Soft) { set req.http.n = xkey.softpurge(req.http.Soft); return (synth(200)); }
}
sub vcl_miss { if (req.url == "/miss-pass") { return (pass); } }
sub vcl_backend_response {
    set beresp.grace = 10s;
    if (bereq.url == "/own") { set beresp.uncacheable = true; }
    if (bereq.url == "/hit-for-pass") { return (pass(60s)); }
}
"""
FIELDS = {
    "/cookie": {"Set-Cookie": "secret=1"}, "/control": {"Cache-Control": "private"}, "/star": {"Vary": "*"},
    "/zero": {"Cache-Control": "max-age=0"}, "/vary": {"Vary": "Colour"}, "/tag": {"xkey": "front"},
    **{url: {"Set-Cookie": "secret=2"} for url in ("/marker", "/private", "/json", "/old")},
}
SHARED = {"Cache-Control": "max-age=100"}


def answer(r: Request) -> Reply:
    if r.url == "/broken":
        return Reply(raw=b"", close=True)
    return Reply(body=b"x" * 10, headers={**SHARED, **FIELDS.get(r.url, {})})


class Site:
    """A daemon whose clock stands still, and which logs reasons."""

    def __init__(self, d: Daemon, text: str) -> None:
        self.d, self.text = d, text
        self.wanted = d.connect()
        assert self.wanted.ask("vernis.reasons") == (200, "")

    def get(self, url: str, method: str = "GET", **headers: str) -> None:
        with Client(self.d.port) as c:
            c.request(url, method, headers={"Host": "h", **headers})

    def later(self, seconds: float) -> None:
        self.d.ok(f"debug.clock +{seconds}")

    def purge(self, url: str) -> None:
        self.get(url, "PURGE")

    def ban(self, url: str) -> None:
        self.d.ok(f"ban req.url == {url}")


def why(d: Daemon, *options: str) -> str:
    done = subprocess.run(["build/bin/vernis", "log", "-n", str(d.workdir), "-d", "--why", *options], cwd=ROOT, capture_output=True, text=True,
                          check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Origin(answer) as origin:
        text = policy(origin, RULES)
        with serving(text, ["-s", "malloc,100m", "-p", "debug=+test_clock", "-p", "loops=1"]) as d:
            d.ok("debug.clock 1700000000")
            yield Site(d, text)


def told(site: Site, url: str, count: int) -> list[str]:
    """The lines of the last request for a URL, without time, request and numbers: "DECISION: reason", then what
    became of the response."""
    def lines() -> list[str] | None:
        blocks = re.split(r"^(?=\S)", why(site.d, "-q", f'ReqURL eq "{url}"'), flags=re.M)[1:]
        return blocks[-1].splitlines() if len(blocks) >= count else None
    first, *others = wait_until(lines, f"the log has {count} requests for {url}")
    reason = re.split(r"  (?:\d{3}|---)  \d+  ", first, maxsplit=1)[1]
    return [re.sub(r"\(fetch \d+\)", "(fetch N)", line.strip()) for line in (reason, *others)]


# name: requests and changes before; the request; the reason; the statement that decided, "" if none is shown
ROWS: dict[str, tuple[Callable[[Site, str], None], dict[str, Any], str, str]] = {
    "/absent": (lambda s, u: None, {}, "miss: no response is stored for this key, and none was lately", ""),
    "/hit": (lambda s, u: (s.get(u), s.later(7)), {}, "hit: a fresh response is stored: age 7 s, ttl left 93 s, grace 10 s", ""),
    "/stale": (lambda s, u: (s.get(u), s.later(103)), {},
               "stale hit: the stored response is stale and within its grace, so the cache sent it: age 103 s, stale for 3 s, grace left 7 s", ""),
    "/expired": (lambda s, u: (s.get(u), s.later(113)), {}, "miss: the stored response expired: 13 s ago", ""),
    "/purged": (lambda s, u: (s.get(u), s.purge(u), s.later(3)), {}, "miss: a purge removed the stored response 3 s ago", ""),
    "/banned": (lambda s, u: (s.get(u), s.ban(u), s.later(3)), {}, "miss: a ban covers the stored response 0 s ago", ""),
    "/tag": (lambda s, u: (s.get(u), s.get("/soft", Soft="front"), s.later(12)), {}, "miss: the stored response expired: 12 s ago", ""),
    "/vary": (lambda s, u: (s.get(u), s.get(u, Colour="red")), {"Colour": "blue"},
              "miss: the stored response is for other values of the fields in Vary: 2 stored", ""),
    "/always": (lambda s, u: s.get(u), {"X": "miss"}, "miss: the policy demands a new fetch: req.hash_always_miss is true",
                "set req.hash_always_miss = true;"),
    "/req-ttl": (lambda s, u: (s.get(u), s.later(5)), {"X": "ttl"}, "miss: the stored response is older than the policy allows: req.ttl",
                 "set req.ttl = 1s;"),
    "/req-grace": (lambda s, u: (s.get(u), s.later(105)), {"X": "grace"},
                   "miss: the stored response is stale for longer than the policy allows: its freshness ended 5 s ago", "set req.grace = 1s;"),
    "/cookie": (lambda s, u: (s.get(u), s.later(34)), {},
                "hit-for-miss: for 34 s, 86 s more (fetch N): the answer sets a cookie (Set-Cookie), so it is for one visitor",
                "call vcl_beresp_hitmiss;"),
    "/control": (lambda s, u: (s.get(u), s.later(1)), {},
                 "hit-for-miss: for 1 s, 119 s more (fetch N): the answer forbids shared caches to keep it: Cache-Control: private",
                 "call vcl_beresp_hitmiss;"),
    "/star": (lambda s, u: s.get(u), {}, "hit-for-miss: for 0 s, 120 s more (fetch N): the answer has Vary: *, so it fits no other request",
              "call vcl_beresp_hitmiss;"),
    "/own": (lambda s, u: s.get(u), {}, "hit-for-miss: for 0 s, 100 s more (fetch N): the policy declares the answer uncacheable",
             "set beresp.uncacheable = true;"),
    "/zero": (lambda s, u: s.get(u), {},
              "hit-for-miss: for 0 s, 120 s more (fetch N): the answer has no freshness: ttl 0 s is not above 0 (Cache-Control: max-age=0)",
              "call vcl_beresp_hitmiss;"),
    "/hit-for-pass": (lambda s, u: (s.get(u), s.later(20)), {},
                      "hit-for-pass: for 20 s, 40 s more (fetch N): the policy passes this key for a while: return (pass) after the fetch",
                      "return (pass(60s));"),
    "/marker": (lambda s, u: (s.get(u), s.later(200)), {}, "miss: the marker of an uncacheable answer ended 80 s ago", ""),
    "/pass": (lambda s, u: None, {}, "pass: the policy returns pass from vcl_recv", "return (pass);"),
    "/miss-pass": (lambda s, u: None, {}, "pass: the policy returns pass from vcl_miss", "return (pass);"),
    "/visitor": (lambda s, u: None, {"Cookie": "a=1; b=2"}, "pass: the request has a cookie (a, b), so its answer may be for one visitor",
                 "return (pass);"),
    "/user": (lambda s, u: None, {"Authorization": "Basic eA=="}, "pass: the request has Authorization, so its answer may be for one user",
              "return (pass);"),
    "/post": (lambda s, u: None, {"method": "POST"}, "pass: the method POST is passed: only GET and HEAD are looked up", "return (pass);"),
    "/pipe": (lambda s, u: None, {}, "pipe: the policy returns pipe from vcl_recv", "return (pipe);"),
    "/brew": (lambda s, u: None, {"method": "BREW"}, "pipe: the method BREW is unknown to the cache, so the client is connected to the origin",
              "return (pipe);"),
    "/synth": (lambda s, u: None, {}, "synth: the policy answers by itself, from vcl_recv", "return (synth(404));"),
    "/host": (lambda s, u: None, {}, "synth: the request has no Host", "return (synth(400));"),
    "/purge": (lambda s, u: None, {"method": "PURGE"}, "purge: the policy purges: vcl_recv", "return (purge);"),
    "/fail": (lambda s, u: None, {}, "failure: the policy failed: Failed from VCL", "return (fail);"),
}


@pytest.mark.parametrize("url", ROWS)
def test_each_decision_has_its_reason(site: Site, url: str) -> None:
    before, request, reason, source = ROWS[url]
    before(site, url)
    site.get(url, **request)
    count = {"/vary": 3, "/purged": 3}.get(url, 2 if "s.get" in before.__code__.co_names else 1)
    said, _, place = told(site, url, count)[0].partition("   ")
    assert said == reason
    assert (statement(place, site.text)[0] if place else "") == source


def test_the_lines_below_tell_what_became_of_the_response(site: Site) -> None:
    site.get("/kept")
    assert told(site, "/kept", 1)[1:] == ["stored: ttl 100 s, grace 10 s, keep 0 s (VCL, cacheable)"]
    site.get("/private")
    refused, marker = told(site, "/private", 1)[1:]
    assert refused.startswith("not stored: the answer sets a cookie (Set-Cookie), so it is for one visitor   <builtin>:")
    assert marker == "marker: hit-for-miss for 120 s: requests do not wait for each other"
    site.get("/broken")
    [failed] = told(site, "/broken", 1)[1:]
    assert failed.startswith("fetch failed: ")


def test_a_fetch_that_the_client_needed_no_more_of_did_not_fail() -> None:
    """It has its range, or the policy answers by itself. The marker still has its reason."""
    large = {"/pass": {}, "/cookie": {"Set-Cookie": "a=1"}}
    rules = 'sub vcl_recv { if (req.url == "/pass") { return (pass); } }\nsub vcl_deliver { if (req.http.Own) { return (synth(200)); } }'
    with Origin(lambda r: Reply(body=b"x" * 8_000_000, headers=large[r.url])) as origin, serving(policy(origin, rules), ["-p", "loops=1"]) as d:
        site = Site(d, "")
        early = "the fetch ended early: the client had what it asked for, or left"
        site.get("/pass", Range="bytes=0-9")
        assert told(site, "/pass", 1)[1:] == ["not stored: the request was passed, and passed answers are not stored", early]
        site.get("/pass", Own="1")
        assert told(site, "/pass", 2)[1:] == ["not stored: the request was passed, and passed answers are not stored", early]
        site.get("/cookie", Range="bytes=0-9")
        refused, marker, last = told(site, "/cookie", 1)[1:]
        assert refused.startswith("not stored: the answer sets a cookie (Set-Cookie)") and marker.startswith("marker: hit-for-miss") and last == early
        site.get("/cookie", Range="bytes=0-9")
        assert ": the answer sets a cookie (Set-Cookie), so it is for one visitor" in told(site, "/cookie", 2)[0]


RETRY = """sub vcl_backend_response {
    set beresp.do_stream = false;
    if (beresp.http.Vary) { return (deliver); }
}
sub vcl_backend_error { if (bereq.retries == 0) { return (retry); } }
"""


@pytest.mark.parametrize(("field", "became", "again"), [
    ("Vary: Cookie, *", "not stored: the answer has Vary: *, so it fits no other request", "miss: "),
    ("Set-Cookie: a=1", "stored: ttl 100 s, grace 10 s, keep 0 s (RFC, cacheable)", "hit: "),
])
def test_a_retry_is_judged_by_its_own_response(field: str, became: str, again: str) -> None:
    """Except that a key whose requests stopped waiting because of the first response does not store the second."""
    def answer(r: Request) -> Reply:
        broken = f"HTTP/1.1 200 OK\r\n{field}\r\nContent-Length: 10\r\n\r\nx".encode()
        return Reply(raw=broken, close=True) if len(origin.requests) == 1 else Reply(headers={"Cache-Control": "max-age=100"})

    with Origin(answer) as origin, serving(policy(origin, RETRY), ["-p", "loops=1"]) as d:
        site = Site(d, "")
        site.get("/twice")
        assert told(site, "/twice", 1)[-1] == became
        site.get("/twice")
        assert told(site, "/twice", 2)[0].startswith(again)


def test_what_went_wrong_before_and_after_the_fetch_is_the_reason() -> None:
    rules = """sub vcl_recv { if (req.url == "/pipe") { return (pipe); } return (hash); }
sub vcl_pipe { return (fail("no pipe")); }
sub vcl_backend_fetch { if (bereq.is_bgfetch) { return (error(503)); } }
sub vcl_backend_response { set beresp.ttl = 1s; set beresp.grace = 1h; }
sub vcl_synth { if (req.http.Again && req.restarts == 0) { return (restart); } if (req.restarts > 0) { return (deliver); } }
sub vcl_deliver { if (req.http.Again && req.restarts == 0) { return (synth(700)); } }
"""
    with Origin(lambda r: Reply()) as origin, serving(policy(origin, rules), ["-p", "debug=+test_clock", "-p", "loops=1"]) as d:
        d.ok("debug.clock 1700000000")
        site = Site(d, "")
        site.get("/pipe")
        assert told(site, "/pipe", 1)[0].startswith("failure: the policy failed: no pipe   ")
        site.get("/old")
        site.later(10)
        site.get("/old")
        assert wait_until(lambda: [line.strip() for line in why(d, "-q", "VCL_return eq error").splitlines() if "not stored" in line],
                          "the refresh has ended") == ["not stored: vcl_backend_error made the answer, and set no ttl"]
        site.get("/again", Again="1")
        assert wait_until(lambda: re.findall(r"  (\w+): ", why(d, "-q", 'ReqURL eq "/again"')), "it has ended")[0] == "restart"


def test_a_reason_that_the_log_does_not_hold_is_unknown() -> None:
    """Nobody asked for reasons, so that the marker is all the log has."""
    with Origin(answer) as origin, serving(policy(origin), ["-p", "loops=1"]) as d:
        for _ in range(2):
            with Client(d.port) as c:
                c.request("/cookie")
        line = wait_until(lambda: why(d, "-q", "HitMiss"), "it is in the log").splitlines()[0]
        assert ": unknown: the log does not hold the reason, because nothing asked for reasons" in line


def test_restarts_name_their_statement(site: Site) -> None:
    site.get("/again")
    site.get("/loop")
    lines = wait_until(lambda: found if "too" in (found := why(site.d, "-q", 'ReqURL eq "/loop"')) or "more often" in found else None, "it ended")
    assert lines.count("restart: the policy restarts the request, from vcl_recv   ") == 4
    assert "failure: the policy restarts more often than max_restarts allows, from vcl_recv   " in lines.splitlines()[-1]
    first, second, *_ = why(site.d, "-q", 'ReqURL eq "/again"').splitlines()
    place = first.partition("from vcl_recv   ")[2]
    assert statement(place, site.text)[0] == "return (restart);"
    assert "miss: " in second


def test_json_has_the_same(site: Site) -> None:
    site.get("/json")
    site.get("/json")
    wait_until(lambda: why(site.d, "-q", 'ReqURL eq "/json"').count("GET") == 2, "both are in the log")
    groups = [json.loads(line) for line in why(site.d, "-q", 'ReqURL eq "/json"', "--format", "json").splitlines()]
    request, fetch = (one["why"] for one in groups[0]["transactions"])
    assert request == {"decision": "miss", "reason": "absent", "text": "no response is stored for this key, and none was lately", "at": None}
    place = fetch.pop("at")
    assert statement(place, site.text) == ("call vcl_beresp_hitmiss;", "vcl_beresp_cookie")
    cookie = "the answer sets a cookie (Set-Cookie), so it is for one visitor"
    assert fetch == {"stored": False, "reason": "set-cookie", "text": cookie, "marker": "hit-for-miss", "marker_s": 120.0}
    again = groups[1]["transactions"][0]["why"]
    assert (again["decision"], again["reason"], again["at"]) == ("hit-for-miss", "set-cookie", place)


def test_a_marker_whose_fetch_left_the_log_still_has_its_reason(site: Site) -> None:
    """The head of the marker tells the field, without the value of a cookie."""
    site.get("/old")
    site.get("/old")
    line = wait_until(lambda: why(site.d, "-q", 'ReqURL eq "/old" and HitMiss'), "it is in the log")
    assert "the answer sets a cookie (Set-Cookie), so it is for one visitor" in line
    assert "   " not in line.splitlines()[0]        # no statement is known


def test_the_screen_shows_the_reason(site: Site) -> None:
    site.get("/screen")
    screen = wait_until(lambda: why(site.d, "-q", 'ReqURL eq "/screen"', "--format", "screen"), "it is in the log")
    assert "\nwhy      miss: no response is stored for this key, and none was lately\n" in screen


def test_evicted_responses_and_demands_of_clients() -> None:
    large = Reply(body=b"x" * 300_000, headers={"Cache-Control": "max-age=100"})
    with Origin(lambda r: large) as origin:
        with serving(policy(origin), ["-s", "malloc,1m", "-p", "feature=+rfc9111", "-p", "loops=1"]) as d:
            site = Site(d, "")
            site.get("/first")
            for n in range(8):
                site.get(f"/{n}")
            site.get("/first")
            evicted = told(site, "/first", 2)[0]
            assert re.fullmatch(r"miss: the cache removed the stored response to make room \S+ s ago", evicted)
            site.get("/first", **{"Cache-Control": "no-cache"})
            assert told(site, "/first", 3)[0] == "miss: the stored response does not meet the Cache-Control of the request"


# ---- reasons are logged on demand --------------------------------------------------------------------------


def masked(d: Daemon, url: str) -> bool:
    """Whether a request has no reason in the log."""
    with Client(d.port) as c:
        c.request(url)
    line = wait_until(lambda: why(d, "-q", f'ReqURL eq "{url}"').splitlines()[-2:], "it is in the log")
    return "because nothing asked for reasons" in line[0]


def test_reasons_are_logged_only_while_somebody_wants_them() -> None:
    with Origin(answer) as origin, serving(policy(origin)) as d:
        assert masked(d, "/before")
        first, second = d.connect(), d.connect()
        assert [cli.ask("vernis.reasons")[0] for cli in (first, second, second)] == [200] * 3
        assert not masked(d, "/both")
        first.close()
        assert not masked(d, "/second")
        d.ok("param.set vsl_mask +Hash")            # a change of the mask keeps the reasons
        assert not masked(d, "/changed")
        second.close()
        numbers = iter(range(1000))
        wait_until(lambda: masked(d, f"/after/{next(numbers)}"), "the daemon has noticed the end")
        assert "-Debug" in d.ok("param.show changed")      # the parameter itself never had it


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_the_command_asks_while_it_runs(end: signal.Signals) -> None:
    with Origin(answer) as origin, serving(policy(origin)) as d:
        command = subprocess.Popen(["build/bin/vernis", "log", "-n", str(d.workdir), "--why"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        try:
            numbers = iter(range(1000))
            wait_until(lambda: not masked(d, f"/during/{next(numbers)}"), "the command has asked")
            assert command.stdout is not None
            lines = iter(command.stdout)
            assert any("miss: no response is stored for this key" in line for line in lines)
        finally:
            command.send_signal(end)
            command.communicate(timeout=30)
        wait_until(lambda: masked(d, f"/after/{next(numbers)}"), "the daemon has noticed the end")


def test_the_next_worker_logs_reasons_too(tmp_path: Any) -> None:
    with Origin(answer) as origin, Daemon(tmp_path, policy(origin)) as d:
        with d.connect() as cli:
            assert cli.ask("vernis.reasons")[0] == 200
            d.ok("stop")
            d.ok("start")
            wait_until(lambda: d.state == "running", "the next worker serves")
            assert not masked(d, "/next")
