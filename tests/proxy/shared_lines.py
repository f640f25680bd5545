"""Which locks and shared cache lines a request touches, by kind of request: `make lines` prints the table,
tests/data/shared_lines.tsv has it, and test_shared_lines.py compares both.

build/counting/vernisd (mk/lines.mk) counts each lock, atomic and store by thread, cache line and place in the code.
Requests go one after another over a connection for each loop, in turn, so that a run counts what the next run counts.
The table has, per request:

* each lock that is taken (lock) and each atomic change (rmw);
* for hits also atomic loads of lines that another loop wrote (load), and atomic stores to lines that three quarters of
  the loops use (store). Misses get memory that other loops have freed, on lines by chance.

The sums behind the table also say how much of it happens on lines that three quarters of the loops use.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Origin, Reply, Request

COUNTING = ROOT / "build/counting/vernisd"
TABLE = ROOT / "tests/data/shared_lines.tsv"
HEAD = "# kind\twhat\twhere\tper request"
KINDS = ("read", "write", "load", "store", "rmw", "lock")  # enum kind of tests/support/counting.c
HITS = ("hit on many objects", "hit on one object", "accept and hit")
LOOPS = 8
ROUNDS = 40  # requests of each loop that are counted
OBJECTS = 400
FILLS = 1050  # for each loop: more than have room
ORIGIN_S = 0.003  # a loop that waits for the origin sleeps
WHOLE = 0.9  # what is done once more in each request, less the chance
LEAST = 0.3  # per request, of a row
WRITTEN = 25  # times: a line that only timers write is written less often
POLICY = """vcl 4.1;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}
sub vcl_recv {{ if (req.url ~ "^/pass") {{ return (pass); }} }}
sub vcl_backend_response {{ if (bereq.url ~ "^/uncacheable") {{ set beresp.uncacheable = true; }} }}
"""


@dataclass(slots=True, frozen=True)
class Row:
    kind: str
    what: str
    where: str
    each: float  # per request
    common: float  # of them, on common lines

    def __str__(self) -> str:
        return f"{self.kind}\t{self.what}\t{self.where}\t{self.each:.1f}"


def numbers(lines: Iterable[str]) -> dict[tuple[str, ...], float]:
    """Of the table: what happens, and how often."""
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {tuple(row[:3]): float(row[3]) for row in rows}


def differences(known: Iterable[str], found: Iterable[str]) -> dict[str, str]:
    """What happens, and how often instead of how often. What is done once more or less in a request differs by one. The
    rest depends on whether an answer comes before a loop sleeps. Fewer loads do not differ: a load counts if another
    loop has written the line just before."""
    old, new = numbers(known), numbers(found)
    return {
        " ".join(key): f"{new.get(key, 0):.1f}, not {old.get(key, 0):.1f}"
        for key in sorted({*old, *new})
        if new.get(key, 0) - old.get(key, 0) >= WHOLE
        or (key[1] != "load" and old.get(key, 0) - new.get(key, 0) >= WHOLE)
    }


# ---- load ------------------------------------------------------------------------------------------------------


class Clients:
    """Kept connections, as many as loops: nearly each loop gets one, as idle ones weigh alike."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open: list[socket.socket] = []

    def new(self) -> socket.socket:
        s = socket.create_connection(("127.0.0.1", self._port), timeout=60)
        self._open.append(s)
        return s

    def close(self) -> None:
        for s in self._open:
            s.close()


def ask(s: socket.socket, url: str) -> None:
    s.sendall(f"GET {url} HTTP/1.1\r\nHost: test\r\n\r\n".encode())
    got = b""
    while b"\r\n\r\n" not in got:
        got += (more := s.recv(65536))
        assert more, "the connection was closed"
    head, _, body = got.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    length = next(
        int(line[15:]) for line in head.decode().lower().split("\r\n") if line.startswith("content-length:")
    )
    while len(body) < length:
        body += (more := s.recv(65536))
        assert more, "the connection was closed"


# ---- counts ----------------------------------------------------------------------------------------------------


@dataclass(slots=True, frozen=True)
class Count:
    thread: int
    line: int
    place: int
    kind: int
    n: int


