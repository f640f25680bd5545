"""A real ``vernisd`` for tests, on ephemeral ports of 127.0.0.1, with its own work directory, controlled
through its command line.

    with Daemon(tmp_path, 'vcl 4.1; backend default none;') as d:
        status, text = d.cli("vcl.list")

``VERNISD`` in the environment names another binary, for example one with sanitizers.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
VERNISD = Path(os.environ.get("VERNISD", ROOT / "build" / "bin" / "vernisd"))
START_S = 30.0

# in reports of the sandboxes (runtime/daemon/sandbox_calls.c, compiler/service/sandbox.py)
DENIED = "Forbidden system call"
SYNTH = 'vcl 4.1; backend default none; sub vcl_recv {{ return (synth(200, "{word}")); }}'


def wait_until(condition: Callable[[], object], what: str, seconds: float = START_S) -> Any:
    """Waits for a true value of ``condition`` and returns it. Fails with ``what`` after ``seconds``."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.01)
    return value


def wait_equal(read: Callable[[], object], expected: object, what: str = "", seconds: float = START_S) -> None:
    """Waits until ``read`` returns ``expected``. A client may have its response before the daemon's counters and
    log show the request: the counters are published every 25 ms, the log at the end of a round of the loop."""
    end = time.monotonic() + seconds
    while (value := read()) != expected:
        assert time.monotonic() < end, f"not within {seconds} s: {what or expected!r}, but {value!r}"
        time.sleep(0.01)


