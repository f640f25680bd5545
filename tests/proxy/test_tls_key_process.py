"""The life of the key process: it dies, hangs, is fed files that it cannot read, or that hold another key after its
death. Handshakes go on in each case."""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import shutil
import signal
import ssl
import subprocess
import time
from pathlib import Path

import pytest

from proxy.daemon import ROOT, VERNISD, Daemon, wait_until
from proxy.test_foreign_modules import HEADER, SMALL_TOML
from proxy.test_sandbox import SANITIZED, needs_landlock
from proxy.test_service import children, has_user, uids
from proxy.test_tls_keys import NAME, key_pid, memory_has, secrets_of
from proxy.tls import SYNTH, certificate, connect, https, serves, status
from proxy.upgrade_load import Line, is_alive

SOON = 2.0  # seconds


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("certificates")
    return [certificate(folder, name) for name in ("a.test", "b.test")]


def copies(pair: list[Path], folder: Path) -> list[Path]:
    return [Path(shutil.copy(path, folder)) for path in pair]


def handshakes(d: Daemon, *names: str) -> bool:
    for name in names:
        with connect(d, name) as s:
            assert status(s) == "HTTP/1.1 200 OK"
    return True


# ---- death -------------------------------------------------------------------------------------------------


def test_no_handshake_fails_while_keys_are_read_again(tmp_path: Path, pair: list[Path]) -> None:
    """The one whose key is read last is asked for first."""
    many = []
    for n in range(60):
        many.append(tmp_path / f"c{n}.pem")
        shutil.copy(pair[0], many[-1])
    d = https(tmp_path, [*many, pair[1]])
    with d:
        for _ in range(5):
            before = key_pid(d)
            os.kill(before, signal.SIGKILL)
            assert handshakes(d, "b.test", "a.test")
            wait_until(lambda: key_pid(d) not in (0, before), "another key process runs")  # noqa: B023


def test_a_hung_key_process_is_replaced(tmp_path: Path, pair: list[Path]) -> None:
    d = https(tmp_path, pair, ["-p", "tls_key_timeout=1"])
    with d:
        first = key_pid(d)
        os.kill(first, signal.SIGSTOP)
        assert handshakes(d, "a.test")  # it waits for the successor
        assert key_pid(d) not in (0, first)
        assert f"key process ({first}) has not answered for tls_key_timeout: it is killed" in d.logs


def test_commands_go_on_beside_a_hung_key_process(tmp_path: Path, pair: list[Path]) -> None:
    """More orders than its socket takes: the manager keeps the rest."""
    d = https(tmp_path, [pair[0]])
    with d:
        many = []
        for n in range(400):
            many.append(tmp_path / f"c{n}.pem")
            os.link(pair[1], many[-1])
            d.ok(f"tls.cert.load {many[-1]}")
        first = key_pid(d)
        os.kill(first, signal.SIGSTOP)
        begin = time.monotonic()
        d.ok("tls.cert.rollback")  # it drops 400 keys
        d.ok("ping")
        assert time.monotonic() - begin < SOON
        assert handshakes(d, "a.test")
        assert key_pid(d) != first


# ---- files -------------------------------------------------------------------------------------------------


def test_a_file_that_holds_another_key_after_a_death_is_named(tmp_path: Path, pair: list[Path]) -> None:
    a, b = copies(pair, tmp_path)
    d = https(tmp_path, [a, b])
    with d:
        other = certificate(tmp_path, "b.test", file="other")
        b.write_text(other.read_text())  # in place: the manager's descriptor sees it
        first = key_pid(d)
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: "no key" in d.ok("tls.cert.list"), "the fault is listed")
        lines = d.ok("tls.cert.list").splitlines()
        assert [line.partition(", no key: ")[2] for line in lines] == ["", "its file holds another key now"]
        assert '"fault": "its file holds another key now"' in d.ok("tls.cert.list -j")
        assert "certificate b.test: its key cannot be read again: its file holds another key now" in d.logs
        assert handshakes(d, "a.test")
        with pytest.raises(ssl.SSLError):
            connect(d, "b.test")
        d.ok("tls.cert.reload")
        assert "no key" not in d.ok("tls.cert.list")
        assert serves(d, other, "b.test") and handshakes(d, "a.test")


