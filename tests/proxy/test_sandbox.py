"""Confinement of the worker and the compile server: forbidden actions fail, are counted and reported."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from proxy.daemon import DENIED, ROOT, SYNTH, VERNISD, Daemon, wait_until
from proxy.test_service import children, has_user

Start = Callable[..., Daemon]

HEADER = ROOT / "runtime" / "module_abi.h"
SANITIZED = b"libasan" in VERNISD.read_bytes() or b"libtsan" in VERNISD.read_bytes() if VERNISD.exists() else False

#: A third-party module that tries forbidden actions and returns their results.
DEEDS = r"""#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "module_abi.h"
static struct vernis_text say(int failed)
{
    const char *s = failed ? strerrorname_np(errno) : "done";
    return (struct vernis_text){ s, strlen(s) };
}
static struct vernis_text name(struct vernis_ctx *c) { return say(sethostname("x", 1) != 0); }
static struct vernis_text family(struct vernis_ctx *c) { return say(socket(AF_PACKET, SOCK_RAW, 0) < 0); }
static struct vernis_text process(struct vernis_ctx *c) { pid_t p = fork(); if (p == 0) _exit(0); return say(p < 0); }
static struct vernis_text manager(struct vernis_ctx *c) { return say(kill(getppid(), SIGTERM) != 0); }
static struct vernis_text file(struct vernis_ctx *c) { return say(open(FOLDER "/made", O_CREAT | O_WRONLY, 0600) < 0); }
static struct vernis_text program(struct vernis_ctx *c) { execl("/bin/true", "true", (char *)0); return say(1); }
static struct vernis_text port(struct vernis_ctx *c)
{
    struct sockaddr_in any = { .sin_family = AF_INET };
    int s = socket(AF_INET, SOCK_STREAM, 0);
    int failed = s < 0 || bind(s, (struct sockaddr *)&any, sizeof any) != 0;
    return say(failed);
}
static struct vernis_text command(struct vernis_ctx *c)
{
    struct sockaddr_un own = { .sun_family = AF_UNIX, .sun_path = "cli.sock" };
    char line[16];
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    int failed = s < 0 || connect(s, (struct sockaddr *)&own, sizeof own) != 0;
    return failed || read(s, line, sizeof line) > 0 ? say(failed) : (struct vernis_text){ "closed", 6 };
}
#define ROW(f) { #f, "STRING()", (vernis_function *)f }
static const struct vernis_row rows[] = { ROW(name), ROW(family), ROW(process), ROW(manager), ROW(file), ROW(program), ROW(port), ROW(command) };
VERNIS_MODULE_EXPORT const struct vernis_module vernis_module = {
    .abi = VERNIS_MODULE_ABI, .name = "deeds", .rows = rows, .n_rows = sizeof rows / sizeof *rows };
