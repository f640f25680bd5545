"""The daemon optimises the hot subs of a policy in the background and puts the code in place of the first.
Nothing else changes: no request fails, and counters, responses and log records stay."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Client
from proxy.serve import SANITIZER_ENV, serving
from proxy.test_log_client import Log
from proxy.test_ready_heads import exchange, log_ended, render, steady
from proxy.test_status import told
from support.folders import open_to_everybody

EAGER = ("-p", "optimise_after=1", "-p", "optimise_share=0", "-p", "rule_timing=1")

POLICY = """vcl 4.1; import std; backend default none;
sub mark { if (req.http.mark) { set req.http.x = req.url + "1"; } else { unset req.http.x; } }
sub vcl_recv {
    if (req.restarts > 0) { set req.http.again = "yes"; }
    if (req.url ~ "^/a") { call mark; } elseif (req.url ~ "^/(b|bb)$") { set req.http.x = "b"; }
    if (req.http.x == "b" || std.integer(req.http.n, 0) > 5) { set req.url = regsub(req.url, "b+", "c"); }
    if (req.url ~ "^/restart" && req.restarts == 0) { return (restart); }
    if (req.url ~ "^/fail") { return (fail("asked for")); }
    return (synth(200));
}
sub vcl_synth {
    set resp.http.url = req.url; set resp.http.x = req.http.x; set resp.http.again = req.http.again;
    return (deliver);
}
"""
URLS = ["/a", "/ab", "/b", "/bb", "/c", "/restart", "/fail", "/"]
FIELDS: list[dict[str, str]] = [{}, {"mark": "1"}, {"n": "7"}, {"n": "no", "x": "b"}]


def listed(d: Daemon, name: str = "boot") -> dict[str, Any]:
    return next(row for row in json.loads(d.ok("vcl.list -j"))[3:] if row["name"] == name)


def heat(d: Daemon, times: int = 20) -> None:
    with Client(d.port) as c:
        for _ in range(times):
            assert c.request("/a").status == 200


def heat_until_optimised(d: Daemon, name: str = "boot") -> None:
    def done() -> bool:
        heat(d)
        return bool(listed(d, name)["optimised"])
    wait_until(done, f"{name} is optimised", 80)


def images(d: Daemon) -> set[str]:
    """Images that the worker has mapped."""
    lines = Path(f"/proc/{d.worker_pid}/maps").read_text().splitlines()
    return {line.split()[-1] for line in lines if line.endswith(".so") and "/images/" in line}


def rule_hits(d: Daemon) -> dict[tuple[int, str], int]:
    return {(rule["line"], rule["rule"]): rule["hits"] for rule in json.loads(d.ok("vernis.rules -j"))[3]["rules"]}


def test_a_hot_policy_is_optimised_under_load_and_loses_no_request() -> None:
    if shutil.which("wrk") is None:
        pytest.skip("wrk is not installed")
    with serving(POLICY, [*EAGER, "-p", "rule_timing=64", "-p", "loops=2"], sanitized=False) as d:
        before = images(d)
        wrk = subprocess.Popen(["wrk", "-t1", "-c20", "-d900s", "--timeout", "60s", f"http://127.0.0.1:{d.port}/ab"], stdout=subprocess.PIPE, text=True)
        # The compiler has the lowest priority, so on a busy machine this may take a while.
        wait_until(lambda: listed(d)["optimised"], "it is optimised", 80)
        time.sleep(0.5)
        assert wrk.poll() is None
        wrk.send_signal(signal.SIGINT)
        said = wrk.communicate(timeout=20)[0]
        assert "Socket errors" not in said and "Non-2xx" not in said, said
        wait_until(lambda: len(images(d)) == 1 and not images(d) & before, "the first image is unmapped")
        assert d.status["optimised"] == ["boot"] and "optimised  boot" in d.ok("vernis.status")
        assert "\noptimised  boot\n" in told(d, "--seconds", "0")[1]
        assert "policy boot has optimised code now: its hooks took " in d.logs
        def counted() -> set[int]:
            requests = int(json.loads(d.ok("vernis.rules -j"))[3]["requests"])
            return {requests, *(rule_hits(d)[rule] for rule in ((3, "sub vcl_recv"), (2, "sub mark")))}
        wait_until(lambda: len(counted()) == 1, "requests and hits of rules agree, when the last request has ended")
        assert counted().pop() > 1000                   # of both images


Observed = tuple[list[str], dict[int, list[tuple[str, str]]], dict[tuple[int, str], int]]


def observed(d: Daemon, log: Log, first: int) -> Observed:
    """Answers, log records and hits of rules of all requests. Their transactions are numbered from ``first``
    on."""
    cases = [(url, fields) for url in URLS for fields in FIELDS]
    hits = rule_hits(d)
    d.ok(f"debug.xid {first} 1")
    answers = [exchange(d.port, render("GET", url, {**fields, "Connection": "close"})) for url, fields in cases]
    wait_until(lambda: sum(id_ > first for id_ in log_ended(log, "sess")) == len(cases), "all sessions end")
    records: dict[int, list[tuple[str, str]]] = {}
    for id_, tag, text in log.records:
        if id_ > first:
            records.setdefault(id_ - first, []).append((tag, steady(text)))
    return ([steady(a.decode("latin-1")) for a in answers], records,
            {rule: n - hits[rule] for rule, n in rule_hits(d).items()})


def test_optimised_code_changes_nothing() -> None:
    with serving(POLICY, [*EAGER, "-p", "optimise_after=0", "-p", "loops=1", "-p", "vsl_mask=+VCL_trace"]) as d:
        log = Log(d)
        plain = observed(d, log, 20_000)
        assert not listed(d)["optimised"]
        d.ok("param.set optimise_after 1")
        heat_until_optimised(d)
        d.ok("param.set optimise_after 0")
        optimised = observed(d, log, 40_000)
    assert plain[0] == optimised[0]
    assert plain[1] == optimised[1]
    assert plain[2] == optimised[2]
    assert len(plain[1]) > 2 * len(plain[0]) == 2 * len(URLS) * len(FIELDS) and all(n > 0 for n in plain[2].values())


def test_by_default_an_idle_policy_keeps_its_code() -> None:
    with serving(POLICY, ["-p", "optimise_after=1"]) as d:
        for _ in range(3):
            heat(d, 1)
            time.sleep(1.1)
        assert not listed(d)["optimised"] and d.status["optimised"] == []


def test_unchanged_text_is_loaded_optimised() -> None:
    with serving(POLICY, EAGER) as d:
        heat_until_optimised(d)
        again = d.log_path.parent / "boot.vcl"
        d.ok(f"vcl.load again {again}")
        assert listed(d, "again")["optimised"]
        d.use("again")
        d.ok("vcl.discard boot")
        heat(d)
        d.ok("param.set optimise_after 0")              # then loads do not use it, either
        d.ok(f"vcl.load plain {again}")
        assert not listed(d, "plain")["optimised"]


def test_the_policy_of_a_label_is_optimised() -> None:
    main = """vcl 4.1; backend default none; sub vcl_recv { return (vcl(shop)); }"""
    with serving("vcl 4.1; backend default none;", EAGER) as d:
        d.load("shop1", POLICY)
        d.ok("vcl.label shop shop1")
        d.serve("main", main)
        heat_until_optimised(d, "shop1")
        heat(d)


def test_a_new_worker_has_the_optimised_code_and_dying_workers_lose_it(tmp_path: Path) -> None:
    with Daemon(tmp_path, POLICY, EAGER) as d:
        heat_until_optimised(d)
        live = images(d)
        pids = [d.worker_pid]

        def replaced() -> bool:
            return d.worker_pid not in (0, *pids) and d.state == "running"
        os.kill(pids[-1], signal.SIGKILL)
        wait_until(replaced, "another worker serves")
        assert images(d) == live and listed(d)["optimised"]
        heat(d)
        pids.append(d.worker_pid)
        os.kill(pids[-1], signal.SIGKILL)
        wait_until(replaced, "a third worker serves")
        assert not images(d) & live and not listed(d)["optimised"]
        assert "policy boot goes back to its code before optimisation: workers died" in d.logs
        heat(d)
        time.sleep(2.5)
        heat(d)
        assert not listed(d)["optimised"]               # it is not tried again


def compiler(tmp_path: Path, deed: str) -> dict[str, str]:
    """A compile server whose children run ``deed`` before they optimise. Its current folder is the daemon's
    work directory."""
    path = tmp_path / "compiler"
    path.write_text(f"""#!{sys.executable}
