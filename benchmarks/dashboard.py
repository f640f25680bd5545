"""Share of the daemon's CPU that the dashboard takes while a browser watches it under load.

    benchmarks/dashboard.py [--requests-per-s 50000] [--seconds 60] [--limit 0.01]

h2load sends hits of 100 bytes over 50 kept connections at the given rate. The CPU of the manager, which
serves the dashboard, is measured twice: without a watcher and with headless Chromium on the page. The
difference over the CPU of all processes of the daemon is the share. Also prints the time of the first paint,
the best and the median of nine loads of the page on the idle daemon. Writes build/bench/dashboard.json. Exits
with 1 if the share is above the limit, a request failed, or the page wrote to the console.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import peers
from support.browser import Browser

CLIENTS, SIZE, PAINTS = 50, 100, 9


def link_of(work: Path) -> str:
    argv = [str(peers.ROOT / "build/bin/vernis"), "dashboard", "-n", str(work)]
    said = subprocess.run(argv, check=True, capture_output=True, text=True).stdout
    return said.split()[0]


def paint_ms(browser: Browser, link: str) -> float:
    browser.open("about:blank")
    browser.open(link)
    script = "return (performance.getEntriesByName('first-paint')[0] || {}).startTime"
    end = time.monotonic() + 10
    while (painted := browser.run(script)) is None and time.monotonic() < end:
        time.sleep(0.02)
    return float(painted)


def load(server: peers.Server, rate: int, seconds: int) -> tuple[float, float, float]:
    """Requests/s, and CPU seconds of the manager and of the whole daemon meanwhile."""
    manager = server.processes[0].pid
    url = f"http://127.0.0.1:{server.port()}/{SIZE}.html"
    pids = server.pids()
    before = peers.cpu_seconds([manager]), peers.cpu_seconds(pids)
    argv = ["h2load", "--h1", f"-c{CLIENTS}", "-t1", f"-D{seconds}", f"--rps={rate / CLIENTS:g}", url]
    said = subprocess.run(argv, check=True, capture_output=True, text=True).stdout
    after = peers.cpu_seconds([manager]), peers.cpu_seconds(pids)
    assert re.search(r"\b0 failed, 0 errored, 0 timeout", said), said
    speed = re.search(r"([\d.]+) req/s", said)
    assert speed is not None, said
    return float(speed[1]), after[0] - before[0], after[1] - before[1]


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--requests-per-s", type=int, default=50_000)
    ap.add_argument("--seconds", type=int, default=60)
    ap.add_argument("--limit", type=float, default=0.01)
    args = ap.parse_args()
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        origin = peers.origin(peers.folder(directory, "origin"), [SIZE])
        server = peers.vernis(directory, origin.port(), 2)
        try:
            peers.get(server.port(), f"/{SIZE}.html")
            _, alone, _ = load(server, args.requests_per_s, args.seconds)
            link = link_of(directory / "vernis")
            with Browser() as browser:
                paints = sorted(paint_ms(browser, link) for _ in range(PAINTS))
                speed, watched, daemon = load(server, args.requests_per_s, args.seconds)
                console = browser.console()
        finally:
            server.stop()
            origin.stop()
    share = (watched - alone) / daemon
    print(f"first paint      {statistics.median(paints):.0f} ms, least {paints[0]:.0f} ms")
    print(f"load             {speed:.0f} requests/s for {args.seconds} s, no failure")
    print(f"manager          {alone:.3f} s of CPU without a watcher, {watched:.3f} s with one")
    print(f"share            {share:.4f} of the daemon's {daemon:.1f} s, limit {args.limit:g}")
    for line in console:
        print(f"console: {line}")
    out = peers.ROOT / "build/bench/dashboard.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps({"paints_ms": paints, "requests_per_s": speed, "share": share}, indent=1))
    return 1 if share > args.limit or console else 0


if __name__ == "__main__":
    raise SystemExit(main())
