"""`vernis status`: the state of a daemon for people, and the same as JSON."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proxy.daemon import ROOT, Daemon, wait_equal, wait_until
from proxy.origin import Client, Origin, Reply, Request
from vernis.commands.durations import duration, size

Start = Callable[..., Daemon]

POLICY = """vcl 4.1;
import directors;
backend site {{ .host = "127.0.0.1"; .port = "{port}"; }}
backend spare {{ .host = "127.0.0.1"; .port = "{port}"; .probe = {{ .url = "/probe"; .interval = 0.05s; .initial = 0; }} }}
sub vcl_init {{ new either = directors.fallback(); either.add_backend(site); either.add_backend(spare); }}
sub vcl_recv {{
    if (req.url == "/spare") {{ set req.backend_hint = spare; }}
    if (req.url == "/fails") {{ return (synth(503)); }}
}}
"""


def answer(request: Request) -> Reply:
    return Reply(status=500 if request.url == "/probe" else 200, body=b"x")


def told(d: Daemon, *args: str) -> tuple[int, str]:
    done = subprocess.run([str(ROOT / "build/bin/vernis"), "status", "-n", str(d.workdir), *args], capture_output=True, text=True, timeout=30)
    assert done.stderr == ""
    return done.returncode, done.stdout


def as_json(d: Daemon) -> dict[str, Any]:
    return dict(json.loads(told(d, "--json", "--seconds", "0")[1]))


def test_a_daemon_under_traffic(start_daemon: Start, tmp_path: Path) -> None:
    with Origin(answer) as origin:
        d = start_daemon(POLICY.format(port=origin.port), ["-s", "malloc,50m"])
        with Client(d.port) as c:
            for url in ("/a", "/a", "/a", "/fails"):
                c.request(url)
        wait_until(lambda: as_json(d)["in_all"]["requests"] == 4, "all requests are counted")
        wait_until(lambda: not {b["name"]: b for b in as_json(d)["backends"]}["boot.spare"]["healthy"], "the probe has failed")
        share = "4 requests since the worker's start, 66.7 % hits, 25.00 % with 5xx"           # two hits, one miss, one 503
        code, text = wait_until(lambda: found if share in (found := told(d, "--seconds", "0.1"))[1] else None, share)
    assert code == 0
    assert re.search(r"^state +running: the worker is up for \d+ s, the manager for \d+ s$", text, re.M)
    assert f"policy     boot from {tmp_path}/boot.vcl, active for" in text and "by start)" in text
    assert re.search(r"^traffic +\d+ requests/s", text, re.M)
    assert "storage    s0 0 % of 50.0 MiB; 1 stored responses in all" in text
    assert "backends   1 healthy, 1 sick" in text        # without the director
    assert re.search(r"boot\.spare sick for \d+ s: 0 of the last 8 probes were good, 3 are needed", text)


def test_a_response_that_runs_out_of_memory_counts_as_500(start_daemon: Start) -> None:
    d = start_daemon("""vcl 4.1; import vtc; backend none none;
        sub vcl_recv { return (synth(200)); }
        sub vcl_synth { vtc.workspace_overflow(client); return (deliver); }""")
    with Client(d.port) as c:
        assert c.request("/").status == 500
    names = "MAIN.client_resp_500", "VERNIS.resp_2xx", "VERNIS.resp_5xx"
    wait_equal(lambda: [d.counters[name] for name in names], [1, 0, 1], "the failure is counted")


def test_traffic_is_that_of_the_time_of_the_command(start_daemon: Start) -> None:
    with Origin(answer) as origin:
        d = start_daemon(POLICY.format(port=origin.port))
        with Client(d.port) as c:
            c.request("/a")
        wait_until(lambda: as_json(d)["in_all"]["requests"] == 1, "the request is counted")
        now = json.loads(told(d, "--json", "--seconds", "0.1")[1])["now"]
    assert (now["requests"], now["per_second"], now["hit_share"]) == (0, 0, None)


def test_a_reload_is_named_with_its_file(start_daemon: Start, tmp_path: Path) -> None:
    with Origin(answer) as origin:
        d = start_daemon(POLICY.format(port=origin.port))
        new = tmp_path / "new.vcl"
        new.write_text(POLICY.format(port=origin.port))
        d.ok(f"vernis.reload fresh {new}")
        found = as_json(d)
        assert (found["policy"], found["policy_file"], found["policy_by"]) == ("fresh", str(new), "vernis.reload")
        d.ok(f"vcl.load third {new}")
        d.ok("vcl.use third")
        found = as_json(d)
        assert (found["policy"], found["policy_by"], found["policies"]) == ("third", "vcl.use", 2)


def test_a_typed_policy_has_no_file(start_daemon: Start) -> None:
    d = start_daemon('vcl 4.1; backend none none;')
    d.ok('vcl.inline typed "vcl 4.1; backend none none;"')
    d.ok("vcl.use typed")
    assert (as_json(d)["policy"], as_json(d)["policy_file"]) == ("typed", None)


def test_a_stopped_worker_is_a_failure(start_daemon: Start) -> None:
    d = start_daemon('vcl 4.1; backend none none;')
    d.ok("stop")
    code, text = told(d)
    assert code == 1
    assert text.startswith("state      stopped: the manager for ")
    assert "traffic" not in text and "backends" not in text


def test_a_death_is_named_with_its_reason(start_daemon: Start) -> None:
    d = start_daemon('vcl 4.1; backend none none;')
    os.kill(d.worker_pid, signal.SIGKILL)
    wait_until(lambda: as_json(d)["deaths"] == 1 and as_json(d)["state"] == "running", "a new worker serves")
    _, text = told(d, "--seconds", "0")
    assert re.search(r"^deaths +1 of workers, the last \d+ s ago: .*signal.*9", text, re.M)


@pytest.mark.parametrize(("seconds", "text"), [
    (0, "0 s"), (59.9, "59 s"), (60, "1 min"), (3_599, "59 min 59 s"), (3_601, "1 h 1 s"), (90_000, "1 d 1 h"), (-3, "0 s"),
])
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(("count", "text"), [(0, "0 bytes"), (1023, "1023 bytes"), (1024, "1.0 KiB"), (3 << 30, "3.0 GiB")])
def test_sizes(count: int, text: str) -> None:
    assert size(count) == text


def test_the_loops_are_shown_beside_what_may_run(start_daemon: Start) -> None:
    cpus = len(os.sched_getaffinity(0))
    d = start_daemon('vcl 4.1; backend none none;', ["-p", "loops=200"])
    found = as_json(d)
    assert (found["loops"], found["cpus"]) == (200, cpus)
    assert re.search(rf"^loops +200 on {cpus} CPUs", told(d, "--seconds", "0")[1], re.M)
    may_run = cpus if found["cpu_quota"] is None else min(cpus, math.ceil(found["cpu_quota"]))
    assert f"Warning: loops=200, but only {may_run} may run at a time" in d.heard


def test_loops_that_may_all_run_are_no_warning(start_daemon: Start) -> None:
    d = start_daemon('vcl 4.1; backend none none;')
    assert as_json(d)["loops"] == int(json.loads(d.ok("param.show -j loops"))[3]["value"])
    assert "may run at a time" not in d.heard


def cpus_of_threads(pid: int) -> list[set[int]]:
    return [os.sched_getaffinity(int(task)) for task in os.listdir(f"/proc/{pid}/task")]


def test_loops_stay_on_the_cpus_of_loop_cpus(start_daemon: Start) -> None:
    """Only loops: the threads for commands, bans and calls that block may use all CPUs."""
    may_use = os.sched_getaffinity(0)
    first, last = min(may_use), max(may_use)
    d = start_daemon('vcl 4.1; backend none none;', ["-p", "loops=4", "-p", f"loop_cpus={first},{last}"])
    threads = cpus_of_threads(d.worker_pid)
    if first != last:
        assert threads.count({first}) == threads.count({last}) == 2
        assert len(threads) > 4
        assert all(cpus == may_use for cpus in threads if len(cpus) > 1)
    assert as_json(d)["loop_cpus"] == f"{first},{last}"
    assert re.search(rf"^loops +4 on .*, pinned \(loop_cpus={first},{last}\), the busiest works \d+ % of the time$", told(d, "--seconds", "0")[1], re.M)
    assert "pinned (loop_cpus=" in d.ok("vernis.status")


def test_loops_are_spread_over_all_cpus_with_auto(start_daemon: Start) -> None:
    may_use = os.sched_getaffinity(0)
    d = start_daemon('vcl 4.1; backend none none;', ["-p", f"loops={len(may_use)}", "-p", "loop_cpus=auto"])
    pinned = [cpus for cpus in cpus_of_threads(d.worker_pid) if len(cpus) == 1]
    assert len(may_use) == 1 or sorted(pinned, key=min) == [{cpu} for cpu in sorted(may_use)]


def test_a_cpu_that_the_daemon_may_not_use_is_refused(start_daemon: Start) -> None:
    d = start_daemon('vcl 4.1; backend none none;')
    assert as_json(d)["loop_cpus"] is None
    assert re.search(r"^loops .*, not pinned, the busiest works", told(d, "--seconds", "0")[1], re.M)
    other = max(os.sched_getaffinity(0)) + 1
    status, answer = d.cli(f"param.set loop_cpus 0-{other}")
    assert status == 106
    assert "The daemon may not use CPU" in answer
    assert "use auto, or a list as 0-3,8" in d.cli("param.set loop_cpus some")[1]
    assert d.worker_pid
