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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers

SIZE = 10_000


def hit(conn: socket.socket) -> None:
    conn.sendall(f"GET /{SIZE}.html HTTP/1.1\r\nHost: bench\r\n\r\n".encode())
    data = b""
    while b"\r\n\r\n" not in data:
        data += conn.recv(65536)
    head, body = data.split(b"\r\n\r\n", 1)
    assert head.startswith(b"HTTP/1.1 200"), head
    left = SIZE - len(body)
    while left > 0:
        left -= len(conn.recv(65536))


def private_bytes(server: peers.Server) -> int:
    return sum(peers.private_bytes(pid) for pid in server.pids())


def measure(server: peers.Server, n: int) -> float:
    """Bytes per idle connection."""
    port = server.port()
    for _ in range(200):
        peers.get(port, f"/{SIZE}.html")
    time.sleep(1)
    before = private_bytes(server)
    conns = []
    try:
        for _ in range(n):
            conn = socket.create_connection(("127.0.0.1", port))
            conns.append(conn)
            hit(conn)
        time.sleep(3)
        for conn in conns[:: max(1, n // 100)]:
            hit(conn)  # fails if the server closed the connection
        time.sleep(2)
        return (private_bytes(server) - before) / n
    finally:
        for conn in conns:
            conn.close()
        time.sleep(1)


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--connections", type=int, default=10_000)
    ap.add_argument("--rounds", type=int, default=3)
    args = ap.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
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
                    results.setdefault(server.name, []).append(measure(server, args.connections))
            finally:
                for server in servers:
                    server.stop()
    for name, values in results.items():
        print(
            f"{name:<10} {statistics.median(values):8.0f} bytes per idle connection  "
            f"[{min(values):.0f} .. {max(values):.0f}], {args.connections} connections"
        )
    out = peers.ROOT / "build/bench"
    out.mkdir(parents=True, exist_ok=True)
    (out / "idle.json").write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
