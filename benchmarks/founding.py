"""Five public tests of 2008 to 2012 again, with today's versions of what they compared.

    benchmarks/founding.py [--tables A,B,C,D,E] [--rounds 3] [--quick] [--limits]
                           [--servers vernis,nginx,...] [--share 1.0] [--out build/bench]

* A: hits of 10 to 50 KB for 10 to 400 users, by ab, a connection per request (42 cells);
* B: 10 to 40 KB, three quarters may be stored and the rest is passed; the cache is empty at the begin;
* C: an image of 73 KB by ``ab -c 10 -n 100``, and once more with enough requests to measure;
* D: 100 bytes over kept connections, 1 to 1,000 clients by 10;
* E: 6,221 and 75,356 bytes for 10 to 1,000 clients, and a replay of 50,000 URLs.

As in the originals, all servers are caching proxies, except Apache in C and D, and nginx and lighttpd in D,
which serve files. lighttpd is in D only, because it does not cache. D also has floor.c, a lower bound. B and
E used http_load and siege. Debian lacks http_load, and siege has a thread for each client, so that it would
be the limit. benchmarks/fetch.c does what http_load did, and keeps connections open for D. The log of E's
replay is made up from a seed.

Each cell loads every server in turn, in an order that turns round by round. Reports requests/s, mean, 99th
percentile, time to first byte, CPU per request of the server's processes, PSS, the share of a processor that
the generator took ("gen"), failures, and ratios Vernis/peer, paired by round, as median [min .. max]. Omits a
server that is not installed, with a note. Writes founding.json and founding-TABLE.svg.

--quick measures a few cells with a fifth of the requests, one round. --share scales the requests of each
cell. --limits exits with 1 if a request to Vernis failed, or if Vernis is behind a server in a cell: in CPU
per request, or in requests/s where the generator took less than 0.9 of a processor; or if it took more CPU
for D than 0.47 of Varnish's or 0.58 of nginx's.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from http.client import HTTPException
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import founding_load as load
import founding_report as report
import founding_tables as tables
import hits
import peers

QUICK_SHARE = 0.2
UNLISTED = "/gen/1"  # a target of the origin that no table asks for
IDLE_S, IDLE_SHARE, START_MOST_S = 0.1, 0.05, 5.0
C_EXACT = 100  # requests of the first cell of C, whatever the share


@contextmanager
def origin(table: tables.Table, directory: Path) -> Iterator[peers.Server]:
    sizes = sorted({cell.body_bytes for cell in table.cells})
    server = peers.asked_origin(directory) if table.asked else peers.origin(directory, sizes)
    try:
        yield server
    finally:
        server.stop()


def serves(server: peers.Server, target: str) -> bool:
    try:
        return peers.get(server.port(), target)[0] == 200
    except (OSError, HTTPException):  # Traffic Server resets connections until its start is done
        return False


def become_idle(server: peers.Server, target: str) -> None:
    """A port may accept connections before its server serves, and the start may go on in the background."""
    end = time.monotonic() + START_MOST_S
    while not serves(server, target) and time.monotonic() < end:
        time.sleep(IDLE_S)
    status, _ = peers.get(server.port(), target)
    assert status == 200, f"{server.name}: {status}"
    while time.monotonic() < end:
        before = peers.cpu_seconds(server.pids())
        time.sleep(IDLE_S)
        if peers.cpu_seconds(server.pids()) - before < IDLE_SHARE * IDLE_S:
            return


class Servers:
    """The servers of a table, each in a folder of its own."""

    def __init__(self, table: tables.Table, directory: Path, origin_port: int, threads: int) -> None:
        self.table, self.directory, self.threads = table, directory, threads
        self.origin_port, self.started = origin_port, 0
        self.running: dict[str, tuple[peers.Server, Path]] = {}
        self.versions: dict[str, str] = {}

    def get(self, name: str) -> peers.Server:
        """Starts it if it does not run, and waits until it serves and has nothing else to do."""
        if name not in self.running:
            self.started += 1
            work, site = peers.folder(self.directory, f"{self.started}-{name}"), self.directory / "site"
            server = tables.start(self.table, name, work, site, self.origin_port, self.threads)
            self.running[name] = server, work
            become_idle(
                server, UNLISTED if self.table.asked else self.table.targets(self.table.cells[0])[0][0]
            )
            self.versions[name] = server.version
        return self.running[name][0]

    def stop(self, name: str) -> None:
        server, work = self.running.pop(name)
        server.stop()
        shutil.rmtree(work, ignore_errors=True)

    def stop_all(self) -> None:
        for name in list(self.running):
            self.stop(name)


def warm(table: tables.Table, server: peers.Server) -> None:
    for cell in table.cells:
        target, size = table.targets(cell)[0]
        for _ in range(3):
            status, body = peers.get(server.port(), target)
            assert status == 200 and len(body) == size, f"{server.name}: {status}, {len(body)} bytes"


def measure(
    table: tables.Table, servers: Servers, names: list[str], fetcher: load.Fetcher, rounds: int
) -> list[report.Row]:
    rows: list[report.Row] = []
    report.print_head(table)
    for name in [] if table.emptied else names:  # not counted: threads and pages that the first load makes
        tables.run(table, table.cells[0], servers.get(name), fetcher)()
    for cell in table.cells:
        samples: list[load.Sample] = []
        for round_ in range(rounds):
            for name in names if round_ % 2 == 0 else names[::-1]:
                server = servers.get(name)
                run = tables.run(table, cell, server, fetcher)
                samples.append(load.measure(table.letter, cell.name, server, round_, run))
                if table.emptied:
                    servers.stop(name)
        rows += report.rows_of(samples, cell.name, names)
        report.print_cell(rows[-len(names) :])
    return rows


def run_table(
    table: tables.Table, directory: Path, args: argparse.Namespace
) -> tuple[list[report.Row], dict[str, str]]:
    names = tables.installed([name for name in table.servers if not args.servers or name in args.servers])
    fetcher = load.Fetcher(peers.program(directory, "fetch"), directory / "list")
    with origin(table, directory) as behind:
        servers = Servers(table, directory, behind.port(), args.threads)
        try:
            if not table.emptied:
                for name in names:
                    warm(table, servers.get(name))
            rows = measure(table, servers, names, fetcher, args.rounds)
        finally:
            servers.stop_all()
    return rows, servers.versions


def chosen(args: argparse.Namespace) -> list[tables.Table]:
    found = [make() for letter in args.tables for make in tables.TABLES[letter]]
    for table in found:
        if args.quick:
            table.cells = [cell for cell in table.cells if cell.name in table.quick]
        for cell in table.cells:
            if cell.requests > C_EXACT:
                cell.requests = max(int(cell.requests * args.share), cell.clients)
    return found


def finish(table: tables.Table, rows: list[report.Row], charts: Path) -> list[str]:
    """Prints the worst and the best, draws the chart, and returns what --limits does not allow."""
    for line in report.extremes(rows) + (report.sweep(rows)[0] if table.letter == "D" else []):
        print(f"  {line}")
    report.chart(table, rows, charts / f"founding-{table.letter}.svg")
    return report.missed(table, rows)


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--tables", type=lambda text: text.split(","), default=list(tables.TABLES))
    ap.add_argument("--rounds", type=int, default=0, help="3, or 1 with --quick")
    ap.add_argument("--servers", type=lambda text: text.split(","), default=[], help="omits others")
    ap.add_argument("--share", type=float, default=0.0, help="of the requests of a cell")
    ap.add_argument("--threads", type=int, default=2, help="threads of every server")
    ap.add_argument("--quick", action="store_true", help="a few cells")
    ap.add_argument("--limits", action="store_true", help="exit with 1 if a limit is missed")
    ap.add_argument("--out", type=Path, default=hits.OUT, help="folder of the output")
    ap.add_argument("--chart", type=Path, help="folder of the charts, if another")
    args = ap.parse_args()
    args.rounds = args.rounds or (1 if args.quick else 3)
    args.share = args.share or (QUICK_SHARE if args.quick else 1.0)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    args.out.mkdir(parents=True, exist_ok=True)
    result: dict[str, object] = {"machine": platform.platform(), "date": time.strftime("%Y-%m-%d")}
    result |= {"load_average": os.getloadavg(), "rounds": args.rounds, "share": args.share}
    missed: list[str] = []
    for table in chosen(args):
        started = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
            directory = Path(tmp)
            directory.chmod(0o755)
            rows, versions = run_table(table, directory, args)
        missed += finish(table, rows, args.chart or args.out)
        print(f"  {time.monotonic() - started:.0f} s")
        result[table.letter] = {"title": table.title, "rows": [asdict(r) for r in rows], "versions": versions}
        (args.out / "founding.json").write_text(json.dumps(result, indent=1))
    for line in missed:
        print(f"missed: {line}")
    return 1 if args.limits and missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