import os, sys, time
sys.path.insert(0, {str(ROOT / "build" / "py")!r})
from vernis.service import compiling
optimised = compiling._optimised
def late(run, order):
    {deed}
    outcome = optimised(run, order)
    open('images/done', 'w').close()
    return outcome
compiling._optimised = late
from vernis.cli import main
sys.exit(main())
""")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return {**SANITIZER_ENV, "VERNIS_COMPILER": str(path)}


def begun(d: Daemon) -> bool:
    heat(d)
    return (d.workdir / "images" / "begun").exists()


def test_a_load_does_not_wait_for_the_background(tmp_path: Path) -> None:
    open_to_everybody(tmp_path)
    env = compiler(tmp_path, "open('images/begun', 'w').close(); os.path.exists('images/gate') or time.sleep(300)")
    with Daemon(tmp_path, POLICY, EAGER, env=env) as d:
        wait_until(lambda: begun(d), "the background compile has begun")
        (d.workdir / "images" / "gate").touch()         # for the next one
        started = time.monotonic()
        d.load("other", POLICY.replace('"1"', '"2"'))
        assert time.monotonic() - started < 100         # the one in the background takes 300 s
        heat_until_optimised(d)                         # the cancelled one is tried again
        assert "keeps its code" not in d.logs


def test_a_policy_that_is_discarded_meanwhile_leaves_no_image(tmp_path: Path) -> None:
    open_to_everybody(tmp_path)
    env = compiler(tmp_path, """open('images/begun', 'w').close()
    while not os.path.exists('images/gate'): time.sleep(0.01)""")
    with Daemon(tmp_path, POLICY, EAGER, env=env) as d:
        d.load("other", POLICY.replace('"1"', '"2"'))
        wait_until(lambda: begun(d), "the background compile has begun")
        d.ok("param.set optimise_after 0")
        d.use("other")
        d.ok("vcl.discard boot")
        (d.workdir / "images" / "gate").touch()
        wait_until(lambda: (d.workdir / "images" / "done").exists(), "the background compile ends")
        wait_until(lambda: len(set((d.workdir / "images").glob("*.so"))) == 1, "its image is removed")


@pytest.mark.parametrize("deed", ["raise RuntimeError('no')", "os.kill(os.getpid(), 11)"])
def test_a_failure_is_logged_once_and_harmless(tmp_path: Path, deed: str) -> None:
    open_to_everybody(tmp_path)
    with Daemon(tmp_path, POLICY, EAGER, env=compiler(tmp_path, deed)) as d:
        def failed() -> bool:
            heat(d)
            return "policy boot keeps its code without optimisation: " in d.logs
        wait_until(failed, "the failure is logged")
        for _ in range(3):
            time.sleep(1)
            heat(d)
        assert d.logs.count("keeps its code") == 1 and not listed(d)["optimised"]
        d.load("other", POLICY)


def test_a_policy_with_files_that_changed_keeps_its_code(tmp_path: Path) -> None:
    with serving(POLICY, EAGER) as d:
        text = d.log_path.parent / "other.vcl"
        text.write_text(POLICY)
        d.ok(f"vcl.load other {text}")
        d.use("other")
        text.write_text(POLICY + "sub vcl_hit { set req.http.a = req.url; }\n")

        def failed() -> bool:
            heat(d)
            return "changed after it was loaded" in d.logs
        wait_until(failed, "the reason is logged")
        assert not listed(d, "other")["optimised"]
