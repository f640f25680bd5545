"""Shared memory of the daemon as Varnish's tools read it: log, counters, and the address of the command
line."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from proxy.daemon import SYNTH, VERNISD, Daemon, wait_equal, wait_until

ROOT = Path(__file__).resolve().parents[2]
Start = Callable[..., Daemon]

pytestmark = pytest.mark.skipif(shutil.which("varnishlog") is None, reason="needs Debian's varnish")

POLICY = SYNTH.format(word="seen")


def tool(d: Daemon, name: str, *args: str) -> str:
    """Output of a tool for this daemon."""
    return subprocess.run([name, "-n", str(d.workdir), *args], capture_output=True, text=True, check=True, timeout=30).stdout


def counters(d: Daemon) -> dict[str, int]:
    return {name: row["value"] for name, row in json.loads(tool(d, "varnishstat", "-1", "-j"))["counters"].items()}


@contextmanager
def reading(d: Daemon, tmp_path: Path, *args: str) -> Iterator[tuple[subprocess.Popen[bytes], Callable[[], str]]]:
    """Runs varnishlog during the block; yields it with a function that returns its output so far."""
    path = tmp_path / "varnishlog.txt"
    with path.open("wb") as out:
        process = subprocess.Popen(["varnishlog", "-n", str(d.workdir), "-g", "raw", *args], stdout=out, stderr=out)
    try:
        yield process, lambda: path.read_text(errors="replace")
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        process.wait(30)


def say(d: Daemon, word: str) -> None:
    """Writes a log record with this word, unless the worker dies at that moment."""
    d.cli(f"backend.list /{word}")


def test_tools_find_the_daemon_by_its_directory(start_daemon: Start) -> None:
    d = start_daemon(POLICY, cli_listen="127.0.0.1:0")
    assert "Child in state running" in tool(d, "varnishadm", "status")
    wait_until(lambda: "CLI            - Rd vcl.load boot" in tool(d, "varnishlog", "-g", "raw", "-d"), "the command is in the log")
    values = counters(d)
    assert values["MGT.child_start"] == 1
    assert {"MAIN.cache_hit", "MAIN.uptime", "MGT.uptime", "MEMPOOL.req0.live", "LCK.vcl.locks"} <= values.keys()
    rows = re.findall(r"^COUNTER\((\w+)", (ROOT / "runtime/log/counter_rows.h").read_text(), re.M)
    assert [name.removeprefix("MAIN.") for name in values if name.startswith("MAIN.")] == rows


def test_counters_count_requests(start_daemon: Start) -> None:
    d = start_daemon(POLICY)
    for _ in range(3):
        assert d.get() == (200, "seen")
    expected = {"MAIN.client_req": 3, "MEMPOOL.sess0.live": 0, "MAIN.sess_conn": 3, "MAIN.s_synth": 3, "MAIN.n_vcl": 1}
    wait_equal(lambda: {name: counters(d)[name] for name in expected}, expected, "requests are shown")


def test_a_reader_continues_with_the_next_worker(start_daemon: Start, tmp_path: Path) -> None:
    d = start_daemon(POLICY)
    with reading(d, tmp_path) as (_, text):
        for i, end in enumerate([lambda: None, lambda: (d.ok("stop"), d.ok("start")), lambda: os.kill(d.worker_pid, signal.SIGKILL)]):
            end()
            wait_until(lambda: d.state == "running", "a worker serves")
            wait_until(lambda name=f"worker{i}": say(d, name) or f"/{name}" in text(), "the reader has found the new log")
    values = counters(d)
    assert (values["MGT.child_start"], values["MGT.child_stop"], values["MGT.child_died"]) == (3, 1, 1)


def test_a_stopped_reader_does_not_block_the_worker(start_daemon: Start, tmp_path: Path) -> None:
    d = start_daemon(POLICY, ["-p", "vsl_space=1m", "-p", "vsl_reclen=4k"])
    with reading(d, tmp_path) as (process, text):
        wait_until(lambda: say(d, "found") or "/found" in text(), "the reader shows a record")
        process.send_signal(signal.SIGSTOP)
        for _ in range(700):
            say(d, "x" * 4000)
        assert d.get() == (200, "seen")
        wait_until(lambda: counters(d)["MAIN.shm_cycles"] >= 2, "the ring of the log has wrapped")
        process.send_signal(signal.SIGCONT)
        wait_until(lambda: say(d, "again") or "/again" in text(), "the reader continues")


def test_the_log_has_the_configured_size_and_records(start_daemon: Start) -> None:
    d = start_daemon(POLICY, ["-l", "2m", "-p", "vsl_reclen=20"])
    assert " 0 2097152 Log Log\n" in (d.workdir / "_.vsm_child" / "_.index").read_text()
    say(d, "0123456789")
    d.ok("param.set vsl_mask -CLI")
    say(d, "masked")
    d.ok("param.set vsl_mask +CLI")
    d.ok("param.set vsl_reclen 100")
    say(d, "shown")
    text = wait_until(lambda: found if "/shown\n" in (found := tool(d, "varnishlog", "-g", "raw", "-d")) else "", "the last record is in the log")
    assert "- Rd backend.list /01\n" in text
    assert "param" not in text              # the manager's, as in Varnish
    assert "/masked" not in text and "- Rd backend.list /shown\n" in text


def test_an_idle_worker_publishes_nothing(start_daemon: Start) -> None:
    d = start_daemon(POLICY, ["-p", "ping_interval=0"])
    d.get()
    status = Path(f"/proc/{d.worker_pid}/status")

    def switches() -> str:
        return status.read_text().split("voluntary_ctxt_switches:")[1].split()[0]

    def rests() -> bool:
        before = switches()
        time.sleep(0.3)
        return switches() == before

    wait_until(rests, "the publishing thread sleeps")
    d.get()
    wait_until(lambda: counters(d)["MAIN.client_req"] == 2, "the publishing thread wakes")


def test_without_space_for_the_log_the_daemon_reports_an_error(start_daemon: Start, tmp_path: Path) -> None:
    (tmp_path / "p.vcl").write_text(POLICY)
    d = start_daemon()                  # a work directory that is removed after the test
    done = subprocess.run(["prlimit", "--fsize=1000000", str(VERNISD), "-F", "-n", str(d.workdir / "full"), "-a", "127.0.0.1:0", "-T", "none",
                           "-f", str(tmp_path / "p.vcl")], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "cannot make shared memory for the log" in done.stderr and "File too large" in done.stderr


def test_values_fixed_at_the_worker_s_start_are_shown_while_it_runs(start_daemon: Start) -> None:
    d = start_daemon(POLICY, ["-p", "default_ttl=7"])
    folder = d.workdir / "_.vsm_mgt"

    def shown(name: str) -> str:
        lines = [line.split() for line in (folder / "_.index").read_text().splitlines()]
        gone = {line[1] for line in lines if line[0] == "-"}
        files = [line[1] for line in lines if line[0] == "+" and line[4:] == [name] and line[1] not in gone]
        return (folder / files[0]).read_text().rstrip("\0") if files else "none"

    assert shown("Params") == "default_ttl 7.000\n" and shown("Panic") == ""
    os.kill(d.worker_pid, signal.SIGSEGV)
    wait_until(lambda: d.state == "running" and "signal 11" in shown("Panic"), "the next worker runs")
    d.ok("stop")
    assert (shown("Params"), shown("Panic")) == ("none", "none")


def test_readers_notice_the_end_of_the_daemon(start_daemon: Start) -> None:
    d = start_daemon(POLICY)
    index = d.workdir / "_.vsm_mgt" / "_.index"
    assert index.read_text().startswith("# ") and (d.workdir / "_.vsm_child").exists()
    d.ok("stop")
    assert not (d.workdir / "_.vsm_child").exists()
    d.process.terminate()
    d.process.wait(30)
    assert not index.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_members_of_the_jail_s_group_may_read(start_daemon: Start, checkout_of_everybody: None) -> None:
    d = start_daemon(POLICY, ["-j", "unix,user=nobody"])

    def reads(group: str) -> bool:
        as_other = ["setpriv", "--reuid=daemon", f"--regid={group}", "--clear-groups"]
        return subprocess.run([*as_other, "varnishstat", "-n", str(d.workdir), "-t", "0", "-1"], capture_output=True).returncode == 0

    assert reads("nogroup") and not reads("daemon")
