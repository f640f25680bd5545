"""The limits of a process that compiles. Options of ``vernis compile-server`` change them."""

from __future__ import annotations

import ctypes
import math
import os
import resource
import signal
from dataclasses import dataclass

COMPILE_CPU_S = 40
COMPILE_WALL_S = 55  # below the daemon's compile_timeout, which kills the server itself
COMPILE_MEMORY_BYTES = 2 << 30  # on top of the parent's mappings
COMPILE_FILE_BYTES = 256 << 20

_PR_SET_PDEATHSIG = 1


@dataclass(slots=True, frozen=True)
class Limits:
    cpu_s: int = COMPILE_CPU_S
    wall_s: float = COMPILE_WALL_S
    memory_bytes: int = COMPILE_MEMORY_BYTES


def die_with(parent: int) -> None:
    """Ends this process when its parent dies, also if the parent died before this call."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def limit_cpu(limits: Limits) -> None:
    """Limits CPU time from now on. The time until now does not count. A process compiles several policies, so
    only the soft limit is set, which can be raised again; it ends the process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _set_soft_limit(resource.RLIMIT_CPU, math.ceil(used.ru_utime + used.ru_stime) + limits.cpu_s)


def limit_memory(limits: Limits) -> None:
    """Limits memory from now on. What is mapped now does not count, so a process that has compiled before may
    use as much as a new one."""
    mapped, _ = _pages()
    _set_soft_limit(resource.RLIMIT_AS, mapped * resource.getpagesize() + limits.memory_bytes)
    _lower_limit(resource.RLIMIT_FSIZE, COMPILE_FILE_BYTES)
    _lower_limit(resource.RLIMIT_CORE, 0)


def resident_bytes() -> int:
    """Resident memory of this process."""
    _, resident = _pages()
    return resident * resource.getpagesize()


def _pages() -> tuple[int, int]:
    """The pages that this process has mapped, and those that are resident."""
    with open("/proc/self/statm", encoding="ascii") as statm:
        mapped, resident = statm.read().split()[:2]
    return int(mapped), int(resident)


def _set_soft_limit(which: int, value: int) -> None:
    """Sets the limit that counts, and leaves the one that this process could not raise again."""
    _, hard = resource.getrlimit(which)
    resource.setrlimit(which, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def _lower_limit(which: int, value: int) -> None:
    """Lowers a limit; never raises it."""
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))
