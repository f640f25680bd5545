"""Everything that shows reasons shows those that the daemon logged: one daemon with a transaction for each reason, and
each reader of its log."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from proxy.daemon import ROOT, wait_until
from proxy.origin import Origin, Reply, Request
from proxy.serve import serving
from proxy.test_dashboard import ON, link_of
from proxy.test_delivery import policy
from proxy.test_log_why import ROWS, RULES, Site, answer
from vernis.observe.reason_texts import BUILTIN, LOG_REASONS, REASONS

SENTENCES = {**REASONS, **LOG_REASONS}
MORE = """sub vcl_backend_fetch { if (bereq.url == "/abandon") { return (abandon); } }
sub vcl_backend_response {
    if (bereq.url == "/error") { return (error(503)); }
    if (bereq.url == "/fails") { return (fail); }
    if (bereq.url == "/star-at-once" || bereq.url == "/bad-vary") { return (deliver); }
    if (bereq.url == "/dead") { set beresp.ttl = 0s; set beresp.grace = 0s; return (deliver); }
    if (bereq.url == "/large") { return (deliver); }
}
"""
FIELDS = {"/star-at-once": {"Vary": "Cookie, *"}, "/bad-vary": {"Vary": "a b"}}
OTHERS = ("/abandon", "/error", "/fails", "/star-at-once", "/bad-vary", "/dead", "/large", "/broken", "/again", "/loop")
MARKED = ("/cookie", "/control", "/star", "/own", "/zero", "/hit-for-pass", "/large")  # these leave markers
# Reasons that need other parameters, time or memory, and those that only a history has.
ELSEWHERE = {
    "evicted", "client-demand",                         # test_log_why.py
    "storage-full", "too-many-fetches", "grew-too-long", "part-not-kept", "stale-used", "synth-method",
    "first-request", "other-key", "unknown", *(id for id in REASONS if id.startswith("earlier-")),
}  # fmt: skip


def reply(r: Request) -> Reply:
    if r.url == "/large":
        return Reply(body=b"x" * 2_000_000)
    return Reply(body=b"x", headers=FIELDS[r.url]) if r.url in FIELDS else answer(r)


@dataclass
class Logged:
    """A transaction, and the reason in the record of the daemon: "" if it has none."""

    kind: str
    vxid: int
    url: str
    decision: str
    id: str
    why: dict[str, Any] | None  # the member of the JSON
    handling: str

    @property
    def is_request(self) -> bool:
        return self.kind == "req"


def logged(one: dict[str, Any]) -> Logged:
    texts = [r["text"] if "text" in r else bytes.fromhex(r["hex"]).decode().rstrip("\0") for r in one["records"] if r["tag"] == "Debug"]
    told = [text.split(" ", 4) for text in texts if text.startswith("why ")][-1:]
    decision, id = told[0][1:3] if told else ("", "")
    return Logged(one["type"], one["vxid"], one["summary"]["url"], decision, id, one["why"], one["summary"]["handling"])


class Seen:
    def __init__(self, site: Site) -> None:
        self.site, self.d = site, site.d
        self.all = [logged(one) for group in self.lines() for one in group["transactions"] if one["type"] in ("req", "bereq") and one["reason"] != "pipe"]

    def run(self, *words: str) -> str:
        command, *options = words
        done = subprocess.run([ROOT / "build/bin/vernis", command, "-n", self.d.workdir, *options], capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.run("log", "-d", "--why", "--format", "json").splitlines()]


@pytest.fixture(scope="module")
def seen() -> Iterator[Seen]:
    with observed() as found:
        yield found


@contextmanager
def observed() -> Iterator[Seen]:
    with Origin(reply) as origin:
        text = policy(origin, RULES + MORE)
        with serving(text, ["-s", "malloc,1m", "-p", "debug=+test_clock", "-p", "loops=1", "-l", "8m", *ON], sanitized=False) as d:
            d.ok("debug.clock 1700000000")
            site = Site(d, text)
            for url, (before, request, *_) in ROWS.items():
                before(site, url)
                site.get(url, **request)
            for url in (*OTHERS, *MARKED):
                site.get(url)
            site.get("/last")
            wait_until(lambda: any(one["transactions"][0].get("summary", {}).get("url") == "/last" for one in Seen(site).lines()), "the log has all")
            yield Seen(site)


def test_each_reason_is_logged(seen: Seen) -> None:
    assert {one.id for one in seen.all} - {"-", ""} == set(SENTENCES) - ELSEWHERE
    assert [one.url for one in seen.all if not one.id] == []
    assert set(BUILTIN.values()) <= set(REASONS)


# ---- readers: what each shows must be what the daemon logged ----


def of_json(seen: Seen) -> None:
    for one in seen.all:
        assert one.why is not None, one
        assert one.why["reason"] == (None if one.id == "-" else one.id), one
        if one.is_request:
            assert one.why["decision"] == one.decision.replace("stale-", "stale "), one
        else:
            assert one.why["stored"] == (one.decision == "stored"), one


def of_lines(seen: Seen) -> None:
    shown = seen.run("log", "-d", "--why")
    for one in seen.all:
        assert one.why is not None and one.why["text"][:100].removeprefix("the ") in shown, one


def of_screen(seen: Seen) -> None:
    shown = seen.run("log", "-d", "--why", "--format", "screen")
    for one in seen.all:
        assert one.why is not None and one.why["text"][:100] in shown, one


def of_top(seen: Seen) -> None:
    shown = seen.run("top", "--why", "-1").splitlines()
    told = Counter({line[line.rindex("[") + 1:-1]: int(line.split()[0]) for line in shown if line.endswith("]")})
    assert told == Counter(one.id for one in seen.all if one.is_request and one.decision not in ("hit", "stale-hit"))


def of_dashboard(seen: Seen) -> None:
    """A URL has the reason of its last fetch, if its response was not stored or failed; else of its last miss or pass."""
    urls: dict[str, tuple[list[str], str, str]] = {}  # decisions, id of the last request, id of the last fetch
    for one in seen.all:
        decisions, request, fetch = urls.get(one.url, ([], "", "-"))
        if one.is_request and one.handling in ("miss", "pass", "hitmiss", "hitpass"):
            decisions, request = [*decisions, one.handling], one.id
        elif not one.is_request and one.id != "passed":
            fetch = one.id
        urls[one.url] = decisions, request, fetch
    expected: Counter[str] = Counter()
    for decisions, request, fetch in urls.values():
        if decisions:
            passes = sum(one in ("pass", "hitpass") for one in decisions)
            expected[request if fetch == "-" or passes * 2 > len(decisions) else fetch] += 1
    state = link_of(seen.d).state(lambda s: Counter({one["reason"]: one["urls"] for one in s["reasons"]}) == expected, str(expected))
    texts = {one["reason"]: one["text"] for one in state["reasons"]}
    assert all(text.startswith(SENTENCES[id].partition("{")[0]) for id, text in texts.items())


def of_explain_key(seen: Seen) -> None:
    markers = {one.url: one.id for one in seen.all if one.decision.startswith("hit-for-")}
    for url in MARKED:
        id = markers[url]
        told = json.loads(seen.run("explain-key", "--json", f"http://h{url}"))
        assert [one["reason"] for one in told["variants"]] == [id], url
        assert SENTENCES[id].partition("{")[0] in seen.run("explain-key", f"http://h{url}"), url


def of_why(seen: Seen) -> None:
    """It knows what came before a miss without a stored response. A play has no storage of another size."""
    refined = {"absent": {"first-request", "other-key", *(id for id in REASONS if id.startswith("earlier-"))}}
    for url in ("/own", "/hit-for-pass", "/req-grace", "/absent"):  # test_why.py has all
        last = [one for one in seen.all if one.url == url and one.is_request][-1]
        told = json.loads(seen.run("why", "--transaction", str(last.vxid), "--format", "json"))
        assert told["reason"] in refined.get(last.id, {last.id}), (url, told["sentence"], told["daemon"])


READERS: list[Callable[[Seen], None]] = [of_json, of_lines, of_screen, of_top, of_dashboard, of_explain_key, of_why]


@pytest.mark.parametrize("reader", READERS, ids=lambda one: one.__name__)
def test_each_reader_shows_the_reason_that_the_daemon_logged(seen: Seen, reader: Callable[[Seen], None]) -> None:
    reader(seen)
