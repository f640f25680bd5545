"""Cache hits: Vernis, Varnish, nginx, HAProxy and a minimal server (the "floor"), in turn.

    benchmarks/hits.py [--rounds N] [--seconds S] [--sizes 100,10000,50000]
                       [--connections 10,100,1000] [--peers floor,varnish,nginx,haproxy] [--all]

For each body size and number of connections (a "cell"), wrk loads every server in turn for a few seconds, in
several rounds. Reports requests/s, 99th percentile, CPU microseconds per request of the server's processes
(user + system, as the kernel counts them), PSS, and the ratios Vernis/peer, paired by round, as median
[min .. max]. On a shared machine only the ratios are meaningful. The run is void if the floor needs more than
0.55 of HAProxy's CPU in a cell of 100 connections and at most 10 KB: then something else limited the servers.
Writes build/bench/hits.json and hits.png.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers

OUT = peers.ROOT / "build/bench"
# The floor is a measure only in these cells. With few connections each request costs every server a wake-up,
# and with large bodies copying dominates.
VOID_ABOVE, VOID_CONNECTIONS, VOID_SIZE = 0.55, 100, 10_000
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0}


@dataclass(slots=True)
class Sample:
    """One server in one cell and one round. Times are in microseconds, memory in bytes."""

    server: str
    size: int
    connections: int
    round: int
    requests_per_s: float
    p99_us: float
    cpu_us_per_request: float
    pss_bytes: int
    errors: int


def load(
    server: peers.Server,
    size: int,
    connections: int,
    seconds: int,
    round_: int,
    script: tuple[str, ...] = (),
    threads: int = 2,
    under: tuple[str, ...] = (),
) -> Sample:
    """Runs wrk. ``script`` is a Lua program that makes the requests, with its arguments. ``under`` is a
    command that runs wrk."""
    url = f"http://127.0.0.1:{server.port(size)}/{size}.html"
    pids = server.pids()
    before, started = peers.cpu_seconds(pids), time.monotonic()
    text = subprocess.run(
        [
            *under,
            "wrk",
            f"-t{min(threads, connections)}",
            f"-c{connections}",
            f"-d{seconds}s",
            "--latency",
            *(["-s", script[0], url, "--", *script[1:]] if script else [url]),
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    spent = peers.cpu_seconds(pids) - before
    counted, latency = re.search(r"(\d+) requests in", text), re.search(r"99%\s+([\d.]+)(us|ms|s|m)", text)
    assert counted is not None and latency is not None, text
    requests, (p99, unit) = int(counted.group(1)), latency.groups()
    errors = sum(int(n) for n in re.findall(r"(?:connect|read|write|timeout) (\d+)", text))
    other = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    errors += int(other.group(1)) if other else 0
    elapsed = time.monotonic() - started
    return Sample(
        server.name,
        size,
        connections,
        round_,
        requests / elapsed,
        float(p99) * UNITS[unit] * 1e6,
        spent / max(requests, 1) * 1e6,
        peers.pss_bytes(pids),
        errors,
    )


def spread(values: list[float]) -> dict[str, float]:
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def shown(ratio: object) -> str:
    """Text of a ratio that `spread` made; anything else is a missing one."""
    if not isinstance(ratio, dict):
        return "-"
    return f"{ratio['median']:.2f} [{ratio['min']:.2f} .. {ratio['max']:.2f}]"


def numbers(text: str) -> list[int]:
    """Of an option: 100,10000."""
    return [int(n) for n in text.split(",")]


def ratios(samples: list[Sample], size: int, connections: int, peer: str, value: str) -> dict[str, float]:
    """The ratio Vernis/peer, paired by round."""

    def of(name: str) -> dict[int, float]:
        return {
            s.round: getattr(s, value)
            for s in samples
            if (s.server, s.size, s.connections) == (name, size, connections)
        }

    ours, theirs = of("vernis"), of(peer)
    return spread([ours[r] / theirs[r] for r in ours if r in theirs and theirs[r] > 0])


def report(samples: list[Sample], cells: list[tuple[int, int]], names: list[str]) -> dict[str, object]:
    table: list[dict[str, object]] = []
    for size, connections in cells:
        print(f"\n{size} bytes, {connections} connections")
        print(
            f"  {'server':<10}{'req/s':>10}{'p99 us':>10}{'CPU us/req':>12}{'PSS MiB':>9}  "
            f"{'CPU vernis/it':<24}{'req/s vernis/it':<24}"
        )
        for name in names:
            mine = [s for s in samples if (s.server, s.size, s.connections) == (name, size, connections)]
            row: dict[str, object] = {
                "size": size,
                "connections": connections,
                "server": name,
                "errors": sum(s.errors for s in mine),
            }
            figures = {
                value: spread([float(getattr(s, value)) for s in mine])
                for value in ("requests_per_s", "p99_us", "cpu_us_per_request", "pss_bytes")
            }
            row |= figures
            tail = ""
            if name != "vernis":
                for value in ("cpu_us_per_request", "requests_per_s"):
                    r = ratios(samples, size, connections, name, value)
                    row[f"vernis_over_it_{value}"] = r
                    tail += f"{r['median']:.2f} [{r['min']:.2f} .. {r['max']:.2f}]".ljust(24)
            print(
                f"  {name:<10}{figures['requests_per_s']['median']:>10.0f}"
                f"{figures['p99_us']['median']:>10.0f}{figures['cpu_us_per_request']['median']:>12.2f}"
                f"{figures['pss_bytes']['median'] / 2**20:>9.1f}  {tail}"
                + (f"  {row['errors']} errors" if row["errors"] else "")
            )
            table.append(row)
    return {"cells": table}


def void_cells(samples: list[Sample], cells: list[tuple[int, int]]) -> list[str]:
    """Cells in which the floor costs too much to be a lower bound."""
    bad: list[str] = []
    if not {"floor", "haproxy"} <= {s.server for s in samples}:
        return bad
    for size, connections in cells:
        cpu = {
            name: statistics.median(
                s.cpu_us_per_request
                for s in samples
                if (s.server, s.size, s.connections) == (name, size, connections)
            )
            for name in ("floor", "haproxy")
        }
        share = cpu["floor"] / cpu["haproxy"]
        if connections == VOID_CONNECTIONS and size <= VOID_SIZE and share > VOID_ABOVE:
            bad.append(
                f"{size} B, {connections} connections: "
                f"the floor costs {share:.2f} of HAProxy's CPU (limit {VOID_ABOVE})"
            )
    return bad


def chart(samples: list[Sample], cells: list[tuple[int, int]], names: list[str], path: Path) -> None:
    try:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        print("no chart: matplotlib is not installed", file=sys.stderr)
        return
    figure, axes = plt.subplots(2, 1, figsize=(12, 8), layout="constrained")
    for axis, value, title in (
        (axes[0], "cpu_us_per_request", "CPU microseconds per request (less is better)"),
        (axes[1], "requests_per_s", "requests per second, load generator on the same machine"),
    ):
        for i, name in enumerate(names):
            heights = [
                statistics.median(
                    getattr(s, value) for s in samples if (s.server, s.size, s.connections) == (name, *cell)
                )
                for cell in cells
            ]
            axis.bar(
                [c + i * 0.8 / len(names) for c in range(len(cells))], heights, 0.8 / len(names), label=name
            )
        axis.set_xticks([c + 0.3 for c in range(len(cells))], [f"{s} B\n{c} conns" for s, c in cells])
        axis.set_title(title)
        axis.legend()
    figure.savefig(path, dpi=110)
    print(f"chart: {path}")


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rounds", type=int, default=3)
    ap.add_argument("--seconds", type=int, default=3)
    ap.add_argument("--sizes", default="100,10000,50000")
    ap.add_argument("--connections", default="10,100,1000")
    ap.add_argument("--threads", type=int, default=2, help="threads of every server")
    ap.add_argument(
        "--peers", type=lambda text: text.split(","), default=["floor", "varnish", "nginx", "haproxy"]
    )
    ap.add_argument(
        "--all", action="store_true", help="add Squid, Traffic Server and httpd if they are installed"
    )
    ap.add_argument("--vernis-arg", action="append", default=[], help="extra argument for vernisd")
    args = ap.parse_args()
    sizes = [int(s) for s in args.sizes.split(",")]
    connections = [int(c) for c in args.connections.split(",")]
    cells = [(s, c) for s in sizes for c in connections]
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        servers: list[peers.Server] = []
        samples: list[Sample] = []
        try:
            servers.append(peers.origin(directory, sizes))
            port = servers[0].port()
            if "floor" in args.peers:
                servers.append(peers.floor(directory, args.threads, sizes))
            servers.append(peers.vernis(directory, port, args.threads, extra=tuple(args.vernis_arg)))
            for name, start in (
                ("varnish", peers.varnish),
                ("nginx", peers.nginx),
                ("haproxy", peers.haproxy),
            ):
                if name in args.peers:
                    servers.append(start(directory, port, args.threads))
            if args.all:
                import more_peers

                servers += more_peers.start_all(directory, port, args.threads)
            loaded = servers[1:]
            for server in loaded:
                for size in sizes:
                    for _ in range(3):
                        status, body = peers.get(server.port(size), f"/{size}.html")
                        assert status == 200 and len(body) == size, (
                            f"{server.name} answers {status}, {len(body)} bytes"
                        )
            for round_ in range(args.rounds):
                for size, conns in cells:
                    for server in loaded:
                        samples.append(load(server, size, conns, args.seconds, round_))
        finally:
            for server in servers:
                server.stop()
    names = [s.name for s in loaded]
    result = report(samples, cells, names)
    bad = void_cells(samples, cells)
    for line in bad:
        print(f"VOID: {line}")
    result |= {
        "machine": platform.platform(),
        "cpus": platform.processor(),
        "date": time.strftime("%Y-%m-%d"),
        "threads": args.threads,
        "versions": {s.name: s.version for s in loaded},
        "void": bad,
        "samples": [asdict(s) for s in samples],
    }
    (OUT / "hits.json").write_text(json.dumps(result, indent=1))
    chart(samples, cells, names, OUT / "hits.png")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
