"""Cost of each hardening flag of the release build. `make bench-hardening` builds the daemons and runs this.

    benchmarks/hardening.py [--rounds 7] [--seconds 2] [--sizes 100] [--only instructions,cpu]

* instructions: the worker's instructions per hit, without the kernel's (benchmarks/counted.py), in daemons
  built with one flag each, with all flags and with none, and the ratio to the last;
* cpu: CPU microseconds per hit of the daemon with all flags beside the one with none, under wrk, both in turn
  each round; the ratio is paired by round.

Exits 1 when all flags together cost more than LIMIT.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers
import versions

LIMIT = 1.02
EVENT = "conn_event"  # a hit is one event of a connection; timers depend on the load of the machine
FLAGS = ("fortify", "protector", "clash", "all", "control")


def daemon_root(name: str) -> Path:
    """A folder with the layout of a checkout. Its build/bin/vernisd is the daemon, and links lead to the
    rest."""
    root = peers.ROOT / "build" / f"hard-{name}"
    for place in ("build/bin/vernis", "runtime"):
        (root / place).unlink(missing_ok=True)
        (root / place).symlink_to(peers.ROOT / place)
    return root


def compare_instructions(directory: Path, args: argparse.Namespace) -> bool:
    origin = peers.origin(peers.folder(directory, "counted-origin"), args.sizes)
    good = True
    try:
        for size in args.sizes:
            counts = {
                name: versions.instructions_per_hit(
                    peers.folder(directory, f"counted-{name}-{size}"), daemon_root(name), origin, size, EVENT
                )
                for name in ("none", *FLAGS)
            }
            print(f"  {size} bytes: {counts['none']:.0f} instructions per hit without flags")
            for name in FLAGS:
                within = versions.row(
                    f"{name}, {counts[name]:.0f} per hit", [counts[name] / counts["none"]], LIMIT
                )
                good &= within or name != "all"
    finally:
        origin.stop()
    return good


def compare_cpu(directory: Path, args: argparse.Namespace) -> bool:
    return versions.compare_hits(directory, daemon_root("none"), args, daemon_root("all"))


TABLES = {"instructions": compare_instructions, "cpu": compare_cpu}


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rounds", type=int, default=7)
    ap.add_argument("--seconds", type=int, default=2)
    ap.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")], default=[100])
    ap.add_argument("--only", default=",".join(TABLES))
    args = ap.parse_args()
    args.hit_limit = LIMIT
    good = True
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        for name in args.only.split(","):
            print(name)
            good &= TABLES[name](peers.folder(directory, name), args)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