"""
NAMES = ["name", "family", "process", "manager", "file", "program", "port", "command"]
POLICY = "vcl 4.1; import deeds; backend default none; sub vcl_recv {" + "".join(
    f'if (req.url == "/{name}") {{ return (synth(200, deeds.{name}())); }}' for name in NAMES) + "}"


@pytest.fixture
def deeds(tmp_path: Path) -> list[str]:
    """Options that make a daemon find the module."""
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "deeds.c").write_text(DEEDS)
    subprocess.run(["cc", "-D_GNU_SOURCE", f'-DFOLDER="{tmp_path}"', "-fPIC", "-shared", f"-I{HEADER.parent}", "-o",
                    str(folder / "libvmod_deeds.so"), str(folder / "deeds.c")], check=True)
    row = '[[module.function]]\nname = "{0}"\nsymbol = "{0}"\nresult = "STRING"\nparams = []\ndoc = "Tries."\n'
    (folder / "deeds.toml").write_text('abi = 1\n[[module]]\nname = "deeds"\ndoc = "For tests."\n' + "".join(map(row.format, NAMES)))
    return ["-p", f"vmod_path={folder}"]


def counter(d: Daemon, name: str) -> int:
    return int(d.status["counters"][f"VERNIS.{name}"])


def needs_landlock(d: Daemon) -> None:
    if "landlock" not in d.status["confined"]:
        pytest.skip("this kernel has no landlock")


def test_worker_and_compiler_run_under_a_filter_and_gain_no_rights(start_daemon: Start) -> None:
    d = start_daemon(SYNTH.format(word="x"))
    for pid in d.worker_pid, d.compiler_pid:
        text = Path(f"/proc/{pid}/status").read_text()
        assert "NoNewPrivs:\t1" in text and "Seccomp:\t2" in text, text
    # the latter on a kernel without landlock
    assert d.status["confined"] in ("seccomp, landlock, no cores", "seccomp, no cores")


@pytest.mark.skipif(SANITIZED, reason="sanitizers use the forbidden calls")
def test_forbidden_calls_of_the_worker_fail_and_are_counted(start_daemon: Start, deeds: list[str]) -> None:
    d = start_daemon(POLICY, deeds, may_be_denied=True)
    assert d.get("/name") == (200, "EPERM") and d.get("/name") == (200, "EPERM")
    assert d.get("/family") == (200, "EPERM")
    assert d.get("/process") == (200, "EPERM")     # is not counted
    assert d.get("/manager") == (200, "EPERM")
    assert counter(d, "syscalls_denied") == 4
    # the second one is only counted
    assert d.heard.count(f"{DENIED}: the worker called sethostname (170), denied with EPERM") == 1
    assert "libvmod_deeds" in d.logs or "/proc/self/fd/" in d.logs    # the stack names the module
    assert "Working on: request" in d.logs and "hook vcl_recv" in d.logs
    assert d.get("/name")[0] == 200 and d.worker_pid != 0


@pytest.mark.skipif(SANITIZED, reason="a sanitizer starts programs")
def test_a_worker_that_starts_a_program_is_killed_and_replaced(start_daemon: Start, deeds: list[str]) -> None:
    d = start_daemon(POLICY, deeds, may_be_denied=True)
    first = d.worker_pid
    with pytest.raises(OSError):
        d.get("/program")
    wait_until(lambda: d.state == "running" and d.worker_pid != first, "another worker runs")
    panic = d.ok("panic.show")
    assert "died of signal 31 (Bad system call)" in panic and f"{DENIED}: the worker called execve (59), so the sandbox ends the worker" in panic
    assert d.get("/name") == (200, "EPERM")
    assert d.stop() & 0x40    # a worker died of a signal


def test_the_worker_writes_only_to_its_own_folder_and_opens_no_port(start_daemon: Start, deeds: list[str], tmp_path: Path) -> None:
    d = start_daemon(POLICY, deeds)
    needs_landlock(d)
    assert d.get("/file") == (200, "EACCES") and not (tmp_path / "made").exists()
    assert d.get("/port") == (200, "EACCES")
    free = start_daemon(POLICY, [*deeds, "-j", "none,landlock=off"])
    assert free.get("/file") == (200, "done") and (tmp_path / "made").exists()


def test_worker_and_compiler_cannot_use_the_command_line(start_daemon: Start, deeds: list[str], tmp_path: Path) -> None:
    """The socket is reserved for the user, but here all processes have the same user."""
    d = start_daemon(POLICY, deeds)
    assert d.get("/command") == (200, "closed")
    assert "refused a connection from the worker or the compiler to the command line" in d.logs
    d = start_daemon(env={"VERNIS_COMPILER": str(taken_over(tmp_path))})
    assert "it read b''" in d.cli('vcl.inline a "connect"')[1]


def test_without_the_filter_the_calls_succeed(start_daemon: Start, deeds: list[str]) -> None:
    d = start_daemon(POLICY, [*deeds, "-j", "none,seccomp=off,landlock=off"])
    assert d.get("/process") == (200, "done")
    assert counter(d, "syscalls_denied") == 0 and "confined   no cores\n" in d.ok("vernis.status")


def test_the_worker_can_read_the_paths_in_readable(start_daemon: Start, tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in inside, outside:
        folder.mkdir()
        (folder / "text").write_text(folder.name)
    policy = f"""vcl 4.1; import std; backend default none; sub vcl_recv {{
        if (req.url == "/in") {{ return (synth(200, "<" + std.fileread("{inside}/text") + ">")); }}
        return (synth(200, "<" + std.fileread("{outside}/text") + ">")); }}"""
    default = start_daemon(policy)
    needs_landlock(default)
    assert default.get("/out") == (200, "<outside>")            # the worker's user may read it
    d = start_daemon(policy, ["-j", f"none,readable=/nowhere:{inside}"])
    assert d.get("/in") == (200, "<inside>")
    assert d.get("/out") != (200, "<outside>")


#: A compile server whose compiler starts a program instead of compiling.
TAKEN_OVER = """import os, socket, sys
sys.path[:0] = [{py!r}, {ext!r}]
from pathlib import Path
from vernis.service import sandbox, server
from vernis.service.child import Outcome
def compile_request(request, artefacts):
    if b"connect" in request.text:
        with socket.socket(socket.AF_UNIX) as s:
            s.connect("cli.sock")
            return Outcome(image=None, text="it read %r" % s.recv(16))
    if b"write" in request.text:
        Path({made!r}).write_text("x")
    os.execv("/bin/true", ["true"])