def test_a_file_that_is_broken_after_a_death_is_named(tmp_path: Path, pair: list[Path]) -> None:
    a, b = copies(pair, tmp_path)
    d = https(tmp_path, [a, b])
    with d:
        b.write_text("half a file")
        os.kill(key_pid(d), signal.SIGKILL)
        wait_until(lambda: "no private key that can be read" in d.ok("tls.cert.list"), "the fault is listed")
        assert handshakes(d, "a.test")
        shutil.copyfile(pair[1], b)  # the next death finds it mended
        os.kill(key_pid(d), signal.SIGKILL)
        assert handshakes(d, "a.test", "b.test")
        assert "no key" not in d.ok("tls.cert.list")


def test_a_name_of_many_parts_does_not_end_the_key_process(tmp_path: Path, pair: list[Path]) -> None:
    """OpenSSL sorts the parts of a name: the C library asks for the size of the memory before it sorts many."""
    key, chain = tmp_path / "key", tmp_path / "many.pem"
    subject = "/CN=b.test" + "".join(f"+OU=part {n}" for n in range(80))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-multivalue-rdn",
                    "-subj", subject, "-days", "2", "-keyout", str(key), "-out", str(chain)], check=True, capture_output=True)
    d = https(tmp_path, [pair[0]])
    with d:
        first = key_pid(d)
        d.ok(f"tls.cert.load many {chain} -k {key}")
        d.ok("tls.cert.commit")
        assert handshakes(d, "a.test") and key_pid(d) == first


def test_the_number_of_certificates_is_limited(tmp_path: Path, pair: list[Path]) -> None:
    """One that replaces another counts until the commit, so three hold a reload of two up."""
    d = https(tmp_path, pair, ["-p", "tls_certificates_max=3"])
    with d:
        d.ok(f"tls.cert.load third {pair[0]}")
        code, text = d.cli(f"tls.cert.load fourth {pair[0]}")
        assert (code, text) == (106, f"{pair[0]}: more than 3 certificates (tls_certificates_max; a reload holds each twice)\n")
        d.ok("tls.cert.rollback")
        assert d.cli("tls.cert.reload")[0] == 106 and handshakes(d, "a.test", "b.test")
        d.ok("param.set tls_certificates_max 4")
        d.ok("tls.cert.reload")
        assert handshakes(d, "a.test", "b.test")


def test_descriptors_of_certificates_are_limited(tmp_path: Path, pair: list[Path]) -> None:
    """Half of them are kept for commands and workers."""
    d = https(tmp_path, pair)
    with d:
        limits = resource.prlimit(d.process.pid, resource.RLIMIT_NOFILE)
        assert limits[0] == limits[1], "the manager takes what it may have"
    command = ["prlimit", "--nofile=64:64", str(VERNISD), "-C", "-A", str(tmp_path / "many.conf")]
    many = "".join(f'pem-file = "{pair[0]}"\n' for _ in range(40))
    (tmp_path / "many.conf").write_text('frontend = ":1"\n' + many)
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "all descriptors for certificates are open (32): raise the daemon's limit" in done.stderr


# ---- rights ------------------------------------------------------------------------------------------------


@pytest.fixture
def key_user() -> str:
    """A user that no other process of the daemon has."""
    return "nobody"


