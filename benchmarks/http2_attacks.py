"""Attackers of HTTP/2 beside good clients: Vernis, and Varnish, nginx and HAProxy, in turn, over plain TCP.

    benchmarks/http2_attacks.py [--seconds 30] [--only "rapid reset,pings"] [--peers varnish,nginx,haproxy]
                                [--clients 50] [--rate 40] [--limits]

Each row is one attacker (benchmarks/h2_attacker.py) at full speed for some seconds, from an address of its
own (127.0.0.2), beside 50 good clients (h2load, 127.0.0.1) that ask for 40 hits a second each over one
session. Each row has its own server. Reports the rate and the longest time of the good clients without (for a
third of the time) and with the attacker, requests they lost, how much memory of the server grew, how often it
closed the attacker's connection, and the counters that name the reason. The processors are shared with the
attacker and the clients, so good clients ask at a rate that leaves them time.

--limits: exit code 1 if a good client of Vernis keeps less than 0.8 of its rate or loses a request, if memory
grows by more than 64 MB, or if no counter names the reason. Writes build/bench/http2_attacks.json.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import h2_servers
import hits
import peers
from proxy.h2_misuse import Misuse, misuses

MB = 1 << 20
SMALL, LARGE, UPLOAD = "/100.html", "/1000000.html", "/upload"
SIZES = [100, 1_000_000]
RATE_LEAST, GROWTH_MOST = 0.8, 64 * MB
LEAD_S = 0.3  # from the attacker's start to that of the good clients
#: The origin reads the body of an upload before it answers, and HAProxy stores the large response as well.
EDITS = {
    "location /object/ {": "location /upload { client_max_body_size 0; proxy_method GET; "
    "proxy_pass http://127.0.0.1:@PORT@/100.html; }\n        location /object/ {",
    "max-object-size 200000": "max-object-size 2000000",
}
OPEN_FILES = 20_000
CLOCK = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclass(slots=True)
class Good:
    """How good clients fared: answers a second, the longest time of a request, requests without an answer."""

    rate: float
    longest_s: float
    lost: int


@dataclass(slots=True)
class Row:
    server: str
    misuse: str
    alone: Good
    beside: Good
    growth_bytes: int
    made: int
    closed: int
    sent_bytes: int
    counters: dict[str, int]

    @property
    def kept(self) -> float:
        return self.beside.rate / max(self.alone.rate, 1)


def good_clients(port: int, args: argparse.Namespace, seconds: float) -> Good:
    command = h2_servers.good_clients(args.clients, args.rate, seconds)
    began = time.monotonic()
    text = subprocess.run(
        [*command, f"http://127.0.0.1:{port}{SMALL}"], capture_output=True, text=True, timeout=300
    ).stdout
    took = time.monotonic() - began
    counted = re.search(r"(\d+) total.*?(\d+) succeeded", text)
    times = re.search(r"time for request: +\S+ +([\d.]+)(us|ms|s)", text)
    if counted is None or times is None:
        return Good(0, took, int(args.clients * args.rate * seconds))
    total, good = int(counted[1]), int(counted[2])
    return Good(good / took, float(times[1]) * CLOCK[times[2]], total - good)


class Memory:
    """The largest growth of a server's private memory."""

    def __init__(self, server: peers.Server) -> None:
        self.server = server
        self.before = self.most = self.now()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._sample)
        self.thread.start()

    def now(self) -> int:
        return sum(peers.held_bytes(pid) for pid in self.server.pids())

    def _sample(self) -> None:
        while not self.ended.wait(0.1):
            self.most = max(self.most, self.now())

    def end(self) -> int:
        self.ended.set()
        self.thread.join()
        return self.most - self.before


def counters(pair: h2_servers.Pair, directory: Path) -> dict[str, int]:
    """The group H2 of Vernis; sessions closed and requests refused, of Varnish."""
    if pair.name not in ("vernis", "varnish"):
        return {}
    told = subprocess.run(
        ["varnishstat", "-n", str(directory / pair.name), "-1", "-j"], capture_output=True, text=True
    )
    rows = json.loads(told.stdout)["counters"] if told.returncode == 0 else {}
    wanted = re.compile(
        r"H2\.(killed_\w+|budget_low|streams_refused|streams_crowded|sessions_late|sessions_refused)"
        r"|MAIN\.(sc_(?!rem|req_close|resp)\w+|req_dropped|sess_dropped|sess_fail)"
    )
    return {name: row["value"] for name, row in rows.items() if wanted.fullmatch(name)}


def measure(pair: h2_servers.Pair, misuse: Misuse, directory: Path, args: argparse.Namespace) -> Row:
    alone = good_clients(pair.h2, args, args.seconds / 3)
    before, memory = counters(pair, directory), Memory(pair.server)
    program = Path(__file__).with_name("h2_attacker.py")
    words = [sys.executable, program, pair.h2, misuse.name, args.seconds + 2 * LEAD_S, SMALL, LARGE, UPLOAD]
    attacker = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, text=True)
    try:
        time.sleep(LEAD_S)
        beside = good_clients(pair.h2, args, args.seconds)
        told = json.loads(attacker.communicate(timeout=args.seconds + 60)[0])
    finally:
        attacker.kill()
        growth = memory.end()
    time.sleep(0.1)  # counters are published every 25 ms
    after = counters(pair, directory)
    grown = {name: n - before.get(name, 0) for name, n in after.items() if n != before.get(name, 0)}
    return Row(
        pair.name, misuse.name, alone, beside, growth, told["made"], told["closed"], told["sent"], grown
    )


