"""`vernis top --rules` shows how often each rule of a policy was taken, and the estimated time of each."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from proxy.daemon import Daemon, wait_until
from proxy.origin import Client, fetch
from proxy.serve import serving
from proxy.test_own_tools import vernis
from support.folders import open_to_everybody
from vernis.ir import ir
from vernis.pipeline import Compilation, Options, compile_policy

RULES = """vcl 4.1; backend default none;
sub mark { if (req.http.mark) { set req.http.x = "1"; } else { unset req.http.x; } }
sub vcl_recv {
    if (req.url ~ "^/a") { call mark; }
    elseif (req.url ~ "^/(b|bb)$") { set req.http.x = "b"; }
    elsif (req.url ~ "(?i)c$")
    {
        set req.http.x = "c";
    }
    else { set req.http.x = "none"; }
    if (req.url ~ "^/a+b") { set req.url = "/d"; }
    if (req.url ~ "d$") { return (synth(204)); }
    return (synth(200));
}
"""
URLS = ["/a", "/a", "/aab", "/b", "/C", "/C", "/x", "/x", "/x"]
HITS = {
    "sub vcl_recv": 9, 'if (req.url ~ "^/a")': 3, 'elseif (req.url ~ "^/(b|bb)$")': 1, 'elsif (req.url ~ "(?i)c$")': 2, "else": 3,
    'if (req.url ~ "^/a+b")': 1, 'if (req.url ~ "d$")': 1, "sub mark": 3, "if (req.http.mark)": 0,
}


def report(d: Daemon, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(vernis(d, "top", "--rules", "--json", *arguments))
    return found


def hits(d: Daemon, *arguments: str) -> dict[str, int]:
    """Hits by rule. Of the two `else` the one in vcl_recv."""
    found = sorted(report(d, *arguments)["rules"], key=lambda rule: rule["line"])
    return {rule["rule"]: rule["hits"] for rule in found}


def request_all(d: Daemon, times: int = 1) -> None:
    """Each on a connection of its own, so that both loops serve some."""
    for url in URLS * times:
        assert fetch(d.port, url).status in (200, 204)


def test_each_policy_has_its_own_counts_over_all_threads() -> None:
    with serving(RULES, ["-p", "loops=2"]) as d:
        request_all(d, 4)
        assert hits(d) == {rule: 4 * n for rule, n in HITS.items()}
        d.load("next", RULES)
        d.ok("vcl.label shop next")
        assert set(hits(d, "--policy", "next").values()) == {0}
        d.use("next")
        request_all(d)
        vernis(d, "explain-key", "http://x/a")                          # runs vcl_recv, and counts nothing
        assert hits(d) == hits(d, "--policy", "shop") == HITS
        assert hits(d, "--policy", "boot") == {rule: 4 * n for rule, n in HITS.items()}
        d.ok("vcl.discard boot")
        vernis(d, "top", "--rules", "--once", "--policy", "boot", code=2)
        assert d.cli("vernis.rules boot") == (106, "No VCL named 'boot'\nvcl.list shows the loaded policies.")


def test_the_table_is_sorted_and_has_places() -> None:
    with serving(RULES, ["-p", "rule_timing=0", "-p", "vsl_mask=+VCL_trace"]) as d:
        request_all(d)
        lines = vernis(d, "top", "--rules", "-1").splitlines()
        assert lines[0] == "policy boot, 9 requests"
        rows = [line.split(None, 4) for line in lines[2:]]
        assert [int(row[0]) for row in rows] == sorted((int(row[0]) for row in rows), reverse=True)
        assert rows[0][:3] == ["9", "100.0%", "-"] and rows[0][3].endswith("boot.vcl:3:1") and rows[0][4] == "sub vcl_recv"
        shares = {row[4]: row[1] for row in rows}
        assert shares['elsif (req.url ~ "(?i)c$")'] == "22.2%"
        assert "          9         -  " in d.ok("vernis.rules")
        screen = wait_until(lambda: vernis(d, "log", "-d", "--format", "screen", "-q", "RespStatus == 204"), "the request is in the log")
        assert '    rule if (req.url ~ "d$"): 1 hits, 11.1%\n' in screen


def test_the_estimated_time_follows_the_work_of_a_rule() -> None:
    longer = "+".join(["req.url"] * 150)
    policy = f"""vcl 4.1; backend default none;
    sub vcl_recv {{
        if (req.url ~ "^/cheap") {{ set req.http.x = "1"; }}
        elseif (req.url ~ "^/dear") {{ set req.http.x = regsuball({longer}, "[a-m]", "xx"); }}
        return (synth(200)); }}"""
    names = 'if (req.url ~ "^/cheap")', 'elseif (req.url ~ "^/dear")', "sub vcl_recv"
    with serving(policy, ["-p", "rule_timing=1"], sanitized=False) as d, Client(d.port) as c:
        def follows() -> bool:
            """In a policy that counts from zero. A cheap rule seems dear if it loses the processor meanwhile."""
            turn = next(turns)
            d.load(turn, policy)
            d.use(turn)
            for _ in range(60):
                for url in ("/", "/cheap", "/dear" + "a" * 20):
                    assert c.request(url).status == 200
            found = {rule["rule"]: rule for rule in report(d)["rules"]}
            cheap, dear, sub = (found[name] for name in names)
            assert [rule["timed"] for rule in (cheap, dear, sub)] == [60, 60, 180]
            return bool(dear["ns"] > 5 * max(cheap["ns"], sub["ns"]))
        turns = (f"turn{number}" for number in itertools.count())
        wait_until(follows, "the estimated time follows the work")


def test_replaced_code_goes_on_counting(tmp_path: Path) -> None:
    open_to_everybody(tmp_path)
    images = []
    for level in (0, 2):
        run = Compilation("p", "/p.vcl", RULES.encode(), options=Options(optimisation=level), image=tmp_path / f"{level}.so")
        images.append(compile_policy(run).image)
    with serving(RULES) as d:
        d.ok(f"vernis.load_image p {images[0]}")
        d.use("p")
        request_all(d)
        d.ok(f"vernis.replace_image p {images[1]}")
        request_all(d)
        assert hits(d) == {rule: 2 * n for rule, n in HITS.items()}


def test_rules_beyond_the_limit_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_to_everybody(tmp_path)
    monkeypatch.setattr(ir, "RULES_MAX", 3)
    image = compile_policy(Compilation("p", "/p.vcl", RULES.encode(), image=tmp_path / "p.so")).image
    with serving(RULES) as d:
        d.ok(f"vernis.load_image p {image}")
        d.use("p")
        request_all(d)
        assert report(d)["not_counted"] == 7 and len(report(d)["rules"]) == 3
        assert "7 more rules have no counter" in vernis(d, "top", "--rules", "-1")
        assert "7 more rules have no counter" in d.ok("vernis.rules")


def test_parameters_turn_counters_and_timing_off() -> None:
    with serving(RULES, ["-p", "rule_counters=off"]) as d:
        request_all(d)
        assert report(d)["rules"] == [] and report(d)["requests"] == 9
        assert "rule_counters off" in vernis(d, "top", "--rules", "-1")
        d.ok("param.set rule_counters on")
        d.load("counted", RULES)
        assert len(report(d, "--policy", "counted")["rules"]) == 10


def test_a_new_worker_counts_from_zero(tmp_path: Path) -> None:
    with Daemon(tmp_path, RULES) as d:
        request_all(d)
        worker = d.worker_pid
        d.cli("stop")
        d.ok("start")
        wait_until(lambda: d.worker_pid != worker and d.state == "running", "a new worker serves")
        assert set(hits(d).values()) == {0}
        request_all(d)
        assert hits(d) == HITS


def test_a_long_head_ends_after_a_whole_character() -> None:
    """The listing used to end in half a character."""
    policy = 'vcl 4.1; backend default none; sub vcl_recv { if (req.url == "x%s") { return (synth(200)); } }'
    with serving(policy % ("\N{EURO SIGN}" * 200)) as d:
        lines = d.ok("vernis.rules").splitlines()
        head = 'if (req.url == "x'
        assert any(line.endswith(head + "\N{EURO SIGN}" * ((400 - len(head)) // 3)) for line in lines)


NAMED = """vcl 5.0; backend default none;
sub vcl_recv {
    @rule("bots", owner = "web") if (req.url ~ "^/bot") { return (synth(403)); }
    @rule("answer") return (synth(200));
}
"""


def test_names_of_rules_are_shown() -> None:
    with serving(NAMED, ["-p", "vsl_mask=+VCL_trace", "-p", "rule_timing=0"]) as d:
        for url, status in (("/bot", 403), ("/a", 200), ("/b", 200)):
            assert fetch(d.port, url).status == status
        assert {rule["name"]: rule["hits"] for rule in report(d)["rules"]} == {None: 3, "bots": 1, "answer": 2}
        assert '@bots if (req.url ~ "^/bot")\n' in vernis(d, "top", "--rules", "-1")
        assert '@bots if (req.url ~ "^/bot")\n' in d.ok("vernis.rules")
        screen = wait_until(lambda: vernis(d, "log", "-d", "--format", "screen", "-q", "RespStatus == 403"), "the request is in the log")
        assert '    rule @bots if (req.url ~ "^/bot"): 1 hits, 33.3%\n' in screen


def test_code_with_other_names_counts_from_zero(tmp_path: Path) -> None:
    open_to_everybody(tmp_path)
    images = []
    for number, text in enumerate((NAMED, NAMED.replace('"bots"', '"crawlers"'))):
        run = Compilation("p", "/p.vcl", text.encode(), image=tmp_path / f"{number}.so")
        images.append(compile_policy(run).image)
    with serving(RULES) as d:
        d.ok(f"vernis.load_image p {images[0]}")
        d.use("p")
        fetch(d.port, "/bot")
        assert {rule["name"]: rule["hits"] for rule in report(d)["rules"]} == {None: 1, "bots": 1, "answer": 0}
        d.ok(f"vernis.replace_image p {images[1]}")
        assert {rule["name"]: rule["hits"] for rule in report(d)["rules"]} == {None: 0, "crawlers": 0, "answer": 0}
