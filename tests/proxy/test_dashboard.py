"""The dashboard: the token, the data behind it, the page in headless Chromium."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from proxy.daemon import ROOT, START_S, SYNTH, Daemon, wait_until
from proxy.origin import Client, Origin, Reply
from support import browser
from support.browser import Browser
from support.pace import Pace
from vernis.observe.reason_texts import LOG_REASONS, REASONS

VERNIS = ROOT / "build" / "bin" / "vernis"
SENTENCES = {**REASONS, **LOG_REASONS}
ON = ("-p", "dashboard_listen=127.0.0.1:0")
WATCHERS_MAX = 8                        # DASHBOARD_WATCHERS_MAX
FIRST_PAINT_MS_MAX = 300
HISTORY = "_.dashboard_history"
HOSTILE = "/<img/src=x/onerror=alert(1)>?\"';</script><script>document.title='owned'</script>&data:%0a%0a"
SITE = """vcl 4.1;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; .probe = {{ .url = "/health"; .interval = 100ms; }} }}
sub vcl_recv {{ if (req.url ~ "^/basket") {{ return (pass); }} }}
"""


def start_site(start_daemon: Callable[..., Daemon], origin: Origin, more: str = "") -> Daemon:
    """Its dashboard reads the log, and its backend takes requests."""
    d: Daemon = start_daemon(SITE.format(port=origin.port) + more, ON)
    link_of(d).state(lambda s: s["backends"] and s["backends"]["boot.default"]["probe_message"][2] == "healthy", "the backend is healthy")
    return d


class Link:
    """Where a dashboard is, and its token."""

    def __init__(self, text: str) -> None:
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#([0-9a-f]{64})\s*", text)
        assert found is not None, text
        self.text, self.port, self.token = text.strip(), int(found[1]), found[2]

    def ask(self, path: str, token: str | None = None, method: str = "GET") -> tuple[int, dict[str, str], bytes]:
        """Status, fields with small names, body."""
        with self.connect(path, token, method) as s:
            data = b"".join(iter(lambda: s.recv(65536), b""))
        head, _, body = data.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        return int(first.split()[1]), {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}, body

    def connect(self, path: str, token: str | None, method: str = "GET") -> socket.socket:
        s = socket.create_connection(("127.0.0.1", self.port), timeout=START_S)
        field = "" if token is None else f"Authorization: Bearer {token}\r\n"
        s.sendall(f"{method} {path} HTTP/1.1\r\nHost: x\r\n{field}\r\n".encode())
        return s

    @contextmanager
    def events(self) -> Iterator[Iterator[dict[str, Any]]]:
        with self.connect("/events", self.token) as s:
            yield (json.loads(line[line.index(b"data: ") + 6:]) for line in s.makefile("rb") if b"data: " in line)

    def state(self, condition: Callable[[dict[str, Any]], object], what: str) -> dict[str, Any]:
        """The first message that fulfils the condition."""
        end = time.monotonic() + START_S
        with self.events() as events:
            for state in events:
                if condition(state):
                    return state
                assert time.monotonic() < end, f"not within {START_S} s: {what}: {state}"
        raise AssertionError(f"the stream ended before: {what}")

    def history(self) -> dict[str, Any]:
        status, _, body = self.ask("/history?seconds=60", self.token)
        assert status == 200
        told: dict[str, Any] = json.loads(body)
        return told


def link_of(d: Daemon) -> Link:
    return Link(d.ok("vernis.dashboard"))


def vernis(d: Daemon, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(VERNIS), arguments[0], "-n", str(d.workdir), *arguments[1:]], capture_output=True, text=True, timeout=60,
                          check=False)


def entry(rows: list[dict[str, Any]], url: str) -> dict[str, Any]:
    return next((row for row in rows if row["url"] == url), {})


# ---- the server --------------------------------------------------------------------------------------------


def test_the_dashboard_is_off_until_somebody_turns_it_on(daemon: Daemon) -> None:
    assert daemon.ok("vernis.dashboard").startswith("The dashboard is off.")
    status, text = daemon.cli("param.set dashboard_listen 127.0.0.1:0")
    assert status != 200 and "protected" in text
    done = vernis(daemon, "dashboard")
    link = Link(done.stdout)
    assert link.ask("/")[0] == 200
    assert vernis(daemon, "dashboard").stdout == done.stdout                    # a second start finds the first
    told = json.loads(vernis(daemon, "dashboard", "-j").stdout)
    assert told[3] == [link.text]
    again = vernis(daemon, "dashboard", "--listen", "127.0.0.1:0")
    assert again.returncode == 1 and "already runs" in again.stderr
    assert vernis(daemon, "dashboard", "--stop").returncode == 0
    with pytest.raises(ConnectionError):
        link.ask("/")
    assert link.token not in daemon.logs


def test_the_parameter_turns_it_on_at_the_start(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(None, ON)
    assert link_of(d).ask("/")[0] == 200
    assert f"dashboard at http://127.0.0.1:{link_of(d).port}/" in d.logs and "without TLS" not in d.logs
    wide = start_daemon(None, ("-p", "dashboard_listen=0.0.0.0:0"))
    assert "without TLS" in wide.logs


def test_data_needs_the_token_and_the_page_does_not(start_daemon: Callable[..., Daemon]) -> None:
    link = link_of(start_daemon(None, ON))
    assert len({link.token, "0" * 64}) == 2
    for path in ("/events", "/history"):
        for token in (None, "", "0" * 64, link.token[:-1], link.token + "0", link.token.upper()):
            status, fields, body = link.ask(path, token)
            assert status == 401 and fields["www-authenticate"] == "Bearer", (path, token)
            assert link.token.encode() not in body
    assert link.ask(f"/events?token={link.token}")[0] == 401                  # tokens in URLs end up in logs
    for path, kind in (("/", "text/html"), ("/dashboard.css", "text/css"), ("/dashboard.js", "text/javascript"), ("/icon.svg", "image/svg+xml")):
        status, fields, _ = link.ask(path)
        assert status == 200 and fields["content-type"].startswith(kind)
        policy = fields["content-security-policy"]
        assert policy.startswith("default-src 'none';") and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert (fields["x-content-type-options"], fields["referrer-policy"], fields["cache-control"]) == ("nosniff", "no-referrer", "no-store")
    assert link.ask("/../_.dashboard_token", link.token)[0] == 404
    assert link.ask("/events", link.token, "POST")[0] == 405
    for asked in ("0", "-1", "99999999999999999999", "x", "86401"):
        assert link.ask(f"/history?seconds={asked}", link.token)[0] == 400, asked


def test_the_token_survives_a_restart_unless_others_may_have_read_it(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(None, ON)
    link, file = link_of(d), d.workdir / "_.dashboard_token"
    assert file.stat().st_mode & 0o777 == 0o600
    d.ok("vernis.dashboard stop")
    assert Link(d.ok("vernis.dashboard start")).token == link.token
    d.ok("vernis.dashboard stop")
    file.chmod(0o644)
    renewed = Link(d.ok("vernis.dashboard start")).token
    assert renewed != link.token and file.stat().st_mode & 0o777 == 0o600


def test_the_state_has_traffic_policies_backends_and_rules(start_daemon: Callable[..., Daemon]) -> None:
    with Origin(lambda request: Reply(body=b"x", headers={"Cache-Control": "max-age=60"})) as origin:
        d = start_site(start_daemon, origin)
        for url in ("/a", "/a", "/a", "/basket"):
            assert d.get(url)[0] == 200
        state = link_of(d).state(lambda s: s["sampled"] == s["values"]["requests"] == 4 and "origin" in s and (s["rules"] or {}).get("requests") == 4
                                 and s["backends"] and s["backends"]["boot.default"]["probe_message"][2] == "healthy",
                                 "four requests, their rules, and a healthy backend")
        assert (state["values"]["hits"], state["values"]["misses"], state["values"]["passes"]) == (2, 1, 1)
        assert state["worker"] == "running" and state["values"]["s2xx"] == 4
        policy, = state["policies"]
        assert (policy["name"], policy["active"]) == ("boot", True) and abs(policy["activated"] - state["now"]) < 60
        assert int(state["backends"]["boot.default"]["probe_details"]["bits_H"]) > 0
        assert state["backend_rates"]["boot.default"].keys() == {"requests", "connections", "failures"}
        assert any("basket" in rule["rule"] and rule["hits"] == 1 for rule in state["rules"]["rules"])
        assert {s["name"]: s["limit"] for s in state["storages"]} == {"s0": 100 << 20, "Transient": 0}
        assert 0 < state["origin"]["p50"] < 1


def test_misses_have_their_reason(start_daemon: Callable[..., Daemon]) -> None:
    fields = {"/cookie": {"Set-Cookie": "a=1"}, "/private": {"Cache-Control": "private"}, "/vary": {"Vary": "*"},
              "/zero": {"Cache-Control": "max-age=0"}, "/stored": {"Cache-Control": "max-age=60"}}
    reasons = {"/cookie": ("set-cookie", "Set-Cookie"), "/private": ("cache-control", "Cache-Control: private"), "/vary": ("vary-star", ""),
               "/zero": ("no-lifetime", "ttl 0 s is not above 0 (Cache-Control: max-age=0)"), "/stored": ("absent", ""),
               "/basket": ("pass-policy", "vcl_recv")}
    with Origin(lambda request: Reply(body=b"x", headers=fields.get(request.url, {}))) as origin:
        d = start_site(start_daemon, origin)
        for url in reasons:
            d.get(url)
        state = link_of(d).state(lambda s: s["sampled"] == len(reasons), "all requests are counted")
        told = {row["url"]: (row["reason"], row["text"]) for row in state["misses"]}
        assert told == {url: (id, SENTENCES[id].format(about=about)) for url, (id, about) in reasons.items()}
        d.serve("broken", 'vcl 4.1; backend default { .host = "127.0.0.1"; .port = "1"; }')
        d.get("/broken")
        state = link_of(d).state(lambda s: entry(s["misses"], "/broken"), "the failed fetch is counted")
        broken = entry(state["misses"], "/broken")
        assert broken["reason"] == "fetch-failed"
        assert broken["text"].startswith(SENTENCES["fetch-failed"].format(about="backend default: "))


def test_the_dashboard_and_the_log_give_the_same_reasons(start_daemon: Callable[..., Daemon]) -> None:
    fields = {"/cookie": {"Set-Cookie": "a=1"}, "/private": {"Cache-Control": "private"}, "/star": {"Vary": "*"},
              "/zero": {"Cache-Control": "max-age=0"}, "/own": {"X-Own": "1"}, "/later": {"X-Later": "1"},
              "/own-with-cookie": {"X-Own": "1", "Set-Cookie": "a=1"}}
    with Origin(lambda request: Reply(body=b"x", headers=fields.get(request.url, {}))) as origin:
        d = start_site(start_daemon, origin, """sub vcl_backend_response {
            if (beresp.http.X-Own) { set beresp.uncacheable = true; }
            if (beresp.http.X-Later) { return (pass(60s)); }
        }""")
        for url in (*fields, *fields, *fields, "/basket"):                    # the second and third requests find markers
            d.get(url)
        state = link_of(d).state(lambda s: entry(s["misses"], "/basket"), "the last request is counted")
        logged = subprocess.run([VERNIS, "log", "-n", d.workdir, "-d", "--why", "--format", "json"], capture_output=True, text=True, check=True)
        requests = [one for line in logged.stdout.splitlines() for one in json.loads(line)["transactions"] if one["type"] == "req"]
        last = {one["summary"]["url"]: one["why"]["reason"] for one in requests}
        assert {row["url"]: row["reason"] for row in state["misses"]} == last
        assert set(last.values()) == {"set-cookie", "cache-control", "vary-star", "no-lifetime", "policy-uncacheable",
                                      "policy-hit-for-pass", "pass-policy"}


def test_a_fetch_that_the_client_needed_no_more_of_is_no_failure(start_daemon: Callable[..., Daemon]) -> None:
    headers = {"Set-Cookie": "a=1"}
    with Origin(lambda request: Reply(body=b"x" * 8_000_000, headers=headers)) as origin:
        d = start_site(start_daemon, origin)
        with Client(d.port) as c:
            c.request("/large", headers={"Host": "h", "Range": "bytes=0-9"})
        state = link_of(d).state(lambda s: entry(s["misses"], "/large"), "the request is counted")
        assert entry(state["misses"], "/large")["reason"] == "set-cookie"


def test_a_hostile_url_stays_in_its_json_text(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(SYNTH.format(word="a"), ON)
    d.get(HOSTILE)
    state = link_of(d).state(lambda s: s["urls"], "the URL is counted")
    assert state["urls"][0]["url"] == HOSTILE


def test_watchers_beyond_the_limit_are_refused(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(None, ON)
    link = link_of(d)
    watchers = [link.connect("/events", link.token) for _ in range(WATCHERS_MAX)]
    for watcher in watchers:
        assert watcher.recv(12) == b"HTTP/1.1 200"
    assert link.ask("/events", link.token)[0] == 503
    watchers.pop().close()
    wait_until(lambda: link.connect("/events", link.token).recv(12) == b"HTTP/1.1 200", "the place of a watcher that left is free")
    for watcher in watchers:
        watcher.close()


def test_a_watcher_that_does_not_read_is_ended(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(SYNTH.format(word="a"), ON)
    for i in range(60):
        d.get(f"/{'x' * 230}{i}")                                             # messages of some 20 KB
    link = link_of(d)
    with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.connect(("127.0.0.1", link.port))
        s.sendall(f"GET /events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {link.token}\r\n\r\n".encode())
        with link.events() as events:                                         # others go on
            for _ in range(4):
                next(events)
        wait_until(lambda: watchers_of(d, link.port) == 0, "the connection is closed", 90)
        assert d.ok("ping").startswith("PONG")


def watchers_of(d: Daemon, port: int) -> int:
    """Established connections at the daemon's end."""
    lines = (line.split() for line in open("/proc/net/tcp", encoding="ascii"))
    return sum(1 for words in lines if words[1].endswith(f":{port:04X}") and words[3] == "01")


