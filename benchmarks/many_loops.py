"""Instructions of a request with many loops over those with two: what does a request do for each loop?

    benchmarks/many_loops.py [--loops 64]

Each of 64 connections, in turn, sends 20 requests, one after the other: hits on one object, a hit on each
of 12,800 objects, and misses of 1,000 bytes. So a loop has as many requests for each write of its log as
with two loops: valgrind runs one thread at a time, and 64 loops with a request each in 5 ms would write the
log for each. Counts the loops only, under callgrind (benchmarks/counted.py), less what idle loops execute
in the same time (--with-idle adds that), after as many requests over the same connections, so that no loop
fills its caches.
Then the longest run of timers on a loop: it delays each request of that loop, so it must not grow with loops.
Exits with 1 if a ratio is above --limit, or that run above TIMERS_MAX.
"""

from __future__ import annotations

import argparse
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import counted
import peers

CONNECTIONS, REQUESTS, TURN = 64, 12_800, 20
FEW = 2
TIMERS_MAX, TIMERS_S = 300_000, 20  # instructions
KINDS: dict[str, Callable[[int], str]] = {
    "hit": lambda n: "/gen/100?as=0",
    "hit, many objects": lambda n: f"/gen/100?as={n % REQUESTS}",
    "miss": lambda n: f"/gen/1000?as={n}",
}


def connect(port: int) -> list[socket.socket]:
    return [socket.create_connection(("127.0.0.1", port), 600) for _ in range(CONNECTIONS)]


def turn(numbers: Iterable[int], kind: str, connections: list[socket.socket]) -> None:
    """Each connection in turn sends TURN requests and reads their answers."""
    for n in numbers:
        head = f"GET {KINDS[kind](n)} HTTP/1.1\r\nHost: bench\r\n\r\n".encode()
        peers.exchange(connections[n // TURN % CONNECTIONS], head)


def per_request(directory: Path, kind: str, loops: int, origin: peers.Server, with_idle: bool) -> float:
    """Instructions of the loops a request, after as many requests over the same connections."""
    # Each round of a loop enters loop_round: callgrind names only what a thread entered since the last count.
    one = counted.vernis(
        directory, origin.port(), extra=counted.parameters(f"loops={loops}"), threads="loop_round"
    )
    if with_idle:
        one.idle_per_s = 0.0
    try:
        connections = connect(one.server.port())
        turn(range(REQUESTS), kind, connections)
        spent = one.instructions(lambda: turn(range(REQUESTS, 2 * REQUESTS), kind, connections))
        for connection in connections:
            connection.close()
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
        turn(range(CONNECTIONS * TURN), "miss", connect(server.port()))
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
    parser.add_argument("--with-idle", action="store_true", help="with what idle loops execute meanwhile")
    args = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as name:
        origin = peers.asked_origin(peers.folder(Path(name), "origin"))
        try:
            for at, kind in enumerate(KINDS):
                few, many = (
                    per_request(
                        peers.folder(Path(name), f"{at}-{loops}"), kind, loops, origin, args.with_idle
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
