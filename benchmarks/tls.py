"""Hits and handshakes over TLS: Vernis, nginx, HAProxy, and hitch before Varnish, in turn, with one OpenSSL,
one certificate and one cipher.

    benchmarks/tls.py [--rounds 7] [--seconds 1] [--sizes 100,10000] [--handshakes 200] [--kind EC]
                      [--peers nginx,haproxy,hitch] [--connections 16] [--threads 1] [--limits]

h2load loads each server over HTTP, HTTPS with HTTP/1.1, and HTTPS with HTTP/2 with 1 and 32 streams at once
on each connection. A Python client opens connections for one request each: with a full handshake, and
resumed.
Reports CPU microseconds of the server's processes per request or connection, and the ratios: over the hit
of Vernis over HTTP, and of Vernis over each peer, paired by round, as median [least .. most].

--limits: exit code 1 if a bar of BARS, OVER_PEER or HANDSHAKES is missed, or a request of Vernis failed.
Writes build/bench/tls.json.
"""

from __future__ import annotations

import argparse
import json
import platform
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import hits
import peers
import tls_servers

CIPHER = "TLS_AES_128_GCM_SHA256"
PLAIN, TLS, H2, H2_32 = "HTTP", "HTTPS", "HTTPS, HTTP/2", "HTTPS, HTTP/2, 32 streams"
WAYS = {PLAIN: ["--h1"], TLS: ["--h1"], H2: ["-m", "1"], H2_32: ["-m", "32"]}
FULL, RESUMED = "full handshake", "resumed handshake"
#: Largest CPU of our hit over that of our plain hit, by way and body size.
BARS = {(TLS, 100): 1.25, (TLS, 10_000): 1.40, (H2_32, 100): 0.8, (H2_32, 10_000): 1.1}
OVER_PEER = 0.75  # of a hit with HTTP/1.1 over TLS
HANDSHAKES = {FULL: 1.05, RESUMED: 1.0}  # over the best peer's


@dataclass(slots=True)
class Sample:
    server: str
    way: str
    size: int
    round: int
    cpu_us: float
    failed: int


def load(made: tls_servers.Secure, way: str, size: int, round_: int, args: argparse.Namespace) -> Sample:
    url = f"http://127.0.0.1:{made.http}" if way == PLAIN else f"https://127.0.0.1:{made.https}"
    words = ["-c", str(args.connections), "-D", str(args.seconds), *WAYS[way], f"--tls13-ciphers={CIPHER}"]
    done = peers.h2load(made.server, [*words, f"{url}/{size}.html"])
    assert way == PLAIN or f"Cipher: {CIPHER}" in done.said, done.said
    return Sample(made.name, way, size, round_, done.cpu_us, done.failed)


def context() -> ssl.SSLContext:
    how = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    how.check_hostname, how.verify_mode = False, ssl.CERT_NONE
    how.set_alpn_protocols(["http/1.1"])
    return how


def one_request(
    port: int, size: int, how: ssl.SSLContext, session: ssl.SSLSession | None
) -> tuple[bool, ssl.SSLSession | None]:
    """Whether the session was resumed, and the one to resume next."""
    with how.wrap_socket(socket.create_connection(("127.0.0.1", port), 10), session=session) as s:
        peers.exchange(s, f"GET /{size}.html HTTP/1.1\r\nHost: bench.test\r\n\r\n".encode())
        return bool(s.session_reused), s.session


def connect(made: tls_servers.Secure, way: str, size: int, round_: int, args: argparse.Namespace) -> Sample:
    how = context()
    _, kept = one_request(made.https, size, how, None)
    pids = made.server.pids()
    before, failed = peers.cpu_seconds(pids), 0
    for _ in range(args.handshakes):
        resumed, _ = one_request(made.https, size, how, kept if way == RESUMED else None)
        failed += resumed != (way == RESUMED)
    spent = peers.cpu_seconds(pids) - before
    return Sample(made.name, way, size, round_, spent / args.handshakes * 1e6, failed)


def check(made: tls_servers.Secure, sizes: list[int]) -> None:
    """All ways give the whole body, from the cache."""
    for size in sizes:
        for url, words in (
            (f"http://127.0.0.1:{made.http}", ["--http1.1"]),
            (f"https://127.0.0.1:{made.https}", ["--http1.1"]),
            (f"https://127.0.0.1:{made.https}", ["--http2"]),
        ):
            for _ in range(3):
                done = subprocess.run(
                    ["curl", "-sSk", "--fail", *words, f"{url}/{size}.html"], capture_output=True
                )
                assert len(done.stdout) == size, f"{made.name}, {url}, {words[0]}: {done}"


