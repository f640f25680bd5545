"""The load generators of benchmarks/founding.py: ab, and benchmarks/fetch.c for what http_load did."""

from __future__ import annotations

import csv
import json
import re
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import peers

LIMIT_S = 300  # of one run of a generator
SOURCES = 200  # addresses 127.0.0.2 and on, in turn, so that runs of ab have local ports that do not wait
turns = count()


@dataclass(slots=True)
class Figures:
    """The report of one generator. Times are in microseconds; None if it does not measure that."""

    requests: int
    failures: int
    requests_per_s: float
    mean_us: float
    p99_us: float
    first_byte_us: float
    connect_us: float
    said: str = ""


@dataclass(slots=True)
class Sample:
    """One server in one cell and one round."""

    table: str
    cell: str
    server: str
    round: int
    figures: Figures
    elapsed_s: float
    cpu_us: float  # of the server, a request
    cpu_s: float  # of the server, in all
    pss_bytes: int
    generator_share: float  # of one processor


def measure(table: str, cell: str, server: peers.Server, round_: int, run: Callable[[], Figures]) -> Sample:
    """Runs a load. A server may start processes during it, so both ends count those that are there."""
    before, generator = peers.cpu_seconds(server.pids()), children_seconds()
    started = time.monotonic()
    figures = run()
    elapsed = time.monotonic() - started
    generator = children_seconds() - generator
    pids = server.pids()
    spent = peers.cpu_seconds(pids) - before
    return Sample(
        table,
        cell,
        server.name,
        round_,
        figures,
        elapsed,
        spent / max(figures.requests, 1) * 1e6,
        spent,
        peers.pss_bytes(pids),
        generator / elapsed,
    )


def children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def number(pattern: str, text: str) -> float:
    found = re.search(pattern, text, re.M)
    return float(found.group(1)) if found else 0.0


def ab(port: int, target: str, clients: int, requests: int) -> Figures:
    """``ab -c CLIENTS -n REQUESTS``. Its time to first byte ("Waiting") has whole milliseconds."""
    source = f"127.0.0.{2 + next(turns) % SOURCES}"
    with tempfile.NamedTemporaryFile("r", suffix=".csv") as percentiles:
        argv = ["ab", "-q", "-r", "-s", "30", "-B", source, "-e", percentiles.name]
        argv += ["-c", str(clients), "-n", str(requests), f"http://127.0.0.1:{port}{target}"]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=LIMIT_S)
        rows = {row[0]: row[1] for row in csv.reader(percentiles) if len(row) == 2}
    text = done.stdout
    complete = int(number(r"^Complete requests: +(\d+)", text))
    failures = int(number(r"^Failed requests: +(\d+)", text) + number(r"^Non-2xx responses: +(\d+)", text))
    return Figures(
        complete,
        failures + requests - complete,
        number(r"^Requests per second: +([\d.]+)", text),
        number(r"^Time per request: +([\d.]+) \[ms\] \(mean\)", text) * 1000,
        float(rows.get("99", 0)) * 1000,
        number(r"^Waiting: +\d+ +(\d+)", text) * 1000,
        number(r"^Connect: +\d+ +(\d+)", text) * 1000,
        done.stderr[-500:],
    )


@dataclass(slots=True)
class Fetcher:
    """benchmarks/fetch.c, with the list of what it fetches."""

    program: Path
    list: Path

    def run(self, port: int, clients: int, requests: int, keep: bool) -> Figures:
        argv = [str(self.program), str(port), str(clients), str(requests), "keep" if keep else "close"]
        done = subprocess.run(
            [*argv, str(self.list)], capture_output=True, text=True, timeout=LIMIT_S, check=True
        )
        said = json.loads(done.stdout)
        return Figures(
            said["requests"],
            said["failed"],
            said["requests"] / said["seconds"],
            said["mean_us"],
            said["p99_us"],
            said["first_byte_us"],
            said["connect_us"],
            done.stderr[-500:],
        )
