"""How many times the throughput of one loop 64 have, by a simulation: no machine of ours has so many cores.

    benchmarks/model_cores.py [--count] [--limits]

The inputs are in benchmarks/model_cores.tsv. --count writes them anew: the locks and shared lines of a
request are counted as for tests/data/shared_lines.tsv (`make lines`), and CPU per request and writes to the
log are measured under load. Each row has, per request:

* cpu: microseconds with one loop;
* counted: the locks and changes that tests/data/shared_lines.tsv had, so that stale inputs are noticed;
* lock, change: of lines that three quarters of the loops use ("common" and a number), or of another line
  for each object or shard ("spread"), by the file of the code.

What is not counted is assumed. The order is random. A lock is held for HOLD_NS and the changes that its
file makes. Locks of other lines, and with hits also changes, are of 1,024 lines that another loop had last.
Kernel, network and memory bandwidth scale. Plain reads are free.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import cores
import hits
import peers
import pinning
from proxy import shared_lines
from simulation import Kind, Machine, Step

INPUTS = Path(__file__).resolve().with_suffix(".tsv")
HEAD = "# kind\tline\tfile\twhat\tper request"
# Kind of the requests of wrk, and the storage, to measure CPU per request.
LOADS = {
    "hit on many objects": ("many", "256m"),
    "hit on one object": ("hot", "256m"),
    "miss": ("miss", "1g"),
    "miss with eviction": ("miss", "8m"),
    "pass": ("pass", "256m"),
    "hit-for-miss": ("hit-for-miss", "256m"),
}
MACHINES = ((1, 64), (2, 64), (8, 64), (32, 64), (64, 64), (64, 32))  # loops, and cores of a socket
HOLD_NS = 100.0
SPREAD = 1024
LEAST = 0.05  # of a row
CONNECTIONS, SECONDS, ROUNDS = 32, 2, 3
LIMITED, LIMIT = ("hit on one object", "miss"), 50.0
LOG = "ring.c"
STALE = 5.0  # a request, counted more or less than when the inputs were written


@dataclass(slots=True)
class File:
    """Locks and changes of shared lines by the code of a file, per request: (line, number)."""

    locks: list[tuple[str, float]] = field(default_factory=list)
    changes: list[tuple[str, float]] = field(default_factory=list)


@dataclass(slots=True)
class Request:
    cpu_us: float = 0.0
    counted: float = 0.0
    files: dict[str, File] = field(default_factory=lambda: defaultdict(File))

    def steps(self, chance: random.Random) -> list[Step]:
        """Of one request: the parts of the files in random order, with the work between."""
        own = chance.randrange(SPREAD)
        parts = [part for file in self.files.values() for part in parts_of(file, own, chance)]
        chance.shuffle(parts)
        work = [Step(Kind.WORK, "", self.cpu_us * 1000 / (len(parts) + 1) * chance.uniform(0.8, 1.2))]
        return [*work, *(step for part in parts for step in (*part, *work))]


def whole(number: float, chance: random.Random) -> int:
    return int(number + chance.random())


def parts_of(file: File, own: int, chance: random.Random) -> Iterator[list[Step]]:
    """Each lock with its share of the changes, or each change alone."""

    def named(line: str) -> str:
        return f"{line} {own}" if line.startswith("spread") else line

    changes = [Step(Kind.TOUCH, named(line)) for line, n in file.changes for _ in range(whole(n, chance))]
    locks = [named(line) for line, n in file.locks for _ in range(whole(n, chance))]
    if not locks:
        yield from ([change] for change in changes)
    for i, line in enumerate(locks):
        held = [Step(Kind.WORK, "", HOLD_NS), *changes[i :: len(locks)]]
        yield [Step(Kind.LOCK, line), *held, Step(Kind.UNLOCK, line)]


# ---- inputs ----------------------------------------------------------------


def read(lines: Iterable[str]) -> dict[str, Request]:
    requests: dict[str, Request] = defaultdict(Request)
    for text in lines:
        if text.startswith("#"):
            continue
        kind, line, file, what, number = text.rstrip("\n").split("\t")
        if what == "cpu":
            requests[kind].cpu_us = float(number)
        elif what == "counted":
            requests[kind].counted = float(number)
        else:
            mine = requests[kind].files[file]
            (mine.locks if what == "lock" else mine.changes).append((line, float(number)))
    return dict(requests)


def rows_of(done: shared_lines.Round, n_loops: int, log_writes: float) -> Iterator[str]:
    """Requests that are counted come one by one, and each writes to the log: under load one writes for
    several."""
    lines = shared_lines.Lines(done.counts, n_loops)
    files = {
        place: name.partition(":")[0]
        for place, name in shared_lines.functions((c.place for c in done.counts), done.base).items()
    }
    changes, writes = Counter[tuple[str, str, str]](), Counter[tuple[str, str, str]]()
    names: dict[int, str] = {}
    for c in done.counts:
        what, is_common = shared_lines.KINDS[c.kind], lines.is_common(c)
        if is_common:
            names.setdefault(c.line, f"common {len(names) + 1}")
        if what in ("lock", "rmw", "store") and (is_common or is_of_another(done.kind, what)):
            line = names.get(c.line, "spread")
            changes[line, files[c.place], "lock" if what == "lock" else "change"] += c.n
        elif what == "write" and is_common:
            writes[names[c.line], files[c.place], "change"] += c.n
    for key, n in writes.items():  # several plain writes move a line once
        changes[key] = max(changes[key], min(n, done.n_requests))
    appends = sum(n for (_, file, what), n in changes.items() if file == LOG and what == "lock")
    for (line, file, what), n in sorted(changes.items()):
        each = n / done.n_requests if file != LOG else n / appends * log_writes
        if each >= LEAST:
            yield f"{done.kind}\t{line}\t{file}\t{what}\t{each:.2f}"


def counted(kind: str, lines: Iterable[str]) -> float:
    """Locks and changes of a request in a table as tests/data/shared_lines.tsv."""
    rows = shared_lines.numbers(lines)
    return sum(n for key, n in rows.items() if key[0] == kind and key[1] in ("lock", "rmw"))


def stale(requests: dict[str, Request], lines: list[str]) -> Iterator[str]:
    for kind, request in requests.items():
        if abs((now := counted(kind, lines)) - request.counted) > STALE:
            was = f"{now:.1f} locks and changes, not {request.counted:.1f}"
            yield f"{kind}: {was}: make model-cores counts anew"


def is_of_another(kind: str, what: str) -> bool:
    """Whether another loop had a line of one object or shard last. What a miss changes is new and its
    own."""
    return what == "lock" or (what == "rmw" and kind.startswith("hit on"))


def counter(directory: Path, name: str) -> float:
    vernis = str(peers.ROOT / "build/bin/vernis")
    done = subprocess.run(
        [vernis, "stat", "-n", str(directory / "vernis"), "-j", "-f", name],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(json.loads(done.stdout)["counters"][name]["value"])


def measured(directory: Path, kind: str) -> tuple[float, float]:
    """CPU microseconds and writes to the log per request with one loop: the least of some rounds."""
    wanted, storage = LOADS[kind]
    plan = pinning.plan(pinning.cores(os.sched_getaffinity(0)), 1)
    origin = peers.asked_origin(directory, 1, pinning.under(plan.origin))
    try:
        server = peers.vernis(directory, origin.port(), 1, storage, under=pinning.under(plan.server))
        try:
            cores.warm(server.port())
            costs: list[tuple[float, float]] = []
            for seed in range(ROUNDS):
                before = [counter(directory, f"MAIN.{n}") for n in ("shm_writes", "client_req")]
                script = (cores.SCRIPT, wanted, str(seed + 1))
                sample = hits.load(
                    server, 0, CONNECTIONS, SECONDS, seed, script, len(plan.load), pinning.under(plan.load)
                )
                after = [counter(directory, f"MAIN.{n}") for n in ("shm_writes", "client_req")]
                writes, asked = (b - a for a, b in zip(before, after, strict=True))
                costs.append((sample.cpu_us_per_request, writes / asked))
            return min(costs)
        finally:
            server.stop()
    finally:
        origin.stop()


def count(n_loops: int) -> Iterator[str]:
    if not shared_lines.COUNTING.exists():
        raise SystemExit(
            "benchmarks/model_cores.py: build/counting/vernisd is missing: make build/counting/vernisd"
        )
    peers.EDITS |= cores.EDITS
    yield HEAD
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        rounds = list(shared_lines.rounds_of_all_kinds(peers.folder(directory, "lines"), n_loops))
        for done in rounds:
            if done.kind in LOADS:
                cpu, log_writes = measured(peers.folder(directory, done.kind.replace(" ", "-")), done.kind)
                yield f"{done.kind}\t-\t-\tcpu\t{cpu:.1f}"
                now = counted(done.kind, map(str, shared_lines.table(done, n_loops)))
                yield f"{done.kind}\t-\t-\tcounted\t{now:.1f}"
                yield from rows_of(done, n_loops, log_writes)


# ---- table -----------------------------------------------------------------


@dataclass(slots=True, frozen=True)
class Result:
    kind: str
    rates: list[float]  # requests/s on each of MACHINES
    limit: str  # the files of the line on which the last machine waited longest

    @property
    def gains(self) -> list[float]:
        return [rate / self.rates[0] for rate in self.rates]


def simulate(kind: str, request: Request, machines: Iterable[tuple[int, int]] = MACHINES) -> Result:
    rates, waited = [], Counter[str]()
    for n_loops, a_socket in machines:
        machine = Machine(n_loops, a_socket, request.steps)
        rates.append(machine.requests_per_s(request.cpu_us * 1000))
        waited = machine.waited
    return Result(kind, rates, limit_of(request, waited))


def limit_of(request: Request, waited: Counter[str]) -> str:
    lines = Counter[str]()
    for name, ns in waited.items():
        lines["spread" if name.startswith("spread") else name] += ns
    for line, _ in lines.most_common(1):
        users = [name for name, file in request.files.items() if line in dict([*file.locks, *file.changes])]
        return ", ".join(users)
    return "none"


def table(results: Iterable[Result]) -> Iterator[str]:
    heads = [
        f"{loops}, {'2 sockets' if a_socket < loops else '1 socket'}" if loops == 64 else str(loops)
        for loops, a_socket in MACHINES
    ]
    yield f"| | {' | '.join(heads)} | longest waits |"
    yield "|---" * (len(heads) + 2) + "|"
    for result in results:
        gains = [f"{gain:.1f}" if gain < 10 else f"{gain:.0f}" for gain in result.gains]
        gains[0] = f"{result.rates[0] / 1000:.0f}k/s"
        gains[-1] += f" ({result.rates[-1] / 1e6:.2f}M/s)"
        yield f"| {result.kind} | {' | '.join(gains)} | {result.limit} |"


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--count", action="store_true", help=f"write {INPUTS.name} anew")
    ap.add_argument("--loops", type=int, default=shared_lines.LOOPS, help="that are counted")
    ap.add_argument("--limits", action="store_true", help=f"exit with 1 below {LIMIT:.0f} times one loop")
    args = ap.parse_args()
    if args.count:
        INPUTS.write_text("".join(f"{line}\n" for line in count(args.loops)))
    requests = read(INPUTS.read_text().splitlines())
    results = [simulate(kind, request) for kind, request in requests.items()]
    print(*table(results), sep="\n")
    for warning in stale(requests, shared_lines.TABLE.read_text().splitlines()):
        print(warning, file=sys.stderr)
    missed = [r for r in results if r.kind in LIMITED and r.gains[-1] < LIMIT]
    for r in missed if args.limits else ():
        print(f"{r.kind}: {r.gains[-1]:.1f} times one loop, not {LIMIT:.0f}", file=sys.stderr)
    return int(args.limits and bool(missed))


if __name__ == "__main__":
    sys.exit(main())
