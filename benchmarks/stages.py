"""Time and memory to compile policies of growing size, and `vernis check` compared with `varnishd -C`.

    benchmarks/stages.py [--rounds 5]

* `vernis build -O0 --timings` of generated policies of 100, 1,000 and 10,000 lines, in a new process each:
  milliseconds of each stage, peak of resident memory, and the factor for ten times the lines.
* A policy of 2,000 lines: peak of memory of `vernis build`; `vernis check` in a new process, and
  `varnishd -C` in the same rounds.

Writes build/bench/stages.json.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers

VERNIS = peers.ROOT / "build/bin/vernis"
SIZES = (100, 1000, 10000)
CHECKED_LINES = 2000


@dataclass(slots=True, frozen=True)
class Run:
    milliseconds: float
    resident_mb: float
    output: str


def run(*argv: object, accept: tuple[int, ...] = (0,)) -> Run:
    """Runs one process and returns its figures as the kernel counts them."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [str(a) for a in argv], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = (time.perf_counter() - started) * 1000
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in accept, f"{argv}: exit {process.returncode}"
    return Run(elapsed, usage.ru_maxrss / 1024, output)


def policy(lines: int) -> str:
    """A policy of about ``lines`` lines: subs of ten lines with conditions, patterns and changes of fields,
    each called once."""
    n_subs = max((lines - 4) // 11, 1)
    out = ["vcl 4.1;", 'backend default { .host = "127.0.0.1"; }']
    for i in range(n_subs):
        out.append(f"sub part{i} {{")
        out += [
            f'    if (req.url ~ "^/section{i}/page{j}/" && req.http.Host == "h{j}.example") '
            f'{{ set req.http.X-Part{j} = "p{i}-" + req.url; }}'
            for j in range(8)
        ]
        out.append("}")
    out.append("sub vcl_recv {")
    out += [f"    call part{i};" for i in range(n_subs)]
    out.append("}")
    return "\n".join(out) + "\n"


def stages(text: str) -> dict[str, float]:
    rows = (line.split() for line in text.splitlines())
    return {row[0]: float(row[1]) for row in rows if len(row) == 3 and row[2] == "ms"}


def medians(runs: list[dict[str, float]]) -> dict[str, float]:
    return {name: statistics.median(r.get(name, 0.0) for r in runs) for name in runs[0]}


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rounds", type=int, default=5)
    args = ap.parse_args()
    result: dict[str, object] = {}
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        folder = Path(tmp)
        folder.chmod(0o755)
        files = {n: folder / f"lines{n}.vcl" for n in (*SIZES, CHECKED_LINES)}
        for n, path in files.items():
            path.write_text(policy(n))
        built: dict[int, list[Run]] = {n: [] for n in SIZES}
        for _ in range(args.rounds):
            for n in SIZES:
                built[n].append(run(VERNIS, "build", files[n], "-o", folder / "out.so", "--timings"))
        tables = {n: medians([stages(r.output) for r in built[n]]) for n in SIZES}
        print(
            f"{'milliseconds of stage':26}" + "".join(f"{n:>10,}" for n in SIZES) + f"{'10,000 / 1,000':>18}"
        )
        for name in tables[SIZES[0]]:
            values = [tables[n].get(name, 0.0) for n in SIZES]
            print(
                f"{name:26}"
                + "".join(f"{v:10.1f}" for v in values)
                + f"{values[2] / max(values[1], 1e-9):18.1f}"
            )
        whole = {
            n: statistics.median(
                sum(v for k, v in stages(r.output).items() if "." not in k) for r in built[n]
            )
            for n in SIZES
        }
        print(
            f"{'all stages':26}"
            + "".join(f"{whole[n]:10.1f}" for n in SIZES)
            + f"{whole[10000] / whole[1000]:18.1f}"
        )
        print(
            f"{'resident at most, MB':26}"
            + "".join(f"{max(r.resident_mb for r in built[n]):10.0f}" for n in SIZES)
        )
        checked: list[Run] = []
        stock: list[Run] = []
        big = run(VERNIS, "build", files[CHECKED_LINES], "-o", folder / "out.so")
        for _ in range(args.rounds):
            checked.append(run(VERNIS, "check", files[CHECKED_LINES]))
            stock.append(run("varnishd", "-C", "-f", files[CHECKED_LINES]))
        ratios = [s.milliseconds / c.milliseconds for s, c in zip(stock, checked, strict=True)]
        print(
            f"\n{CHECKED_LINES:,} lines: build {big.resident_mb:.0f} MB at most; "
            f"vernis check {statistics.median(c.milliseconds for c in checked):.0f} ms, "
            f"varnishd -C {statistics.median(s.milliseconds for s in stock):.0f} ms, "
            f"{statistics.median(ratios):.1f} times "
            f"[{min(ratios):.1f} .. {max(ratios):.1f}]"
        )
        result = {
            "stages_ms": tables,
            "all_ms": whole,
            "resident_mb": {n: max(r.resident_mb for r in built[n]) for n in SIZES},
            "check_ms": [c.milliseconds for c in checked],
            "stock_ms": [s.milliseconds for s in stock],
            "ratio": ratios,
            "build_2000_mb": big.resident_mb,
        }
    out = peers.ROOT / "build/bench"
    out.mkdir(parents=True, exist_ok=True)
    (out / "stages.json").write_text(json.dumps(result, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