class Cli:
    """One connection to the command line. Sends and receives frames without interpreting them."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.file = sock.makefile("rb")

    @classmethod
    def unix(cls, path: Path, timeout: float = START_S) -> Cli:
        sock = socket.socket(socket.AF_UNIX)
        sock.settimeout(timeout)
        sock.connect(str(path))
        return cls(sock)

    @staticmethod
    def answers(path: Path) -> bool:
        """Whether a daemon listens at ``path``: the file exists a moment earlier."""
        try:
            with Cli.unix(path) as cli:
                return cli.read()[0] == 200
        except (OSError, EOFError):
            return False

    @classmethod
    def tcp(cls, port: int, timeout: float = START_S) -> Cli:
        return cls(socket.create_connection(("127.0.0.1", port), timeout=timeout))

    def read(self) -> tuple[int, str]:
        """The next answer. EOFError if the daemon closed the connection."""
        head = self.file.read(13)
        if len(head) < 13:
            raise EOFError
        assert head[3:4] == b" " and head[12:13] == b"\n", head
        body = self.file.read(int(head[4:12]) + 1)
        assert body.endswith(b"\n"), body
        return int(head[:3]), body[:-1].decode("utf-8", "surrogateescape")

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def ask(self, line: str) -> tuple[int, str]:
        self.send(line.encode("utf-8", "surrogateescape") + b"\n")
        return self.read()

    def close(self) -> None:
        self.file.close()
        self.sock.close()

    def __enter__(self) -> Cli:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Daemon:
    """Starts with its construction and runs until ``stop`` or the end of a ``with`` block. ``policy`` is the
    text it serves from the start; without a policy, no worker runs. ``binary`` replaces ``VERNISD``. The path
    of the work directory is short, because it contains a Unix socket."""

    def __init__(self, tmp_path: Path, policy: str | None = None, args: Sequence[str] = (), *, env: dict[str, str] | None = None,
                 listen: str = "127.0.0.1:0", cli_listen: str = "none", may_be_denied: bool = False, pass_fds: Sequence[int] = (),
                 binary: Path | None = None) -> None:
        self.may_be_denied = may_be_denied
        self.workdir = Path(tempfile.mkdtemp(prefix="vernisd-"))
        self.workdir.chmod(0o755)
        self.log_path = tmp_path / f"vernisd-{self.workdir.name}.log"
        if policy is not None:
            (tmp_path / "boot.vcl").write_text(policy)
        command = [str(binary or VERNISD), "-F", "-n", str(self.workdir), "-a", listen, "-T", cli_listen,
                   "-f", "" if policy is None else str(tmp_path / "boot.vcl"), *args]
        if "-j" not in args:
            command += ["-j", "none"]       # only the tests' user can read the policies of tests
        with self.log_path.open("wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=dict(os.environ, **(env or {})),
                                            pass_fds=pass_fds)
        self._cli: Cli | None = None
        self._cli_lock = threading.Lock()
        try:
            wait_until(lambda: Cli.answers(self.workdir / "cli.sock") or self.process.poll() is not None, "the command line answers")
            if policy is not None:
                wait_until(lambda: self.process.poll() is not None or self.state == "running", "a worker serves")
            assert self.process.poll() is None, f"vernisd ended at once:\n{self.logs}"
        except BaseException:
            self.kill()
            raise

    # ---- command line ----

    def connect(self) -> Cli:
        """A new connection whose banner has been read."""
        cli = Cli.unix(self.workdir / "cli.sock")
        assert cli.read()[0] == 200
        return cli

    def cli(self, line: str) -> tuple[int, str]:
        """Sends a line or a here document on a shared connection and returns status and text. Safe for
        threads."""
        with self._cli_lock:
            if self._cli is None:
                self._cli = self.connect()
            return self._cli.ask(line)

    def ok(self, line: str) -> str:
        """The text of an answer whose status must be 200."""
        status, text = self.cli(line)
        assert status == 200, f"{line.splitlines()[0]}: {status} {text}"
        return text

    def load(self, name: str, text: str) -> None:
        self.ok(f"vcl.inline {name} << %END|OF|POLICY%\n{text}\n%END|OF|POLICY%")

    def use(self, name: str) -> None:
        self.ok(f"vcl.use {name}")

    def serve(self, name: str, text: str) -> None:
        """Loads and uses a policy, and starts the worker if none runs."""
        self.load(name, text)
        self.use(name)
        if self.state == "stopped":
            self.ok("start")

    @property
    def status(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.ok("vernis.status -j"))[3]
        return answer

    @property
    def state(self) -> str:
        return str(json.loads(self.ok("status -j"))[3])

    @property
    def worker_pid(self) -> int:
        """0 if no worker runs."""
        return int(json.loads(self.ok("pid -j"))[3].get("worker", 0))

    @property
    def compiler_pid(self) -> int:
        return int(self.status["compiler"])

    @property
    def active(self) -> str | None:
        name: str | None = self.status["active"]
        return name

    @property
    def port(self) -> int:
        return int(self.status["listens"][0].rsplit(":", 1)[1])

    @property
    def logs(self) -> str:
        return self.log_path.read_text(errors="replace")

    @property
    def counters(self) -> dict[str, int]:
        """The counters of the worker as they are now. Shared memory shows them up to 25 ms later."""
        return dict(self.status["counters"])

    @property
    def heard(self) -> str:
        """The log with the lines that the worker wrote before this call. The manager reads them from a pipe: in
        the round of its loop that answers a command, or in the round before."""
        for _ in range(3):
            self.ok("ping")
        return self.logs

    # ---- traffic ----

    def get(self, path: str = "/", timeout: float = START_S) -> tuple[int, str]:
        """Sends a request on its own connection and returns status and reason. OSError without a response."""
        with socket.create_connection(("127.0.0.1", self.port_cached), timeout=timeout) as s:
            s.sendall(f"GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n".encode())
            head = s.makefile("rb").readline().decode("latin-1").split(" ", 2)
        if len(head) < 3:
            raise ConnectionError("no response")
        return int(head[1]), head[2].strip()

    @property
    def port_cached(self) -> int:
        """The port, which stays the same for the daemon's life, from the first answer."""
        if not hasattr(self, "_port"):
            self._port = self.port
        return self._port

    # ---- end ----

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Sends a signal, waits for the end and returns the exit code (negative: a signal)."""
        if self._cli is not None:
            self._cli.close()
            self._cli = None
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(START_S)
        shutil.rmtree(self.workdir, ignore_errors=True)
        self._check_denials()
        return code

    def _check_denials(self) -> None:
        """A worker or compiler must make no system call that its sandbox forbids, except in tests of the
        sandbox. The report also names processes that have ended, whose counters no longer exist."""
        denied = [line for line in self.logs.splitlines() if DENIED in line]
        assert self.may_be_denied or not denied, denied

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(START_S)
        shutil.rmtree(self.workdir, ignore_errors=True)

    def __enter__(self) -> Daemon:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        running = self.process.poll() is None
        try:
            code = self.stop()
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        assert not running or code >= 0, f"vernisd ended by signal {-code}:\n{self.logs}"
        if kind is not None:
            print(f"---- vernisd ----\n{self.logs}")
