"""`debug.clock` stops and moves the clock of a worker, and `debug.poll` counts polls of a probe, only if the
daemon allows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from daemon import Daemon

POLICY = """vcl 4.1;
backend default none;
sub vcl_recv { return (synth(200, "" + now)); }
"""
NOON = 1_700_000_000


def test_a_daemon_that_serves_keeps_its_clock(tmp_path: Path) -> None:
    with Daemon(tmp_path, POLICY) as d:
        status, text = d.cli(f"debug.clock {NOON}")
        assert (status, text) == (300, "The clock can be moved only in tests: param.set debug +test_clock")
        assert d.get()[1] != "Tue, 14 Nov 2023 22:13:20 GMT"


def test_the_clock_stands_still_and_moves(tmp_path: Path) -> None:
    with Daemon(tmp_path, POLICY, ["-p", "debug=+test_clock"]) as d:
        d.ok(f"debug.clock {NOON}")
        assert d.get()[1] == d.get()[1] == "Tue, 14 Nov 2023 22:13:20 GMT"
        assert d.ok("debug.clock +86400.5") == f"{NOON + 86400}.500000"
        assert d.get()[1] == "Wed, 15 Nov 2023 22:13:20 GMT"


@pytest.mark.parametrize("word", ["-1", "noon", "1e99", "nan", "5s"])
def test_what_is_no_time_is_refused(tmp_path: Path, word: str) -> None:
    with Daemon(tmp_path, POLICY, ["-p", "debug=+test_clock"]) as d:
        assert d.cli(f"debug.clock {word}") == (106, f"Not a number of seconds: {word}")


PROBED = """vcl 4.1;
backend a { .host = "127.0.0.1"; .port = "9"; .probe = { .interval = 7s; .window = 5; .threshold = 3; .initial = 0; } }
backend b { .host = "127.0.0.1"; .port = "9"; }
import std;
sub vcl_recv { set req.backend_hint = b; if (std.healthy(a)) { return (synth(200)); } return (synth(503)); }
"""


def test_probes_of_tests_begin_healthy_and_poll_by_hand(tmp_path: Path) -> None:
    with Daemon(tmp_path, PROBED, ["-p", "debug=+test_clock"]) as d:
        assert d.get()[0] == 200
        assert d.ok("debug.poll a") == "7.000000"
        for _ in range(3):
            assert d.get()[0] == 200
            d.ok("debug.poll a bad")
        assert d.get()[0] == 503
        d.ok("backend.set_health a healthy")
        assert d.get()[0] == 200
        d.ok("debug.poll a bad")
        assert d.get()[0] == 503
        assert d.cli("debug.poll b bad") == (106, "The backend has no probe")
        assert d.cli("debug.poll c bad") == (106, "No Backends matches")
        assert d.cli("debug.poll a fine") == (106, "Invalid result fine: good or bad")


def test_a_daemon_that_serves_polls_by_itself(tmp_path: Path) -> None:
    with Daemon(tmp_path, PROBED) as d:
        assert d.cli("debug.poll a good") == (300, "Polls by hand are for tests: start with -p debug=+test_clock")
