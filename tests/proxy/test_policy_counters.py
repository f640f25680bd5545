"""Counters that policies declare, in `vernis stat` and in the daemon's metrics."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from proxy.daemon import Daemon, wait_equal, wait_until
from proxy.origin import fetch
from proxy.serve import serving
from proxy.test_own_tools import METRICS, Samples, metrics_port, samples, scraped, vernis

COUNTING = """vcl 5.0; backend default none;
counter all;
counter seen by (kind, method);
sub vcl_recv {
    count all;
    count seen(req.http.Kind ?? "none", req.method);
    return (synth(200));
}
"""


@pytest.fixture
def d() -> Iterator[Daemon]:
    with serving(COUNTING, ["-p", "loops=2", *METRICS]) as daemon:
        yield daemon


def ask(d: Daemon, kind: str, times: int = 1) -> None:
    """Each request on a connection of its own, so that both loops serve some."""
    for _ in range(times):
        assert fetch(d.port, "/", headers={"Kind": kind}).status == 200


def total(found: Samples, kind: str) -> float | None:
    return found.get(("vernis_policy_seen_total", (("kind", kind), ("method", "GET"))))


def counted(d: Daemon, kind: str, times: int) -> Samples:
    """The metrics once they have this count."""
    def look() -> Samples | None:
        found = scraped(metrics_port(d))
        return found if total(found, kind) == times else None
    found: Samples = wait_until(look, f"{kind} is counted {times} times")
    return found


def test_counts_of_both_loops_are_in_the_metrics_and_in_stat(d: Daemon) -> None:
    assert scraped(metrics_port(d))["vernis_policy_all_total", ()] == 0          # before the first count
    ask(d, "a", 20)
    ask(d, 'b "quoted" \\ and spaces')
    wait_equal(lambda: scraped(metrics_port(d))["vernis_main_policy_counts_total", ()], 42, "both loops have counted all")
    found = counted(d, 'b "quoted" \\ and spaces', 1)
    assert (total(found, "a"), found["vernis_policy_all_total", ()]) == (20, 21)
    stat = samples(vernis(d, "stat", "--prometheus"))
    assert {key: n for key, n in stat.items() if "policy" in key[0]} == {key: n for key, n in found.items() if "policy" in key[0]}
    lines = vernis(d, "stat", "-1", "-I", "POLICY.*").splitlines()
    assert [line.split()[:2] for line in lines if "quoted" not in line] == [
        ["POLICY.all.count", "21"], ['POLICY.seen{kind="a",method="GET"}.count', "20"]]


#: Values of a label that a client can send: signs of JSON, of XML, of the encoding, and bytes that are no UTF-8.
VALUES = ('"', "\\", "\\\\", 'a"b', "'", "%", "%41", "%zz", "{}", '",method="', "<&>", "]]>", "a b", "\t", "\xff\xfe", "", "a" * 80, '"' * 64)


@pytest.mark.skipif(shutil.which("varnishstat") is None, reason="needs Debian's varnish")
def test_varnishstat_writes_valid_json_and_xml_whatever_clients_send(d: Daemon) -> None:
    for value in VALUES:
        ask(d, value)
    wait_equal(lambda: scraped(metrics_port(d))["vernis_policy_all_total", ()], len(VALUES), "all are counted")
    wait_equal(lambda: sum(name == "vernis_policy_seen_total" for name, _ in scraped(metrics_port(d))), len({value.strip() for value in VALUES}),
               "each value has its series")
    command = ["varnishstat", "-n", str(d.workdir), "-1"]
    shown = json.loads(subprocess.run([*command, "-j"], capture_output=True, check=True, timeout=30).stdout)["counters"]
    series = [name for name in shown if name.startswith("POLICY.seen")]
    assert "POLICY.seen{kind='%5c%22',method='GET'}.count" not in series
    assert "POLICY.seen{kind='%5c'',method='GET'}.count" in series
    xml = ElementTree.fromstring(subprocess.run([*command, "-x"], capture_output=True, check=True, timeout=30).stdout)
    assert {stat.findtext("name") for stat in xml} == set(shown)
    lines = subprocess.run([*command, "-I", "POLICY.seen*"], capture_output=True, check=True, text=True, timeout=30).stdout.splitlines()
    assert [line.split()[0] for line in lines if line] == series                          # a name is one word
    found = {key: n for key, n in scraped(metrics_port(d)).items() if key[0] == "vernis_policy_seen_total"}
    assert len(series) == len(found)
    assert found == {key: n for key, n in samples(vernis(d, "stat", "--prometheus")).items() if key in found}
    assert json.loads(vernis(d, "stat", "-j"))["counters"]['POLICY.seen{kind="\\"",method="GET"}.count']["value"] == 1


def test_a_policy_that_is_loaded_anew_goes_on_counting(d: Daemon) -> None:
    ask(d, "a")
    d.serve("next", COUNTING.replace("synth(200)", 'synth(200, "Next")'))
    d.ok("vcl.discard boot")
    ask(d, "a")
    counted(d, "a", 2)
    d.serve("relabelled", COUNTING.replace("by (kind, method)", "by (kind, verb)"))
    ask(d, "a")
    d.ok("vcl.discard next")
    gone = ("vernis_policy_seen_total", (("kind", "a"), ("method", "GET")))
    new = ("vernis_policy_seen_total", (("kind", "a"), ("verb", "GET")))
    wait_until(lambda: gone not in scraped(metrics_port(d)), "the old counter has gone with its last policy")
    wait_equal(lambda: scraped(metrics_port(d)).get(new), 1)


def test_clients_cannot_make_more_series_than_the_limit(d: Daemon) -> None:
    for number in range(205):
        ask(d, f"k{number}")
    other = "vernis_policy_seen_total", (("kind", "_other"), ("method", "_other"))
    wait_equal(lambda: [scraped(metrics_port(d)).get(key) for key in (("vernis_policy_all_total", ()), other)], [205, 5], "all are counted")
    found = scraped(metrics_port(d))
    series = [key for key in found if key[0] == "vernis_policy_seen_total"]
    assert len(series) == 201


def test_explain_key_counts_nothing(d: Daemon) -> None:
    vernis(d, "explain-key", "http://x/a")
    ask(d, "a")
    assert total(counted(d, "a", 1), "none") is None
    wait_equal(lambda: scraped(metrics_port(d))["vernis_policy_all_total", ()], 1)
