"""`vernis explain-key` shows a request's cache key with the place of each part, the decision of vcl_recv, and
the stored variants. It changes nothing."""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving
from proxy.test_delivery import policy

RULES = """import std;
import xkey;
import vtc;
sub vcl_recv {
    if (req.url == "/ban") { std.ban("obj.status == 200"); set req.http.gone = xkey.purge("front"); return (synth(299, "Banned")); }
    if (req.url == "/purge") { return (purge); }
    if (req.url == "/pass") { return (pass); }
    if (req.url == "/pipe") { return (pipe); }
    if (req.url == "/fail") { return (fail("on purpose")); }
    if (req.url == "/again" && req.restarts == 0) { return (restart); }
    if (req.url == "/for-ever") { return (restart); }
    if (req.url == "/body" && std.cache_req_body(1KB)) { set req.http.body = "kept"; }
    if (req.url == "/slow") { vtc.sleep(3s); }
    std.log("seen");
    set req.http.device = "phone";
    set req.hash_ignore_busy = req.url == "/hints";
    if (req.url == "/hints") { set req.ttl = 5s; }
    return (hash);
}
sub vcl_hash {
    hash_data("v2-" + req.http.device);
    if (client.ip == "192.0.2.1") { hash_data(client.ip); }
    if (req.url == "/proto") { hash_data(req.proto + " " + req.transport); }
    if (req.url == "/no-key") { return (fail("no key")); }
}
"""
FIELDS = {"Cache-Control": "max-age=100", "Vary": "Cookie, Accept-Language", "xkey": "front a", "X-HashTwo": "b"}


def page(r: Request) -> Reply:
    return Reply(body=b"x" * 1000, headers=FIELDS)


def run(d: Daemon, *arguments: str, code: int = 0) -> str:
    done = subprocess.run(["build/bin/vernis", "explain-key", "-n", str(d.workdir), *arguments], cwd=ROOT, capture_output=True, text=True,
                          check=False, timeout=30)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout if code == 0 else done.stderr