@pytest.mark.usefixtures("checkout_of_everybody")
@pytest.mark.skipif(os.geteuid() != 0 or not has_user("vcache"), reason="only root can become another user")
def test_the_key_process_has_a_user_of_its_own(tmp_path: Path, pair: list[Path], key_user: str) -> None:
    import pwd

    tmp_path.chmod(0o755)
    d = https(tmp_path, pair, ["-j", f"unix,user=vcache,keyuser={key_user}"])
    with d:
        own = pwd.getpwnam(key_user)
        assert uids(key_pid(d)) == {own.pw_uid}
        groups = next(line for line in Path(f"/proc/{key_pid(d)}/status").read_text().splitlines() if line.startswith("Groups:"))
        assert groups.split()[1:] == [str(own.pw_gid)]
        assert all(own.pw_uid not in uids(pid) for pid in children(d.process.pid) if pid != key_pid(d))
        assert handshakes(d, "a.test", "b.test")
        os.kill(key_pid(d), signal.SIGKILL)
        assert handshakes(d, "a.test")


# ---- system calls ------------------------------------------------------------------------------------------

PTRACE_CONT, PTRACE_GETREGS, PTRACE_SETREGS, PTRACE_ATTACH, PTRACE_DETACH = 7, 12, 13, 16, 17
REGISTERS, RAX, RIP, ORIG_RAX = 27, 10, 16, 15  # of x86-64, as the kernel orders them
SYSCALL_BYTES = 2
FORBIDDEN = {"socket": 41, "openat": 257, "execve": 59, "connect": 42}


def make_it_call(pid: int, number: int) -> None:
    """Lets the process, which waits in a system call, make another one."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    if libc.ptrace(PTRACE_ATTACH, pid, None, None) != 0:
        pytest.skip("this process may not trace another")
    os.waitpid(pid, 0)
    registers = (ctypes.c_ulong * REGISTERS)()
    assert libc.ptrace(PTRACE_GETREGS, pid, None, registers) == 0
    registers[RAX], registers[ORIG_RAX] = number, 2**64 - 1
    registers[RIP] -= SYSCALL_BYTES
    assert libc.ptrace(PTRACE_SETREGS, pid, None, registers) == 0
    assert libc.ptrace(PTRACE_DETACH, pid, None, None) == 0


@pytest.mark.skipif(SANITIZED, reason="a sanitizer needs more calls")
@pytest.mark.skipif(os.geteuid() != 0 or platform.machine() != "x86_64", reason="only root may trace it; registers of x86-64")
@pytest.mark.parametrize("call", FORBIDDEN)
def test_a_call_outside_the_list_ends_the_key_process(tmp_path: Path, pair: list[Path], call: str) -> None:
    d = https(tmp_path, pair)
    with d:
        first = key_pid(d)
        begin = time.monotonic()
        make_it_call(first, FORBIDDEN[call])
        wait_until(lambda: f"key process ({first}) died (signal {int(signal.SIGSYS)})" in d.logs, "it has ended")
        assert handshakes(d, "a.test", "b.test")
        assert time.monotonic() - begin < SOON


# ---- memory ------------------------------------------------------------------------------------------------


def has_any(content: bytes, secrets: list[bytes]) -> bool:
    return any(secret in content for secret in secrets)


@pytest.mark.skipif(SANITIZED, reason="a sanitizer keeps freed memory, and maps terabytes")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may read their memory")
def test_no_key_is_elsewhere_before_a_commit_and_after_an_upgrade(tmp_path: Path, pair: list[Path]) -> None:
    secrets = secrets_of(pair[0])

    def look(d: Line) -> None:
        processes = [pid for pid in (d.pid, *children(d.pid)) if Path(f"/proc/{pid}/comm").read_text().strip() != NAME]
        assert len(processes) >= 3
        assert not [pid for pid in processes if memory_has(pid, secrets)]

    with Line(tmp_path, SYNTH, ["-P", str(tmp_path / "pid")], listen="web=127.0.0.1:0,HTTPS") as d:
        d.ok(f"tls.cert.load a {pair[0]}")
        look(d)
        d.ok("tls.cert.commit")
        assert handshakes(d, "a.test")
        look(d)
        d.upgrade()
        assert handshakes(d, "a.test")
        look(d)
        d.ok("tls.cert.discard a")
        d.ok("tls.cert.commit")
        look(d)


@pytest.mark.skipif(SANITIZED, reason="a sanitizer writes no core")
@pytest.mark.skipif(Path("/proc/sys/kernel/core_pattern").read_text().strip() != "core", reason="cores go elsewhere")
@pytest.mark.parametrize("who", ["worker", "manager"])
def test_no_core_holds_a_key(tmp_path: Path, pair: list[Path], who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if cores are on. The key process writes none."""
    monkeypatch.chdir(tmp_path)  # the manager's core goes there
    before = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (before[1], before[1]))
    try:
        d = https(tmp_path, [pair[0]], ["-j", "none,cores=on"])
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, before)
    with d:
        assert handshakes(d, "a.test")
        victim = d.worker_pid if who == "worker" else d.process.pid
        os.kill(key_pid(d), signal.SIGABRT)
        assert handshakes(d, "a.test")
        assert not list(d.workdir.glob("core*"))
        folder = Path(f"/proc/{victim}/cwd").resolve()
        os.kill(victim, signal.SIGABRT)
        if who == "manager":
            d.process.wait(30)
        wait_until(lambda: any(folder.glob("core*")) and not is_alive(victim), "a core is written")
        core = next(folder.glob("core*")).read_bytes()
        assert b"a.test" in core  # it is a core of this process
        assert not has_any(core, secrets_of(pair[0]))


