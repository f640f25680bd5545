"""Processes of the daemon: start, death and restart of the worker, the compile server, shutdown, exit
codes."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from proxy.daemon import ROOT, START_S, SYNTH, VERNISD, Cli, Daemon, wait_equal, wait_until

Start = Callable[..., Daemon]
NONE = "vcl 4.1; backend default none;"


def synth(word: str) -> str:
    return SYNTH.format(word=word)


def run(*args: str, timeout: float = 30) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(VERNISD), *args], capture_output=True, text=True, timeout=timeout)


def answered(d: Daemon, word: str) -> bool:
    try:
        return d.get(timeout=0.5) == (200, word)
    except OSError:
        return False


def kill_worker(d: Daemon, number: int = signal.SIGKILL) -> int:
    """Kills the worker and waits until the manager has noticed."""
    pid = d.worker_pid
    os.kill(pid, number)
    wait_until(lambda: d.worker_pid != pid, "the manager has noticed the worker's death")
    return pid


# ---- the worker dies ---------------------------------------------------------------------------------------


def test_a_killed_worker_is_replaced_within_a_second_with_the_same_policies(start_daemon: Start) -> None:
    """The best of some daemons: other programs may hold the processor."""
    for _ in range(8):
        d = start_daemon(synth("boot"))
        d.load("other", synth("other"))
        d.use("other")
        assert d.get() == (200, "other")
        pid = d.worker_pid
        began = time.monotonic()
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda d=d: answered(d, "other"), "clients are served again")         # type: ignore[misc]
        took = time.monotonic() - began
        if took < 1.0:
            break
        d.stop()
    assert took < 1.0
    assert d.worker_pid != pid
    assert f"Child ({pid}) died of signal 9 (Killed)" in d.logs
    status = d.status
    assert status["worker_deaths"] == 1 and status["last_death"] == "died of signal 9 (Killed)" and status["active"] == "other"
    assert "boot" in d.ok("vcl.list")
    d.use("boot")
    assert d.get() == (200, "boot")


def test_a_request_without_a_running_worker_is_answered_by_the_next_one(start_daemon: Start) -> None:
    d = start_daemon(synth("x"))
    port, tasks = d.port_cached, Path(f"/proc/{d.worker_pid}/task")
    os.kill(d.worker_pid, signal.SIGSTOP)           # no process accepts, so the kernel queues connections
    wait_until(lambda: all((t / "stat").read_text().rsplit(")", 1)[1].split()[0] == "T" for t in tasks.iterdir()), "all threads stopped")
    with socket.create_connection(("127.0.0.1", port), timeout=START_S) as s:
        s.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        os.kill(d.worker_pid, signal.SIGKILL)
        assert s.recv(100).startswith(b"HTTP/1.1 200 x")


def test_the_report_of_a_crash_is_kept(start_daemon: Start) -> None:
    d = start_daemon(synth("x"))
    pid = kill_worker(d, signal.SIGSEGV)
    report = d.ok("panic.show")
    assert f"Child ({pid}) died of signal 11" in report and "Crash: worker died of SIGSEGV" in report
    assert d.cli("panic.clear")[0] == 200
    assert d.cli("panic.show") == (300, "Child has not panicked or panic has been cleared")


@pytest.mark.parametrize(("sub", "place"), [
    ("vcl_recv { vtc.panic(req.url); }", r"request \d+, step recv, hook vcl_recv, policy boot"),
    ("vcl_deliver { vtc.panic(req.url); }", r"request \d+, step deliver, hook vcl_deliver, policy boot"),
    ("vcl_backend_error { vtc.panic(bereq.url); }", r"fetch \d+, step error, hook vcl_backend_error, policy boot"),
], ids=("recv", "deliver", "backend_error"))
def test_a_crash_report_names_the_transaction_its_step_and_policy(start_daemon: Start, sub: str, place: str) -> None:
    d = start_daemon(f"vcl 4.1; import vtc; backend default none; sub {sub}")
    with contextlib.suppress(OSError):
        d.get("/last-wish")
    wait_until(lambda: d.cli("panic.show")[0] == 200, "the manager keeps the report")
    report = d.ok("panic.show")
    assert "last-wish" in report and re.search(f"^Working on: {place}$", report, re.M)


def test_after_three_deaths_the_policy_before_is_active_again(start_daemon: Start) -> None:
    d = start_daemon(synth("good"))
    d.load("bad", synth("bad"))
    d.use("bad")
    for _ in range(2):
        kill_worker(d)
        wait_until(lambda: answered(d, "bad"), "the same policy serves again")
    pid = d.worker_pid
    os.kill(pid, signal.SIGKILL)
    wait_equal(lambda: d.status["backoff_s"], 1, "the manager waits before the next start")
    wait_until(lambda: answered(d, "good"), "the policy before is served")
    status = d.status
    assert status["suspect"] == "bad" and status["active"] == "boot"
    text = d.ok("status")
    assert text.startswith("Child in state running\nPolicy 'bad' is suspect") and "'boot' is active" in text
    d.use("bad")                                    # an operator may still use it
    assert d.get() == (200, "bad")
    assert d.ok("status") == "Child in state running" and d.status["suspect"] is None


def test_after_three_deaths_a_first_policy_restarts_after_a_pause(start_daemon: Start) -> None:
    d = start_daemon(synth("only"))
    for _ in range(3):
        wait_until(lambda: d.state == "running", "a worker serves")
        began = time.monotonic()
        kill_worker(d)
    assert d.status["backoff_s"] == 1 and d.status["suspect"] is None
    wait_until(lambda: answered(d, "only"), "the daemon serves again")
    assert time.monotonic() - began > 1


def test_a_worker_that_cannot_be_started_is_started_later(start_daemon: Start) -> None:
    d = start_daemon(synth("back"))
    taken = {int(name) for name in os.listdir(f"/proc/{d.process.pid}/fd")}
    limits = resource.prlimit(d.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(d.process.pid, resource.RLIMIT_NOFILE, (next(n for n in range(1024) if n not in taken), limits[1]))
    os.kill(d.worker_pid, signal.SIGKILL)
    wait_until(lambda: "cannot fork a worker: Too many open files" in d.logs, "the start of a worker was tried")
    resource.prlimit(d.process.pid, resource.RLIMIT_NOFILE, limits)
    wait_until(lambda: answered(d, "back"), "a new worker serves")


def test_without_auto_restart_a_dead_worker_stays_stopped(start_daemon: Start) -> None:
    d = start_daemon(synth("x"), ["-p", "auto_restart=off"])
    kill_worker(d)
    assert d.ok("status") == "Child in state stopped"
    d.ok("start")
    assert d.get() == (200, "x")


def test_a_worker_that_hangs_is_killed(start_daemon: Start) -> None:
    d = start_daemon(synth("x"), ["-p", "cli_timeout=1", "-p", "ping_interval=1"])
    pid = d.worker_pid
    os.kill(pid, signal.SIGSTOP)
    wait_until(lambda: d.worker_pid not in (0, pid), "the worker was replaced")
    wait_until(lambda: answered(d, "x"), "clients are served again")
    assert "did not answer within cli_timeout" in d.status["last_death"]


def test_status_shows_a_worker_that_hangs(start_daemon: Start) -> None:
    d = start_daemon(synth("x"), ["-p", "ping_interval=1"])
    pid = d.worker_pid
    os.kill(pid, signal.SIGSTOP)
    try:
        wait_until(lambda: "hangs      no answer for" in d.ok("vernis.status"), "status shows the worker that hangs")
    finally:
        os.kill(pid, signal.SIGCONT)
    assert d.worker_pid == pid


def test_the_worker_ends_with_the_manager(start_daemon: Start) -> None:
    d = start_daemon(synth("x"))
    pids = [d.worker_pid, d.compiler_pid]
    d.process.kill()

    def gone(pid: int) -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
        except OSError:
            return True
    wait_until(lambda: all(gone(p) for p in pids), "worker and compile server have ended")


def test_a_policy_used_while_the_worker_starts_stays_active(start_daemon: Start) -> None:
    d = start_daemon()
    for name in "ab":
        d.load(name, synth(name))
    d.use("a")
    with d.connect() as starting, d.connect() as using:
        starting.send(b"start\n")
        using.send(b"vcl.use b\n")
        assert using.read() == (200, "VCL 'b' now active")
        assert starting.read() == (200, "")
    assert d.active == "b" and d.get() == (200, "b")


def test_stop_and_start_keep_the_port_and_the_policies(start_daemon: Start) -> None:
    d = start_daemon(synth("x"))
    port = d.port
    d.ok("stop")
    assert d.ok("status") == "Child in state stopped"
    d.load("y", synth("y"))
    d.use("y")
    d.ok("start")
    assert d.get() == (200, "y") and d.port == port
    assert d.ok("debug.listen_address") == f"a0 127.0.0.1 {port}\n"


# ---- the compile server ------------------------------------------------------------------------------------


def test_a_killed_compile_server_is_restarted_and_the_policy_stays(start_daemon: Start) -> None:
    d = start_daemon(synth("x"))
    os.kill(d.compiler_pid, signal.SIGKILL)
    wait_until(lambda: d.compiler_pid == 0, "the manager has noticed the compile server's death")
    assert d.get() == (200, "x")
    d.load("y", synth("y"))
    assert d.status["compiler_starts"] == 2 and d.status["compiler_deaths"] == 1


def server(tmp_path: Path, body: str) -> dict[str, str]:
    """A scripted compile server. The script gets each request as ``line``."""
    path = tmp_path / "compiler"
    path.write_text(f"#!{sys.executable}\nimport json, os, signal, sys, time\nfor line in sys.stdin:\n"
                    f"    request = json.loads(line)\n    if request['op'] == 'ping':\n        continue\n    {body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return {"VERNIS_COMPILER": str(path)}


@pytest.mark.parametrize(("body", "says", "seconds"), [
    ("os.kill(os.getpid(), signal.SIGSEGV)", "died of signal 11", 30),
    ("sys.exit(3)", "ended with exit code 3", 30),
    ("print('this is not JSON', flush=True)", "compile server", 30),
    ("print(json.dumps({'id': request['id'], 'ok': True}), flush=True)", "named no image", 30),
    ("print(json.dumps({'id': request['id'], 'ok': False, 'errors': 'line 3: no'}), flush=True)", "line 3: no", 30),
    ("time.sleep(1000)", "did not answer within 1 s (compile_timeout)", 1),
])
def test_errors_of_the_compile_server_fail_the_load(start_daemon: Start, tmp_path: Path, body: str, says: str, seconds: int) -> None:
    d = start_daemon(env=server(tmp_path, body), args=["-p", f"compile_timeout={seconds}"])
    for _ in range(2):                          # it is started again for the next request
        status, text = d.cli("vcl.inline a x")
        assert status == 106 and says in text and text.endswith("VCL compilation failed")
    assert d.ok("vcl.list") == ""


@pytest.mark.parametrize("named", ["{outside}", "/proc/self/cwd/images/../{outside}", "/proc/self/cwd/_.secret", "images/x"])
def test_a_compile_server_can_name_images_only(start_daemon: Start, tmp_path: Path, named: str) -> None:
    outside = tmp_path / "outside"    # the manager removes an image in the end, and must not remove this file
    outside.write_text("")
    image = named.format(outside=outside)
    d = start_daemon(env=server(tmp_path, f"print(json.dumps({{'id': request['id'], 'ok': True, 'image': {image!r}}}), flush=True)"))
    status, text = d.cli("vcl.inline a x")
    assert status == 106 and "is not in its folder" in text
    assert d.ok("vcl.list") == ""
    assert outside.exists() and (d.workdir / "_.secret").exists()


def test_the_compile_server_gets_the_policy_and_its_options(start_daemon: Start, tmp_path: Path) -> None:
    # A compile server can write below images only.
    d = start_daemon(env=server(tmp_path, "open('images/seen', 'a').write(line); print(json.dumps("
                                          "{'id': request['id'], 'ok': False, 'errors': request['op']}), flush=True)"),
                     args=["-p", "vcl_path=/one:/two", "-p", "vmod_path=/three"])
    d.cli('vcl.inline a "quote \\" and \\n newline"')
    d.cli("vcl.load b some/file.vcl")
    first, second = (d.workdir / "images" / "seen").read_text().splitlines()
    assert json.loads(first) == {"id": 1, "op": "compile", "name": "a", "text": 'quote " and \n newline', "vcl_path": ["/one", "/two"],
                                 "vmod_path": ["/three"], "out_dir": "/proc/self/cwd/images", "err_unref": True, "any_path": True,
                                 "labels": [], "unix_listener": False, "rule_counters": True}
    assert json.loads(second)["path"] == "some/file.vcl"


def test_a_missing_compile_server_is_reported(start_daemon: Start) -> None:
    d = start_daemon(env={"VERNIS_COMPILER": "/nonexistent/vernis"})
    status, text = d.cli("vcl.inline a x")
    assert status == 106 and "compile server" in text


# ---- starting ----------------------------------------------------------------------------------------------


def test_a_second_daemon_on_the_same_work_directory_is_refused(start_daemon: Start) -> None:
    d = start_daemon()
    second = run("-F", "-n", str(d.workdir), "-a", "127.0.0.1:0", "-T", "none", "-f", "")
    assert second.returncode == 2
    assert f"Varnishd is already running (pid={d.process.pid}) (pidfile={d.workdir}/_.pid)" in second.stderr
    assert d.ok("ping").startswith("PONG")


def test_a_busy_port_is_refused(start_daemon: Start, tmp_path: Path) -> None:
    d = start_daemon()
    second = run("-F", "-n", str(tmp_path / "w"), "-a", f"127.0.0.1:{d.port}", "-T", "none", "-f", "")
    assert second.returncode == 2 and f"Could not get socket 127.0.0.1:{d.port}: Address already in use" in second.stderr


def test_a_policy_with_errors_fails_the_start(tmp_path: Path) -> None:
    (tmp_path / "bad.vcl").write_text("vcl 4.1; backend default none; sub vcl_recv { nonsense; }")
    done = run("-F", "-n", str(tmp_path / "w"), "-a", "127.0.0.1:0", "-T", "none", "-f", str(tmp_path / "bad.vcl"))
    assert done.returncode == 2 and "VCL compilation failed" in done.stderr and "bad.vcl" in done.stderr


@pytest.mark.parametrize(("args", "says"), [
    (["-q"], "Unknown option -q. Known are: -a -A -b -f -D -n -s -F -d -C -T -M -S -P -i -I -p -r -t -l -j -h -E -W -x -V -?"),
    (["-a"], "Option -a needs an argument."),
    ([], "Neither -b nor -f given"),
    (["-b", "none", "-f", "x"], "Only one of -b or -f can be specified"),
    (["-f", "", "-s", "deprecated_persistent,/x"], "Unknown storage kind 'deprecated_persistent' of -s: use malloc, default"),
    (["-f", "", "-s", "file,/x"], "-s file needs a path and a size"),
    (["-f", "", "-s", "malloc,12q"], "Invalid size for -s: '12q'"),
    (["-f", "", "-s", "a=malloc", "-s", "a=malloc"], "'a' is already defined"),
    (["-f", "", "-j", "solaris"], 'Unknown jail method "solaris": use linux'),
    (["-f", "", "-j", "unix,user=nobody-of-this-name"], "Unix jail: nobody-of-this-name user not found."),
    (["-f", "", "-p", "none=1"], 'Unknown parameter "none".'),
    (["-f", "", "-p", "default_ttl=x"], "attempting to set param 'default_ttl' to 'x'"),
    (["-f", "", "-r", "none"], '-r: Unknown parameter "none".'),
    (["-f", "", "-r", "vcl_path,default_tll"], 'Did you mean default_ttl?'),
    (["-f", "", "-p", "defualt_ttl=1"], 'Did you mean default_ttl?'),
    (["-f", "", "-a", "1x=:0"], "Invalid name '1x' for -a"),
    (["-f", "", "-a", "127.0.0.1:0,SPDY"], "Unknown protocol 'SPDY' in -a"),
    (["-f", "", "-a", "127.0.0.1:0,mode=600"], "Invalid sub-arg mode=600 for IP addresses in -a"),
    (["-f", "", "-a", "/s,PROXY,HTTP"], "Too many protocol sub-args in -a (HTTP)"),
    (["-f", "", "-a", "/s,mode="], "Empty mode sub-arg in -a"),
    (["-f", "", "-a", "/s,mode=abc"], "Invalid mode sub-arg abc in -a"),
    (["-f", "", "-a", "/s,mode=1666"], "Mode sub-arg 1666 out of range in -a"),
    (["-f", "", "-a", "/s,mode=600,mode=660"], "Too many mode sub-args in -a (mode=660)"),
    (["-f", "", "-a", "/s,mode=7777777777777777777777777"], "Cannot parse mode sub-arg 7777777777777777777777777 in -a"),
    (["-f", "", "-a", "/s,user=nobody-of-this-name"], "Unknown user nobody-of-this-name in -a"),
    (["-f", "", "-a", "/s,group="], "Unknown group  in -a"),
    (["-f", "", "-a", "/s,colour=red"], "Invalid sub-arg colour=red in -a"),
    (["-f", "", "-a", "some/path.sock"], "Unix domain socket addresses must be absolute paths in -a (some/path.sock)"),
    (["-f", "", "-a", "/" + "long" * 40], "Got no socket(s) for /long"),
    (["-f", "", "-I", "a", "-I", "b"], "Only one -I allowed"),
    (["-f", "site.vcl"], "Cannot read -f file 'site.vcl' (No such file or directory along vcl_path; a file here is ./site.vcl)"),
    (["-f", "", "-P", "/dev/null"], "Could not open pid-file (/dev/null)"),
    (["-f", "", "-j", "unix,colour=red"], "Unix jail: unknown sub-argument 'colour=red'"),
    (["-f", "", "-j", ""], "-j argument is empty"),
    (["-f", "", "-S", "/nonexistent/secret"], "Cannot open -S file (/nonexistent/secret)"),
    (["-f", "", "extra"], "Too many arguments ('extra'...)"),
    (["-d", "-F"], "Only one of -d or -F can be specified"),
    (["-C"], "-C needs either -b"),
    (["-x", "cli"], "-x must be the first argument"),
    (["-V"], "-V must be the first argument"),
    (["-C", "-b", "none", "-d"], "-d makes no sense with -C"),
    (["-C", "-b", "none", "-F"], "-F makes no sense with -C"),
])
def test_invalid_command_lines_fail_the_start(tmp_path: Path, args: list[str], says: str) -> None:
    done = run("-n", str(tmp_path / "w"), *([] if "-a" in args else ["-a", "127.0.0.1:0"]), "-T", "none", *args)
    assert done.returncode == 2 and says in done.stderr


def test_an_unwritable_work_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("-F", "-n", str(tmp_path / "file" / "w"), "-a", "127.0.0.1:0", "-T", "none", "-f", "")
    assert done.returncode == 2 and "Cannot create work directory" in done.stderr


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mounts a file system of a few pages at a new path."""
    where = tmp_path / "disk"
    where.mkdir()

    def mount(size: str) -> Path:
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", str(where)],
                                               capture_output=True, check=False).returncode != 0:
            pytest.skip("no file system can be mounted here")
        return where
    yield mount
    subprocess.run(["umount", "-l", str(where)], capture_output=True, check=False)


