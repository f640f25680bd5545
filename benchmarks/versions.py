"""Compares this checkout with an earlier one: did a change make hits or loads more expensive?

    benchmarks/versions.py OTHER [--rounds 7] [--seconds 3] [--sizes 100,10000]
                           [--only hits,instructions,variants,loads]

OTHER is a checkout in which `make build` has run. Three tables have the ratio this/other of:

* hits: CPU microseconds per request of the daemon's processes. wrk loads both in turn; paired by round;
* instructions: the worker's instructions per hit and per miss of 1,000 bytes, without the kernel's
  (benchmarks/counted.py);
* variants: the same per hit among 100 variants of one URL;
* loads: time of vcl.load into a running daemon, for the quickstart policy and for 1,000 rules; paired by
  round.

Ratios are medians [min .. max]. Exits with 1 if a median is above its limit (--hit-limit, --load-limit).
"""

from __future__ import annotations

import argparse
import http.server
import statistics
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import compile as loads
import counted
import hits
import peers

CONNECTIONS = 100
WARM_HITS, COUNTED_HITS = 500, 4000  # under callgrind
VARIANTS = 100
WARM_MISSES, COUNTED_MISSES = 500, 2000


def row(what: str, ratios: list[float], limit: float) -> bool:
    """Prints one ratio. Returns whether it is within the limit."""
    median = statistics.median(ratios)
    print(f"  {what:<34}{median:6.3f}  [{min(ratios):.3f} .. {max(ratios):.3f}]  limit {limit}")
    return median <= limit


def compare_cpu(pair: list[peers.Server], args: argparse.Namespace, what: str, limit: float) -> bool:
    """The ratio of CPU per hit for each size, first daemon to second. Loads both in turn, paired by round."""
    good = True
    for size in args.sizes:
        for server in pair:
            for _ in range(3):
                peers.get(server.port(size), f"/{size}.html")
        ratios = []
        for round_ in range(args.rounds):
            turn = pair if round_ % 2 == 0 else pair[::-1]
            cpu = {
                s.name: hits.load(s, size, CONNECTIONS, args.seconds, round_).cpu_us_per_request for s in turn
            }
            ratios.append(cpu[pair[0].name] / cpu[pair[1].name])
        good &= row(f"CPU per hit, {size} bytes{what}", ratios, limit)
    return good


def compare_hits(directory: Path, other: Path, args: argparse.Namespace, this: Path = peers.ROOT) -> bool:
    servers = [peers.origin(peers.folder(directory, "origin"), args.sizes)]
    try:
        for name, root in (("this", this), ("other", other)):
            servers.append(peers.vernis(peers.folder(directory, name), servers[0].port(), 2, root=root))
            servers[-1].name = name
        return compare_cpu(servers[1:], args, "", args.hit_limit)
    finally:
        for server in servers:
            server.stop()


def instructions_per_hit(
    directory: Path, root: Path, origin: peers.Server, size: int, only: str = ""
) -> float:
    counting = counted.vernis(directory, origin.port(), root, only=only)
    try:
        hit = f"GET /{size}.html HTTP/1.1\r\nHost: bench\r\n\r\n".encode()
        counted.replay(counting.server.port(), [hit] * WARM_HITS)
        spent = counting.instructions(lambda: counted.replay(counting.server.port(), [hit] * COUNTED_HITS))
        return spent / COUNTED_HITS
    finally:
        counting.server.stop()


def instructions_per_miss(directory: Path, root: Path, origin: peers.Server) -> float:
    counting = counted.vernis(directory, origin.port(), root)
    try:
        misses = [
            f"GET /gen/1000?as={n} HTTP/1.1\r\nHost: bench\r\n\r\n".encode()
            for n in range(WARM_MISSES + COUNTED_MISSES)
        ]
        counted.replay(counting.server.port(), misses[:WARM_MISSES])
        spent = counting.instructions(lambda: counted.replay(counting.server.port(), misses[WARM_MISSES:]))
        return spent / COUNTED_MISSES
    finally:
        counting.server.stop()


def compare_misses(directory: Path, other: Path, args: argparse.Namespace) -> bool:
    origin = peers.asked_origin(peers.folder(directory, "asked-origin"))
    try:
        this, that = (
            instructions_per_miss(peers.folder(directory, f"misses-{name}"), root, origin)
            for name, root in (("this", peers.ROOT), ("other", other))
        )
    finally:
        origin.stop()
    print(f"  {this:.0f} instructions a miss, other {that:.0f}")
    return row("instructions per miss", [this / that], args.hit_limit)


