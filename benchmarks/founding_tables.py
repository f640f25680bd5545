"""The tables of benchmarks/founding.py: their cells, servers, objects and loads."""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import founding_load as load
import misses
import more_peers
import peers
import static_servers

KB = 1024
SEED = 12
PROXIES = ["vernis", "varnish", "squid", "nginx", "trafficserver"]
#: A lower bound of any server's CPU (floor.c). It is no peer: nothing is behind it.
BOUND = "floor"
CLIENTS_D = [1, *range(10, 1001, 10)]


@dataclass(slots=True)
class Cell:
    name: str
    clients: int
    requests: int
    body_bytes: int = 0


@dataclass(slots=True)
class Table:
    """``quick`` has the names of the cells that --quick measures."""

    letter: str
    title: str
    servers: list[str]
    cells: list[Cell]
    quick: set[str]
    generator: str  # ab, close or keep
    targets: Callable[[Cell], list[tuple[str, int]]]
    asked: bool = False  # the origin is floor.c, and the target has the size; otherwise files
    emptied: bool = False  # the cache is empty at the begin of each load
    edits: dict[str, str] = field(default_factory=dict)


def file_of(cell: Cell) -> list[tuple[str, int]]:
    return [(f"/{cell.body_bytes}.html", cell.body_bytes)]


def mixed(_: Cell) -> list[tuple[str, int]]:
    """Three quarters may be stored: a hundred targets of each size."""
    chance = random.Random(SEED)
    sizes = [chance.randint(10, 40) * KB for _ in range(100_000)]
    return [
        (f"/gen/{size}" + (f"?as={chance.randint(1, 100)}" if chance.random() < 0.75 else ""), size)
        for size in sizes
    ]


def replay(_: Cell) -> list[tuple[str, int]]:
    """A log of 50,000 requests, made up: 10,000 objects whose popularity falls as 1/rank, with sizes around
    4 KB, of which few are large."""
    chance = random.Random(SEED)
    sizes = [min(int(chance.lognormvariate(8.3, 1.2)), 250 * KB) for _ in range(10_000)]
    ranks = chance.choices(range(len(sizes)), [1 / (rank + 1) for rank in range(len(sizes))], k=50_000)
    return [(f"/gen/{sizes[rank]}?as={rank}", sizes[rank]) for rank in ranks]


def table_a() -> Table:
    sizes, users = (10, 15, 20, 25, 30, 40, 50), (10, 25, 50, 100, 200, 400)
    cells = [Cell(f"{kb} KB x {n}", n, 8000, kb * KB) for kb in sizes for n in users]
    quick = {f"{kb} KB x {n}" for kb in (10, 50) for n in (10, 400)}
    title = "hits by size and users, a connection per request, ab"
    return Table("A", title, PROXIES, cells, quick, "ab", file_of)


def table_b() -> Table:
    cells = [Cell(f"parallel {n}", n, 20_000) for n in (10, 25, 50, 100, 200, 400)]
    title = "hits and passes mixed, cache emptied before each load, a connection per request"
    edits = {
        '.port = "@ORIGIN@";\n}\n': '.port = "@ORIGIN@";\n}\n' + misses.PASS,
        "keepalive 16;": "keepalive 256;",
    }
    quick = {"parallel 100"}
    return Table("B", title, PROXIES, cells, quick, "close", mixed, asked=True, emptied=True, edits=edits)


def table_c() -> Table:
    cells = [Cell(f"ab -c 10 -n {n}", 10, n, 73 * KB) for n in (100, 20_000)]
    title = "an image of 73 KB, from Apache itself and through accelerators, ab"
    quick = {cell.name for cell in cells}
    return Table("C", title, [*PROXIES, "apache-event"], cells, quick, "ab", file_of)


def table_d() -> Table:
    cells = [Cell(f"{n} clients", n, 6000, 100) for n in CLIENTS_D]
    servers = [
        "vernis",
        "varnish",
        "trafficserver",
        "nginx",
        "lighttpd",
        "apache-worker",
        "apache-event",
        BOUND,
    ]
    quick = {f"{n} clients" for n in (1, 100, 500, 1000)}
    title = "100 bytes, kept connections, 1 to 1,000 clients; Vernis, Varnish and Traffic Server are proxies"
    return Table("D", title, servers, cells, quick, "keep", file_of)


def table_e() -> Table:
    clients = (10, 100, 500, 1000)
    cells = [Cell(f"{size} B x {n}", n, 10_000, size) for size in (6221, 75_356) for n in clients]
    quick = {cell.name for cell in cells if cell.clients in (10, 1000)}
    return Table("E", "two objects, a connection per request", PROXIES, cells, quick, "close", file_of)


def table_replay() -> Table:
    cells = [Cell(f"replay x {n}", n, 50_000) for n in (10, 100, 500, 1000)]
    title = (
        "replay of 50,000 URLs of 10,000 objects, cache emptied before each load, a connection per request"
    )
    edits = {"keepalive 16;": "keepalive 256;"}
    quick = {"replay x 100"}
    return Table("R", title, PROXIES, cells, quick, "close", replay, asked=True, emptied=True, edits=edits)


TABLES = {"A": [table_a], "B": [table_b], "C": [table_c], "D": [table_d], "E": [table_e, table_replay]}
PROXY: dict[str, Callable[[Path, int, int], peers.Server]] = {
    "vernis": peers.vernis,
    "varnish": peers.varnish,
    "squid": more_peers.squid,
    "nginx": peers.nginx,
    "trafficserver": more_peers.trafficserver,
}
STATIC = {"nginx": static_servers.nginx, "lighttpd": static_servers.lighttpd}
PROGRAMS = {
    "varnish": "varnishd",
    "trafficserver": "traffic_server",
    "apache-worker": "apache2",
    "apache-event": "apache2",
    "vernis": "sh",
    BOUND: "sh",
}


def installed(names: list[str]) -> list[str]:
    """Prints a note for each server that is not installed."""
    missing = [name for name in names if shutil.which(PROGRAMS.get(name, name)) is None]
    for name in missing:
        print(f"{name} is not installed, so it is omitted", file=sys.stderr)
    return [name for name in names if name not in missing]


def start(
    table: Table, name: str, directory: Path, site: Path, origin_port: int, threads: int
) -> peers.Server:
    """Starts a proxy, or what served files in the original."""
    if name.startswith("apache-"):
        return static_servers.httpd(directory, site, name.removeprefix("apache-"))
    if name == BOUND:
        size = table.cells[0].body_bytes
        server = peers.floor(directory, threads, [size])
        return replace(server, ports=server.port(size))
    if table.letter == "D" and name in STATIC:
        return STATIC[name](directory, site, threads)
    return peers.with_edits(table.edits, lambda: PROXY[name](directory, origin_port, threads))


def write_list(table: Table, cell: Cell, path: Path) -> None:
    path.write_text("".join(f"{target} {size}\n" for target, size in table.targets(cell)))


def run(table: Table, cell: Cell, server: peers.Server, fetcher: load.Fetcher) -> Callable[[], load.Figures]:
    port = server.port()
    if table.generator == "ab":
        return lambda: load.ab(port, table.targets(cell)[0][0], cell.clients, cell.requests)
    write_list(table, cell, fetcher.list)
    keep = table.generator == "keep"
    return lambda: fetcher.run(port, cell.clients, cell.requests, keep)