# ---- report ------------------------------------------------------------------------------------------------


def shown(row: Row) -> str:
    named = " ".join(f"{name.partition('.')[2]} {n}" for name, n in row.counters.items())
    return (
        f"  {row.server:<9}{row.alone.rate:>7.0f}{row.beside.rate:>8.0f}{row.kept:>7.2f}"
        f"{row.alone.longest_s * 1e3:>9.1f}{row.beside.longest_s * 1e3:>9.1f}{row.beside.lost:>6}"
        f"{row.growth_bytes / MB:>9.1f}{row.made:>7}{row.closed:>7}{row.sent_bytes / MB:>9.1f}  {named}"
    )


HEAD = (
    f"  {'server':<9}{'alone':>7}{'beside':>8}{'kept':>7}{'max ms':>9}{'max ms':>9}{'lost':>6}{'MB more':>9}"
    f"{'made':>7}{'closed':>7}{'MB sent':>9}  counters"
)


def missed(row: Row, misuse: Misuse) -> Iterator[str]:
    if row.kept < RATE_LEAST:
        yield f"good clients keep {row.kept:.2f} of their rate"
    if row.beside.lost:
        yield f"good clients lose {row.beside.lost} requests"
    if row.growth_bytes > GROWTH_MOST:
        yield f"memory grows by {row.growth_bytes / MB:.0f} MB"
    if misuse.counter and not row.counters.get(f"H2.{misuse.counter}"):
        yield f"H2.{misuse.counter} does not count it"


def installed(names: list[str]) -> list[str]:
    """Vernis, and the peers that are there. Names those that are not."""
    for name in names:
        if shutil.which(h2_servers.STARTS[name][0]) is None:
            print(f"{h2_servers.STARTS[name][0]} is not installed, so {name} is left out", file=sys.stderr)
    return ["vernis", *(name for name in names if shutil.which(h2_servers.STARTS[name][0]))]


def row_of(name: str, misuse: Misuse, site: h2_servers.Site, args: argparse.Namespace) -> Row:
    start = h2_servers.vernis if name == "vernis" else h2_servers.STARTS[name][1]
    pair = start(site)
    try:
        for size in SIZES:
            http2_get(pair.h2, f"/{size}.html", size)
        return measure(pair, misuse, site.directory, args)
    finally:
        pair.server.stop()


def http2_get(port: int, path: str, size: int) -> None:
    url = f"http://127.0.0.1:{port}{path}"
    done = subprocess.run(["curl", "-sS", "--fail", "--http2-prior-knowledge", url], capture_output=True)
    assert len(done.stdout) == size, done.stderr


def listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def main() -> int:
    known = misuses(SMALL, LARGE, UPLOAD)
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--seconds", type=float, default=30)
    ap.add_argument("--only", type=listed, default=[], help=", ".join(m.name for m in known))
    ap.add_argument("--peers", type=listed, default=["varnish", "nginx", "haproxy"])
    ap.add_argument("--clients", type=int, default=50)
    ap.add_argument("--rate", type=int, default=40, help="requests a second of each good client")
    ap.add_argument("--threads", type=int, default=1, help="threads of every server")
    ap.add_argument("--vernis-arg", action="append", default=[], help="extra argument for vernisd")
    ap.add_argument("--limits", action="store_true")
    args = ap.parse_args()
    chosen = [m for m in known if not args.only or m.name in args.only]
    peers.DESCRIPTORS = OPEN_FILES
    peers.EDITS |= EDITS
    hits.OUT.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        origin = peers.origin(directory, SIZES)
        try:
            site = h2_servers.Site(directory, origin.port(), args.threads, tuple(args.vernis_arg))
            for name in installed(args.peers):
                print(f"\n{name}\n  {'misuse':<22}{HEAD.removeprefix('  server  ')}")
                for misuse in chosen:
                    row = row_of(name, misuse, site, args)
                    rows.append(row)
                    print(f"  {misuse.name:<22}{shown(row)[11:]}", flush=True)
                    if name == "vernis":
                        wrong += [f"{misuse.name}: {text}" for text in missed(row, misuse)]
        finally:
            origin.stop()
    result = {
        "machine": platform.platform(),
        "date": time.strftime("%Y-%m-%d"),
        "seconds": args.seconds,
        "clients": args.clients,
        "rate": args.rate,
        "rows": [asdict(row) for row in rows],
    }
    (hits.OUT / "http2_attacks.json").write_text(json.dumps(result, indent=1))
    for line in wrong:
        print(f"MISSED: {line}")
    return 1 if args.limits and wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
