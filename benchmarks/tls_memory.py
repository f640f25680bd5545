"""Private memory (RssAnon) of an idle connection of TLS 1.3 that had one hit, in Vernis, nginx and HAProxy.

    benchmarks/tls_memory.py [--connections 2000 10000] [--rounds 3]

The figure is the growth from no connections to N open ones, divided by N. All use the system's OpenSSL, and
the same certificate (EC P-256). Writes build/bench/tls_memory.json.
"""

from __future__ import annotations

import argparse
import json
import resource
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers

SIZE = 100
IDLE_S = 3600


def certificate(directory: Path) -> Path:
    """One file with chain and key."""
    key, chain, both = directory / "key.pem", directory / "chain.pem", directory / "site.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=bench",
            "-keyout",
            key,
            "-out",
            chain,
        ],
        check=True,
        capture_output=True,
    )
    both.write_text(chain.read_text() + key.read_text())
    return both


def vernis(directory: Path, origin_port: int, pem: Path) -> peers.Server:
    port, start = peers.free_port(), directory / "start.cli"
    start.write_text(f"tls.cert.load {pem}\ntls.cert.commit\n")
    extra = ("-j", "none", "-a", f"127.0.0.1:{port},HTTPS", "-I", str(start), "-p", f"timeout_idle={IDLE_S}")
    server = peers.vernis(directory, origin_port, 2, extra=extra)
    server.ports = port
    return server


def nginx(directory: Path, origin_port: int, pem: Path) -> peers.Server:
    tls = f"ssl; ssl_certificate {pem}; ssl_certificate_key {pem}; ssl_protocols TLSv1.2 TLSv1.3;"
    edits = {"backlog=4096;": f"backlog=4096 {tls}"}
    return peers.with_edits(edits, lambda: peers.nginx(directory, origin_port, 2))


def haproxy(directory: Path, origin_port: int, pem: Path) -> peers.Server:
    edits = {"backlog 4096": f"backlog 4096 ssl crt {pem}"}
    edits["maxconn 8000"] = "maxconn 20000\n    no strict-limits"
    return peers.with_edits(edits, lambda: peers.haproxy(directory, origin_port, 2))


def connection(port: int, context: ssl.SSLContext) -> ssl.SSLSocket:
    s = context.wrap_socket(socket.create_connection(("127.0.0.1", port), 30))
    hit(s)
    return s


def hit(s: socket.socket) -> None:
    peers.exchange(s, f"GET /{SIZE}.html HTTP/1.1\r\nHost: bench\r\n\r\n".encode())


def private_bytes(server: peers.Server) -> int:
    return sum(peers.private_bytes(pid) for pid in server.pids())


def measure(server: peers.Server, n: int) -> float:
    """Bytes per idle connection."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    for _ in range(200):
        connection(server.port(), context).close()
    time.sleep(1)
    before, held = private_bytes(server), []
    try:
        for _ in range(n):
            held.append(connection(server.port(), context))
        time.sleep(3)
        for s in held[:: max(1, n // 100)]:
            hit(s)  # fails if the server closed the connection
        time.sleep(2)
        return (private_bytes(server) - before) / n
    finally:
        for s in held:
            s.close()


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--connections", type=int, nargs="+", default=[2000, 10_000])
    ap.add_argument("--rounds", type=int, default=3)
    args = ap.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    starts: list[Callable[[Path, int, Path], peers.Server]] = [vernis, nginx, haproxy]
    results: dict[str, list[float]] = {}
    for n in args.connections:
        for _ in range(args.rounds):
            for start in starts:
                with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
                    directory = Path(tmp)
                    directory.chmod(0o755)
                    origin = peers.origin(directory, [SIZE])
                    servers = [origin]
                    try:
                        servers.append(start(directory, origin.port(), certificate(directory)))
                        results.setdefault(f"{servers[1].name} {n}", []).append(measure(servers[1], n))
                    finally:
                        peers.stop_all(servers)
    for name, values in results.items():
        middle = statistics.median(values)
        print(f"{name:<16} {middle:8.0f} bytes per idle connection  [{min(values):.0f} .. {max(values):.0f}]")
    out = peers.ROOT / "build/bench"
    out.mkdir(parents=True, exist_ok=True)
    (out / "tls_memory.json").write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