# ---- modules -----------------------------------------------------------------------------------------------

READER = """#include "module_abi.h"
#include <fcntl.h>
#include <unistd.h>
static struct vernis_text word(struct vernis_ctx *ctx)
{
    static char bytes[4096];
    int fd = open(KEY, O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);
    return n < 0 ? (struct vernis_text){ "denied", 6 } : (struct vernis_text){ bytes, (size_t)n };
}
static const char *load(const struct vernis_api *given) { return 0; }
static const struct vernis_row rows[] = { { "word", "STRING()", (vernis_function *)word } };
VERNIS_MODULE_EXPORT const struct vernis_module vernis_module = {
    .abi = VERNIS_MODULE_ABI, .name = "small", .rows = rows, .n_rows = 1, .load = load };
"""


@pytest.mark.parametrize("kind", ["of others", "basicauth"])
def test_modules_cannot_open_a_key(tmp_path: Path, pair: list[Path], kind: str) -> None:
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "small.c").write_text(READER)
    subprocess.run(["cc", "-fPIC", "-shared", f"-I{HEADER.parent}", f'-DKEY="{pair[0]}"', "-o", str(modules / "libvmod_small.so"),
                    str(modules / "small.c")], check=True)
    (modules / "small.toml").write_text(SMALL_TOML)
    if kind == "of others":
        policy = 'vcl 4.1; import small; backend default none; sub vcl_recv { return (synth(200, "<" + small.word() + ">")); }'
    else:
        policy = f"""vcl 4.1; import basicauth; backend default none; sub vcl_recv {{
            if (basicauth.match("{pair[0]}", "Basic YTpi")) {{ return (synth(200, "in")); }} return (synth(401, "out")); }}"""
    (tmp_path / "policies").mkdir()
    d = https(tmp_path / "policies", [pair[0]], ["-p", f"vmod_path={modules}"], policy)
    with d:
        needs_landlock(d)
        with connect(d, "a.test") as s:
            said = status(s)
        assert said.split(" ", 1)[1] == ("200 <denied>" if kind == "of others" else "503 VCL failed")
        if kind == "basicauth":
            wait_until(lambda: "Permission denied" in records(d), "the record names the reason")


def records(d: Daemon) -> str:
    return subprocess.run([str(ROOT / "build/bin/vernis"), "log", "-n", str(d.workdir), "-d"], capture_output=True, text=True, check=True).stdout
