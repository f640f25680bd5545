"""A loop that works too long on one step: the counter of the longest round, and the warning that names the
step. See docs/daemon.md, "A loop that works too long"."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable

from proxy.daemon import ROOT, Daemon, wait_equal, wait_until

Start = Callable[..., Daemon]

# PCRE2 tries 50,000 ways to divide the text, for each pattern.
SLOW = """vcl 4.1;
backend default none;
sub vcl_recv {
""" + "".join(f'    if (req.http.X ~ "^(a|aa)+\\1(x{i})?$") {{ return (fail); }}\n' for i in range(60)) + """
    return (synth(200, "ok"));
}
"""
NAMED = re.compile(r"Warning: loop 0 has worked for \d+ ms without a pause, longer than loop_stall_warn: "
                   r"request (\d+), step recv, hook (?:vcl_)?recv, policy boot")


def errors(d: Daemon) -> str:
    command = [str(ROOT / "build/bin/vernis"), "log", "-n", str(d.workdir), "-d", "-g", "raw", "-i", "Error"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout


def ask_slowly(d: Daemon) -> None:
    assert d.get(f"/ HTTP/1.1\r\nX: {'a' * 24}!\r\nY:") == (200, "ok")


def test_a_step_that_holds_its_loop_is_named_and_counted(start_daemon: Start) -> None:
    d = start_daemon(SLOW, ["-p", "loops=1", "-p", "loop_stall_warn=0.01", "-p", "pcre2_match_limit=10000000"])
    d.ok("debug.longest_round")
    ask_slowly(d)
    named = wait_until(lambda: NAMED.search(d.heard), "the daemon names the step")
    wait_until(lambda: f"without a pause: request {named[1]}, step recv" in errors(d), "the record of the whole time")
    wait_until(lambda: d.counters["VERNIS.loop_stalls"] > 0, "the stall is counted")
    assert d.counters["VERNIS.loop_longest_round_us"] >= 10_000


def test_a_limit_of_0_warns_of_no_step(start_daemon: Start) -> None:
    d = start_daemon(SLOW, ["-p", "loops=1", "-p", "loop_stall_warn=0", "-p", "pcre2_match_limit=10000000"])
    ask_slowly(d)
    wait_until(lambda: d.counters["VERNIS.loop_longest_round_us"] >= 10_000, "the round is measured")
    assert "without a pause" not in d.heard
    assert d.counters["VERNIS.loop_stalls"] == 0


def test_the_longest_round_can_begin_anew(start_daemon: Start) -> None:
    d = start_daemon(SLOW, ["-p", "loops=2", "-p", "pcre2_match_limit=10000000"])
    ask_slowly(d)
    longest = wait_until(lambda: d.counters["VERNIS.loop_longest_round_us"] >= 10_000 and d.counters["VERNIS.loop_longest_round_us"], "a long round")
    assert int(d.ok("debug.longest_round")) == longest
    wait_equal(lambda: d.counters["VERNIS.loop_longest_round_us"] < longest, True)
