"""Counts the instructions of a server's worker, without the kernel's, under valgrind --tool=callgrind.

Unlike times, instructions hardly depend on what else the machine does. vgdb sets the counters to zero before
the counted part and dumps them after it, so start, load and warm-up are not counted. Timers of the worker
run by the clock, and valgrind makes requests slow, so what an idle worker executes in the same time is
subtracted.
"""

from __future__ import annotations

import re
import socket
import subprocess
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import peers

TOTALS = re.compile(r"^totals: (\d+)", re.M)
# Valgrind counts each byte that `rep movsb` copies as an instruction, although it is faster than the
# loop that memcpy takes without it.
WITHOUT_REP = "GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=0x7fffffff"
# The compiler and Varnish's gcc are programs of their own, which are not counted and run at full speed.
SKIPPED = "--trace-children-skip=*/bin/vernis,*/sh"
UNDER = ("env", WITHOUT_REP, "valgrind", "--tool=callgrind", "--trace-children=yes", SKIPPED)
IDLE_S = 3
# Under valgrind, and while vgdb stops it, a worker reads and answers late.
PATIENT = ("timeout_idle=600", "cli_timeout=600", "ping_interval=0")


@dataclass(slots=True)
class Counted:
    server: peers.Server
    directory: Path
    idle_per_s: float | None = None  # None: not measured yet
    threads: str = ""  # counts only threads that call this function; empty: the whole process

    def instructions(self, run: Callable[[], object]) -> float:
        """Instructions that `run` causes in the worker, less those of an idle worker in the same time."""
        spent, seconds = self._count(run)
        if self.idle_per_s is None:
            idle, idle_s = self._count(lambda: time.sleep(IDLE_S))
            self.idle_per_s = idle / idle_s
        return spent - self.idle_per_s * seconds

    def _count(self, run: Callable[[], object]) -> tuple[int, float]:
        """Instructions of the process that executes most, which is the worker, and seconds."""
        processes = [pid for pid in self.server.pids() if tell(pid, "zero")]
        before, started = set(self.directory.glob("counted.*")), time.monotonic()
        run()
        for pid in processes:
            tell(pid, "dump")
        seconds = time.monotonic() - started
        dumps = set(self.directory.glob("counted.*")) - before
        texts = [text for path in dumps if self.threads in (text := path.read_text())]
        totals = [int(n) for text in texts for n in TOTALS.findall(text)]
        return sum(totals) if self.threads else max(totals), seconds


def tell(pid: int, command: str) -> bool:
    """False: the process is not under valgrind."""
    done = subprocess.run(["vgdb", "--wait=1", f"--pid={pid}", command], capture_output=True, text=True)
    return done.returncode == 0


def under(directory: Path) -> tuple[str, ...]:
    return (*UNDER, f"--callgrind-out-file={directory}/counted.%p")


def parameters(*settings: str) -> tuple[str, ...]:
    return tuple(word for setting in settings for word in ("-p", setting))


def options(root: Path = peers.ROOT) -> tuple[str, ...]:
    """Each process writes its own counts, also the worker, which a jail would not let write there."""
    jailed = any((root / f"runtime/{room}/sandbox.h").exists() for room in ("daemon", "worker"))
    jail = "none,seccomp=off,landlock=off" if jailed else "none"
    return "-j", jail, *parameters(*PATIENT)


def vernis(
    directory: Path,
    origin_port: int,
    root: Path = peers.ROOT,
    extra: tuple[str, ...] = (),
    only: str = "",
    threads: str = "",
) -> Counted:
    """``only``: counts this function and its callees, and so no timers. ``threads``: see Counted."""
    # With a limited storage an idle worker reads the allocator's statistics twice a second: 300,000
    # instructions each time, which are too many to be subtracted precisely.
    counts = [f"--toggle-collect={only}"] if only else ["--separate-threads=yes"] if threads else []
    valgrind = (*under(directory), *counts)
    server = peers.vernis(directory, origin_port, 1, "", (*options(root), *extra), root, valgrind)
    return Counted(server, directory, threads=threads)


def varnish(directory: Path, origin_port: int, extra: tuple[str, ...] = ()) -> Counted:
    """With few threads, because valgrind runs one at a time."""
    options = parameters("thread_pool_min=10", "thread_pool_stack=256k", *PATIENT)
    server = peers.varnish(directory, origin_port, 1, extra=(*options, *extra), under=under(directory))
    return Counted(server, directory)


def replay(port: int, requests: Iterable[bytes]) -> None:
    """One request after the other over one connection; each is answered by 200."""
    with socket.create_connection(("127.0.0.1", port), 600) as s:
        for request in requests:
            peers.exchange(s, request)
