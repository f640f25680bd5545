"""Pattern sets in a running daemon: a policy that tries several patterns on one text decides as its text says."""

from __future__ import annotations

from pathlib import Path

import pytest

from proxy.daemon import Daemon
from proxy.origin import fetch

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
