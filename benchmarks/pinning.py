"""Which CPUs a server, the load generator and the origin get, so that none takes from another.

A server gets one CPU of each of its cores, one socket after another. The origin and the load generator get
the cores that are left, from the end, with both threads of each. Where too few are left, they share the
server's.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SYSTEM = Path("/sys/devices/system/cpu")
LOAD_SHARE = 3  # of the cores one in three is left to the load generator and the origin
CORES_AN_ORIGIN = 4  # of those one in four, and at least one CPU


@dataclass(frozen=True, slots=True, order=True)
class Core:
    socket: int
    number: int
    cpus: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    server: tuple[int, ...]
    load: tuple[int, ...]
    origin: tuple[int, ...]
    n_sockets: int  # of the server

    @property
    def is_shared(self) -> bool:
        """Whether the load takes CPU time from the server: its throughput says nothing then."""
        return bool({*self.load, *self.origin} & set(self.server))


def cores(allowed: set[int], system: Path = SYSTEM) -> list[Core]:
    """The physical cores of the CPUs that may be used."""
    threads: dict[tuple[int, int], list[int]] = {}
    for cpu in sorted(allowed):
        folder = system / f"cpu{cpu}/topology"
        try:
            place = int((folder / "physical_package_id").read_text()), int((folder / "core_id").read_text())
        except OSError:
            place = 0, cpu
        threads.setdefault(place, []).append(cpu)
    return sorted(Core(socket, number, tuple(cpus)) for (socket, number), cpus in threads.items())


def most_loops(found: list[Core]) -> int:
    """The most loops that have their cores to themselves."""
    return max(1, len(found) - max(1, len(found) // LOAD_SHARE))


def loop_counts(found: list[Core]) -> list[int]:
    """1, 2, 4 and so on, the most that have cores to themselves, and as many as there are cores."""
    doubled = {2**i for i in range(len(found).bit_length()) if 2**i <= len(found)}
    return sorted(doubled | {most_loops(found), len(found)})


def plan(found: list[Core], n_loops: int) -> Plan:
    mine = found[:n_loops]
    left = [cpu for core in found[max(n_loops, 1) :] for cpu in core.cpus]
    server = tuple(core.cpus[0] for core in mine)
    n_sockets = len({core.socket for core in mine})
    if n_loops > most_loops(found) or not left:
        everywhere = tuple(cpu for core in found for cpu in core.cpus)
        return Plan(server, everywhere, everywhere, n_sockets)
    if len(left) == 1:
        return Plan(server, tuple(left), tuple(left), n_sockets)
    n_origin = max(1, len(left) // CORES_AN_ORIGIN)
    return Plan(server, tuple(left[:-n_origin]), tuple(left[-n_origin:]), n_sockets)


def under(cpus: tuple[int, ...]) -> tuple[str, ...]:
    """The command that runs another one on these CPUs."""
    return ("taskset", "-c", ",".join(map(str, cpus)))


def machine(found: list[Core]) -> Iterator[str]:
    """Two lines: processor and kernel; cores, sockets, nodes and memory."""
    text = Path("/proc/cpuinfo").read_text()
    model = re.search(r"^model name\s*: (.*)$", text, re.M)
    n_cpus, sockets = sum(len(core.cpus) for core in found), {core.socket for core in found}
    nodes = len(list(SYSTEM.parent.glob("node/node[0-9]*"))) or 1
    yield f"{model.group(1) if model else platform.machine()}, Linux {platform.release()}"
    yield (
        f"{len(found)} cores in {len(sockets)} socket(s), {n_cpus} CPUs, {nodes} NUMA node(s), "
        f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') >> 30} GiB"
    )
