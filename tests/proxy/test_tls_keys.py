"""Private keys live in the key process: no other process has one in its memory, none can read a key's file, and
handshakes survive the death of the process."""

from __future__ import annotations

import base64
import os
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from proxy.daemon import SYNTH, Daemon, wait_until
from proxy.test_sandbox import SANITIZED, needs_landlock
from proxy.test_service import children, has_user

Start = Callable[..., Daemon]

NAME = "vernisd-keys"
PIECE = 24  # characters of a key file that no message may show


@pytest.fixture
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificate and key of a.test, in a folder that holds no policy."""
    folder = tmp_path_factory.mktemp("certificates")
    both = folder / "a.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
            *("-days", "2", "-subj", "/CN=a.test", "-addext", "subjectAltName=DNS:a.test"),
            *("-keyout", str(folder / "key"), "-out", str(folder / "cert")),
        ],
        check=True,
        capture_output=True,
    )
    both.write_text((folder / "cert").read_text() + (folder / "key").read_text())
    for path in folder.iterdir():
        path.chmod(0o600)
    return both


def start(start_daemon: Start, key_file: Path, policy: str = SYNTH.format(word="x"), args: list[str] | None = None) -> Daemon:
    d = start_daemon(policy, args or [], listen="127.0.0.1:0,HTTPS")
    d.ok(f"tls.cert.load {key_file}")
    d.ok("tls.cert.commit")
    return d


def ask(d: Daemon) -> tuple[str, bytes]:
    """The version of TLS, and the response."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", d.port), timeout=20) as plain:
        with context.wrap_socket(plain, server_hostname="a.test") as tls:
            tls.sendall(b"GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n")
            return tls.version() or "", b"".join(iter(lambda: tls.recv(65536), b""))


def handshake(d: Daemon) -> str:
    return ask(d)[0]


def key_pid(d: Daemon) -> int:
    """0: it does not run."""
    names = {pid: Path(f"/proc/{pid}/comm").read_text().strip() for pid in children(d.process.pid)}
    return next((pid for pid, name in names.items() if name == NAME), 0)


def secrets_of(key_file: Path) -> list[bytes]:
    """The private number as OpenSSL may hold it, and the text of the file."""
    text = key_file.read_text().partition("BEGIN PRIVATE KEY-----")[2].partition("-----END")[0]
    number = base64.b64decode(text).partition(b"\x02\x01\x01\x04\x20")[2][:32]
    assert len(number) == 32
    return [number, number[::-1], *(line.encode() for line in text.split())]


def memory_has(pid: int, secrets: list[bytes]) -> bool:
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            start_text, end = line.split()[0].split("-")
            if "r" not in line.split()[1] or "[v" in line:
                continue
            try:
                memory.seek(int(start_text, 16))
                content = memory.read(int(end, 16) - int(start_text, 16))
            except (OSError, OverflowError):
                continue  # a gap of the mapped file
            if any(secret in content for secret in secrets):
                return True
    return False


def kill_keys(d: Daemon) -> None:
    first = key_pid(d)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: key_pid(d) not in (0, first), "another key process runs")


def test_handshakes_go_on_after_the_death_of_the_key_process(start_daemon: Start, key_file: Path) -> None:
    d = start(start_daemon, key_file)
    assert handshake(d) == "TLSv1.3"
    for _ in range(2):
        os.kill(key_pid(d), signal.SIGKILL)
        assert handshake(d) == "TLSv1.3"  # it waits for the successor


@pytest.mark.skipif(SANITIZED, reason="a sanitizer keeps freed memory, and maps terabytes")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may read their memory")
def test_only_the_key_process_has_a_key_in_its_memory(start_daemon: Start, key_file: Path) -> None:
    d = start(start_daemon, key_file)
    secrets = secrets_of(key_file)
    kills: list[Callable[[], object]] = [lambda: None, lambda: kill_keys(d), lambda: os.kill(d.worker_pid, signal.SIGKILL)]
    for kill in kills:
        before = d.worker_pid
        kill()
        wait_until(lambda: d.state == "running", "a worker runs")
        assert handshake(d) == "TLSv1.3" and before != 0
        assert memory_has(key_pid(d), secrets)  # the search finds a key where one is
        for pid in d.process.pid, d.worker_pid, d.compiler_pid:
            assert not memory_has(pid, secrets), pid


def test_policies_cannot_read_a_key(start_daemon: Start, key_file: Path) -> None:
    policy = f"""vcl 4.1; import std; backend default none; sub vcl_recv {{
        return (synth(200, "<" + std.fileread("{key_file}") + ">")); }}"""
    d = start(start_daemon, key_file, policy)
    needs_landlock(d)
    pieces = [line[:PIECE] for line in key_file.read_text().splitlines() if len(line) >= PIECE]
    for text in (
        ask(d)[1].decode(),
        d.cli(f'vcl.inline included << END\nvcl 4.1; include "{key_file}"; backend default none;\nEND')[1],
        d.cli(f"vcl.load loaded {key_file}")[1],
        d.logs,
    ):
        assert not any(piece in text for piece in pieces), text


@pytest.mark.usefixtures("checkout_of_everybody")
@pytest.mark.skipif(SANITIZED, reason="the leak check of a sanitizer traces its own process")
@pytest.mark.skipif(os.geteuid() != 0 or not has_user("vcache"), reason="only root can become another user")
def test_the_same_user_cannot_trace_the_key_process_or_read_its_memory(start_daemon: Start, key_file: Path) -> None:
    d = start(start_daemon, key_file, args=["-j", "unix,user=vcache"])
    pid = key_pid(d)
    status = Path(f"/proc/{pid}/status").read_text()
    own = next(line.split()[1] for line in status.splitlines() if line.startswith("Uid:"))
    assert own != "0"
    for deed in (
        f"import ctypes, sys; sys.exit(ctypes.CDLL(None).ptrace(0x4206, {pid}, 0, 0) == 0)",
        f"import sys\ntry: open('/proc/{pid}/mem', 'rb')\nexcept OSError: sys.exit(0)\nsys.exit(1)",
    ):
        tried = ["setpriv", f"--reuid={own}", "--clear-groups", sys.executable, "-c", deed]
        assert subprocess.run(tried, check=False).returncode == 0, deed


@pytest.mark.skipif(SANITIZED, reason="a sanitizer lets the process be traced")
def test_the_key_process_is_confined(start_daemon: Start, key_file: Path) -> None:
    d = start(start_daemon, key_file)
    handshake(d)  # by then it has closed the file
    status = Path(f"/proc/{key_pid(d)}/status").read_text()
    assert "NoNewPrivs:\t1" in status and "Seccomp:\t2" in status
    files = sorted(os.readlink(f"/proc/{key_pid(d)}/fd/{n}") for n in os.listdir(f"/proc/{key_pid(d)}/fd"))
    assert not any(name.endswith(".pem") for name in files), files


def test_the_key_process_ends_with_the_manager(start_daemon: Start, key_file: Path) -> None:
    d = start(start_daemon, key_file, args=["-j", "none"])
    pid = key_pid(d)
    d.process.kill()
    d.process.wait(20)
    wait_until(lambda: not Path(f"/proc/{pid}").exists(), "the key process has ended")
