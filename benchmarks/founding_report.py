"""The tables and charts of benchmarks/founding.py: ratios of Vernis to each server, lost cells, charts."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path

import charts
import hits
from founding_load import Sample
from founding_tables import BOUND, Table

GENERATOR_LIMIT = 0.9  # of a processor: above it the generator, not the server, limits the requests/s
SWEEP_LIMITS = {"varnish": 0.47, "nginx": 0.58}  # CPU of table D: G-WAN's times of the sweep over theirs
Ratio = dict[str, float] | None
COLUMNS = ("requests_per_s", "mean_us", "p99_us", "first_byte_us", "connect_us")


@dataclass(slots=True)
class Row:
    """One server in one cell: medians over rounds, and ratios Vernis/it, paired by round."""

    cell: str
    server: str
    figures: dict[str, float]
    failures: int
    said: str  # by a generator about failures
    generator_limited: bool
    cpu_ratio: Ratio = None
    speed_ratio: Ratio = None

    def lost(self) -> str:
        """The measures in which Vernis is behind; "" if none. The generator's limit hides who serves more."""
        behind: list[str] = []
        if self.server == BOUND:
            return ""
        if self.cpu_ratio is not None and self.cpu_ratio["median"] >= 1:
            behind.append("CPU")
        limited = self.generator_limited
        if self.speed_ratio is not None and self.speed_ratio["median"] < 1 and not limited:
            behind.append("requests/s")
        return " and ".join(behind)


def figures_of(samples: list[Sample]) -> dict[str, float]:
    median = statistics.median
    figures = {name: median(getattr(s.figures, name) for s in samples) for name in COLUMNS}
    own = ("cpu_us", "cpu_s", "elapsed_s", "pss_bytes", "generator_share")
    return figures | {name: float(median(getattr(s, name) for s in samples)) for name in own}


def paired(ours: list[Sample], theirs: list[Sample]) -> tuple[Ratio, Ratio]:
    """Ratios of CPU per request and of requests/s; None if the other completed no request in any round."""
    by_round = {s.round: s for s in theirs if s.figures.requests_per_s > 0}
    pairs = [(s, by_round[s.round]) for s in ours if s.round in by_round]
    if not pairs:
        return None, None
    cpu = [a.cpu_us / b.cpu_us for a, b in pairs]
    speed = [a.figures.requests_per_s / b.figures.requests_per_s for a, b in pairs]
    return hits.spread(cpu), hits.spread(speed)


def rows_of(samples: list[Sample], cell: str, servers: list[str]) -> list[Row]:
    rows, ours = [], [s for s in samples if (s.cell, s.server) == (cell, "vernis")]
    for server in servers:
        mine = [s for s in samples if (s.cell, s.server) == (cell, server)]
        figures = figures_of(mine)
        limited = max(figures["generator_share"], figures_of(ours)["generator_share"]) > GENERATOR_LIMIT
        said = "".join(s.figures.said for s in mine if s.figures.failures)
        row = Row(cell, server, figures, sum(s.figures.failures for s in mine), said, limited)
        if server != "vernis":
            row.cpu_ratio, row.speed_ratio = paired(ours, mine)
        rows.append(row)
    return rows


def print_cell(rows: list[Row]) -> None:
    print(f"  {rows[0].cell}")
    for row in rows:
        f = row.figures
        line = (
            f"    {row.server:<14}{f['requests_per_s']:>9.0f}{f['mean_us'] / 1000:>9.2f}"
            f"{f['p99_us'] / 1000:>9.2f}{f['first_byte_us'] / 1000:>9.2f}{f['cpu_us']:>9.1f}"
            f"{f['pss_bytes'] / 2**20:>8.1f}{f['generator_share']:>6.2f}  "
        )
        for ratio in (row.cpu_ratio, row.speed_ratio):
            if ratio is not None:
                line += f"{ratio['median']:.2f} [{ratio['min']:.2f} .. {ratio['max']:.2f}]".ljust(22)
        if row.failures:
            line += f"  {row.failures} FAILED: {' '.join(row.said.split())}"
        print(line + (f"  behind in {row.lost()}" if row.lost() else ""), flush=True)


def print_head(table: Table) -> None:
    print(f"\n{table.letter}. {table.title}")
    print(
        f"    {'server':<14}{'req/s':>9}{'mean ms':>9}{'p99 ms':>9}{'first ms':>9}{'CPU us':>9}{'PSS MB':>8}"
        f"{'gen':>6}  {'CPU vernis/it':<22}{'req/s vernis/it':<22}"
    )