def functions(places: Iterable[int], base: int) -> dict[int, str]:
    """The functions of the sources, also of code that the compiler put into others. Of a header: its caller."""
    known = sorted(set(places))
    given = "\n".join(hex(place - base - 1) for place in known)
    done = subprocess.run(
        ["addr2line", "-a", "-i", "-s", "-f", "-e", str(COUNTING)],
        input=given,
        capture_output=True,
        text=True,
        check=True,
    )
    found = []
    for one in re.split(r"^0x.*\n", done.stdout, flags=re.M)[1:]:
        frames = one.splitlines()
        chain = [
            f"{file.partition(':')[0]}:{name.partition('.')[0]}"
            for name, file in zip(frames[::2], frames[1::2], strict=True)
        ]
        found.append(next((frame for frame in chain if ".h:" not in frame), chain[-1]))
    return dict(zip(known, found, strict=True))


def read(path: Path, worker: int, n_loops: int) -> tuple[list[Count], int]:
    """The counts of the loops, which are the busiest threads beside the one of commands, and where the daemon lies."""
    counts, busy = [], Counter[int]()
    rows, _, maps = path.read_text().partition("maps\n")
    assert "lost" not in rows, "a table of tests/support/counting.c is full"
    for line in rows.splitlines():
        thread, at, place, kind, n = line.split()
        counts.append(Count(int(thread), int(at, 16), int(place, 16), int(kind), int(n)))
        busy[counts[-1].thread] += counts[-1].n
    own = next(words for words in map(str.split, maps.splitlines()) if words[-1] == str(COUNTING))
    base = int(own[0].partition("-")[0], 16) - int(own[2], 16)
    del busy[worker]
    loops = {thread for thread, _ in busy.most_common(n_loops)}
    return [c for c in counts if c.thread in loops], base


@dataclass(slots=True, frozen=True)
class Round:
    """What some requests of a kind did."""

    kind: str
    counts: list[Count]
    base: int
    n_requests: int


class Lines:
    """Who touched and who wrote each line."""

    def __init__(self, counts: list[Count], n_loops: int) -> None:
        self._loops = n_loops
        self._touched: dict[int, set[int]] = defaultdict(set)
        self._writers: dict[int, set[int]] = defaultdict(set)
        self._written = Counter[int]()
        for c in counts:
            self._touched[c.line].add(c.thread)
            if KINDS[c.kind] not in ("read", "load"):
                self._writers[c.line].add(c.thread)
                self._written[c.line] += c.n

    def is_common(self, c: Count) -> bool:
        return 4 * len(self._touched[c.line]) >= 3 * self._loops and self._written[c.line] >= WRITTEN

    def is_foreign(self, c: Count) -> bool:
        return bool(self._writers[c.line] - {c.thread}) and self._written[c.line] >= WRITTEN

    def belongs(self, c: Count, is_hit: bool) -> bool:
        match KINDS[c.kind]:
            case "lock" | "rmw":
                return True
            case "store":
                return is_hit and self.is_common(c)
            case "load":
                return is_hit and self.is_foreign(c)
        return False


def table(done: Round, n_loops: int) -> list[Row]:
    lines = Lines(done.counts, n_loops)
    counts = [c for c in done.counts if lines.belongs(c, done.kind in HITS)]
    where = functions((c.place for c in counts), done.base)
    each, common = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for c in counts:
        key = (KINDS[c.kind], where[c.place])
        each[key] += c.n
        common[key] += c.n * lines.is_common(c)
    return [
        Row(done.kind, *key, n / done.n_requests, common[key] / done.n_requests)
        for key, n in sorted(each.items())
        if n >= LEAST * done.n_requests
    ]


def sums(rows: Iterable[Row]) -> Iterator[str]:
    """For a reader: all of a kind of request, with fractions."""
    by_kind: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_kind[row.kind].append(row)
    for kind, found in by_kind.items():
        words = []
        for what in dict.fromkeys(row.what for row in found):
            each, common = (
                sum(getattr(row, of) for row in found if row.what == what) for of in ("each", "common")
            )
            words.append(f"{what} {each:.1f} (common {common:.1f})")
        yield f"{kind:<20} {', '.join(words)}"


