"""CPU cost of the sandbox: a hit with and without seccomp and Landlock (option -j).

    benchmarks/confined.py [--rounds 7] [--seconds 3] [--sizes 100,10000] [--limit 1.02]

Loads two daemons of this checkout in turn with wrk, and pairs the results of each round. Ratios are
medians [min .. max]. Exits with 1 if a median is above the limit.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers
import versions

JAILS = {"confined": "none,seccomp=on,landlock=on", "free": "none,seccomp=off,landlock=off"}


def compare(directory: Path, args: argparse.Namespace) -> bool:
    servers = [peers.origin(peers.folder(directory, "origin"), args.sizes)]
    try:
        for name, jail in JAILS.items():
            servers.append(
                peers.vernis(peers.folder(directory, name), servers[0].port(), 2, extra=("-j", jail))
            )
            servers[-1].name = name
        return versions.compare_cpu(servers[1:], args, ", confined/free", args.limit)
    finally:
        for server in servers:
            server.stop()


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rounds", type=int, default=7)
    ap.add_argument("--seconds", type=int, default=3)
    ap.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")], default=[100, 10_000])
    ap.add_argument("--limit", type=float, default=1.02)
    args = ap.parse_args()
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        return 0 if compare(directory, args) else 1


if __name__ == "__main__":
    sys.exit(main())