def measure(all_: list[tls_servers.Secure], args: argparse.Namespace) -> Iterator[Sample]:
    for round_ in range(args.rounds):
        in_turn = all_ if round_ % 2 else all_[::-1]
        for size in args.sizes:
            for made in in_turn:
                for way in WAYS:
                    yield load(made, way, size, round_, args)
        for way in HANDSHAKES:
            for made in in_turn:
                yield connect(made, way, args.sizes[0], round_, args)


# ---- report ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Table:
    samples: list[Sample]

    def of(self, server: str, way: str, size: int) -> dict[int, Sample]:
        return {s.round: s for s in self.samples if (s.server, s.way, s.size) == (server, way, size)}

    def ratio(self, a: tuple[str, str, int], b: tuple[str, str, int]) -> dict[str, float]:
        mine, theirs = self.of(*a), self.of(*b)
        return hits.spread([mine[r].cpu_us / theirs[r].cpu_us for r in mine])

    def cells(self) -> Iterator[tuple[str, int, list[str]]]:
        """A way, a size, and its servers."""
        found = dict.fromkeys((s.way, s.size) for s in self.samples)
        for way, size in sorted(found, key=lambda cell: ([*WAYS, *HANDSHAKES].index(cell[0]), cell[1])):
            yield (
                way,
                size,
                list(dict.fromkeys(s.server for s in self.samples if (s.way, s.size) == (way, size))),
            )


def report(t: Table, ours: str) -> Iterator[str]:
    """Prints the table. Yields what misses its bar."""
    for way, size, servers in t.cells():
        print(f"\n{way}, {size} bytes\n  {'server':<9}{'CPU us':>9}   {'over our HTTP':<24}ours over it")
        for server in sorted(servers, key=lambda name: name != ours):
            mine = t.of(server, way, size)
            over, peer = (
                t.ratio((server, way, size), (ours, PLAIN, size)),
                t.ratio((ours, way, size), (server, way, size)),
            )
            failed = sum(s.failed for s in mine.values())
            cpu = statistics.median(s.cpu_us for s in mine.values())
            print(
                f"  {server:<9}{cpu:>9.1f}   {hits.shown(over):<24}{hits.shown(peer)}"
                + (f"   {failed} failed" if failed else "")
            )
            bar = BARS.get((way, size))
            if server == ours and bar is not None and over["median"] > bar:
                yield f"{way}, {size} bytes: {over['median']:.2f} of the plain hit, the bar is {bar}"
            if server == ours and failed:
                yield f"{way}, {size} bytes: {failed} failed"
            if server != ours and way == TLS and peer["median"] > OVER_PEER:
                yield f"{way}, {size} bytes: {peer['median']:.2f} of {server}, the bar is {OVER_PEER}"
            if server != ours and way in HANDSHAKES and peer["median"] > HANDSHAKES[way]:
                yield f"{way}: {peer['median']:.2f} of {server}, the bar is {HANDSHAKES[way]}"


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rounds", type=int, default=7)
    ap.add_argument("--seconds", type=int, default=1)
    ap.add_argument("--sizes", type=hits.numbers, default=[100, 10_000])
    ap.add_argument("--handshakes", type=int, default=200)
    ap.add_argument("--kind", choices=("EC", "RSA"), default="EC", help="of the certificate")
    ap.add_argument("--connections", type=int, default=16)
    ap.add_argument("--threads", type=int, default=1, help="threads of every server")
    ap.add_argument(
        "--peers", type=lambda text: text.split(",") if text else [], default=[*tls_servers.PEERS]
    )
    ap.add_argument("--limits", action="store_true")
    args = ap.parse_args()
    hits.OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        servers = [peers.origin(directory, args.sizes)]
        try:
            site = tls_servers.Site(directory, servers[0].port(), args.threads, args.kind)
            all_ = tls_servers.start_all(site, args.peers)
            servers += [made.server for made in all_]
            for made in all_:
                check(made, args.sizes)
            samples = list(measure(all_, args))
        finally:
            peers.stop_all(servers)
    wrong = list(report(Table(samples), all_[0].name))
    result = {
        "machine": platform.platform(),
        "date": time.strftime("%Y-%m-%d"),
        "openssl": ssl.OPENSSL_VERSION,
        "threads": args.threads,
        "versions": {made.name: made.server.version for made in all_},
        "samples": [asdict(s) for s in samples],
    }
    (hits.OUT / "tls.json").write_text(json.dumps(result, indent=1))
    for line in wrong:
        print(f"MISSED: {line}")
    return 1 if args.limits and wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
