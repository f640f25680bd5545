"""CPU cost of the log for a cache hit: Vernis without records, with the default mask, and with all records.

    benchmarks/log.py [--rounds N] [--seconds S] [--size BYTES] [--connections N]

Starts the daemon three times, each on its own port and with the same origin. In each round wrk loads all
three for a few seconds, in changing order. Reports requests/s, CPU microseconds per request (user + system of
the daemon's processes, as the kernel counts them), records per request, and ratios to the daemon without
records, paired by round, as median [min .. max]. Writes build/bench/log.json.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import hits
import peers

MASKS = {"none": "none", "default": "default", "all": "all"}
BASE = "none"


def records_per_request(directory: Path) -> float:
    """Reads the daemon's own counters."""
    text = subprocess.run(
        ["varnishstat", "-n", str(directory / "vernis"), "-1", "-j"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    values = json.loads(text)["counters"]
    return float(values["MAIN.shm_records"]["value"] / values["MAIN.client_req"]["value"])


def paired(samples: list[hits.Sample], name: str, value: str) -> dict[str, float]:
    def of(server: str) -> dict[int, float]:
        return {s.round: getattr(s, value) for s in samples if s.server == server}

    with_log, without = of(name), of(BASE)
    return hits.spread([with_log[r] / without[r] for r in with_log])


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rounds", type=int, default=7)
    ap.add_argument("--seconds", type=int, default=3)
    ap.add_argument("--size", type=int, default=100)
    ap.add_argument("--connections", type=int, default=100)
    ap.add_argument("--threads", type=int, default=2)
    args = ap.parse_args()
    hits.OUT.mkdir(parents=True, exist_ok=True)
    samples: list[hits.Sample] = []
    servers: list[peers.Server] = []
    per_request: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        try:
            servers.append(peers.origin(directory, [args.size]))
            for name, mask in MASKS.items():
                own = directory / name
                own.mkdir()
                server = peers.vernis(own, servers[0].port(), args.threads, extra=("-p", f"vsl_mask={mask}"))
                server.name = name
                servers.append(server)
            loaded = servers[1:]
            for server in loaded:
                for _ in range(3):
                    status, body = peers.get(server.port(args.size), f"/{args.size}.html")
                    assert status == 200 and len(body) == args.size, (
                        f"{server.name} answers {status}, {len(body)} bytes"
                    )
            for round_ in range(args.rounds):
                turn = round_ % len(loaded)
                for server in loaded[turn:] + loaded[:turn]:
                    samples.append(hits.load(server, args.size, args.connections, args.seconds, round_))
            per_request = {name: records_per_request(directory / name) for name in MASKS}
        finally:
            for server in servers:
                server.stop()
    print(f"{args.size} bytes, {args.connections} connections")
    print(
        f"  {'mask':<10}{'records/req':>12}{'req/s':>10}{'CPU us/req':>12}  "
        f"{'CPU, to none':<24}{'req/s, to none':<24}"
    )
    rows = []
    for name in MASKS:
        mine = [s for s in samples if s.server == name]
        row = {
            v: hits.spread([getattr(s, v) for s in mine]) for v in ("requests_per_s", "cpu_us_per_request")
        }
        row |= {f"{v}_to_none": paired(samples, name, v) for v in ("requests_per_s", "cpu_us_per_request")}
        shown = [
            f"{row[f'{v}_to_none']['median']:.2f} "
            f"[{row[f'{v}_to_none']['min']:.2f} .. {row[f'{v}_to_none']['max']:.2f}]"
            for v in ("cpu_us_per_request", "requests_per_s")
        ]
        errors = sum(s.errors for s in mine)
        print(
            f"  {name:<10}{per_request[name]:>12.1f}{row['requests_per_s']['median']:>10.0f}"
            f"{row['cpu_us_per_request']['median']:>12.2f}  {shown[0]:<24}{shown[1]:<24}"
            + (f"{errors} errors" if errors else "")
        )
        rows.append({"mask": name, "errors": errors, "records_per_request": per_request[name], **row})
    result = {
        "machine": platform.platform(),
        "date": time.strftime("%Y-%m-%d"),
        "size": args.size,
        "connections": args.connections,
        "rows": rows,
        "samples": [asdict(s) for s in samples],
    }
    (hits.OUT / "log.json").write_text(json.dumps(result, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
