"""Private memory (RssAnon) of an idle connection that had one 10 KB hit, in Vernis and Varnish.

    benchmarks/idle.py [--connections 10000] [--rounds 3]

The figure is the growth from no connections to N open ones, divided by N. A high timeout_idle keeps the
connections open. Varnish's thread workspaces count. The log is shared memory and does not count, because the
hits touch its pages and not the idle connections. Writes build/bench/idle.json.
"""

from __future__ import annotations

import argparse
import json
import resource
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers

SIZE = 10_000


def hit(conn: socket.socket, size: int) -> None:
    peers.exchange(conn, f"GET /{size}.html HTTP/1.1\r\nHost: bench\r\n\r\n".encode())


def private_bytes(server: peers.Server) -> int:
    return sum(peers.private_bytes(pid) for pid in server.pids())


def measure(server: peers.Server, n: int, size: int, connect: Callable[[], socket.socket]) -> float:
    """Bytes per idle connection that had one hit."""

    def connected() -> socket.socket:
        conn = connect()
        hit(conn, size)
        return conn

    for _ in range(200):
        connected().close()
    time.sleep(1)
    before = private_bytes(server)
    conns: list[socket.socket] = []
    try:
        for _ in range(n):
            conns.append(connected())
        time.sleep(3)
        for conn in conns[:: max(1, n // 100)]:
            hit(conn, size)  # fails if the server closed the connection
        time.sleep(2)
        return (private_bytes(server) - before) / n
    finally:
        for conn in conns:
            conn.close()
        time.sleep(1)


def many_descriptors() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def report(name: str, results: dict[str, list[float]]) -> None:
    """Prints them, and writes build/bench/NAME.json."""
    for of, values in results.items():
        print(
            f"{of:<16} {statistics.median(values):8.0f} bytes per idle connection  "
            f"[{min(values):.0f} .. {max(values):.0f}]"
        )
    out = peers.ROOT / "build/bench"
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{name}.json").write_text(json.dumps(results, indent=1))


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--connections", type=int, default=10_000)
    ap.add_argument("--rounds", type=int, default=3)
    args = ap.parse_args()
    many_descriptors()
    results: dict[str, list[float]] = {}
    for _ in range(args.rounds):
        with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
            directory = Path(tmp)
            directory.chmod(0o755)
            origin = peers.origin(directory, [SIZE])
            servers = [origin]
            idle = ("-p", "timeout_idle=3600")
            try:
                for start in (peers.vernis, peers.varnish):
                    server = start(directory, origin.port(), 2, extra=idle)
                    servers.append(server)
                    address = ("127.0.0.1", server.port())
                    grown = measure(
                        server, args.connections, SIZE, partial(socket.create_connection, address)
                    )
                    results.setdefault(f"{server.name} {args.connections}", []).append(grown)
            finally:
                peers.stop_all(servers)
    report("idle", results)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