def explain(d: Daemon, *arguments: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(run(d, "--json", *arguments))
    return result


def logged(d: Daemon) -> str:
    return subprocess.run(["build/bin/vernis", "log", "-n", str(d.workdir), "-d", "-g", "raw", "-i", "Begin,ReqURL,VCL_Log"], cwd=ROOT,
                          capture_output=True, text=True, check=True, timeout=30).stdout


def counters(d: Daemon) -> dict[str, int]:
    """Counters except those that count this command."""
    lines = [line.split() for line in d.ok("vernis.counters").splitlines()]
    return {name: int(value) for name, value in lines if not name.startswith(("MAIN.shm_", "MAIN.uptime", "MAIN.summs"))}


def test_explain_key_shows_key_places_and_variants() -> None:
    with Origin(page) as origin, serving(policy(origin, RULES)) as d, Client(d.port) as c:
        for cookie in ("one", "two", "two"):
            assert c.request("/p", headers={"Host": "h", "Cookie": cookie}).status == 200
        line = 1 + next(i for i, text in enumerate(policy(origin, RULES).splitlines()) if "hash_data" in text)
        t = explain(d, "http://h/p", "-H", "Cookie: two")
        assert (t["action"], t["restarts"], t["stored"]) == ("hash", 0, 2)
        assert [p["text"] for p in t["key"]] == ["v2-phone", "/p", "h"]
        assert t["key"][0]["at"].endswith(f":{line}:5") and t["key"][1]["at"].startswith("<builtin>:")
        newest, oldest = t["variants"]
        assert (newest["selected"], oldest["selected"]) == (True, False)
        assert (newest["kind"], newest["state"], newest["status"], newest["hits"], oldest["hits"]) == ("response", "fresh", 200, 1, 0)
        assert newest["ttl"] == 100 and 90 < newest["ttl_left"] <= 100 and newest["age"] >= 0 and newest["grace"] == 10
        assert newest["bytes"] >= 1000 and newest["storage"] == "s0" and newest["complete"] and not newest["banned"]
        assert newest["surrogate_keys"] == ["front", "a", "b"]
        assert oldest["vary"] == [{"field": "Cookie", "stored": "one", "request": "two", "same": False},
                                  {"field": "Accept-Language", "stored": None, "request": None, "same": True}]
        text = run(d, "http://h/p", "-H", "Cookie: two")
        assert '\nkey       "v2-phone"  ' in text and "selected by this request" in text and "surrogate keys front a b" in text
        assert 'Vary Cookie: "one", this request has "two"' in text and "Vary Accept-Language: no such field" in text
        # real requests have the same key
        assert c.request("/p", headers={"Host": "h", "Cookie": "two"}).status == 200
        assert explain(d, "http://h/p", "-H", "Cookie: two")["variants"][0]["hits"] == 2
        d.ok("ban obj.status == 200")
        assert all(v["banned"] for v in explain(d, "http://h/p")["variants"])
        parts = [p["text"] for p in explain(d, "/p", "-H", "Host: H2", "--client", "192.0.2.1")["key"]]
        assert parts == ["v2-phone", "192.0.2.1", "/p", "H2"]
        hosts = [explain(d, url)["key"][-1]["text"] for url in ("http://h:80/p", "https://h:443/p", "http://h:443/p")]
        assert hosts == ["h", "h", "h:443"]


@pytest.mark.parametrize(("url", "action", "said"), [
    ("/pass", "pass", "the origin is asked"), ("/pipe", "pipe", "connected to the origin"), ("/purge", "purge", "would drop all"),
    ("/ban", "synth", 'synth(299, "Banned")'), ("/fail", "fail", 'fail, "on purpose"'), ("/for-ever", "restart", "more often than max_restarts"),
    ("/again", "hash", "restarts: 1"), ("/body", "hash", "body: kept"),
    ("/hints", "hash", "req.ttl = 5 s"), ("/no-key", "hash", "there is no key"), ("/none", "hash", "stored    nothing"),
])
def test_explain_key_shows_the_decision_of_vcl_recv(asked: tuple[Daemon, Origin], url: str, action: str, said: str) -> None:
    d, _ = asked
    t = explain(d, f"http://h{url}", "-H", "Content-Length: 5")
    assert t["action"] == action
    assert said in run(d, f"http://h{url}", "-H", "Content-Length: 5")
    assert ("key" in t) == (url not in ("/fail", "/no-key"))


@pytest.fixture(scope="module")
def asked() -> Any:
    with Origin(page) as origin, serving(policy(origin, RULES)) as d:
        yield d, origin


def test_the_policy_sees_the_protocol(asked: tuple[Daemon, Origin]) -> None:
    keys = [explain(asked[0], "http://a/proto", *options)["key"][1]["text"] for options in ((), ("--protocol", "HTTP/2.0"))]
    assert keys == ["HTTP/1.1 HTTP/1", "HTTP/2.0 HTTP/2"]


def test_explain_key_fetches_changes_logs_and_counts_nothing(asked: tuple[Daemon, Origin]) -> None:
    d, origin = asked
    with Client(d.port) as c:
        assert c.request("/p", headers={"Host": "h"}).status == 200
    wait_until(lambda: counters(d)["VERNIS.sess_live"] == 0, "the client's connection is closed")
    log = wait_until(lambda: found if "/p" in (found := logged(d)) and logged(d) == found else "", "its request is in the log")
    times = {"VERNIS.loop_busiest": 0, "VERNIS.loop_longest_round_us": 0}        # of a busy machine

    def counted() -> dict[str, int]:
        return counters(d) | times
    before = counted()
    bans = d.ok("ban.list")
    for url in ("/p", "/ban", "/purge", "/pass", "/unknown"):
        t = explain(d, f"http://h{url}")
        assert [(w["what"], w["of"]) for w in t["withheld"]] == (
            [("ban", "obj.status == 200"), ("xkey.purge", "front")] if url == "/ban" else [])
    assert counted() == before and d.ok("ban.list") == bans
    assert logged(d) == log and "/p" in log
    assert len(origin.requests) == 1 and explain(d, "http://h/p")["stored"] == 1


@pytest.mark.parametrize(("arguments", "said"), [
    (("/p",), "write http://HOST/p, or add -H 'Host: HOST'"), (("h/p",), "write http://HOST/PATH"),
    (("http://u:p@h/p",), "-H 'Authorization: ...'"), (("http://h/a b",), "%XX"), (("http://[h/p",), "is not a URL"),
    (("http://h/p", "-H", "Cookie"), "write -H 'NAME: VALUE'"), (("http://h/p", "-H", "A: b\r\nC: d"), "a line break"),
    (("http://h/p", "-H", "A b: c"), "answered by 400"), (("http://h/p", "--client", "here"), "is not an IP address"),
    (("http://h/p", "-H", "Host: a", "-H", "Host: b"), "answered by 400"), (("http://h/p", "-X", "G ET"), "answered by 400"),
])
def test_mistakes_are_explained(asked: tuple[Daemon, Origin], arguments: tuple[str, ...], said: str) -> None:
    refused_here = "answered by" not in said and "IP address" not in said       # the daemon was not asked
    assert said in run(asked[0], *arguments, code=2 if refused_here else 1)


def test_a_policy_that_waits_blocks_the_command_line_briefly(asked: tuple[Daemon, Origin]) -> None:
    d, _ = asked
    assert "a function in vcl_recv waits" in run(d, "http://h/slow", code=1)
    assert explain(d, "http://h/p")["action"] == "hash"


def test_a_label_uses_its_own_policy() -> None:
    with Origin(page) as origin, serving(policy(origin, "")) as d:
        d.load("site", policy(origin, 'sub vcl_hash { hash_data("site"); }'))
        d.ok("vcl.label shop site")
        d.serve("top", policy(origin, "sub vcl_recv { return (vcl(shop)); }"))
        t = explain(d, "http://h/p")
        assert (t["policy"], [p["text"] for p in t["key"]]) == ("site", ["site", "/p", "h"])


def test_the_cookies_of_other_users_are_hidden_on_demand() -> None:
    with Origin(page) as origin, serving(policy(origin, RULES)) as d, Client(d.port) as c:
        assert c.request("/p", headers={"Host": "h", "Cookie": "a=q7-another-user"}).status == 200
        mine = ("http://h/p", "-H", "Cookie: a=q7-of-mine")
        assert {"q7-another-user", "q7-of-mine"} <= set(re.findall(r"q7[-a-z]+", run(d, *mine)))
        for arguments in ((), ("--json",)):
            told = run(d, *mine, "--hide", *arguments)
            assert "q7" not in told and "a=hidden-" in told


def test_a_response_that_is_still_arriving_is_shown() -> None:
    def slow(r: Request) -> Reply:
        return Reply(pieces=[lambda: states.append(explain(d, "http://h/p")["variants"][0]["kind"]) or b"HTTP/1.1 200 OK\r\n"
                             b"Content-Length: 4\r\n\r\nab", lambda: states.append(growing()) or b"cd"])

    def growing() -> dict[str, Any]:
        while (v := explain(d, "http://h/p")["variants"][0])["kind"] == "busy":
            continue
        return v
    states: list[Any] = []
    with Origin(slow) as origin, serving(policy(origin, RULES)) as d, Client(d.port) as c:
        assert c.request("/p", headers={"Host": "h"}).body == b"abcd"
        assert states[0] == "busy" and states[1]["kind"] == "response" and not states[1]["complete"]
