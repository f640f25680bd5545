"""Servers out of file descriptors: 900 clients send half a request each, with 512 descriptors allowed.

    benchmarks/descriptors.py [--clients 900] [--limit 512] [--seconds 5] [--other CHECKOUT]

Reports log lines, CPU time, and whether a new client gets its response within a second during the attack
("served") and afterwards ("after"). Each server is attacked twice. First the limit is set before the server
starts, so that the server can adapt. Then it is set on the running processes, so that accept() fails; not on
nginx, whose workers belong to another user. --other adds another built checkout of Vernis. Writes
build/bench/descriptors.json.
"""

from __future__ import annotations

import argparse
import json
import resource
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers

SIZE = 1000
HALF = b"GET /1000.html HTTP/1.1\r\nHost: be"


def lines_of(logs: list[Path]) -> int:
    return sum(path.read_bytes().count(b"\n") for path in logs if path.exists())


def answered(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as c:
            c.sendall(f"GET /{SIZE}.html HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n".encode())
            return c.recv(12) == b"HTTP/1.1 200"
    except OSError:
        return False


def attack(server: peers.Server, logs: list[Path], clients: int, seconds: float) -> dict[str, object]:
    port = server.port()
    before, cpu, conns = lines_of(logs), peers.cpu_seconds(server.pids()), []
    began = time.monotonic()
    for _ in range(clients):
        conn = socket.socket()
        conn.settimeout(0.2)
        try:
            conn.connect(("127.0.0.1", port))
            conn.sendall(HALF)
        except OSError:
            pass  # the server may refuse or close the connection
        conns.append(conn)
    served = answered(port)
    time.sleep(max(0.0, began + seconds - time.monotonic()))
    took = time.monotonic() - began
    spent = peers.cpu_seconds(server.pids()) - cpu
    for conn in conns:
        conn.close()
    time.sleep(1.5)
    return {
        "seconds": round(took, 1),
        "log_lines": lines_of(logs) - before,
        "cpu_s": round(spent, 2),
        "served": served,
        "after": answered(port),
    }


def starters(directory: Path, origin: int, other: Path | None) -> dict[str, Callable[[], peers.Server]]:
    as_us = ("-j", "none")  # a process without privileges can set limits only for its own user
    rows: dict[str, Callable[[], peers.Server]] = {
        "vernis": lambda: peers.vernis(directory, origin, 2, extra=as_us),
        "varnish": lambda: peers.varnish(
            directory, origin, 2, extra=("-p", "thread_pool_min=100", "-p", "thread_pool_max=1000")
        ),
        "nginx": lambda: peers.nginx(directory, origin, 2),
        "haproxy": lambda: peers.haproxy(directory, origin, 2),
    }
    if other is not None:
        rows = {"other": lambda: peers.vernis(directory, origin, 2, extra=as_us, root=other)} | rows
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clients", type=int, default=900)
    parser.add_argument("--limit", type=int, default=512)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--other", type=Path)
    args = parser.parse_args()
    rows = []
    peers.EDITS |= {
        "worker_rlimit_nofile 65536;": "",
        "nginx-error.log crit": "nginx-error.log warn",
        "maxconn 8000": "",
    }
    for when in ("before", "running"):
        for name in ("other", "vernis", "varnish", "nginx", "haproxy"):
            with tempfile.TemporaryDirectory(prefix="vernis-bench-") as text:
                directory = Path(text)
                directory.chmod(0o755)
                origin = peers.origin(directory / "origin", [SIZE])
                start = starters(directory, origin.port(), args.other).get(name)
                if start is None or (name, when) == ("nginx", "running"):
                    origin.stop()
                    continue
                peers.DESCRIPTORS = args.limit if when == "before" else None
                server = start()
                peers.DESCRIPTORS = None
                try:
                    while not answered(server.port()):
                        time.sleep(0.1)
                    if when == "running":
                        for pid in server.pids():
                            resource.prlimit(pid, resource.RLIMIT_NOFILE, (args.limit, args.limit))
                    logs = [directory / f"{server.name}.log", directory / "nginx-error.log"]
                    row = {
                        "server": name,
                        "version": server.version,
                        "limit_set": when,
                        **attack(server, logs, args.clients, args.seconds),
                    }
                finally:
                    server.stop()
                    origin.stop()
                rows.append(row)
                print(
                    f"{name:8} limit set {when:8} {row['log_lines']:>8} log lines  "
                    f"{row['cpu_s']:>6} s of processor in {row['seconds']} s  "
                    f"served {row['served']}  after {row['after']}",
                    flush=True,
                )
    out = peers.ROOT / "build/bench/descriptors.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
