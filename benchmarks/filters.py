"""Filters and large bodies: Vernis and Varnish in turn.

    benchmarks/filters.py [--rounds 5] [--seconds 3] [--connections 20]
                          [--rows gzip,gunzip,esi,stream,range] [--size 256m]

* gzip: misses of 100 KB pages that the origin sends without coding. The cache compresses each before it
  stores it, and the client accepts gzip;
* gunzip: hits of one such page, for clients that do not accept gzip;
* esi: hits of a page with ten includes of 2 KB, all stored;
* stream: a miss of an object of --size, with 100 slow readers (64 KB ten times a second) and 10 fast readers.
  It ends when the fast readers have the whole object. CPU is per delivered MB. Memory is the worker's peak of
  private memory, divided by the object's size;
* range: hits of 64 KB anywhere in that object.

CPU time comes from the scheduler's account of the server's processes. The ratios Vernis/Varnish are paired by
round, as median [min .. max]. Writes build/bench/filters.json. With --limits it exits with 1 if a row is
above its limit.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import resource
import selectors
import socket
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import hits
import memory
import peers

SCRIPT = str(peers.CONF / "filters.lua")
LIMITS = {"gzip": 0.6, "gunzip": 0.5, "esi": 0.35, "stream": 0.5}
PAGE_BYTES, FRAGMENT_BYTES, FRAGMENTS = 100_000, 2_000, 10
SLOW, FAST, SLOW_BYTES, SLOW_PERIOD_S = 100, 10, 65536, 0.1
MB = 1 << 20
POLICY = """
sub vcl_backend_response {
    set beresp.do_gzip = bereq.url ~ "^/page";
    set beresp.do_esi = bereq.url ~ "^/esi";
}
"""


@dataclass(slots=True)
class Stream:
    """One server in one round of the row "stream"."""

    server: str
    round: int
    cpu_us_per_mb: float
    mb_per_s: float
    over_bytes: int


def words(n: int) -> str:
    """Text that compresses as pages do, to about a fifth of its size."""
    rng, out, have = random.Random(11), [], 0
    known = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 10))) for _ in range(2000)]
    while have < n:
        out.append(f'<p class="{rng.choice(known)}">{" ".join(rng.choices(known, k=12))}</p>\n')
        have += len(out[-1])
    return "".join(out)[:n]


def make_site(directory: Path, size: int) -> peers.Server:
    site = directory / "site"
    site.mkdir()
    (site / "page.html").write_text(words(PAGE_BYTES))
    includes = "".join(f'<p>{i}</p><esi:include src="/fragment{i}.html"/>\n' for i in range(FRAGMENTS))
    (site / "esi.html").write_text(f"<html>\n{includes}</html>\n")
    for i in range(FRAGMENTS):
        (site / f"fragment{i}.html").write_text(words(FRAGMENT_BYTES))
    with open(site / "big.bin", "wb") as big:
        big.truncate(size)
    return peers.origin(directory, [])


class Readers:
    """The clients of the row "stream". Each fast one reads `wanted` bytes of content."""

    def __init__(self, port: int, target: str, wanted: int) -> None:
        self.ended, self.bytes, self.wanted = threading.Event(), 0, wanted
        self.request, self.port = f"GET {target} HTTP/1.1\r\nHost: bench\r\n\r\n".encode(), port
        self.slow = [self._open(1 << 16) for _ in range(SLOW)]
        self.fast = [self._open(None) for _ in range(FAST)]

    def _open(self, buffer: int | None) -> socket.socket:
        s = socket.socket()
        if buffer is not None:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        s.connect(("127.0.0.1", self.port))
        s.sendall(self.request)
        return s

    def _read_slowly(self) -> None:
        while not self.ended.wait(SLOW_PERIOD_S):
            for s in self.slow:
                try:
                    self.bytes += len(s.recv(SLOW_BYTES, socket.MSG_DONTWAIT))
                except BlockingIOError:
                    continue

    def _read_fast(self) -> int:
        buffer, got = bytearray(MB), dict.fromkeys(self.fast, 0)
        with selectors.DefaultSelector() as ready:
            for s in self.fast:
                ready.register(s, selectors.EVENT_READ)
            while ready.get_map():
                for key, _ in ready.select():
                    client = key.fileobj
                    assert isinstance(client, socket.socket)
                    n = client.recv_into(buffer)
                    assert n > 0, f"a response ended behind {got[client]} bytes: {bytes(buffer[:200])!r}"
                    got[client] += n
                    if got[client] > self.wanted:  # head included
                        ready.unregister(client)
        return sum(got.values())

    def run(self) -> None:
        slow = threading.Thread(target=self._read_slowly)
        slow.start()
        try:
            fast_bytes = self._read_fast()
        finally:
            self.ended.set()
            slow.join()
            for s in self.slow + self.fast:
                s.close()
        self.bytes += fast_bytes


def stream(server: peers.Server, size: int, round_: int) -> Stream:
    peak = memory.Peak(server.pids)
    before, started = peers.cpu_seconds(server.pids()), time.monotonic()
    readers = Readers(server.port(), f"/big.bin?{round_}", size)
    readers.run()
    spent, took = peers.cpu_seconds(server.pids()) - before, time.monotonic() - started
    peak.end()
    mb = readers.bytes / MB
    return Stream(server.name, round_, spent / mb * 1e6, mb / took, peak.bytes - peak.idle - size)


def loaded(server: peers.Server, row: str, args: argparse.Namespace, round_: int) -> hits.Sample:
    return hits.load(
        server, 0, args.connections, args.seconds, round_, (SCRIPT, row, str(round_ + 2), str(args.size))
    )


def check(servers: list[peers.Server]) -> None:
    """Checks that all servers send the same bytes."""
    for target in ("/page.html", "/esi.html"):
        bodies = {peers.get(server.port(), target)[1] for server in servers}
        assert len(bodies) == 1 and len(bodies.pop()) > FRAGMENTS * FRAGMENT_BYTES, f"{target} differs"


def show(row: str, samples: list[hits.Sample | Stream]) -> dict[str, object]:
    cpu, speed = (
        ("cpu_us_per_mb", "mb_per_s") if row == "stream" else ("cpu_us_per_request", "requests_per_s")
    )
    by_server = {name: [s for s in samples if s.server == name] for name in ("vernis", "varnish")}
    ratio = hits.spread([getattr(a, cpu) / getattr(b, cpu) for a, b in zip(*by_server.values(), strict=True)])
    print(
        f"\n{row}: CPU {ratio['median']:.2f} [{ratio['min']:.2f} .. {ratio['max']:.2f}]"
        + (f" of Varnish's, limit {LIMITS[row]}" if row in LIMITS else " of Varnish's")
    )
    for name, mine in by_server.items():
        over = [s.over_bytes for s in mine if isinstance(s, Stream)]
        tail = f"{max(over) / MB:8.1f} MB over the object" if over else ""
        errors = sum(s.errors for s in mine if isinstance(s, hits.Sample))
        medians = [hits.spread([getattr(s, v) for s in mine])["median"] for v in (cpu, speed)]
        print(
            f"  {name:<9}{medians[0]:>10.1f} {cpu}{medians[1]:>10.0f} {speed}  {tail}"
            + (f"  {errors} errors" if errors else "")
        )
    return {"cpu_ratio": ratio, "samples": [asdict(s) for s in samples]}


def run(row: str, args: argparse.Namespace, storage: str) -> list[hits.Sample | Stream]:
    """Runs the rows of large objects on servers with empty caches. Otherwise a large object would have to
    evict thousands of pages, and nuke_limit would stop that."""
    samples: list[hits.Sample | Stream] = []
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        origin = make_site(directory, args.size)
        servers = [origin]
        try:
            servers.append(peers.vernis(directory, origin.port(), 2, storage))
            servers.append(peers.varnish(directory, origin.port(), 2, storage))
            check(servers[1:])
            for round_ in range(-1, args.rounds):  # the first warms up
                for server in servers[1:] if round_ % 2 == 0 else servers[:0:-1]:
                    samples.append(
                        stream(server, args.size, round_)
                        if row == "stream"
                        else loaded(server, row, args, round_)
                    )
        finally:
            for server in servers:
                server.stop()
    return [s for s in samples if s.round >= 0]


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rounds", type=int, default=5)
    ap.add_argument("--seconds", type=int, default=3)
    ap.add_argument("--connections", type=int, default=20)
    ap.add_argument("--rows", default="gzip,gunzip,esi,stream,range")
    ap.add_argument("--size", type=memory.bytes_of, default=256 * MB)
    ap.add_argument("--limits", action="store_true", help="exit with 1 if a row is above its limit")
    args = ap.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    hits.OUT.mkdir(parents=True, exist_ok=True)
    peers.EDITS |= {'.port = "@ORIGIN@";\n}\n': '.port = "@ORIGIN@";\n}\n' + POLICY}
    storage = f"{3 * args.size // MB}m"
    results: dict[str, object] = {
        "machine": platform.platform(),
        "date": time.strftime("%Y-%m-%d"),
        "size": args.size,
    }
    good = True
    for row in args.rows.split(","):
        result = show(row, run(row, args, storage))
        results[row] = result
        good &= result["cpu_ratio"]["median"] <= LIMITS.get(row, 1)  # type: ignore[index]
    (hits.OUT / "filters.json").write_text(json.dumps(results, indent=1))
    return 1 if args.limits and not good else 0


if __name__ == "__main__":
    raise SystemExit(main())
