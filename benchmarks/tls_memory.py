"""Private memory (RssAnon) of an idle connection of TLS 1.3 that had one hit, in Vernis, nginx and HAProxy.

    benchmarks/tls_memory.py [--connections 2000 10000] [--rounds 3]

The figure is the growth from no connections to N open ones, divided by N. All use the system's OpenSSL, and
the same certificate (EC P-256). Writes build/bench/tls_memory.json.
"""

from __future__ import annotations

import argparse
import socket
import ssl
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import idle
import peers
import tls_servers

SIZE = 100
THREADS = 2
IDLE = ("-j", "none", "-p", "timeout_idle=3600")
HOLDS_ALL = {"maxconn 8000": "maxconn 20000\n    no strict-limits"}


def haproxy(site: tls_servers.Site) -> tls_servers.Secure:
    return peers.with_edits(HOLDS_ALL, lambda: tls_servers.haproxy(site))


STARTS: list[Callable[[tls_servers.Site], tls_servers.Secure]] = [
    tls_servers.vernis,
    tls_servers.nginx,
    haproxy,
]


def measure(made: tls_servers.Secure, n: int) -> float:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_3

    def connect() -> socket.socket:
        return context.wrap_socket(socket.create_connection(("127.0.0.1", made.https), 30))

    return idle.measure(made.server, n, SIZE, connect)


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--connections", type=int, nargs="+", default=[2000, 10_000])
    ap.add_argument("--rounds", type=int, default=3)
    args = ap.parse_args()
    idle.many_descriptors()
    results: dict[str, list[float]] = {}
    for n in args.connections:
        for _ in range(args.rounds):
            for start in STARTS:
                with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
                    directory = Path(tmp)
                    directory.chmod(0o755)
                    servers = [peers.origin(directory, [SIZE])]
                    try:
                        site = tls_servers.Site(directory, servers[0].port(), THREADS, extra=IDLE)
                        made = start(site)
                        servers.append(made.server)
                        results.setdefault(f"{made.name} {n}", []).append(measure(made, n))
                    finally:
                        peers.stop_all(servers)
    idle.report("tls_memory", results)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
