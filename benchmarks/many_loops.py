"""Instructions of a request with many loops over those with two: what does a request do for each loop?

    benchmarks/many_loops.py [--loops 64]

One request after the other over 64 connections, so that each loop has some: hits on one object, hits on 500
objects, and misses of 1,000 bytes. Those of the loops only, under callgrind (benchmarks/counted.py).
Exits with 1 if a ratio is above --limit.
"""

from __future__ import annotations

import argparse
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import counted
import peers

CONNECTIONS, OBJECTS, REQUESTS = 64, 500, 6400
FEW = 2
KINDS: dict[str, Callable[[int], str]] = {
    "hit": lambda n: "/gen/100?as=0",
    "hit, 500 objects": lambda n: f"/gen/100?as={n % OBJECTS}",
    "miss": lambda n: f"/gen/1000?as={n}",
}


def turn(numbers: Iterator[int], kind: str, port: int) -> None:
    """Each connection in turn sends a request and reads its answer."""
    connections = [socket.create_connection(("127.0.0.1", port), 600) for _ in range(CONNECTIONS)]
    for n in numbers:
        head = f"GET {KINDS[kind](n)} HTTP/1.1\r\nHost: bench\r\n\r\n".encode()
        peers.exchange(connections[n % CONNECTIONS], head)
    for one in connections:
        one.close()


def per_request(directory: Path, kind: str, loops: int, origin: peers.Server) -> float:
    one = counted.vernis(
        directory, origin.port(), extra=counted.parameters(f"loops={loops}"), threads="loop_thread"
    )
    try:
        turn(iter(range(REQUESTS)), kind, one.server.port())
        spent = one.instructions(lambda: turn(iter(range(REQUESTS, 2 * REQUESTS)), kind, one.server.port()))
        return spent / REQUESTS
    finally:
        one.server.stop()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--loops", type=int, default=64)
    parser.add_argument("--limit", type=float, default=1.03)
    args = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as name:
        origin = peers.asked_origin(peers.folder(Path(name), "origin"))
        try:
            for at, kind in enumerate(KINDS):
                few, many = (
                    per_request(peers.folder(Path(name), f"{at}-{loops}"), kind, loops, origin)
                    for loops in (FEW, args.loops)
                )
                good &= many / few <= args.limit
                print(
                    f"{kind:<18}{few:8.0f} with {FEW} loops, {many:8.0f} with {args.loops}: {many / few:.3f}"
                )
        finally:
            origin.stop()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
