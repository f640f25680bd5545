"""A real ``vernisd`` for tests: on ephemeral ports of 127.0.0.1, with its own work directory, driven through its command line.

    with Daemon(tmp_path, 'vcl 4.1; backend default none;') as d:
        status, text = d.cli("vcl.list")

``VERNISD`` in the environment names another binary, e.g. the one built with sanitizers.
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

DENIED = "Forbidden system call"        # of the sandbox's reports (runtime/worker/sandbox_calls.c, compiler/service/sandbox.py)
SYNTH = 'vcl 4.1; backend default none; sub vcl_recv {{ return (synth(200, "{word}")); }}'


def wait_until(condition: Callable[[], object], what: str, seconds: float = START_S) -> Any:
    """The first true value of ``condition``; an assertion error naming ``what`` when there is none in time."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.01)
    return value


class Cli:
    """One connection of the command line: frames in and out. Nothing is interpreted."""

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
        """Whether a daemon listens at ``path``: the file is there a moment before that."""
        try:
            with Cli.unix(path) as cli:
                return cli.read()[0] == 200
        except (OSError, EOFError):
            return False

    @classmethod
    def tcp(cls, port: int, timeout: float = START_S) -> Cli:
        return cls(socket.create_connection(("127.0.0.1", port), timeout=timeout))

    def read(self) -> tuple[int, str]:
        """The next answer. EOFError when the daemon closed."""
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
    """Started on construction, running until ``stop`` or the end of a ``with`` block. ``policy`` is the text it serves from the
    start; without one nothing is loaded and no worker runs. ``binary``: instead of ``VERNISD``. The work directory is of a short path:
    a Unix socket lives in it."""

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
            command += ["-j", "none"]       # policies of tests lie where only the tests' own user reads
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
        """A new connection, its banner read."""
        cli = Cli.unix(self.workdir / "cli.sock")
        assert cli.read()[0] == 200
        return cli

    def cli(self, line: str) -> tuple[int, str]:
        """Sends one line (or a here document) on a connection kept for this and returns status and text. Threads may share it."""
        with self._cli_lock:
            if self._cli is None:
                self._cli = self.connect()
            return self._cli.ask(line)

    def ok(self, line: str) -> str:
        """The text of an answer that must be 200."""
        status, text = self.cli(line)
        assert status == 200, f"{line.splitlines()[0]}: {status} {text}"
        return text

    def load(self, name: str, text: str) -> None:
        self.ok(f"vcl.inline {name} << %END|OF|POLICY%\n{text}\n%END|OF|POLICY%")

    def use(self, name: str) -> None:
        self.ok(f"vcl.use {name}")

    def serve(self, name: str, text: str) -> None:
        """Loads and uses a policy, and starts the worker when none runs."""
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
        """0 when no worker runs."""
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

    # ---- traffic ----

    def get(self, path: str = "/", timeout: float = 10.0) -> tuple[int, str]:
        """One request on its own connection: status and reason. OSError when it is not answered."""
        with socket.create_connection(("127.0.0.1", self.port_cached), timeout=timeout) as s:
            s.sendall(f"GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n".encode())
            head = s.makefile("rb").readline().decode("latin-1").split(" ", 2)
        if len(head) < 3:
            raise ConnectionError("no response")
        return int(head[1]), head[2].strip()

    @property
    def port_cached(self) -> int:
        """The port without asking the daemon again: it stays the same for its life."""
        if not hasattr(self, "_port"):
            self._port = self.port
        return self._port

    # ---- end ----

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Asks it to end and returns its exit code (negative: a signal)."""
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
        """No test but those of the sandbox makes a worker or compiler do what its list of system calls does not have. The report
        also tells of those that are dead, whose counters are gone."""
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
        try:
            self.stop()
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        if kind is not None:
            print(f"---- vernisd ----\n{self.logs}")
