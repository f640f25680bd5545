"""Instructions of a request with many loops over those with two: what does a request do for each loop?

    benchmarks/many_loops.py [--loops 64]

One request after the other over 64 connections, so that each loop has some: hits on one object, hits on 500
objects, and misses of 1,000 bytes. Those of the loops only, under callgrind (benchmarks/counted.py).
Then the longest run of timers on a loop: it delays each request of that loop, so it must not grow with loops.
Exits with 1 if a ratio is above --limit, or that run above TIMERS_MAX.
"""

from __future__ import annotations

import argparse
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import counted
import peers

CONNECTIONS, OBJECTS, REQUESTS = 64, 500, 6400
FEW = 2
TIMERS_MAX, TIMERS_S = 300_000, 20  # instructions
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


def per_request(directory: Path, kind: str, loops: int, origin: peers.Server, less_idle: bool) -> float:
    one = counted.vernis(
        directory, origin.port(), extra=counted.parameters(f"loops={loops}"), threads="loop_thread"
    )
    if not less_idle:
        one.idle_per_s = 0.0
    try:
        turn(iter(range(REQUESTS)), kind, one.server.port())
        spent = one.instructions(lambda: turn(iter(range(REQUESTS, 2 * REQUESTS)), kind, one.server.port()))
        return spent / REQUESTS
    finally:
        one.server.stop()


def longest_timers(directory: Path, loops: int, origin: peers.Server) -> int:
    """With objects in a limited storage, so that the timers of the cache have work."""
    toggle = ("--toggle-collect=timers_run", "--dump-after=timers_run")
    options = (*counted.options(), *counted.parameters(f"loops={loops}"))
    under = (*counted.under(directory), *toggle)
    server = peers.vernis(directory, origin.port(), 1, extra=options, under=under)
    try:
        turn(iter(range(CONNECTIONS * 10)), "miss", server.port())
        time.sleep(TIMERS_S)
    finally:
        server.stop()
    dumps = [path.read_text() for path in directory.glob("counted.*")]
    return max(int(n) for dump in dumps for n in counted.TOTALS.findall(dump))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--loops", type=int, default=64)
    parser.add_argument("--limit", type=float, default=1.03)
    parser.add_argument("--less-idle", action="store_true", help="without what idle loops execute meanwhile")
    args = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as name:
        origin = peers.asked_origin(peers.folder(Path(name), "origin"))
        try:
            for at, kind in enumerate(KINDS):
                few, many = (
                    per_request(
                        peers.folder(Path(name), f"{at}-{loops}"), kind, loops, origin, args.less_idle
                    )
                    for loops in (FEW, args.loops)
                )
                good &= many / few <= args.limit
                print(
                    f"{kind:<18}{few:8.0f} with {FEW} loops, {many:8.0f} with {args.loops}: {many / few:.3f}"
                )
            longest = longest_timers(peers.folder(Path(name), "timers"), args.loops, origin)
            good &= longest <= TIMERS_MAX
            print(f"longest run of timers with {args.loops} loops: {longest} instructions")
        finally:
            origin.stop()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