class Counted:
    """A daemon that counts, with an origin."""

    def __init__(self, folder: Path, n_loops: int, storage: str = "100m", body: int = 1000) -> None:
        self._folder, self._loops, self._body = folder, n_loops, b"x" * body
        self._stack = contextlib.ExitStack()
        self._warm = threading.Barrier(n_loops)
        origin = self._stack.enter_context(Origin(self._answer))
        args = [
            "-p",
            f"loops={n_loops}",
            "-p",
            "timeout_idle=600",
            "-p",
            "ban_lurker_sleep=0",
            "-s",
            f"malloc,{storage}",
            "-j",
            "none,seccomp=off,landlock=off",
        ]
        self.daemon = Daemon(
            folder,
            POLICY.format(port=origin.port),
            args,
            binary=COUNTING,
            env={"COUNTING_FOLDER": str(folder), "VERNIS_COMPILER": str(ROOT / "build/bin/vernis")},
        )
        self._stack.callback(self.daemon.stop)
        self._clients = Clients(self.daemon.port)
        self._stack.callback(self._clients.close)
        self._kept: list[socket.socket] = []
        for _ in range(n_loops):
            self._kept.append(self._clients.new())
            ask(self._kept[-1], "/first")
        self.ask_at_once(f"/warm/{i}" for i in range(n_loops))
        self._rounds = 0

    def _answer(self, request: Request) -> Reply:
        if request.url.startswith("/warm"):
            self._warm.wait(60)
        if not request.url.startswith("/fill"):
            time.sleep(ORIGIN_S)
        return Reply(body=self._body, headers={"Cache-Control": "max-age=3600"})

    def __enter__(self) -> Counted:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def ask(self, urls: Iterable[str]) -> None:
        for i, url in enumerate(urls):
            ask(self._kept[i % self._loops], url)

    def ask_anew(self, urls: Iterable[str]) -> None:
        for url in urls:
            ask(self._clients.new(), url)

    def ask_at_once(self, urls: Iterable[str]) -> None:
        """Each loop gets a connection to the origin, which answers when all requests are there."""
        with ThreadPoolExecutor(self._loops) as pool:
            list(pool.map(ask, self._kept, urls))

    def count(
        self, kind: str, urls: list[str], how: Callable[[Iterable[str]], None] | None = None
    ) -> Round:
        worker = self.daemon.worker_pid
        self._rounds += 1
        path = self._folder / f"{worker}.{self._rounds}"
        os.kill(worker, signal.SIGUSR1)
        wait_until(path.with_suffix(path.suffix + ".begun").exists, "counting begins")
        (how or self.ask)(urls)
        os.kill(worker, signal.SIGUSR2)
        wait_until(path.with_suffix(path.suffix + ".ended").exists, "the counts are written")
        counts, base = read(path.with_suffix(path.suffix + ".rows"), worker, self._loops)
        return Round(kind, counts, base, len(urls))


def rounds_of_all_kinds(folder: Path, n_loops: int) -> Iterator[Round]:
    n = n_loops * ROUNDS
    with Counted(folder, n_loops) as d:
        many = [f"/many/{i}" for i in range(OBJECTS)]
        d.ask(many)
        yield d.count("hit on many objects", many)
        yield d.count("hit on one object", ["/many/0"] * n)
        yield d.count("miss", [f"/miss/{i}" for i in range(n)])
        yield d.count("pass", ["/pass"] * n)
        d.ask(["/uncacheable"])
        yield d.count("hit-for-miss", ["/uncacheable"] * n)
        yield d.count("accept and hit", ["/many/0"] * n, d.ask_anew)
    # Loops take the budget in pieces of about four responses. Larger storages have larger pieces.
    with Counted(folder, n_loops, f"{4 * n_loops}m", 4000) as d:
        d.ask(f"/fill/{i}" for i in range(FILLS * n_loops))
        yield d.count("miss with eviction", [f"/miss/{i}" for i in range(n)])


def rows_of_all_kinds(folder: Path, n_loops: int) -> Iterator[Row]:
    for done in rounds_of_all_kinds(folder, n_loops):
        yield from table(done, n_loops)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--loops", type=int, default=LOOPS)
    parser.add_argument("--update", action="store_true", help=f"write {TABLE.relative_to(ROOT)}")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lines-") as folder:
        rows = list(rows_of_all_kinds(Path(folder), args.loops))
    text = "".join(f"{line}\n" for line in (HEAD, *rows))
    if args.update:
        TABLE.write_text(text)
    print(text, *sums(rows), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
