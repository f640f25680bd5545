"""Counts instructions per request under the example policies in 4.1 and in 5.0.

    benchmarks/examples.py [--requests 200] [--only site,quickstart,canary] [--limit 1.01]

Counts what runs inside of hooks: the worker is under callgrind, with one loop and the default log
(benchmarks/counted.py). The requests are those of benchmarks/hooks.py: each kind over one kept connection,
with objects that were stored before. "all" is the mean of an example's rows. The benchmark changes the ports
of the origins and the intervals of probes, as hooks.py does, and builds the module of canary.

Exits with 1 if a mean of 5.0 is above ``--limit`` times that of 4.1.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import counted
import hooks
import peers

EXAMPLES = peers.ROOT / "examples"
COUNTED = "policy_run"  # with what it calls: the hooks, but for those that are constant


@dataclass(slots=True, frozen=True)
class Example:
    """A policy by version, and the kinds of requests that are counted."""

    versions: dict[str, Path]
    kinds: tuple[str, ...]
    module: str = ""  # folder of its module


def example(folder: str, name: str, kinds: tuple[str, ...], module: str = "") -> Example:
    path = EXAMPLES / folder
    return Example({"4.1": path / f"{name}.vcl", "5.0": path / f"{name}5.vcl"}, kinds, module)


TABLE = {
    "site": example("site", "site", tuple(hooks.KINDS)),
    "quickstart": example("quickstart", "quickstart", ("asset", "page, campaign", "shop")),
    "canary": example("module", "canary", ("shop",), "module"),
}


def built_module(example: Example, directory: Path) -> tuple[str, ...]:
    """Builds the module of an example; returns the options that let the daemon find it."""
    if not example.module:
        return ()
    made = peers.folder(directory, "modules")
    source = EXAMPLES / example.module
    library = made / "libvmod_canary.so"
    flags = ["-O2", "-std=gnu11", "-fPIC", "-shared", f"-I{peers.ROOT / 'runtime'}"]
    subprocess.run(["cc", *flags, "-o", library, source / "libvmod_canary.c"], check=True)
    (made / "canary.toml").write_bytes((source / "canary.toml").read_bytes())
    return counted.parameters(f"vmod_path={made}")


def measure(example: Example, directory: Path, port: int, n: int) -> dict[str, dict[str, float]]:
    """Instructions by version and kind."""
    conf = (peers.CONF / "vcl.vcl").read_text()
    options = built_module(example, directory)
    result = {}
    for version, path in example.versions.items():
        peers.EDITS |= {conf: hooks.policy_at(path, port)}
        worker = counted.vernis(peers.folder(directory, version), port, extra=options, only=COUNTED)
        del peers.EDITS[conf]
        result[version] = hooks.count(worker, list(example.kinds), n)
    return result


def report(name: str, by_version: dict[str, dict[str, float]]) -> float:
    """Prints the rows of an example; returns the ratio of the means."""
    old, new = by_version["4.1"], by_version["5.0"]
    means = {kind: (old[kind], new[kind]) for kind in old}
    means["all"] = (statistics.mean(old.values()), statistics.mean(new.values()))
    for kind, (before, after) in means.items():
        print(f"  {f'{name}: {kind}':<30}{before:>12,.0f}{after:>12,.0f}{after / before:>8.3f}", flush=True)
    return means["all"][1] / means["all"][0]


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--requests", type=int, default=200, help="of each kind")
    ap.add_argument("--only", default=",".join(TABLE))
    ap.add_argument("--limit", type=float, default=1.01)
    args = ap.parse_args()
    print(f"{'instructions of hooks':<32}{'4.1':>12}{'5.0':>12}{'ratio':>8}")
    ratios = []
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        peers.EDITS |= {"location /object/ {": "location / {"}
        origin = peers.origin(peers.folder(directory, "origin"), [100])
        try:
            for name in args.only.split(","):
                work = peers.folder(directory, name)
                ratios.append(report(name, measure(TABLE[name], work, origin.port(), args.requests)))
        finally:
            origin.stop()
    return 0 if max(ratios) <= args.limit else 1


if __name__ == "__main__":
    raise SystemExit(main())
