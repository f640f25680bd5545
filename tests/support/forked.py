"""Runs `vernis` a thousand times in seconds: one interpreter, which has imported all modules of the commands, forks a
process for each run. The process gets its own descriptors, user, folder, environment and terminal, and then does what
`python -m vernis` does. The start of the interpreter is not part of such a run.

As a program, this file is that interpreter: it takes runs from the socket of its first argument.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import json
import os
import pkgutil
import pty
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RUN_S = 20.0
SPEC_BYTES = 1 << 16
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/dev/null/home", "LANG": "C.UTF-8", "PYTHONPATH": f"{ROOT}/build/py:{ROOT}/build/ext",
               "PYTHONSAFEPATH": "1", "PROMPT_TOOLKIT_NO_CPR": "1"}


@dataclass
class Done:
    args: list[str]
    status: int  # negative: a signal
    out: str
    err: str


@dataclass
class Run:
    """What one run gets. A stream is bytes (stdin), "open" (stdin of which nothing
    comes), "pipe", "closed", "tty", or the name of a file. ``reads`` is how many
    bytes of stdout are read before the pipe is closed; None: all."""

    args: Sequence[str]
    stdin: bytes | str = b""
    stdout: str = "pipe"
    reads: int | None = None
    env: dict[str, str | None] = field(default_factory=dict)
    cwd: str = "/"
    user: tuple[int, int] | None = None  # uid and gid
    files_max: int | None = None  # bytes of a file
    lines: int = 24
    columns: int = 80
    umask: int = 0o022


class Forked:
    """The interpreter that forks. Use it as a context manager; ``run`` may be called by threads."""

    def __init__(self, python: Path = ROOT / "build/venv/bin/python") -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process = subprocess.Popen([python, __file__, str(theirs.fileno())], pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL,
                                         env=ENVIRONMENT)
        theirs.close()

    def __enter__(self) -> Forked:
        return self

    def __exit__(self, *_: object) -> None:
        self._ours.close()
        self._process.wait(RUN_S)

    def run(self, run: Run, then: Callable[[Going], None] = lambda _: None) -> Done:
        """``then`` may do something to the process while it runs."""
        with Going(self._ours, run) as going:
            then(going)
            return going.end()


class Going:
    """A run that has begun."""

    def __init__(self, server: socket.socket, run: Run) -> None:
        self.run = run
        self.out, self.err = bytearray(), bytearray()
        self._status: int | None = None
        self._open: list[int] = []
        self._read: dict[int, bytearray] = {}
        self._lock = threading.Lock()
        self._socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(RUN_S)
        theirs = [other.fileno()]
        self.terminal = -1
        if "tty" in (run.stdin, run.stdout):
            self.terminal, slave = pty.openpty()
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", run.lines, run.columns, 0, 0))
            self._open.append(self.terminal)
            self._read[self.terminal] = self.out
        streams: list[int | None] = []
        self._writer = -1
        if run.stdin == "tty":
            streams.append(slave)
        elif isinstance(run.stdin, bytes) or run.stdin == "open":
            reader, self._writer = os.pipe()
            streams.append(reader)
        else:
            streams.append(None if run.stdin == "closed" else os.open(run.stdin, os.O_RDONLY))
        if run.stdout == "tty":
            streams.append(slave)
        elif run.stdout == "pipe":
            reader, writer = os.pipe()
            streams.append(writer)
            if run.reads == 0:
                os.close(reader)
            else:
                self._read[reader] = self.out
                self._open.append(reader)
        else:
            streams.append(None if run.stdout == "closed" else os.open(run.stdout, os.O_WRONLY | os.O_APPEND))
        reader, writer = os.pipe()
        self._read[reader] = self.err
        self._open.append(reader)
        streams.append(writer)
        places = [None if fd is None else 1 + [f for f in streams[:i] if f is not None].__len__() for i, fd in enumerate(streams)]
        sent = [fd for fd in streams if fd is not None]
        spec = {"args": list(run.args), "env": {**ENVIRONMENT, **run.env}, "cwd": run.cwd, "user": run.user, "places": places,
                "tty": self.terminal >= 0, "files_max": run.files_max, "umask": run.umask}
        socket.send_fds(server, [json.dumps(spec).encode()], [*theirs, *sent])
        for fd in {*sent, *theirs} - {other.fileno()}:
            os.close(fd)
        other.close()
        self.pid = int(self._socket.recv(64))
        self._reader = threading.Thread(target=self._collect)
        self._reader.start()
        if isinstance(run.stdin, bytes):
            with suppress(BrokenPipeError):
                os.write(self._writer, run.stdin)
            os.close(self._writer)
        elif self._writer >= 0:
            self._open.append(self._writer)

    def _collect(self) -> None:
        reading = dict(self._read)
        while reading:
            try:
                ready = select.select(list(reading), [], [], 0.05)[0]
            except OSError:  # hung up
                del reading[self.terminal]
                continue
            for fd in ready:
                limit = self.run.reads if reading[fd] is self.out and self.run.stdout == "pipe" else None
                try:
                    data = os.read(fd, 1 << 16 if limit is None else max(limit - len(self.out), 1))
                except OSError:
                    data = b""  # the end of a terminal, or it was hung up
                reading[fd].extend(data)
                if not data or (limit is not None and len(self.out) >= limit):
                    del reading[fd]
                    with self._lock:
                        if fd in self._open and fd != self.terminal:
                            self._open.remove(fd)
                            os.close(fd)

    def hang_up(self) -> None:
        """Closes the terminal: its processes get SIGHUP."""
        with self._lock:
            self._open.remove(self.terminal)
            os.close(self.terminal)

    def wait_for(self, condition: Callable[[Going], bool]) -> None:
        """Until the condition is true, or the run has ended."""
        end = time.monotonic() + RUN_S
        while not condition(self) and self.status(0.0) is None:
            assert time.monotonic() < end, f"vernis {' '.join(self.run.args)}: {self.out!r} {self.err!r}"
            time.sleep(0.002)

    @property
    def sleeps(self) -> bool:
        """Whether it waits for something."""
        try:
            return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"
        except OSError:
            return True

    def signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def status(self, seconds: float) -> int | None:
        if self._status is None and select.select([self._socket], [], [], seconds)[0]:
            said = self._socket.recv(64)
            self._status = os.waitstatus_to_exitcode(int(said)) if said else -999
        return self._status

    def end(self) -> Done:
        status = self.status(RUN_S)
        if status is None:
            self.signal(signal.SIGKILL)
            self.status(RUN_S)
            status = -998  # it did not end by itself
        self._reader.join(RUN_S)
        return Done(list(self.run.args), status, self.out.decode("utf-8", "replace"), self.err.decode("utf-8", "replace"))

    def __enter__(self) -> Going:
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is None:
            self.signal(signal.SIGKILL)
        self._socket.close()
        with self._lock:
            for fd in self._open:
                os.close(fd)
            self._open.clear()


# ---- the interpreter ---------------------------------------------------------------------------------------


def _serve(server: socket.socket) -> None:
    _import_all()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for number in (signal.SIGHUP, signal.SIGTERM):  # nohup sets "ignore", and a shell does for SIGINT of a background job
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    while True:
        try:
            data, fds, _, _ = socket.recv_fds(server, SPEC_BYTES, 8)
        except InterruptedError:
            continue
        if not data:
            return
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _handle(json.loads(data), fds)
        for fd in fds:
            os.close(fd)


def _import_all() -> None:
    import vernis

    for module in pkgutil.walk_packages(vernis.__path__, "vernis."):
        if not any(part in module.name for part in (".generated", ".syntax.ext", "__main__")):
            importlib.import_module(module.name)
    for name in ("rich.live", "rich.table", "prompt_toolkit", "prompt_toolkit.history", "multiprocessing.pool", "vernis.__main__"):
        importlib.import_module(name)


def _handle(spec: dict[str, Any], fds: list[int]) -> None:
    asker = socket.socket(fileno=fds[0])
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # until the command takes it
    pid = os.fork()
    if pid == 0:
        _become(spec, fds)
    for fd in fds[1:]:
        os.close(fd)
    asker.send(str(pid).encode())
    _, status = os.waitpid(pid, 0)
    with suppress(OSError):
        asker.send(str(status).encode())
    os._exit(0)


def _become(spec: dict[str, Any], fds: list[int]) -> None:
    os.setsid()
    high = [None if place is None else fcntl.fcntl(fds[place], fcntl.F_DUPFD, 100) for place in spec["places"]]
    for number, fd in enumerate(high):
        os.close(number)
        if fd is not None:
            os.dup2(fd, number)
    os.closerange(3, 1024)
    if spec["tty"]:
        terminal = 0 if os.isatty(0) else 1
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    os.umask(spec["umask"])
    os.environ.clear()
    os.environ.update({name: value for name, value in spec["env"].items() if value is not None})
    if spec["cwd"].startswith("gone:"):
        folder = spec["cwd"][5:]
        os.mkdir(folder)
        os.chdir(folder)
        os.rmdir(folder)
    else:
        os.chdir(spec["cwd"])
    if spec["files_max"] is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (spec["files_max"], spec["files_max"]))
    if spec["user"]:
        os.setgroups([])
        os.setgid(spec["user"][1])
        os.setuid(spec["user"][0])
    sys.stdin, sys.stdout, sys.stderr = (_stream(0, "r"), _stream(1, "w"), _stream(2, "w"))
    sys.argv = ["vernis", *spec["args"]]
    try:
        from vernis.__main__ import run

        signal.signal(signal.SIGINT, signal.SIG_DFL)  # as the import of this module does
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        run()
    except SystemExit as error:
        sys.stdout.flush()
        os._exit(int(error.code or 0))
    except BaseException:
        import traceback

        traceback.print_exc()
        os._exit(1)


def _stream(number: int, mode: str) -> Any:
    try:
        os.fstat(number)
    except OSError:
        return None  # as Python does
    errors = "strict" if number < 2 else "backslashreplace"
    return open(number, mode, 1 if os.isatty(number) else -1, encoding="utf-8", errors=errors, closefd=False)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