def test_the_history_survives_a_restart_and_a_damaged_one_begins_anew(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(SYNTH.format(word="a"), ON)
    link = link_of(d)
    wait_until(lambda: 0 in link.history()["requests"], "the first step of the worker")
    for _ in range(20):
        d.get()
    known = wait_until(lambda: [x for x in link.history()["requests"] if x], "a step with requests")
    d.ok("vernis.dashboard stop")
    link = Link(d.ok("vernis.dashboard start"))
    assert known[0] in link.history()["requests"] and "begins anew" not in d.logs
    d.ok("vernis.dashboard stop")
    file = d.workdir / HISTORY
    size = file.stat().st_size
    data = bytearray(file.read_bytes())
    at = next(i for i in range(4096, len(data)) if data[i])
    data[at] ^= 1
    file.write_bytes(data)
    link = Link(d.ok("vernis.dashboard start"))
    assert f"the history in {file} is damaged: it begins anew" in d.logs
    assert not any(link.history()["requests"]) and file.stat().st_size == size


def test_a_dead_worker_is_shown_and_its_successor_counts_from_zero(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(SYNTH.format(word="a"), ON)
    link, pid = link_of(d), d.worker_pid
    for _ in range(5):
        d.get()
    link.state(lambda s: s["sampled"] == 5, "five requests")
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: d.worker_pid not in (0, pid) and d.state == "running", "the next worker")
    d.get()
    state = link.state(lambda s: s["values"]["requests"] == 1 and s["sampled"] == 6, "the request to the next worker")
    assert state["worker"] == "running"
    d.ok("stop")
    state = link.state(lambda s: s["worker"] == "stopped", "no worker")
    assert state["backends"] is None and state["worker_up"] == 0


# ---- the page ----------------------------------------------------------------------------------------------

in_browser = pytest.mark.skipif(not browser.is_here(), reason="needs Debian's chromium and chromium-driver")


@contextmanager
def page_of(d: Daemon, **options: Any) -> Iterator[Browser]:
    """The page of a daemon, after its first message."""
    with Browser(**options) as b:
        b.open(link_of(d).text)
        wait_until(lambda: b.text("#state-text") not in ("", "connecting"), "the page shows the worker's state")
        yield b


@in_browser
def test_the_page_shows_the_traffic(start_daemon: Callable[..., Daemon]) -> None:
    with Origin(lambda request: Reply(body=b"x", headers={"Set-Cookie": "a=1"})) as origin:
        d = start_site(start_daemon, origin)
        with page_of(d) as b:
            for url in ("/news", "/news", "/basket"):
                d.get(url)
            wait_until(lambda: "the answer sets a cookie" in b.text("#misses"), "the reason of the miss")
            wait_until(lambda: "/basket" in b.text("#urls") and "the policy returns pass from vcl_recv" in b.text("#misses"), "the passed URL")
            wait_until(lambda: "healthy" in b.text("#backends"), "the backend's health")
            assert b.run("return document.querySelectorAll('#backends .probes rect').length") == 32
            assert "boot" in b.text("#policies") and "active" in b.text("#policies")
            wait_until(lambda: "basket" in b.text("#rules"), "the rules")
            wait_until(lambda: b.run("return document.querySelectorAll('[data-chart=requests] path').length") > 0, "a chart has a line")
            assert b.text("#state-text") == "running"
            assert b.run("return location.hash") == ""                        # the token is not in the address
            d.ok("stop")
            wait_until(lambda: b.text("#state-text") == "stopped", "the page shows that the worker stopped")
            assert b.console() == []


@in_browser
def test_the_page_paints_soon_and_asks_no_other_site(start_daemon: Callable[..., Daemon]) -> None:
    """The best of up to twenty: other processes may hold the processor, and slow a fixed work as much."""
    d = start_daemon(SYNTH.format(word="a"), ON)
    with page_of(d) as b:
        times: list[float] = []
        pace = Pace()
        while not times or (min(times) >= FIRST_PAINT_MS_MAX and len(times) < 20):
            b.open("about:blank")
            b.open(link_of(d).text)
            times.append(wait_until(lambda: b.run("return (performance.getEntriesByName('first-paint')[0] || {}).startTime"), "a paint"))
            pace.measure()
        print("first paint, ms:", times, "slowness:", pace.slowness)
        assert 0 < min(times) < FIRST_PAINT_MS_MAX * pace.slowness
        asked = b.run("return performance.getEntriesByType('resource').map(r => new URL(r.name).origin)")
        assert set(asked) == {f"http://127.0.0.1:{link_of(d).port}"}
        assert b.console() == []


LONG = "/some/long/path/of_the_application/with-dashes/" + "0123456789abcdef" * 4 + ".html"
LONG_NAMES = "".join(f"""backend application_server_{i}_of_the_shop_in_frankfurt_am_main {{ .host = "127.0.0.1"; .port = "1"; }}
sub vcl_recv {{ if (req.url ~ "^/a/rather/long/rule/{i}/of-this/policy") {{
    set req.backend_hint = application_server_{i}_of_the_shop_in_frankfurt_am_main; }} }}
""" for i in range(15))

# Texts of tables that a line breaks inside a word: behind a character that is none of / . _ - and their like.
BROKEN = """
  const broken = [], range = document.createRange();
  const walker = document.createTreeWalker(document.querySelector(".tables"), NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    let before = null;
    for (let i = 0; i < node.length; i++) {
      range.setStart(node, i); range.setEnd(node, i + 1);
      const [box] = range.getClientRects();
      if (box && before !== null && box.top > before + 4 && /\\w/.test(node.data[i - 1]) && /\\w/.test(node.data[i])) broken.push(node.data);
      if (box) before = box.top;
    }
  }
  return broken;
"""
CLIPPED = """return [...document.querySelectorAll("html, .scroll")].filter((e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1
  && e.matches(".scroll")).map((e) => e.outerHTML.slice(0, 80))"""


@in_browser
@pytest.mark.parametrize("width", [1440, 1000, 700, 500])
def test_long_names_wrap_at_separators_and_no_row_is_cut_without_a_sign(start_daemon: Callable[..., Daemon], width: int) -> None:
    with Origin(lambda request: Reply(body=b"x", headers={"Set-Cookie": "a=1"})) as origin:
        d = start_site(start_daemon, origin, LONG_NAMES)
        for i in range(30):
            d.get(f"/{i}{LONG}")
        d.get(f"/0{LONG}")
        with page_of(d, size=(width, 2000)) as b:
            wait_until(lambda: b.run("return page.state.misses_in_all") == 30, "all URLs are counted")
            wait_until(lambda: b.run("return document.querySelectorAll('[data-more]').length") == 4, "tables say that they have more rows")
            wait_until(lambda: "rather" in b.text("#rules"), "the rules")
            assert b.run(BROKEN) == [] and b.run(CLIPPED) == []
            assert b.text('[data-more="backends"]') == "4 more" and b.text('[data-more="urls"]') == "13 more"
            assert "5 less frequent: vernis top -i ReqURL" in b.text("#urls")
            assert b.text('[data-more="misses set-cookie"]') == "21 more" and "5 less frequent" in b.text("#misses")
            first = "document.querySelector('#urls tbody .url .mono')"
            assert b.run(f"return {first}.title") == f"test/0{LONG}" and "0123456789abcd…" in b.run(f"return {first}.textContent")
            b.run("document.querySelector('[data-more=backends]').click()")
            assert b.text('[data-more="backends"]') == "fewer" and "application_server_14_of" in b.text("#backends")
            assert b.run("return document.activeElement.dataset.more") == "backends"      # a keyboard stays where it is
            assert b.run(CLIPPED) == [] and b.console() == []


@in_browser
def test_misses_stand_under_their_reason(start_daemon: Callable[..., Daemon]) -> None:
    fields = {"/cookie": {"Set-Cookie": "a=1"}, "/private": {"Cache-Control": "private"}}
    with Origin(lambda request: Reply(body=b"x", headers=fields.get(request.url[:request.url.rfind("/")], {}))) as origin:
        d = start_site(start_daemon, origin)
        for url in ("/cookie/1", "/private/1", "/cookie/2", "/cookie/2", "/basket/1"):
            d.get(url)
        with page_of(d) as b:
            link_of(d).state(lambda s: s["sampled"] == 5, "all requests are counted")
            rows = "return [...document.querySelectorAll('#misses tbody tr')].map((e) => e.querySelector('.id, .mono').textContent.trim())"
            expected = ["set-cookie", "test/cookie/2 hit-for-miss", "test/cookie/1", "cache-control", "test/private/1", "pass-policy", "test/basket/1"]
            wait_until(lambda: sorted(b.run(rows)) == sorted(expected), "the groups")
            assert b.run(rows)[:3] == expected[:3]                                # the most frequent first


def test_the_dashboard_knows_the_cause_of_a_miss_while_somebody_asks(start_daemon: Callable[..., Daemon]) -> None:
    with Origin(lambda request: Reply(body=b"x", headers={"Cache-Control": "max-age=60"})) as origin:
        d = start_site(start_daemon, origin)
        with subprocess.Popen([VERNIS, "log", "-n", d.workdir, "--why"], stdout=subprocess.PIPE, text=True) as asking:
            try:
                assert asking.stdout is not None
                def ask(url: str) -> None:
                    assert asking.stdout is not None
                    shown = ""
                    while url not in shown:
                        d.get(url)
                        ready, _, _ = select.select([asking.stdout], [], [], 0.5)
                        shown = asking.stdout.readline() if ready else ""
                ask("/first")                                                    # now the log has reasons
                for url in ("/banned", "/other"):
                    d.get(url)
                    d.ok("ban obj.status == 200")
                    ask(url)
                def banned(state: dict[str, Any]) -> dict[str, Any]:
                    return next((row for row in state["reasons"] if row["reason"] == "banned"), {})
                state = link_of(d).state(lambda s: banned(s).get("urls") == 2, "the causes of both are known")
            finally:
                asking.terminate()
        assert banned(state)["text"].startswith("a ban covers the stored response")


def test_urls_have_no_values_that_identify(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(SYNTH.format(word="a"), ON)
    for token in ("q7one", "q7two"):
        d.get(f"/reset?reset_token={token}&page=1")
    state = link_of(d).state(lambda s: s["sampled"] == 2, "both are counted")
    [row] = state["urls"]
    assert (row["url"], row["requests"] > 1) == ("/reset?reset_token=hidden&page=1", True) and "q7" not in json.dumps(state)


@in_browser
def test_the_page_shows_hostile_urls_as_text(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(SYNTH.format(word="a"), ON)
    with page_of(d) as b:
        d.get(HOSTILE)
        wait_until(lambda: HOSTILE in b.run("return document.querySelector('#urls').textContent"), "the URL is shown")
        assert b.run("return document.querySelectorAll('table img, table script').length") == 0
        assert "owned" not in b.run("return document.title")
        assert b.console() == []


@in_browser
def test_without_the_right_token_the_page_asks_for_it(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(SYNTH.format(word="a"), ON)
    link = link_of(d)
    with Browser() as b:
        b.open(f"http://127.0.0.1:{link.port}/")
        assert "needs its token" in b.text("#ask") and b.run("return document.querySelector('main').hidden")
        assert b.focused() == "token"
        b.press(*"0" * 64, "enter")
        wait_until(lambda: "refuses this token" in b.text("#refused"), "the wrong token is refused")
        b.run("document.getElementById('token').value = ''")
        b.press(*link.token, "enter")
        wait_until(lambda: b.text("#state-text") == "running", "the right token shows the figures")
        b.open(f"http://127.0.0.1:{link.port}/")                              # a reload keeps it
        wait_until(lambda: b.text("#state-text") == "running", "the figures after a reload")


@in_browser
def test_light_and_dark_follow_the_system_until_somebody_chooses(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(SYNTH.format(word="a"), ON)
    background = "return getComputedStyle(document.body).backgroundColor"
    with page_of(d, dark=True) as b:
        dark = b.run(background)
        b.dark(False)
        light = b.run(background)
        assert dark != light
        b.press("t")
        assert b.run(background) == dark and b.run("return document.getElementById('theme').value") == "dark"
        b.open(f"http://127.0.0.1:{link_of(d).port}/")
        assert b.run(background) == dark                                      # the choice is kept
        b.press("t")
        b.dark(True)
        assert b.run(background) == light
        for theme in ("light", "dark"):
            b.run("document.documentElement.dataset.theme = arguments[0]", theme)
            assert b.run(CONTRASTS) == [], theme


# Texts whose contrast with the colour behind them is below 4.5 (WCAG 2.2, 1.4.3).
CONTRASTS = """
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                         return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
                          if (c !== "rgba(0, 0, 0, 0)") return c; } return "white"; };
  const low = [];
  for (const e of document.querySelectorAll("body *")) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.getClientRects().length) continue;
    const style = getComputedStyle(e), text = e.namespaceURI.endsWith("svg") ? style.fill : style.color;
    const [a, b] = [light(rgb(text)), light(rgb(behind(e)))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) low.push(`${e.textContent} ${text} on ${behind(e)}`);
  }
  return low;
"""


@in_browser
def test_all_of_the_page_works_by_keyboard(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(SYNTH.format(word="a"), ON)
    d.get()
    with page_of(d) as b:
        wait_until(lambda: b.run("return document.querySelectorAll('[data-chart=requests] text').length") > 0, "the charts are drawn")
        walked = []
        for _ in range(25):
            b.press("tab")
            walked.append(b.focused())
        charts = ["plot"] * 9
        assert walked[:4] == ["skip", "range", "pause", "theme"]
        assert walked[4:13] == charts
        assert walked[13:19] == ["h-backends", "h-policies", "h-urls", "h-misses", "order", "h-rules"]
        outline = b.run("document.querySelector('#pause').focus({focusVisible: true});"
                        "return getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"
        b.press("enter")
        assert b.run("return document.getElementById('pause').getAttribute('aria-pressed')") == "true"
        b.press("p")
        assert b.run("return document.getElementById('pause').getAttribute('aria-pressed')") == "false"
        b.press("2")
        assert b.run("return document.querySelector('#range input:checked').value") == "3600"
        b.run("document.querySelector('#order input:checked').focus()")
        b.press("right")
        assert b.run("return document.querySelector('#order input:checked').value") == "cost"
        b.run("document.querySelector('[data-chart=ratio] svg').focus()")
        b.press("left", "left")
        assert b.text("[data-chart=requests] .at").startswith("at ")          # all charts show the same moment
        assert b.run("return document.querySelectorAll('.plot .cursor').length") == 9
        label = "return document.activeElement.getAttribute('aria-label')"
        wait_until(lambda: b.run(label).startswith("Hit ratio, 1 h. of hits, misses and passes:"), "the chart tells its values")
        b.press("escape")
        assert b.text("[data-chart=requests] .at") == "now"
        assert b.console() == []
