"""Bans on the command line and in policies, the list of bans, and the lurker."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from proxy.daemon import Daemon, wait_equal
from proxy.origin import Client, Origin, Reply, Request

POLICY = """vcl 4.1;
import std;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}
sub vcl_recv {{
    if (req.url == "/ban") {{ ban("req.url == " + req.http.Host); ban("obj.http.kind == a"); return (synth(204)); }}
    if (req.url == "/wrong") {{ std.ban("obj.http.kind =="); return (synth(200, std.ban_error())); }}
}}
"""


@pytest.fixture
def cached(start_daemon: Callable[..., Daemon]) -> Iterator[tuple[Daemon, Origin]]:
    def answer(request: Request) -> Reply:
        return Reply(headers={"kind": request.url[1:], "Cache-Control": "max-age=100"})

    with Origin(answer) as origin:
        yield start_daemon(POLICY.format(port=origin.port)), origin


def bans(daemon: Daemon) -> list[dict[str, object]]:
    return json.loads(daemon.ok("ban.list -j"))[3:]


def test_a_ban_affects_only_stored_objects_that_match(cached: tuple[Daemon, Origin]) -> None:
    daemon, origin = cached
    for url in "/a", "/b", "/a", "/b":
        daemon.get(url)
    assert (origin.count("/a"), origin.count("/b")) == (1, 1)
    daemon.ok("ban obj.http.kind == a && req.url ~ ^/a")
    for url in "/a", "/b", "/a":
        daemon.get(url)
    assert (origin.count("/a"), origin.count("/b")) == (2, 1)


def test_a_policy_can_ban_and_read_the_error(cached: tuple[Daemon, Origin]) -> None:
    daemon, origin = cached
    daemon.get("/a")
    daemon.get("/ban")
    daemon.get("/a")
    assert origin.count("/a") == 2
    assert daemon.get("/wrong") == (200, "Expected second operand.")


@pytest.mark.parametrize(("line", "status", "text"), [
    ("ban req.url", 104, "Too few parameters"),
    ("ban a b c && a", 106, "Wrong number of arguments"),
    ("ban a b c || a b c", 106, 'Found "||" expected &&'),
    ("ban foo == x", 106, 'Unknown or unsupported field "foo"'),
    ("ban req.ulr == x", 106, 'Unknown or unsupported field "req.ulr"\nDid you mean req.url?'),
    ("ban obj.htp.server == x", 106, '"obj.htp.server"\nDid you mean obj.http.server?'),
    ("ban obj.http == x", 106, '"obj.http"\nDid you mean obj.http.NAME?'),
    ("ban req.url ~ [[[", 106, "Regex compile error"),
])
def test_an_invalid_ban_is_refused(daemon: Daemon, line: str, status: int, text: str) -> None:
    daemon.load("boot", "vcl 4.1; backend default none;")
    daemon.use("boot")
    daemon.cli("start")
    answer = daemon.cli(line)
    assert answer[0] == status and text in answer[1]


def test_the_lurker_completes_bans_on_responses(cached: tuple[Daemon, Origin]) -> None:
    daemon, origin = cached
    daemon.get("/a")
    daemon.get("/b")
    daemon.ok("ban obj.http.kind == a && obj.age < 1d")
    assert [row["spec"] for row in bans(daemon)] == ["obj.http.kind == a && obj.age < 1d", ""]
    daemon.ok("param.set ban_lurker_age 0.1")
    daemon.ok("ban obj.http.kind == none")      # a new ban wakes the lurker, which finds the first one old enough
    # only the other response remains
    wait_equal(lambda: [(row["completed"], row["refs"]) for row in bans(daemon)], [(True, 1)], "both bans are completed")
    daemon.get("/b")
    assert origin.count("/b") == 1


PATTERNS = {"groups": "(" * 240 + "a" + ")" * 240, "repeated groups": "(a" * 240 + ")*" * 240, "long": "a?" * 3000}


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_a_pattern_of_a_client_does_not_overflow_the_stack(start_daemon: Callable[..., Daemon], pattern: str) -> None:
    text = ('vcl 4.1; import re2; import std; backend default none; sub vcl_recv {'
            'if (std.ban("obj.http.kind ~ " + req.http.pattern)) { set req.http.banned = "1"; }'
            'return (synth(200, req.http.banned + " " + re2.cost(req.http.pattern))); }')
    daemon = start_daemon(text, ["-p", "http_req_hdr_len=16k"])
    worker = daemon.worker_pid
    with Client(daemon.port) as c:
        reason = c.request("/", headers={"pattern": pattern}).reason
    assert reason.startswith("1 ") and int(reason[2:]) > 0
    assert daemon.worker_pid == worker
