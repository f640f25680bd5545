"""Why a response was not stored: `vernis log --format screen` names the reason, the statement that decided,
and the marker. `vernis explain-key` names the reason in the marker's head."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from proxy.daemon import ROOT, START_S, VERNISD, Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request, fetch
from proxy.serve import serving
from proxy.test_delivery import policy
from proxy.test_explain_key import run
from proxy.test_log_origin import counters
from vernis.observe.reason_texts import LOG_REASONS, REASONS

FIELDS = {
    "/stored": {"Cache-Control": "max-age=100"},
    "/no-store": {"Cache-Control": "no-store"},
    "/cookie": {"Set-Cookie": "secret=1"},
    "/vary": {"Vary": "*"},
    "/vary-list": {"Vary": "Cookie, *"},
    "/vary-bad": {"Vary": "a b"},
    "/surrogate": {"Surrogate-Control": "no-store"},
    "/age": {"Cache-Control": "max-age=10", "Age": "100"},
}
RULES = """sub vcl_recv { if (req.url == "/passed") { return (pass); } }
sub vcl_backend_response {
    if (bereq.url == "/uncacheable") {
        set beresp.uncacheable = true;
        set beresp.http.X = "later";
    }
    if (bereq.url == "/own") {
        set beresp.http.Set-Cookie = "b";
        set beresp.ttl = 120s;
        set beresp.uncacheable = true;
        return (deliver);
    }
    if (bereq.url == "/pass") { return (pass(1h)); }
    if (bereq.url == "/zero") { set beresp.ttl = 0s; }
    if (bereq.url == "/error") { return (error(503)); }
}
"""
FOR_MISS = "hit-for-miss for 120 s: requests do not wait for each other"
# URL: reason and details, text of the statement that decided ("" if none is shown), marker, what a log without reasons has
BUILTIN = "call vcl_beresp_hitmiss;"
TOLD = {
    "/no-store": ("cache-control", "Cache-Control: no-store", BUILTIN, FOR_MISS, "uncacheable: Cache-Control: no-store"),
    "/cookie": ("set-cookie", "Set-Cookie", BUILTIN, FOR_MISS, "uncacheable: Set-Cookie"),
    "/vary": ("vary-star", "", BUILTIN, FOR_MISS, "uncacheable: Vary: *"),
    "/vary-list": ("vary-star", "", "", "", "Vary: Cookie, *"),
    "/vary-bad": ("vary-illegal", "", "", "", "Vary: a b"),
    "/surrogate": ("cache-control", "Surrogate-Control: no-store", BUILTIN, FOR_MISS, "uncacheable: Surrogate-Control: no-store"),
    "/age": ("no-lifetime", "ttl -90 s is not above 0 (Cache-Control: max-age=10, Age: 100)", BUILTIN, FOR_MISS,
             "uncacheable: ttl -90 s, Cache-Control: max-age=10, Age: 100"),
    "/504": ("no-lifetime", "ttl 0 s is not above 0 (status 504)", BUILTIN, FOR_MISS, "uncacheable: ttl -1 s"),
    "/uncacheable": ("policy-uncacheable", "", "set beresp.uncacheable = true;", FOR_MISS, "uncacheable: status 200"),
    "/own": ("policy-uncacheable", "", "set beresp.uncacheable = true;", FOR_MISS, "uncacheable: Set-Cookie"),
    "/pass": ("policy-hit-for-pass", "", "return (pass(1h));", "hit-for-pass for 3600 s: requests are passed", REASONS["policy-hit-for-pass"]),
    "/zero": ("no-lifetime", "ttl 0 s is not above 0 (set by the policy)", "set beresp.ttl = 0s;", FOR_MISS, "uncacheable: ttl 0 s"),
    "/error": ("error-made", "", "", "", LOG_REASONS["error-made"]),
    "/large": ("too-large", "", "", FOR_MISS, "larger than its storage"),
    "/passed": ("passed", "", "", "", LOG_REASONS["passed"]),
}
DECIDING_SUBS = {"/no-store": "vcl_beresp_control", "/cookie": "vcl_beresp_cookie", "/vary": "vcl_beresp_vary", "/age": "vcl_beresp_stale"}


def answer(r: Request) -> Reply:
    return Reply(504 if r.url == "/504" else 200, b"x" * (2_000_000 if r.url == "/large" else 10), FIELDS.get(r.url, {}))


def screens(d: Daemon) -> dict[str, list[str]]:
    """Lines of each fetch by its host and URL, without the indent."""
    text = subprocess.run(["build/bin/vernis", "log", "-n", str(d.workdir), "-d", "-g", "vxid", "-b", "--format", "screen"],
                          cwd=ROOT, capture_output=True, text=True, check=True, timeout=30).stdout
    found = {}
    for block in re.split(r"^fetch  ", text, flags=re.M)[1:]:
        title, *lines = block.splitlines()
        found[title.split()[1]] = [line.strip() for line in lines]
    return found


def statement(place: str, text: str) -> tuple[str, str]:
    """The text of the statement at file:line:column, and the name of its sub."""
    name, line, column = place.rsplit(":", 2)
    lines = ((ROOT / "grammar/builtin.vcl").read_text() if name == "<builtin>" else text).splitlines()
    subs = [words[1] for words in map(str.split, lines[:int(line)]) if words[:1] == ["sub"]]
    return re.sub(r";.*", ";", lines[int(line) - 1][int(column) - 1:]), subs[-1]


@pytest.fixture(scope="module")
def fetched() -> Iterator[tuple[Daemon, str]]:
    """A daemon that has fetched each URL, for host h with reasons in the log and for host n without; and the
    text of its policy."""
    if not VERNISD.exists():
        pytest.skip("run make build first")
    with Origin(answer) as origin:
        text = policy(origin, RULES)
        with serving(text, ["-s", "malloc,1m", "-p", "loops=1"], sanitized=False) as d, Client(d.port) as c:
            for url in [*TOLD, "/stored"]:
                c.request(url, headers={"Host": "n"})
            with d.connect() as cli:
                assert cli.ask("vernis.reasons") == (200, "")
                for url in [*TOLD, "/stored"]:
                    c.request(url, headers={"Host": "h"})
            wait_until(lambda: len(screens(d)) == 2 * len(TOLD) + 2, "the log has all fetches")
            yield d, text


def test_the_screen_shows_why_a_response_was_not_stored(fetched: tuple[Daemon, str]) -> None:
    d, text = fetched
    found = screens(d)
    for url, (id, about, source, marker, _) in TOLD.items():
        reason = {**REASONS, **LOG_REASONS}[id].format(about=about)
        told = next(line for line in found["h" + url] if line.startswith(("not stored: ", "stored ")))
        said, _, place = told.partition("   ")
        assert said == f"not stored: {reason}", url
        assert (statement(place, text)[0] if place else "") == source, url
        assert [line for line in found["h" + url] if line.startswith("marker: ")] == [f"marker: {marker}"] * bool(marker), url
    assert any(line.startswith("stored ttl 100 s") for line in found["h/stored"])
    assert "fetched response X: + later" in found["h/uncacheable"]    # no place of another statement is added


def test_the_trace_names_the_built_in_sub_that_decided(fetched: tuple[Daemon, str]) -> None:
    d, text = fetched
    found = screens(d)
    for url, sub in DECIDING_SUBS.items():
        line = next(line for line in found["h" + url] if line.startswith("backend_response"))
        assert statement(line.rpartition("   ")[2], text) == ("call vcl_beresp_hitmiss;", sub), url


def test_a_log_without_reasons_has_facts_and_no_guess(fetched: tuple[Daemon, str]) -> None:
    found = screens(fetched[0])
    for url, (*_, facts) in TOLD.items():
        assert f"not stored: {facts}" in found["n" + url], url


def test_a_request_that_met_a_marker_names_its_fetch(fetched: tuple[Daemon, str]) -> None:
    d, _ = fetched
    vxid = re.search(r"^variant +(\d+): hit-for-miss", run(d, "http://h/cookie"), re.M)
    assert vxid is not None
    with Client(d.port) as c:
        c.request("/cookie", headers={"Host": "h"})

    def screen() -> str:
        return subprocess.run(["build/bin/vernis", "log", "-n", str(d.workdir), "-d", "-q", "HitMiss", "--format", "screen"],
                              cwd=ROOT, capture_output=True, text=True, check=True, timeout=30).stdout
    wait_until(lambda: "found " in screen(), "the request is in the log")
    assert re.search(rf"^found +hit-for-miss marker of fetch {vxid[1]}, 1\d\d s left$", screen(), re.M)
    assert re.search(r"^GET h/cookie  200 \S+  hitmiss  ", screen(), re.M)


def test_a_marker_is_renewed_in_the_second_half_of_its_time() -> None:
    """Also if all loops keep it near, and their look-ups take no lock."""
    rules = "sub vcl_backend_response { set beresp.ttl = 8s; set beresp.uncacheable = true; return (deliver); }"
    with Origin(answer) as origin, serving(policy(origin, rules), ["-p", "loops=2"], sanitized=False) as d:
        def marker() -> str:
            for _ in range(40):
                assert fetch(d.port, "/stored", host="h").status == 200
            return re.findall(r"^variant +(\d+): hit-for-miss", run(d, "http://h/stored"), re.M)[0]
        first = marker()
        assert marker() == first
        wait_until(lambda: marker() != first, "it is renewed")
        assert origin.count("/stored") % 40 == 0    # each request asked the origin


def test_explain_key_shows_the_reason_in_the_marker(fetched: tuple[Daemon, str]) -> None:
    d, _ = fetched
    for url, about in {"/no-store": "Cache-Control: no-store", "/cookie": "Set-Cookie", "/vary": "", "/pass": "", "/uncacheable": "",
                       "/large": "", "/zero": "set by the policy"}.items():
        text = run(d, f"http://h{url}")
        reason = {**REASONS, **LOG_REASONS}[TOLD[url][0]].format(about=about)
        assert f"not stored: {reason};" in text and "secret" not in text, text
    assert "secret" not in run(d, "--json", "http://h/cookie")
    assert "not stored" not in run(d, "http://h/stored")


# ---- requests that wait for a response that is not stored ----

CLIENTS = 6
AT_ONCE = """sub vcl_backend_response {
    if (bereq.url == "/zero") { set beresp.ttl = 0s; set beresp.grace = 0s; set beresp.keep = 0s; return (deliver); }
    if (bereq.url == "/any") { set beresp.ttl = 10s; return (deliver); }
}
"""


@pytest.mark.parametrize("url", ["/zero", "/any", "/no-store", "/large"])
def test_waiters_of_a_response_that_is_not_stored_fetch_at_once(url: str) -> None:
    at_once = threading.Barrier(CLIENTS - 1)

    def slow(r: Request) -> Reply:
        if len(origin.requests) == 1:
            wait_until(lambda: counters(d)["MAIN.busy_sleep"] == CLIENTS - 1, "all other clients wait for this response")
        else:
            at_once.wait(timeout=START_S)       # the origin answers none of them alone
        fields = {"/any": {"Vary": "Cookie, *"}, "/no-store": {"Cache-Control": "no-store"}}
        return Reply(body=b"x" * (2_000_000 if r.url == "/large" else 10), headers=fields.get(r.url, {}))

    def status(_: int) -> int:
        with Client(d.port) as c:
            return c.request(url, headers={"Host": "h"}).status

    with Origin(slow) as origin, serving(policy(origin, AT_ONCE), ["-s", "malloc,1m", "-p", "loops=1"], sanitized=False) as d:
        with ThreadPoolExecutor(CLIENTS) as pool:
            assert list(pool.map(status, range(CLIENTS))) == [200] * CLIENTS
        assert len(origin.requests) == CLIENTS


def test_a_fetch_beyond_the_limit_of_its_key_is_not_stored() -> None:
    both = threading.Barrier(2)

    def slow(r: Request) -> Reply:
        if "cookie" in r.headers and len(origin.requests) <= 3:
            both.wait(timeout=START_S)
        return Reply(headers={"Vary": "Cookie", "Cache-Control": "max-age=100"})

    def xids(cookie: str) -> list[str]:
        with Client(d.port) as c:
            return (c.request("/", headers={"Host": "h", "Cookie": cookie}).get("X-Varnish") or "").split()

    rules = "sub vcl_recv { return (hash); }"
    with Origin(slow) as origin, serving(policy(origin, rules), ["-p", "key_fetches_max=1", "-p", "loops=1"], sanitized=False) as d:
        with Client(d.port) as c:
            c.request("/", headers={"Host": "h"})
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(xids, "ab"))
        assert sorted(len(xids(cookie)) for cookie in "ab") == [1, 2]
        notices = subprocess.run(["build/bin/vernis", "log", "-n", str(d.workdir), "-d", "-g", "raw", "-i", "Notice"],
                                 cwd=ROOT, capture_output=True, text=True, check=True, timeout=30).stdout
        assert notices.count("Not stored: too many fetches of its key") == 1
