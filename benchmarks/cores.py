"""Measures what more cores give: Vernis, Varnish, nginx, HAProxy with 1, 2, 4 ... loops or threads, in turn.

    benchmarks/cores.py [--seconds 2] [--loops 1,2,4] [--only many,hot] [--peers varnish,nginx]

* many: hits on 1,000 objects; hot: hits on one; 100 bytes;
* miss: each request has a target of its own; pass: no response may be stored; 1,000 bytes;
* connection: a hit on one object over a connection of its own.

Each server is pinned to one CPU of as many cores as it has loops. wrk and the origin are pinned to the
cores that are left (benchmarks/pinning.py). Reports requests/s, CPU microseconds per request of the
server's processes, both over those of the server with one loop, Vernis over the peer, and how busy the CPUs
of the server and of wrk were. A row with a mark does not show what the server can do: the notes below the
table say why.

It needs `make build`, wrk and taskset, and no network. A peer that is not installed is named and left out.
16 cores take 8 minutes. Writes build/bench/cores.json.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import hits
import peers
import pinning

SCRIPT = str(peers.CONF / "cores.lua")
KINDS = ("many", "hot", "miss", "pass", "connection")
OBJECTS = 1000  # as in conf/cores.lua
PASS = 'sub vcl_recv {\n    if (req.url ~ "[?]pass") {\n        return (pass);\n    }\n}\n'
EDITS = {'.port = "@ORIGIN@";\n}\n': '.port = "@ORIGIN@";\n}\n' + PASS, "keepalive 16;": "keepalive 256;"}
CONNECTIONS_A_LOOP, CONNECTIONS_LEAST = 32, 64
ORIGIN_THREADS_MAX = 64  # of floor.c
BUSY = 0.95  # a load generator or origin with more is the limit
STARTS: dict[str, tuple[str, Callable[..., peers.Server]]] = {
    "varnish": ("varnishd", peers.varnish),
    "nginx": ("nginx", peers.nginx),
    "haproxy": ("haproxy", peers.haproxy),
}
IDLE = 0.8  # a server with less, whose load had time left, did not have its CPUs
NOTES = {
    "S": "the load and the server share CPUs: this cannot show throughput, only CPU per request",
    "I": "neither the server nor its load was busy: other programs had the CPUs",
    "L": f"wrk used {BUSY:.0%} of its CPUs: the server can do more",
    "O": f"the origin used {BUSY:.0%} of its CPUs: the server can do more",
    "E": "there were errors",
}


@dataclass(slots=True)
class Row:
    kind: str
    server: str
    loops: int
    sockets: int
    requests_per_s: float
    cpu_us: float
    busy: float  # share of the server's CPUs
    load_busy: float
    marks: str


def warm(port: int) -> None:
    """Asks for each object that hits want."""
    with socket.create_connection(("127.0.0.1", port), 10) as s:
        for n in range(1, OBJECTS + 1):
            peers.exchange(s, f"GET /gen/100?as={n} HTTP/1.1\r\nHost: bench\r\n\r\n".encode())


def children_seconds() -> float:
    """CPU time of the programs that have ended: of wrk, because the servers still run."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(
    server: peers.Server, origin: peers.Server, plan: pinning.Plan, kind: str, seconds: int, seed: int
) -> Row:
    loops = len(plan.server)
    connections = max(CONNECTIONS_LEAST, CONNECTIONS_A_LOOP * loops)
    before, began = (children_seconds(), peers.cpu_seconds(origin.pids())), time.monotonic()
    sample = hits.load(
        server,
        0,
        connections,
        seconds,
        0,
        (SCRIPT, kind, str(seed)),
        len(plan.load),
        pinning.under(plan.load),
    )
    took = time.monotonic() - began
    by_load = (children_seconds() - before[0]) / took / len(plan.load)
    by_origin = (peers.cpu_seconds(origin.pids()) - before[1]) / took / len(plan.origin)
    busy = sample.requests_per_s * sample.cpu_us_per_request / 1e6 / loops
    is_so = {
        "S": plan.is_shared,
        "I": not plan.is_shared and busy < IDLE and max(by_load, by_origin) <= BUSY,
        "L": by_load > BUSY,
        "O": by_origin > BUSY,
        "E": sample.errors > 0,
    }
    return Row(
        kind,
        server.name,
        loops,
        plan.n_sockets,
        sample.requests_per_s,
        sample.cpu_us_per_request,
        busy,
        by_load,
        "".join(mark for mark, holds in is_so.items() if holds),
    )