server.serve(compile_request, lambda: None, confine=sandbox.filter_calls)
"""


def taken_over(tmp_path: Path) -> Path:
    program = tmp_path / "compiler"
    build = ROOT / "build"
    program.write_text(f"#!{build}/venv/bin/python\n" + TAKEN_OVER.format(py=str(build / "py"), ext=str(build / "ext"), made=str(tmp_path / "made")))
    program.chmod(0o755)
    return program


def test_a_compiler_that_starts_a_program_is_killed_and_the_load_fails(start_daemon: Start, tmp_path: Path) -> None:
    d = start_daemon(env={"VERNIS_COMPILER": str(taken_over(tmp_path))}, may_be_denied=True)
    status, text = d.cli('vcl.inline a "vcl 4.1;"')
    assert status == 106 and f"{DENIED}: the compiler called execve (59), so the sandbox ends the compiler" in text and "compile_request" in text, text
    wait_until(lambda: f"compiler: {DENIED}" in d.logs, "the compile server has written its report")
    status, text = d.cli('vcl.inline a "write"')
    assert status == 106 and "Permission denied" in text and not (tmp_path / "made").exists(), text

    def deaths() -> str:
        return subprocess.run([str(ROOT / "build/bin/vernis"), "stat", "-n", str(d.workdir), "-1", "-f", "MGT.syscall_deaths"],
                              capture_output=True, text=True, check=False).stdout
    wait_until(lambda: " 1 " in deaths(), "the death is counted")


@pytest.mark.usefixtures("checkout_of_everybody")
@pytest.mark.skipif(SANITIZED, reason="the leak check of a sanitizer traces its own process")
@pytest.mark.skipif(os.geteuid() != 0 or not has_user("vcache"), reason="only root can become another user")
@pytest.mark.parametrize("cores", [False, True])
def test_no_cores_and_no_tracing_by_the_same_user_unless_allowed(tmp_path: Path, cores: bool) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "p.vcl").write_text(SYNTH.format(word="x"))
    jail = "unix,user=vcache" + (",cores=on" if cores else "")
    process = subprocess.Popen([str(VERNISD), "-F", "-n", str(tmp_path / "w"), "-a", "127.0.0.1:0", "-T", "none", "-f", str(tmp_path / "p.vcl"),
                                "-j", jail], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=allow_cores)     # noqa: PLW1509
    try:
        wait_until((tmp_path / "w" / "_.vsm_child" / "_.index").exists, "a worker runs")
        for pid in children(process.pid):
            # PTRACE_SEIZE
            try_trace = f"import ctypes, sys; sys.exit(ctypes.CDLL(None).ptrace(0x4206, {pid}, 0, 0) == 0)"
            traced = subprocess.run(["setpriv", "--reuid=vcache", "--regid=varnish", "--clear-groups", sys.executable, "-c", try_trace],
                                    check=False).returncode
            limit = next(line for line in Path(f"/proc/{pid}/limits").read_text().splitlines() if line.startswith("Max core"))
            assert (traced == 1) == cores and (limit.split()[4] == "0") != cores, (pid, traced, limit)
    finally:
        process.terminate()
        assert process.wait(20) == 0


def allow_cores() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