def compare_instructions(directory: Path, other: Path, args: argparse.Namespace) -> bool:
    origin = peers.origin(peers.folder(directory, "counted-origin"), args.sizes)
    good = True
    try:
        for size in args.sizes:
            a_hit = {}
            for name, root in (("this", peers.ROOT), ("other", other)):
                work = peers.folder(directory, f"counted-{name}-{size}")
                a_hit[name] = instructions_per_hit(work, root, origin, size)
            print(f"  {size} bytes: {a_hit['this']:.0f} instructions a hit, other {a_hit['other']:.0f}")
            good &= row(
                f"instructions per hit, {size} bytes", [a_hit["this"] / a_hit["other"]], args.hit_limit
            )
    finally:
        origin.stop()
    return compare_misses(directory, other, args) and good


class Varying(http.server.BaseHTTPRequestHandler):
    """An origin whose response varies on the browser."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        for name, value in (
            ("Vary", "User-Agent"),
            ("Cache-Control", "max-age=36000"),
            ("Content-Length", "100"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(b"x" * 100)

    def log_message(self, format: str, *args: object) -> None:
        pass


def instructions_per_variant(directory: Path, root: Path, origin_port: int) -> float:
    """Of hits that select each of VARIANTS stored variants in turn."""
    agent = (
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{}.0.0.0 Safari/537.36"
    )
    hits_of_all = [
        f"GET /v HTTP/1.1\r\nHost: bench\r\nUser-Agent: {agent.format(n)}\r\n\r\n".encode()
        for n in range(100, 100 + VARIANTS)
    ]
    counting = counted.vernis(directory, origin_port, root)
    try:
        port = counting.server.port()
        counted.replay(port, hits_of_all * 2)
        return counting.instructions(lambda: counted.replay(port, hits_of_all * 5)) / (5 * VARIANTS)
    finally:
        counting.server.stop()


def compare_variants(directory: Path, other: Path, args: argparse.Namespace) -> bool:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Varying) as origin:
        threading.Thread(target=origin.serve_forever, daemon=True).start()
        this, that = (
            instructions_per_variant(peers.folder(directory, f"variants-{name}"), root, origin.server_port)
            for name, root in (("this", peers.ROOT), ("other", other))
        )
        origin.shutdown()
    print(f"  {this:.0f} instructions a hit among {VARIANTS} variants, other {that:.0f}")
    return row(f"instructions per hit, {VARIANTS} variants", [this / that], args.hit_limit)


def compare_loads(directory: Path, other: Path, args: argparse.Namespace) -> bool:
    servers, clis = [], {}
    policies = {"quickstart": loads.QUICKSTART.read_text(), "1,000 rules": loads.rules(1000)}
    good = True
    try:
        for name, root in (("this", peers.ROOT), ("other", other)):
            servers.append(peers.vernis(peers.folder(directory, f"loads-{name}"), 1, 2, root=root))
            clis[name] = loads.vernis_cli(directory / f"loads-{name}" / "vernis")
        for number, (what, text) in enumerate(policies.items()):
            path = directory / f"policy{number}.vcl"
            path.write_text(text)
            pairs = []
            for round_ in range(-1, args.rounds):  # the first warms up
                turn = ("this", "other") if round_ % 2 == 0 else ("other", "this")
                took = {
                    name: loads.load_times(clis[name], path, 1, f"{name}{number}r{round_ + 1}x")[0]
                    for name in turn
                }
                pairs.append(took["this"] / took["other"])
            good &= row(f"vcl.load, {what}", pairs[1:], args.load_limit)
    finally:
        for server in servers:
            server.stop()
    return good


TABLES = {
    "hits": compare_hits,
    "instructions": compare_instructions,
    "variants": compare_variants,
    "loads": compare_loads,
}


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("other", type=Path)
    ap.add_argument("--rounds", type=int, default=7)
    ap.add_argument("--seconds", type=int, default=3)
    ap.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")], default=[100, 10_000])
    ap.add_argument("--only", default=",".join(TABLES))
    ap.add_argument("--hit-limit", type=float, default=1.02)
    ap.add_argument("--load-limit", type=float, default=1.05)
    args = ap.parse_args()
    other = args.other.resolve()
    good = True
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        for name in args.only.split(","):
            print(name)
            good &= TABLES[name](directory, other, args)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
