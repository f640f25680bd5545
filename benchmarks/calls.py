"""Counts the system calls of a server for one request, with strace: Vernis, nginx, HAProxy.

    benchmarks/calls.py [--servers vernis,nginx,haproxy] [--requests 200]

One client and one worker; bodies of 1,000 bytes. Four kinds of requests: hits and misses, each over a new
connection and over one that stays open. The table counts the calls of the threads that talk to clients,
between the first and the last request. Writes build/bench/calls.json.
"""

from __future__ import annotations

import argparse
import json
import re
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import peers

OUT = peers.ROOT / "build/bench"
BYTES = 1000
BY_TIME = {"clock_gettime"}  # at most one in 2 ms; strace makes a request take about as long
KINDS = {
    "hit, new connection": (True, True),
    "hit, kept connection": (True, False),
    "miss, new connection": (False, True),
    "miss, kept connection": (False, False),
}
CALL = re.compile(r"^(\d+) +(?:<\.\.\. )?(\w+)(?:\(| resumed)")
SERVES = {"accept", "accept4", "recvfrom", "recv", "read", "readv"}


def ask(s: socket.socket, target: str, close: bool) -> None:
    """Sends one request and reads its complete response."""
    connection = "Connection: close\r\n" if close else ""
    s.sendall(f"GET {target} HTTP/1.1\r\nHost: bench\r\n{connection}\r\n".encode())
    got = b""
    while len(got.partition(b"\r\n\r\n")[2]) < BYTES:
        piece = s.recv(65536)
        assert piece, got
        got += piece
    assert got.startswith(b"HTTP/1.1 200 "), got[:100]
    assert not close or s.recv(1) == b""


def load(port: int, targets: list[str], close: bool) -> None:
    with socket.create_connection(("127.0.0.1", port)) as kept:
        for target in targets:
            if close:
                with socket.create_connection(("127.0.0.1", port)) as s:
                    ask(s, target, True)
            else:
                ask(kept, target, False)


def calls_per_request(trace: Path, begin: int, n: int) -> dict[str, float]:
    """Calls per request of the serving threads, from byte ``begin`` of the trace on. Omits calls that are
    rarer than one in ten requests, because timers and housekeeping make them."""
    calls: Counter[tuple[str, str]] = Counter()
    with trace.open() as lines:
        lines.seek(begin)
        for line in lines:
            found = CALL.match(line)
            if found and "resumed" not in found.group(0):
                calls[found.group(1), found.group(2)] += 1
    serving = {thread for (thread, call), times in calls.items() if call in SERVES and times >= n / 10}
    sums: Counter[str] = Counter()
    for (thread, call), times in calls.items():
        if thread in serving:
            sums[call] += times
    return {
        call: round(times / n, 2)
        for call, times in sums.most_common()
        if times >= n / 10 and call not in BY_TIME
    }


def count(server: peers.Server, trace: Path, n: int) -> dict[str, dict[str, float]]:
    port, result = server.port(), {}
    for number, (kind, (hits, close)) in enumerate(KINDS.items()):
        targets = [f"/{BYTES}.html" + ("" if hits else f"?{number}-{i}") for i in range(n + 3)]
        load(port, targets[:3], close)
        begin = trace.stat().st_size
        load(port, targets[3:], close)
        result[kind] = calls_per_request(trace, begin, n)
    return result


IDLE_S, IDLE_MOST_S = 0.6, 15.0


@contextmanager
def traced(
    name: str, directory: Path, origin: int, extra: tuple[str, ...]
) -> Iterator[tuple[peers.Server, Path]]:
    """Runs the server under strace -D: the server, and not strace, is our child and gets our signals."""
    trace = directory / f"{name}.trace"
    under = ("strace", "-D", "-f", "-qq", "-o", str(trace))
    if name == "vernis":
        server = peers.vernis(directory, origin, 1, extra=("-j", "none", *extra), under=under)
    else:
        server = {"nginx": peers.nginx, "haproxy": peers.haproxy}[name](directory, origin, 1, under=under)
    try:
        wait_until_idle(trace)
        yield server, trace
    finally:
        server.stop()


def wait_until_idle(trace: Path) -> None:
    """Waits until the server's other processes, such as those that compile, make no more calls."""
    size, since, end = -1, time.monotonic(), time.monotonic() + IDLE_MOST_S
    while time.monotonic() < min(since + IDLE_S, end):
        if trace.stat().st_size != size:
            size, since = trace.stat().st_size, time.monotonic()
        time.sleep(0.05)


def site(directory: Path) -> tuple[peers.Server, int]:
    """An origin that is nginx, because HAProxy does not store the floor's responses."""
    server = peers.origin(directory, [BYTES])
    return server, server.port()


def floor(directory: Path) -> tuple[peers.Server, int]:
    """An origin that sends each response with one write."""
    server = peers.floor(directory, 1, [BYTES])
    return server, server.port(BYTES)


def measure(
    names: list[str],
    n: int,
    start_origin: Callable[[Path], tuple[peers.Server, int]] = site,
    extra: tuple[str, ...] = (),
) -> dict[str, dict[str, dict[str, float]]]:
    """Calls per request, by server, kind of request and call."""
    result = {}
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        origin, port = start_origin(directory)
        try:
            for name in names:
                with traced(name, directory, port, extra) as (server, trace):
                    result[name] = count(server, trace, n)
        finally:
            origin.stop()
    return result


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--servers", default="vernis,nginx,haproxy")
    ap.add_argument("--requests", type=int, default=200)
    args = ap.parse_args()
    result = measure(args.servers.split(","), args.requests)
    for kind in KINDS:
        print(kind)
        for name, kinds in result.items():
            calls = kinds[kind]
            print(
                f"  {name:<10}{sum(calls.values()):6.1f}   "
                + " ".join(f"{call} {times:g}" for call, times in calls.items())
            )
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "calls.json").write_text(json.dumps(result, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
