"""Hits over HTTP/2 and HTTP/1: Vernis, Varnish, nginx, HAProxy, h2o and nghttpd, in turn, over plain TCP.

    benchmarks/http2.py [--rounds 7] [--seconds 1] [--sizes 100,10000] [--streams 1,32] [--connections 16]
                        [--peers varnish,nginx,haproxy,h2o,nghttpd] [--threads 1] [--limits]

h2load loads each server over HTTP/1, and then with each number of streams at once on each connection. Reports
CPU microseconds per request of the server's processes, and the ratios: over the server's own HTTP/1, and over
that of Vernis, paired by round, as median [least .. most]. h2o and nghttpd serve files, nghttpd no HTTP/1.
A request that failed or got another status than 2xx is named.

--limits: exit code 1 if a ratio of Vernis to its own HTTP/1 is above its bar (BARS) or a request of Vernis
failed. Writes build/bench/http2.json.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import h2_servers
import hits
import peers

H1 = 0  # in place of a number of streams
#: Largest CPU of a hit over that of the same hit over HTTP/1, by body size and streams.
BARS = {(100, 1): 1.2, (10_000, 1): 1.2, (100, 32): 0.7, (10_000, 32): 0.9}


@dataclass(slots=True)
class Sample:
    server: str
    size: int
    streams: int
    round: int
    cpu_us: float
    requests_per_s: float
    failed: int


def load(
    pair: h2_servers.Pair, size: int, streams: int, connections: int, seconds: int, round_: int
) -> Sample:
    port = pair.h1 if streams == H1 else pair.h2
    words = ["--h1"] if streams == H1 else ["-m", str(streams)]
    url = f"http://127.0.0.1:{port}/{size}.html"
    done = peers.h2load(pair.server, ["-c", str(connections), "-D", str(seconds), *words, url])
    return Sample(pair.name, size, streams, round_, done.cpu_us, done.good / seconds, done.failed)


def check(pair: h2_servers.Pair, sizes: list[int]) -> None:
    """Both protocols give the whole body, from the cache."""
    for size in sizes:
        for port, words in ((pair.h1, ["--http1.1"]), (pair.h2, ["--http2-prior-knowledge"])):
            for _ in range(3 if port is not None else 0):
                done = subprocess.run(
                    ["curl", "-sS", "--fail", *words, f"http://127.0.0.1:{port}/{size}.html"],
                    capture_output=True,
                )
                assert len(done.stdout) == size, f"{pair.name}, {words[0]}: {done}"


# ---- report ------------------------------------------------------------------------------------------------


class Table:
    def __init__(self, samples: list[Sample], ours: str) -> None:
        self.samples = samples
        self.ours = ours

    def by_round(self, server: str, size: int, streams: int) -> dict[int, Sample]:
        return {s.round: s for s in self.samples if (s.server, s.size, s.streams) == (server, size, streams)}

    def ratio(self, server: str, size: int, streams: int, to: tuple[str, int]) -> dict[str, float] | None:
        """CPU over that of the server ``to[0]`` with ``to[1]`` streams, paired by round."""
        mine, theirs = self.by_round(server, size, streams), self.by_round(to[0], size, to[1])
        values = [mine[r].cpu_us / theirs[r].cpu_us for r in mine if r in theirs and theirs[r].cpu_us > 0]
        return hits.spread(values) if values else None

    def rows(self) -> Iterator[dict[str, object]]:
        cells = sorted({(s.size, s.streams) for s in self.samples})
        for size, streams in cells:
            for server in dict.fromkeys(s.server for s in self.samples):
                mine = list(self.by_round(server, size, streams).values())
                if not mine:
                    continue
                yield {
                    "size": size,
                    "streams": streams,
                    "server": server,
                    "cpu_us": statistics.median(s.cpu_us for s in mine),
                    "requests_per_s": statistics.median(s.requests_per_s for s in mine),
                    "over_own_h1": self.ratio(server, size, streams, (server, H1)),
                    "over_our_h1": self.ratio(server, size, streams, (self.ours, H1)),
                    "ours_over_it": self.ratio(self.ours, size, streams, (server, streams)),
                    "failed": sum(s.failed for s in mine),
                }


def report(rows: list[dict[str, object]]) -> None:
    last = None
    for row in rows:
        if (row["size"], row["streams"]) != last:
            last = (row["size"], row["streams"])
            how = "HTTP/1" if row["streams"] == H1 else f"HTTP/2, {row['streams']} stream(s)"
            print(f"\n{row['size']} bytes, {how}")
            print(
                f"  {'server':<9}{'CPU us':>8}{'req/s':>9}   {'over its HTTP/1':<22}{'over our HTTP/1':<22}"
                f"{'ours over it':<22}"
            )
        print(
            f"  {row['server']:<9}{row['cpu_us']:>8.1f}{row['requests_per_s']:>9.0f}   "
            f"{hits.shown(row['over_own_h1']):<22}{hits.shown(row['over_our_h1']):<22}{hits.shown(row['ours_over_it']):<22}"
            + (f"{row['failed']} failed" if row["failed"] else "")
        )


def missed(rows: list[dict[str, object]], ours: str) -> Iterator[str]:
    for row in rows:
        if row["server"] != ours:
            continue
        bar, ratio = BARS.get((row["size"], row["streams"])), row["over_own_h1"]  # type: ignore[arg-type]
        if bar is not None and isinstance(ratio, dict) and ratio["median"] > bar:
            yield f"{row['size']} bytes, {row['streams']} stream(s): {ratio['median']:.2f}, the bar is {bar}"
        if row["failed"]:
            yield f"{row['size']} bytes, {row['streams']} stream(s): {row['failed']} requests failed"


def measure(pairs: list[h2_servers.Pair], args: argparse.Namespace) -> Iterator[Sample]:
    for round_ in range(args.rounds):
        for size in args.sizes:
            for pair in pairs if round_ % 2 else pairs[::-1]:
                for streams in [H1, *args.streams] if pair.h1 is not None else args.streams:
                    yield load(pair, size, streams, args.connections, args.seconds, round_)


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rounds", type=int, default=7)
    ap.add_argument("--seconds", type=int, default=1)
    ap.add_argument("--sizes", type=hits.numbers, default=[100, 10_000])
    ap.add_argument("--streams", type=hits.numbers, default=[1, 32])
    ap.add_argument("--connections", type=int, default=16)
    ap.add_argument("--threads", type=int, default=1, help="threads of every server")
    ap.add_argument(
        "--peers", type=lambda text: text.split(",") if text else [], default=[*h2_servers.STARTS]
    )
    ap.add_argument("--vernis-arg", action="append", default=[], help="extra argument for vernisd")
    ap.add_argument("--limits", action="store_true")
    args = ap.parse_args()
    hits.OUT.mkdir(parents=True, exist_ok=True)
    samples: list[Sample] = []
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        origin = peers.origin(directory, args.sizes)
        servers = [origin]
        try:
            site = h2_servers.Site(directory, origin.port(), args.threads, tuple(args.vernis_arg))
            pairs = h2_servers.start_all(site, args.peers)
            servers += [pair.server for pair in pairs]
            for pair in pairs:
                check(pair, args.sizes)
            samples += measure(pairs, args)
        finally:
            peers.stop_all(servers)
    rows = list(Table(samples, pairs[0].name).rows())
    report(rows)
    result = {
        "machine": platform.platform(),
        "date": time.strftime("%Y-%m-%d"),
        "threads": args.threads,
        "versions": {pair.name: pair.server.version for pair in pairs},
        "rows": rows,
        "samples": [asdict(s) for s in samples],
    }
    (hits.OUT / "http2.json").write_text(json.dumps(result, indent=1))
    wrong = list(missed(rows, pairs[0].name))
    for line in wrong:
        print(f"MISSED: {line}")
    return 1 if args.limits and wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
