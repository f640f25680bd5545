"""Misses: Vernis, Varnish, nginx and Traffic Server (if it is installed), in turn.

    benchmarks/misses.py [--rounds 5] [--seconds 3] [--connections 50] [--runs misses,mixed] [--bytes 1000]

* misses: each request has a different target, so every response comes from the origin and is stored;
* mixed: bodies of 10 to 40 KB. Three quarters of the requests are for 3,100 targets that may be stored, the
  others are passes.

The origin is benchmarks/floor.c, which needs a small fraction of a proxy's CPU time. Reports requests/s, 99th
percentile, CPU microseconds per request of the server's processes, and ratios Vernis/peer, paired by round,
as median [min .. max]. The rounds of "mixed" share one cache; its first round is not counted. Writes
build/bench/misses.json. With --limits it exits with 1 unless Vernis has at least 2.5 times Varnish's
requests/s with at most a third of its CPU per request.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import hits
import more_peers
import peers

SCRIPT = str(peers.CONF / "misses.lua")
STORAGE = "256m"
PASS = (
    'sub vcl_recv {\n    if (req.url ~ "^/gen/" && req.url !~ "[?]as=") {\n        return (pass);\n    }\n}\n'
)
CPU_MOST, SPEED_LEAST = 1 / 3, 2.5


def start_all(directory: Path, threads: int) -> list[peers.Server]:
    peers.EDITS |= {
        '.port = "@ORIGIN@";\n}\n': '.port = "@ORIGIN@";\n}\n' + PASS,
        "keepalive 16;": "keepalive 256;",
    }
    servers = [peers.asked_origin(directory)]
    port = servers[0].port()
    try:
        servers.append(peers.vernis(directory, port, threads, STORAGE))
        servers.append(peers.varnish(directory, port, threads, STORAGE))
        servers.append(peers.nginx(directory, port, threads))
        if shutil.which("traffic_server") is not None:
            servers.append(more_peers.trafficserver(directory, port, threads))
    except BaseException:
        peers.stop_all(servers)
        raise
    return servers


def table(samples: list[hits.Sample], names: list[str]) -> tuple[list[dict[str, object]], bool]:
    """Prints and returns the rows of one run, and whether Vernis is within the limits."""
    rows, good = [], True
    print(
        f"  {'server':<14}{'req/s':>9}{'p99 ms':>9}{'CPU us/req':>12}  "
        f"{'CPU vernis/it':<24}{'req/s vernis/it':<24}"
    )
    cell = samples[0].size, samples[0].connections
    for name in names:
        mine = [s for s in samples if s.server == name]
        row: dict[str, object] = {"server": name, "errors": sum(s.errors for s in mine)}
        figures = {
            v: hits.spread([float(getattr(s, v)) for s in mine])
            for v in ("requests_per_s", "p99_us", "cpu_us_per_request")
        }
        row |= figures
        tail = ""
        if name != "vernis":
            both = [hits.ratios(samples, *cell, name, v) for v in ("cpu_us_per_request", "requests_per_s")]
            row |= {"cpu_ratio": both[0], "requests_ratio": both[1]}
            tail = "".join(f"{r['median']:.2f} [{r['min']:.2f} .. {r['max']:.2f}]".ljust(24) for r in both)
            if name == "varnish":
                good = both[0]["median"] <= CPU_MOST and both[1]["median"] >= SPEED_LEAST
        print(
            f"  {name:<14}{figures['requests_per_s']['median']:>9.0f}"
            f"{figures['p99_us']['median'] / 1000:>9.1f}{figures['cpu_us_per_request']['median']:>12.1f}  "
            f"{tail}" + (f"  {row['errors']} errors" if row["errors"] else "")
        )
        rows.append(row)
    return rows, good


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rounds", type=int, default=5)
    ap.add_argument("--seconds", type=int, default=3)
    ap.add_argument("--connections", type=int, default=50)
    ap.add_argument("--threads", type=int, default=2, help="threads of every server")
    ap.add_argument("--runs", default="misses,mixed")
    ap.add_argument("--bytes", type=int, default=1000, help="size of a body in the run misses")
    ap.add_argument("--limits", action="store_true", help="exit with 1 if a limit is missed")
    args = ap.parse_args()
    hits.OUT.mkdir(parents=True, exist_ok=True)
    results: dict[str, object] = {"machine": platform.platform(), "date": time.strftime("%Y-%m-%d")}
    good = True
    for run in args.runs.split(","):
        with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
            directory = Path(tmp)
            directory.chmod(0o755)
            servers = start_all(directory, args.threads)
            try:
                samples: list[hits.Sample] = []
                for round_ in range(-1, args.rounds):  # the first warms up
                    for server in servers[1:] if round_ % 2 == 0 else servers[:0:-1]:
                        samples.append(
                            hits.load(
                                server,
                                0,
                                args.connections,
                                args.seconds,
                                round_,
                                (SCRIPT, run, str(round_ + 2), str(args.bytes)),
                            )
                        )
            finally:
                peers.stop_all(servers)
        print(
            f"\n{run}, {args.connections} connections" + (f", {args.bytes} bytes" if run == "misses" else "")
        )
        counted = [s for s in samples if s.round >= 0]
        rows, within = table(counted, [s.name for s in servers[1:]])
        good &= within
        results[run] = {
            "rows": rows,
            "samples": [asdict(s) for s in counted],
            "versions": {s.name: s.version for s in servers},
        }
    (hits.OUT / "misses.json").write_text(json.dumps(results, indent=1))
    return 1 if args.limits and not good else 0


if __name__ == "__main__":
    raise SystemExit(main())