@pytest.mark.parametrize(("size", "says"), [
    ("16k", "Cannot make shared memory in {}/_.vsm_mgt: No space left on device"),
    ("600k", "cannot make shared memory for the log in {}/_.vsm_child: No space left on device"),
])
def test_a_full_work_directory_fails_the_start(small_disk: Callable[[str], Path], tmp_path: Path, size: str, says: str) -> None:
    disk = small_disk(size)
    (tmp_path / "a.vcl").write_text(synth("x"))
    done = run("-F", "-n", str(disk), "-a", "127.0.0.1:0", "-T", "none", "-j", "none", "-p", "vsl_space=1M", "-f", str(tmp_path / "a.vcl"))
    assert says.format(disk) in done.stderr
    assert done.returncode == 2


def fill(path: Path) -> None:
    with pytest.raises(OSError), path.open("ab", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def refused(cli: Cli, disk: Path, line: str) -> str | None:
    """The error of a load of policy `a`. None: the compiler made room on the disk, and the policy was
    loaded."""
    fill(disk / "filler")
    status, text = cli.ask(line)
    if status != 200:
        assert status == 106
        return text
    assert cli.ask("vcl.discard a")[0] == 200
    return None


def test_a_work_directory_that_becomes_full_fails_loads(small_disk: Callable[[str], Path], tmp_path: Path) -> None:
    (tmp_path / "a.vcl").write_text(synth("x"))
    disk = small_disk("6m")
    command = [str(VERNISD), "-F", "-n", str(disk), "-a", "127.0.0.1:0", "-T", "none", "-j", "none", "-p", "vsl_space=1M", "-f", str(tmp_path / "a.vcl")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            assert any("serves policy" in line for line in process.stderr)
            with Cli.unix(disk / "cli.sock") as cli:
                cli.read()
                before = cli.ask("vcl.list")
                for line in f"vcl.load a {tmp_path}/a.vcl", 'vcl.inline a "vcl 4.1; backend default none; sub vcl_recv { return (pass); }"':
                    text = wait_until(lambda line=line: refused(cli, disk, line), "the disk is full")    # type: ignore[misc]
                    assert "No space left on device" in text and text.endswith("VCL compilation failed")
                wait_until(lambda: cli.ask("vcl.list") == before, "the list of policies is the same as before")
                assert cli.ask("status") == (200, "Child in state running")
                (disk / "filler").unlink()
                assert cli.ask(f"vcl.load a {tmp_path}/a.vcl") == (200, "VCL compiled.\n")
        finally:
            process.terminate()


def test_some_options_print_and_exit() -> None:
    version = run("-V")
    assert version.returncode == 0 and "vernis-" in version.stderr
    assert run("-x", "optstring").stdout.startswith("?a:A:b:Cd")
    assert "default_ttl\n" in run("-x", "parameter").stdout
    assert "vcl.load <configname>" in run("-x", "cli").stdout
    assert "Usage: vernisd" in run("-?").stdout
    assert run("-x", "nothing").returncode == 2
    assert run("-x", "builtin").stdout == (ROOT / "grammar" / "builtin.vcl").read_text()
    assert "VCL_return" in run("-x", "vsl").stdout.split()
    assert run("--optstring").stdout == run("-x", "optstring").stdout


def test_a_secret_that_cannot_be_written_fails_the_start(tmp_path: Path) -> None:
    (tmp_path / "w" / "_.secret").mkdir(parents=True)
    done = run("-d", "-n", str(tmp_path / "w"), "-a", "127.0.0.1:0")
    assert done.returncode == 2 and f"Cannot create secret-file in {tmp_path}/w" in done.stderr


def test_a_pid_file_has_one_owner(start_daemon: Start, tmp_path: Path) -> None:
    d = start_daemon(args=["-P", str(tmp_path / "pid")])
    second = run("-F", "-n", str(tmp_path / "w"), "-a", "127.0.0.1:0", "-f", "", "-P", str(tmp_path / "pid"))
    assert second.returncode == 2
    assert f"Varnishd is already running (pid={d.process.pid}) (pidfile={tmp_path}/pid)" in second.stderr
    assert int((tmp_path / "pid").read_text()) == d.process.pid


def test_policies_are_searched_along_vcl_path(tmp_path: Path) -> None:
    (tmp_path / "bare.vcl").write_text(NONE)
    assert run("-p", f"vcl_path=/nowhere:{tmp_path}", "-C", "-f", "bare.vcl").stdout == "OK\n"


@pytest.mark.parametrize(("text", "code"), [(NONE, 0), ("vcl 4.1; sub vcl_recv { nonsense; }", 2)])
def test_dash_c_compiles_only(tmp_path: Path, text: str, code: int) -> None:
    (tmp_path / "p.vcl").write_text(text)
    done = run("-C", "-f", str(tmp_path / "p.vcl"), "-n", str(tmp_path / "w"))
    assert done.returncode == code
    assert (done.stdout == "OK\n") == (code == 0)


FAILS_AT_INIT = 'vcl 4.1; backend default none; sub vcl_init { return (fail("because")); }'


@pytest.mark.parametrize("foreground", [["-F"], []])
def test_a_failing_vcl_init_of_the_first_policy_fails_the_start(tmp_path: Path, foreground: list[str]) -> None:
    (tmp_path / "init.vcl").write_text(FAILS_AT_INIT)
    done = run(*foreground, "-j", "none", "-n", str(tmp_path / "w"), "-a", "127.0.0.1:0", "-f", str(tmp_path / "init.vcl"))
    assert done.returncode == 2
    assert 'VCL "boot" Failed initialization\nMessage:\n\tbecause\n' in done.stdout + done.stderr


def test_an_unresolvable_backend_in_the_first_policy_fails_the_start(tmp_path: Path) -> None:
    done = run("-F", "-j", "none", "-n", str(tmp_path / "w"), "-a", "127.0.0.1:0", "-b", "no-such-host.invalid:80")
    assert done.returncode == 2 and 'host "no-such-host.invalid" port "80"' in done.stdout + done.stderr


@pytest.mark.parametrize("backend", ["127.0.0.1:8080", "127.0.0.1", "[::1]:80", "/tmp/x.sock", "none"])
def test_dash_b_makes_a_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert run("-C", "-b", backend).stdout == "OK\n"
    assert list(tmp_path.iterdir()) == []           # its folder was removed


def test_several_listeners_of_every_kind(start_daemon: Start, tmp_path: Path) -> None:
    path = f"/tmp/vernis-{os.getpid()}.sock"
    d = start_daemon(synth("x"), ["-a", "six=[::1]:0", "-a", f"un={path},mode=600"])
    lines = d.ok("debug.listen_address").splitlines()
    assert [line.split()[0] for line in lines] == ["a0", "six", "un"]
    assert lines[1].startswith("six ::1 ") and lines[2] == f"un {path} -"
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    with socket.create_connection(("::1", int(lines[1].split()[2])), timeout=5) as s6, socket.socket(socket.AF_UNIX) as un:
        un.settimeout(5)
        un.connect(path)
        for s in (s6, un):
            s.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert s.recv(100).startswith(b"HTTP/1.1 200 x")
    d.stop()
    assert not os.path.exists(path)


def test_a_daemon_runs_in_the_background_and_stops(tmp_path: Path) -> None:
    (tmp_path / "p.vcl").write_text(synth("x"))
    workdir = Path(f"/tmp/vernis-bg-{os.getpid()}")
    # capture_output waits for the end of both pipes, so no process of the daemon may keep them open.
    done = subprocess.run([str(VERNISD), "-n", str(workdir), "-a", "127.0.0.1:0", "-T", "none", "-f", str(tmp_path / "p.vcl"), "-P",
                           str(tmp_path / "pid")], timeout=30, stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == 0
    pid = int((tmp_path / "pid").read_text())
    assert int((workdir / "_.pid").read_text()) == pid
    with Cli.unix(workdir / "cli.sock") as c:
        c.read()
        assert c.ask("status") == (200, "Child in state running")       # it serves before the command returns
    os.kill(pid, signal.SIGTERM)
    wait_until(lambda: not (tmp_path / "pid").exists(), "the daemon removed its pid file")
    shutil.rmtree(workdir, ignore_errors=True)


def test_the_exit_code_shows_a_failed_start_in_the_background(tmp_path: Path) -> None:
    done = run("-n", str(tmp_path / "w"), "-a", "127.0.0.1:0", "-T", "none", "-f", str(tmp_path / "none.vcl"))
    assert done.returncode == 2 and "none.vcl" in done.stderr


@pytest.mark.parametrize(("lines", "code"), [("param.set default_ttl 7\n-nonsense\n", 0), ("param.set none 7\n", 2),
                                           ("vcl.inline a << END\nvcl 4.1;\n", 2)])
def test_commands_of_a_file_run_before_the_worker_starts(start_daemon: Start, tmp_path: Path, lines: str, code: int) -> None:
    (tmp_path / "init").write_text(lines)
    if code == 0:
        d = start_daemon(synth("x"), ["-I", str(tmp_path / "init")])
        assert "7.000" in d.ok("param.show default_ttl")
    else:
        done = run("-F", "-n", str(tmp_path / "w"), "-a", "127.0.0.1:0", "-T", "none", "-f", "", "-I", str(tmp_path / "init"))
        assert done.returncode == 2


def test_debug_mode_reads_commands_from_stdin_and_ends_with_it(tmp_path: Path) -> None:
    commands = f"vcl.inline a << END\n{synth('x')}\nEND\nvcl.use a\nstatus\nstart\nstatus\n"
    done = subprocess.run([str(VERNISD), "-d", "-n", str(tmp_path / "w"), "-a", "127.0.0.1:0", "-T", "none"], input=commands, text=True,
                          capture_output=True, timeout=30)
    assert done.returncode == 0
    assert done.stdout.index("Child in state stopped") < done.stdout.index("Child in state running")


@pytest.mark.usefixtures("checkout_of_everybody")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_the_jail_runs_worker_and_compiler_without_root(start_daemon: Start) -> None:
    d = start_daemon(args=["-j", "unix,user=nobody"])
    d.serve("a", synth("x"))
    assert d.get() == (200, "x")

    def ids(pid: int) -> set[str]:
        status = Path(f"/proc/{pid}/status").read_text()
        return set(next(line for line in status.splitlines() if line.startswith("Uid:")).split()[1:])
    nobody = {line.split(":")[0]: line.split(":")[2] for line in Path("/etc/passwd").read_text().splitlines()}["nobody"]
    assert ids(d.worker_pid) == {nobody} and ids(d.compiler_pid) == {nobody} and ids(d.process.pid) == {"0"}
    kill_worker(d)
    wait_until(lambda: answered(d, "x"), "the next worker serves the policy too")


# ---- ending ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_daemon_with_exit_code_zero(start_daemon: Start, number: int) -> None:
    d = start_daemon(synth("x"))
    pids = [d.worker_pid, d.compiler_pid]
    assert d.stop(number) == 0
    assert not any(Path(f"/proc/{p}").exists() for p in pids)


def test_the_exit_code_shows_a_killed_worker(start_daemon: Start) -> None:
    d = start_daemon(synth("x"))
    kill_worker(d)
    wait_until(lambda: answered(d, "x"), "the daemon serves again")
    assert d.stop() & 0x40


def test_requests_in_progress_finish_before_the_end(start_daemon: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as origin:
        d = start_daemon(f'vcl 4.1; backend default {{ .host = "127.0.0.1"; .port = "{origin.getsockname()[1]}"; }}')
        result: list[tuple[int, str]] = []
        client = threading.Thread(target=lambda: result.append(d.get()))
        _ = d.port_cached
        client.start()
        conn = origin.accept()[0]
        conn.recv(4096)
        d.process.send_signal(signal.SIGTERM)
        wait_until(lambda: "manager got Terminated" in d.logs, "the manager got the signal")
        conn.sendall(b"HTTP/1.1 200 Late\r\nContent-Length: 0\r\n\r\n")
        client.join(START_S)
        assert result == [(200, "Late")]
        assert d.stop() == 0


def test_shutdown_timeout_limits_the_wait(start_daemon: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as origin:
        d = start_daemon(f'vcl 4.1; backend default {{ .host = "127.0.0.1"; .port = "{origin.getsockname()[1]}"; }}',
                         ["-p", "shutdown_timeout=600"])
        d.ok("param.set shutdown_timeout 0.3")
        with socket.create_connection(("127.0.0.1", d.port), timeout=5) as s:
            s.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            conn = origin.accept()[0]
            assert d.stop() == 0        # within START_S
            conn.close()
