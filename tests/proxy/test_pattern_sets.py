"""Pattern sets in a running daemon: a policy that tries several patterns on one text decides as its text says."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from proxy.daemon import Daemon
from proxy.origin import Client, fetch

RULES = """vcl 4.1; backend default none;
sub vcl_recv {
    if (req.url ~ "^/one/[0-9]+$") { set req.http.rules = req.http.rules + "1"; }
    if (req.url ~ "(?i)two") { set req.http.rules = req.http.rules + "2"; }
    if (req.url ~ "^/(a+)+b$") { set req.http.rules = req.http.rules + "3"; }
    if (req.url ~ "/(four|for)[.]") { set req.url = "/one/5"; set req.http.rules = req.http.rules + "4"; }
    if (req.url ~ "^/one/5") { set req.http.rules = req.http.rules + "5"; }
    return (synth(200, "rules " + req.http.rules));
}
"""


@pytest.mark.parametrize(
    ("url", "rules"),
    [
        ("/one/7", "1"),
        ("/one/7/TWO", "2"),
        ("/aab", "3"),
        ("/for.two", "245"),  # rule 4 changes the URL, and rule 5 is tried on the new one
        ("/none", ""),
    ],
)
def test_rules_see_the_text_as_it_is_when_their_turn_comes(tmp_path: Path, url: str, rules: str) -> None:
    with Daemon(tmp_path, RULES) as d:
        assert fetch(d.port, url).reason.strip() == f"rules {rules}".strip()


def test_a_pattern_of_a_set_needs_no_match_limit(tmp_path: Path) -> None:
    with Daemon(tmp_path, RULES, ["-p", "pcre2_match_limit=100"]) as d:
        assert fetch(d.port, "/" + "a" * 60 + "c").status == 200  # one by one: "Regexp matching failed", 503


# Each byte of a text leads to another state of these.
HOSTILE = """vcl 4.1; backend default none;
sub vcl_recv {
    if (req.url ~ "a.{12}b") { set req.http.rules = req.http.rules + "1"; }
    if (req.url ~ "a.{11}c") { set req.http.rules = req.http.rules + "2"; }
    if (req.url ~ "c.{13}a") { set req.http.rules = req.http.rules + "3"; }
    if (req.url ~ "b.{12}a$") { set req.http.rules = req.http.rules + "4"; }
    return (synth(200, "rules " + req.http.rules));
}
"""
HOSTILE_PATTERNS = ("a.{12}b", "a.{11}c", "c.{13}a", "b.{12}a$")


def test_counters_tell_that_a_set_is_left_to_pcre2(tmp_path: Path) -> None:
    def counted(d: Daemon) -> dict[str, int]:
        counters = d.status["counters"]
        return {name: counters.get(f"VERNIS.pattern_{name}", 0) for name in ("undecided", "flushes", "rests", "bytes")}

    rng = random.Random(5)
    with Daemon(tmp_path, HOSTILE, ["-p", "loops=1", "-p", "pattern_table=64k"]) as d, Client(d.port) as c:
        calm = counted(d)
        assert (calm["undecided"], calm["flushes"], calm["rests"]) == (0, 0, 0)
        assert calm["bytes"] > 0
        for _ in range(40):
            url = "/" + "".join(rng.choice("abc") for _ in range(400))
            rules = "".join(str(i + 1) for i, p in enumerate(HOSTILE_PATTERNS) if re.search(p, url))
            assert c.request(url).reason == f"rules {rules}".rstrip()
        seen = counted(d)
        assert min(seen["undecided"], seen["flushes"], seen["rests"]) > 0
        assert calm["bytes"] < seen["bytes"] < 2 * 65536