def extremes(rows: list[Row]) -> list[str]:
    """For each peer its worst and its best cell. A speed that the generator limits counts in neither."""
    lines = []
    for server in dict.fromkeys(row.server for row in rows if row.cpu_ratio is not None):
        mine = [row for row in rows if row.server == server]
        cpu = sorted((r.cpu_ratio["median"], r.cell) for r in mine if r.cpu_ratio is not None)
        speed = sorted(
            (r.speed_ratio["median"], r.cell)
            for r in mine
            if r.speed_ratio is not None and not r.generator_limited
        )
        text = f"{server}: CPU worst {cpu[-1][0]:.2f} ({cpu[-1][1]}), best {cpu[0][0]:.2f} ({cpu[0][1]})"
        if speed:
            text += f", requests/s worst {speed[0][0]:.2f} ({speed[0][1]}), best {speed[-1][0]:.2f}"
            text += f" ({speed[-1][1]})"
        lost = sum(bool(r.lost()) for r in mine)
        lines.append(f"{text}; behind in {lost} of {len(mine)} cells")
    return lines


def sweep(rows: list[Row]) -> tuple[list[str], list[str]]:
    """Sums over the cells of table D, and what misses its limit."""
    lines, missed = [], []
    ours = sum(row.figures["cpu_s"] for row in rows if row.server == "vernis")
    for server in dict.fromkeys(row.server for row in rows):
        mine = [row.figures for row in rows if row.server == server]
        cpu, speeds = sum(f["cpu_s"] for f in mine), [f["requests_per_s"] for f in mine]
        line = f"{server}: sweep {sum(f['elapsed_s'] for f in mine):.1f} s, CPU {cpu:.1f} s"
        line += f" (vernis {ours / cpu:.2f} of it), requests/s {min(speeds):.0f} .. {max(speeds):.0f}"
        line += f", mean {statistics.mean(speeds):.0f}, memory {mine[0]['pss_bytes'] / 2**20:.1f}"
        lines.append(f"{line} .. {mine[-1]['pss_bytes'] / 2**20:.1f} MB")
        if server in SWEEP_LIMITS and ours / cpu > SWEEP_LIMITS[server]:
            missed.append(f"CPU of the sweep {ours / cpu:.2f} of {server}'s, limit {SWEEP_LIMITS[server]}")
    return lines, missed


def missed(table: Table, rows: list[Row]) -> list[str]:
    """The failures that --limits reports, a line each."""
    found = [f"{row.cell}: behind {row.server} in {row.lost()}" for row in rows if row.lost()]
    found += [
        f"{row.cell}: {row.failures} failed requests"
        for row in rows
        if row.server == "vernis" and row.failures
    ]
    if table.letter == "D":
        found += sweep(rows)[1]
    return [f"{table.letter}, {line}" for line in found]


def groups(table: Table, rows: list[Row]) -> dict[str, list[str]]:
    """The cells of each picture in a row: those of one size, or all."""
    names = list(dict.fromkeys(row.cell for row in rows))
    if table.letter not in "AE":
        return {table.letter: names}
    sizes = list(dict.fromkeys(name.partition(" x ")[0] for name in names))
    return {size: [name for name in names if name.partition(" x ")[0] == size] for size in sizes}


def clients_of(cell: str) -> float:
    return float(cell.rpartition(" ")[2] if cell[-1].isdigit() else cell.split()[0])


def lines_of(rows: list[Row], cells: list[str], value: str, scale: float) -> dict[str, list[charts.Point]]:
    lines = {}
    for server in dict.fromkeys(row.server for row in rows):
        by_cell = {row.cell: row.figures[value] for row in rows if row.server == server}
        lines[server] = [(clients_of(cell), by_cell[cell] / scale) for cell in cells]
    return lines


def chart(table: Table, rows: list[Row], path: Path) -> None:
    """Requests/s, CPU per request, 99th percentile and memory by clients: a row of panels each, a column a
    size."""
    values = (
        ("requests_per_s", 1.0, "requests/s"),
        ("cpu_us", 1.0, "CPU us per request"),
        ("p99_us", 1000.0, "99th percentile, ms"),
        ("pss_bytes", 2.0**20, "memory (PSS), MB"),
    )
    columns = groups(table, rows)
    below = "requests" if table.letter == "C" else "clients"
    panels = [
        [
            charts.Panel(
                f"{name}: {title}" if len(columns) > 1 else title, below, lines_of(rows, cells, value, scale)
            )
            for name, cells in columns.items()
        ]
        for value, scale, title in values
    ]
    charts.draw_lines(f"{table.letter}. {table.title}", panels, path)