def rows_with(
    directory: Path, plan: pinning.Plan, names: list[str], kinds: list[str], seconds: int
) -> Iterator[Row]:
    """One server after another, so that none takes memory bandwidth from the one that is measured."""
    loops, mine = len(plan.server), pinning.under(plan.server)
    for number, name in enumerate(names):
        folder = peers.folder(directory, f"{name}-{loops}")
        threads = min(len(plan.origin), ORIGIN_THREADS_MAX)
        origin = peers.asked_origin(folder, threads, pinning.under(plan.origin))
        try:
            start = peers.vernis if name == "vernis" else STARTS[name][1]
            server = start(folder, origin.port(), loops, under=mine)
            try:
                warm(server.port())
                for kind in kinds:
                    yield measure(server, origin, plan, kind, seconds, loops * 10 + number)
            finally:
                server.stop()
        finally:
            origin.stop()


def ratio(row: Row, to: Row | None, of: str) -> str:
    """``of`` "cpu_us" or of "requests_per_s", which says nothing if a server did not have its CPUs."""
    if to is None or (of == "requests_per_s" and {*row.marks, *to.marks} & {"S", "I"}):
        return ""
    return f"{getattr(row, of) / getattr(to, of):.2f}"


def table(rows: list[Row]) -> Iterator[str]:
    known = {(row.kind, row.server, row.loops): row for row in rows}
    for kind in dict.fromkeys(row.kind for row in rows):
        yield f"\n{kind}"
        yield (
            f"  {'loops':>5} {'sockets':>7}  {'server':<9}{'req/s':>10}{'x one loop':>12}{'vernis/it':>11}"
            f"{'CPU us/req':>12}{'x one loop':>12}{'vernis/it':>11}{'busy':>7}{'wrk busy':>10}"
        )
        for row in sorted((r for r in rows if r.kind == kind), key=lambda r: r.loops):
            one = known.get((kind, row.server, 1))
            ours = known[kind, "vernis", row.loops]
            peer = None if row is ours else row
            yield (
                f"  {row.loops:>5} {row.sockets:>7}  {row.server:<9}{row.requests_per_s:>10.0f}"
                f"{ratio(row, one, 'requests_per_s'):>12}{ratio(ours, peer, 'requests_per_s'):>11}"
                f"{row.cpu_us:>12.1f}{ratio(row, one, 'cpu_us'):>12}{ratio(ours, peer, 'cpu_us'):>11}"
                f"{row.busy:>7.0%}{row.load_busy:>10.0%}  {row.marks}".rstrip()
            )
    yield ""
    for mark, text in NOTES.items():
        if any(mark in row.marks for row in rows):
            yield f"  {mark}: {text}"


def installed(wanted: list[str]) -> list[str]:
    """The servers to measure. Names those that cannot be."""
    for program in ("wrk", "taskset"):
        if shutil.which(program) is None:
            package = "util-linux" if program == "taskset" else program
            raise SystemExit(f"benchmarks/cores.py: {program} is not installed: apt-get install {package}")
    for name in wanted:
        if name not in STARTS:
            raise SystemExit(f"benchmarks/cores.py: no peer {name!r}: choose of {', '.join(STARTS)}")
        if shutil.which(STARTS[name][0]) is None:
            print(f"{STARTS[name][0]} is not installed, so {name} is left out", file=sys.stderr)
    return ["vernis", *(name for name in wanted if shutil.which(STARTS[name][0]))]


def listed(text: str) -> list[str]:
    return text.split(",")


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--seconds", type=int, default=2, help="of load in each row")
    ap.add_argument("--loops", type=lambda text: [int(n) for n in text.split(",")])
    ap.add_argument("--only", type=listed, default=list(KINDS), help=f"kinds of requests: {','.join(KINDS)}")
    ap.add_argument("--peers", type=listed, default=list(STARTS))
    args = ap.parse_args()
    if unknown := [kind for kind in args.only if kind not in KINDS]:
        ap.error(f"--only: no kind {unknown[0]!r}: choose of {', '.join(KINDS)}")
    names = installed([name for name in args.peers if name])
    found = pinning.cores(os.sched_getaffinity(0))
    counts = args.loops or pinning.loop_counts(found)
    if wrong := [n for n in counts if not 1 <= n <= len(found)]:
        ap.error(f"--loops: {wrong[0]}, but this process may use {len(found)} cores")
    described = list(pinning.machine(found))
    print(*described, sep="\n")
    peers.EDITS |= EDITS
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        for loops in counts:
            plan = pinning.plan(found, loops)
            print(f"{loops} loop(s): {plan}")
            rows += rows_with(directory, plan, names, args.only, args.seconds)
    print(*table(rows), sep="\n")
    hits.OUT.mkdir(parents=True, exist_ok=True)
    result = {"machine": described, "date": time.strftime("%Y-%m-%d"), "rows": [asdict(row) for row in rows]}
    (hits.OUT / "cores.json").write_text(json.dumps(result, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
