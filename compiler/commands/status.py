"""`vernis status`: shows whether the daemon serves, with which policy, how well, and what is wrong with it.

Traffic is measured while the command runs: the daemon counts since its start, and an operator asks about now.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from vernis.commands.backends import Backend, for_programs, read_backends
from vernis.commands.daemon import ask, connect
from vernis.commands.durations import duration, size
from vernis.commands.outcome import EXIT_OK, EXIT_REFUSED, Trouble
from vernis.service.client import Answer, DaemonClient
from vernis.shown import plain, visible, wrapped
from vernis.terminal import Progress

_Json = dict[str, Any]

_HEAD, _TEXT_MIN = 10, 20  # columns
_CERTIFICATES = 3  # lines

_HITS = ("MAIN.cache_hit", "MAIN.cache_hitmiss", "MAIN.cache_hitpass")


@dataclass(slots=True)
class Traffic:
    """Counts of one stretch of time. Shares are of 1; None: nothing was counted."""

    seconds: float
    requests: int
    hit_share: float | None  # of lookups
    fail_share: float | None  # responses with 5xx

    @property
    def per_second(self) -> float:
        return self.requests / self.seconds if self.seconds > 0 else 0.0


@dataclass(slots=True)
class Storage:
    name: str
    used_bytes: int
    limit_bytes: int | None  # None: no limit


@dataclass(slots=True)
class Certificate:
    id: str
    days: int  # until it expires; below 0: it has expired
    not_after: int  # seconds since 1970
    names: str


@dataclass(slots=True)
class Status:
    state: str  # of the worker: running, stopped...
    manager_up_s: float
    worker_up_s: float
    listens: list[str]
    loops: int
    cpus: int  # that the daemon may use; 0: unknown
    cpu_quota: float | None  # of them at a time; None: no limit
    loop_cpus: str | None  # on which loops stay; None: not pinned
    busiest: int | None  # percent of the last second in which the busiest loop worked
    confined: str
    policy: str | None
    policy_file: str | None
    policy_since: float
    policy_by: str | None
    policies: int
    suspect: str | None
    deaths: int
    last_death: str | None
    last_death_at: float
    now: Traffic | None
    in_all: Traffic | None
    objects: int
    storages: list[Storage]
    backends: list[Backend]
    certificates: list[Certificate]  # in use; the one that expires first is the first


def status(options: argparse.Namespace) -> int:
    if options.counters:
        with connect(options) as client:
            print(plain(_answer(client, "vernis.status").body.rstrip("\n")))
        return EXIT_OK
    with connect(options) as client:
        found = read(client, options.seconds)
    if options.json:
        print(json.dumps(_for_programs(found), indent=2))
    else:
        print(plain("\n".join(laid_out(lines(found, time.time()), _width()))))
    return EXIT_OK if found.state == "running" else EXIT_REFUSED


# ---- reading -----------------------------------------------------------------------------------------------


def read(client: DaemonClient, seconds: float) -> Status:
    """Asks the daemon twice, ``seconds`` apart, and takes the traffic between the two."""
    first, began = _status_of(client), time.monotonic()
    if first["counters"] and seconds > 0:
        with Progress(f"measuring traffic for {seconds:g} s"):
            time.sleep(seconds)
        told = _status_of(client)
    else:
        told = first
    passed, counted = time.monotonic() - began, told["counters"]
    runs = bool(counted)
    return Status(
        told["state"],
        told["master_uptime_s"],
        told["worker_uptime_s"],
        told["listens"],
        told["loops"],
        told["cpus"],
        told["cpu_quota"],
        told["loop_cpus"],
        counted.get("VERNIS.loop_busiest"),
        told["confined"],
        told["active"],
        told["active_file"],
        told["active_since"],
        told["active_by"],
        told["policies"],
        told["suspect"],
        told["worker_deaths"],
        told["last_death"],
        told["last_death_at"],
        _traffic(first["counters"], counted, passed) if runs and told is not first else None,
        _traffic({}, counted, told["worker_uptime_s"]) if runs else None,
        counted.get("MAIN.n_object", 0),
        [*_storages(counted)],
        [b for b in read_backends(client) if b.kind == "backend"] if runs else [],
        [Certificate(**one) for one in told["certificates"]],
    )


def _status_of(client: DaemonClient) -> _Json:
    told: _Json = _answer(client, "vernis.status", "-j").told()
    return told


def _answer(client: DaemonClient, *words: str) -> Answer:
    answer = ask(client, *words)
    if not answer.ok:
        raise Trouble(f"the daemon refused {words[0]}: {answer.body.strip()}")
    return answer


def _traffic(before: dict[str, int], after: dict[str, int], seconds: float) -> Traffic:
    def grown(*names: str) -> int:
        return sum(after.get(name, 0) - before.get(name, 0) for name in names)

    lookups = grown("MAIN.cache_miss", *_HITS)
    classes = [name for name in after if name.startswith("VERNIS.resp_")]
    answers = grown(*classes)
    return Traffic(
        seconds,
        grown("MAIN.client_req"),
        grown("MAIN.cache_hit") / lookups if lookups > 0 else None,
        grown("VERNIS.resp_5xx") / answers if answers > 0 else None,
    )


def _storages(counted: dict[str, int]) -> Iterator[Storage]:
    for key, used in counted.items():
        name, _, counter = key.removeprefix("SMA.").rpartition(".")
        if key.startswith("SMA.") and counter == "g_bytes":
            yield Storage(name, used, counted[f"SMA.{name}.limit_bytes"] or None)


def _width() -> int | None:
    """Of a terminal; a file or a pipe has lines of any length."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


