"""Bodies in memory files beside bodies on the heap: CPU time of misses and hits, in turn.

    benchmarks/bodies.py [--rounds 9] [--seconds 1] [--connections 50] [--runs misses,hits]
                         [--sizes 65536,262144,1000000] [--min 16k] [--storage 256m] [--growing]

Two daemons of this checkout serve the same requests, one with sendfile_min=0b ("heap") and one with
sendfile_min=MIN ("files"). Each round loads both, and the order alternates. In the run "misses" each request
has a different target, and the storage is full before the first counted round, so that each miss evicts. In
"hits" all requests are for one target. Prints CPU microseconds per request of the daemon's processes, and the
ratio files/heap of CPU and requests/s, paired by round, as median [min .. max]. Writes
build/bench/bodies.json. With --limit N it exits with 1 if the CPU ratio of a row of misses is above N.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import hits
import peers

SCRIPT = str(peers.CONF / "misses.lua")


def start_both(directory: Path, args: argparse.Namespace) -> list[peers.Server]:
    """The origin, then "heap" and "files"."""
    servers = [peers.asked_origin(directory)]
    try:
        for name, least in (("heap", "0b"), ("files", args.min)):
            home = peers.folder(directory, name)
            extra = ("-p", f"sendfile_min={least}", *args.vernis_arg)
            server = peers.vernis(home, servers[0].port(), args.threads, args.storage, extra)
            server.name = name
            servers.append(server)
    except BaseException:
        peers.stop_all(servers)
        raise
    return servers


def one(server: peers.Server, run: str, size: int, round_: int, args: argparse.Namespace) -> hits.Sample:
    script = (SCRIPT, run, str(round_), str(size))
    return hits.load(server, size, args.connections, args.seconds, round_, script)


def fill(server: peers.Server, size: int, args: argparse.Namespace) -> None:
    """Misses until the storage has evicted."""
    round_, stored = -1, 0.0
    while stored < 1.3 * args.fill_bytes:
        s = one(server, "misses", size, round_, args)
        stored += s.requests_per_s * args.seconds * size
        round_ -= 1


def row(samples: list[hits.Sample], run: str, size: int) -> dict[str, object]:
    """Prints and returns medians and the ratios of one size."""
    out: dict[str, object] = {"run": run, "size": size, "errors": sum(s.errors for s in samples)}
    of = {n: {s.round: s for s in samples if s.server == n} for n in ("heap", "files")}
    for value in ("cpu_us_per_request", "requests_per_s"):
        mine = {n: [float(getattr(s, value)) for s in of[n].values()] for n in of}
        out[value] = {n: hits.spread(mine[n]) for n in mine}
        pairs = [(a, b) for a, b in zip(mine["files"], mine["heap"], strict=True) if a > 0 and b > 0]
        out[f"{value}_ratio"] = hits.spread([a / b for a, b in pairs])
    cpu, ratio, speed = (
        out["cpu_us_per_request"],
        out["cpu_us_per_request_ratio"],
        out["requests_per_s_ratio"],
    )
    assert isinstance(cpu, dict) and isinstance(ratio, dict) and isinstance(speed, dict)
    print(
        f"{run:<8}{size:>9}{cpu['heap']['median']:>11.1f}{cpu['files']['median']:>11.1f}"
        f"   {ratio['median']:.3f} [{ratio['min']:.2f} .. {ratio['max']:.2f}]"
        f"   {speed['median']:.2f} [{speed['min']:.2f} .. {speed['max']:.2f}]"
        + (f"  {out['errors']} errors" if out["errors"] else ""),
        flush=True,
    )
    return out


def measure(run: str, size: int, args: argparse.Namespace) -> list[hits.Sample]:
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        servers = start_both(directory, args)
        samples: list[hits.Sample] = []
        try:
            for server in servers[1:]:
                if run == "hits" or args.growing:
                    one(server, run, size, 0, args)
                else:
                    fill(server, size, args)
            for round_ in range(1, args.rounds + 1):
                for server in servers[1:] if round_ % 2 else servers[:0:-1]:
                    samples.append(one(server, run, size, round_, args))
        finally:
            peers.stop_all(servers)
        return samples


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rounds", type=int, default=9)
    ap.add_argument("--seconds", type=int, default=1)
    ap.add_argument("--connections", type=int, default=50)
    ap.add_argument("--threads", type=int, default=2, help="loops of each daemon")
    ap.add_argument("--runs", default="misses,hits")
    ap.add_argument("--sizes", default="65536,262144,1000000")
    ap.add_argument("--min", default="16k", help="sendfile_min of the second daemon")
    ap.add_argument("--storage", default="256m")
    ap.add_argument("--growing", action="store_true", help="misses into a storage that is not full")
    ap.add_argument("--vernis-arg", action="append", default=[], help="extra argument for both daemons")
    ap.add_argument("--limit", type=float, help="largest CPU ratio of misses")
    args = ap.parse_args()
    args.fill_bytes = int(args.storage.removesuffix("m")) << 20
    hits.OUT.mkdir(parents=True, exist_ok=True)
    rows, kept = [], []
    print(
        f"{'run':<8}{'bytes':>9}{'heap us':>11}{'files us':>11}   {'CPU files/heap':<22}   req/s files/heap"
    )
    for run in args.runs.split(","):
        for size in map(int, args.sizes.split(",")):
            samples = measure(run, size, args)
            rows.append(row(samples, run, size))
            kept += [asdict(s) for s in samples]
    result = {
        "machine": platform.platform(),
        "date": time.strftime("%Y-%m-%d"),
        "rows": rows,
        "samples": kept,
    }
    (hits.OUT / "bodies.json").write_text(json.dumps(result, indent=1))
    ratios = [r["cpu_us_per_request_ratio"] for r in rows if r["run"] == "misses"]
    above = args.limit is not None and any(isinstance(r, dict) and r["median"] > args.limit for r in ratios)
    return 1 if above else 0


if __name__ == "__main__":
    raise SystemExit(main())
