"""`debug.clock` stops and moves the clock of a worker, and only if the daemon allows it."""

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