# ---- printing ----------------------------------------------------------------------------------------------


def laid_out(told: Iterator[tuple[str, str]], width: int | None) -> Iterator[str]:
    """Heads and texts side by side. A line that is too long goes on below its text."""
    room = None if width is None else max(width - _HEAD - 1, _TEXT_MIN)
    for head, text in told:
        pieces = [visible(text)] if room is None else wrapped(visible(text), room)
        for i, piece in enumerate(pieces):
            yield f"{'' if i else head:<{_HEAD}} {piece}"


def lines(s: Status, now: float) -> Iterator[tuple[str, str]]:
    """Pairs of a head and a text, in the order in which an operator asks."""
    up = f"the worker is up for {duration(s.worker_up_s)}, " if s.worker_up_s > 0 else ""
    yield "state", f"{s.state}: {up}the manager for {duration(s.manager_up_s)}"
    yield "listens", ", ".join(s.listens) if s.listens else "nowhere"
    yield (
        "loops",
        f"{s.loops} on {s.cpus} CPUs"
        + ("" if s.cpu_quota is None else f" with a quota of {s.cpu_quota:.4g}")
        + (", not pinned" if s.loop_cpus is None else f", pinned (loop_cpus={s.loop_cpus})")
        + ("" if s.busiest is None else f", the busiest works {s.busiest} % of the time"),
    )
    yield "policy", _policy(s, now)
    if s.suspect:
        yield "suspect", f"{s.suspect}: left out, because workers died after it became active"
    if s.now is not None:
        yield "traffic", _traffic_text(s.now)
    if s.in_all is not None:
        yield "", f"{s.in_all.requests:,} requests since the worker's start{_shares(s.in_all)}"
    for i, storage in enumerate(s.storages):
        yield "" if i else "storage", _storage_text(storage, s.objects if i == 0 else None)
    yield from _backend_lines(s.backends, now)
    yield from _certificate_lines(s.certificates)
    yield "confined", s.confined
    if s.deaths > 0:
        ago = duration(now - s.last_death_at)
        yield "deaths", f"{s.deaths} of workers, the last {ago} ago: {s.last_death}"


def _policy(s: Status, now: float) -> str:
    if s.policy is None:
        return "none is active"
    since = datetime.fromtimestamp(s.policy_since).strftime("%Y-%m-%d %H:%M:%S")
    others = f"; {s.policies - 1} more loaded" if s.policies > 1 else ""
    file = f" from {s.policy_file}" if s.policy_file else ""
    active = f"active for {duration(now - s.policy_since)} (since {since}, by {s.policy_by})"
    return f"{s.policy}{file}, {active}{others}"


def _traffic_text(t: Traffic) -> str:
    return f"{t.per_second:,.0f} requests/s{_shares(t)}, over {duration(t.seconds)}"


def _shares(t: Traffic) -> str:
    hits = "" if t.hit_share is None else f", {_percent(t.hit_share, 1)} hits"
    fails = "" if t.fail_share is None else f", {_percent(t.fail_share, 2)} with 5xx"
    return hits + fails


def _percent(share: float, digits: int) -> str:
    return f"{share * 100:.{digits}f} %"


def _storage_text(s: Storage, objects: int | None) -> str:
    fill = size(s.used_bytes)
    if s.limit_bytes is not None:
        fill = f"{_percent(s.used_bytes / s.limit_bytes, 0)} of {size(s.limit_bytes)}"
    return f"{s.name} {fill}" + ("" if objects is None else f"; {objects:,} stored responses in all")


def _backend_lines(backends: list[Backend], now: float) -> Iterator[tuple[str, str]]:
    sick = [backend for backend in backends if not backend.healthy]
    if not backends:
        return
    yield "backends", f"{len(backends) - len(sick)} healthy, {len(sick)} sick"
    for backend in sick:
        yield "", f"{backend.name} {backend.health} for {duration(now - backend.since)}: {backend.why}"


def _certificate_lines(certificates: list[Certificate]) -> Iterator[tuple[str, str]]:
    for i, one in enumerate(certificates[:_CERTIFICATES]):
        left = f"{one.days} days left" if one.days >= 0 else "has expired"
        yield "" if i else "HTTPS", f"{one.id}: {left} ({one.names})"
    if len(certificates) > _CERTIFICATES:
        more = len(certificates) - _CERTIFICATES
        yield "", f"and {more} more, which expire later: vernis admin tls.cert.list"


def _for_programs(s: Status) -> _Json:
    told = asdict(s)
    told["backends"] = [for_programs(backend) for backend in s.backends]
    if s.now is not None:
        told["now"]["per_second"] = s.now.per_second
    return told
