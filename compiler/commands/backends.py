"""`vernis backends`: lists the backends and directors of a running daemon, each with its health and the
reason, and sets their health."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from vernis.commands.answers import print_answer
from vernis.commands.daemon import ask, connect
from vernis.commands.durations import duration
from vernis.commands.outcome import EXIT_OK, Trouble
from vernis.service.client import Answer, DaemonClient
from vernis.shown import plain
from vernis.similar import suggestion

_Json = dict[str, Any]

_LIST = ("backend.list", "-j", "-p")
_NO_SUCH = 106  # status of an answer about an unknown name


@dataclass(slots=True)
class Backend:
    name: str
    kind: str  # "backend", or the kind of a director
    health: str  # healthy, sick or ejected
    by_hand: bool  # an operator set it
    since: float  # seconds since the epoch
    why: str

    @property
    def healthy(self) -> bool:
        return self.health == "healthy"


def backends(options: argparse.Namespace) -> int:
    setting = options.action == "set"
    if setting != (options.health is not None) or not setting and options.name is not None:
        raise Trouble("name a backend and its health: vernis backends set NAME healthy|sick|auto")
    pattern = options.name if setting else options.action
    with connect(options) as client:
        if setting:
            answer = ask(client, "backend.set_health", options.name, options.health)
            if not answer.ok:
                return _refused(client, options.name, answer)
        listed = ask(client, *_LIST, pattern or "*.*")
        if not listed.ok:
            return print_answer(listed)
        found = _parsed(listed)
        if pattern and not found:
            return _refused(client, pattern, Answer(_NO_SUCH, "No Backends matches"))
    if options.json:
        print(json.dumps([for_programs(backend) for backend in found], indent=2))
    else:
        print(plain("\n".join(_table(found, time.time()))) if found else "no backends")
    return EXIT_OK


def read_backends(client: DaemonClient) -> list[Backend]:
    """Those of the active policy; none if no worker runs."""
    answer = ask(client, *_LIST)
    return _parsed(answer) if answer.ok else []


def _parsed(answer: Answer) -> list[Backend]:
    told: _Json = answer.told()
    return [_backend(name, row) for name, row in told.items()]


def _backend(name: str, row: _Json) -> Backend:
    health = row["probe_message"][2]
    by_hand = row["admin_health"] == "sick" or (row["admin_health"] == "healthy" and _is_probed(row))
    return Backend(name, row["type"], health, by_hand, row["last_change"], _why(row, health, by_hand))


def for_programs(backend: Backend) -> _Json:
    return {**asdict(backend), "healthy": backend.healthy}


def _is_probed(row: _Json) -> bool:
    return "threshold" in row["probe_details"]


def _why(row: _Json, health: str, by_hand: bool) -> str:
    good, window = row["probe_message"][:2]
    if by_hand:
        return "set by an operator (backend.set_health)"
    if health == "ejected":
        return "too many of its requests failed (backend_eject_failures, backend_eject_rate)"
    if row["type"] != "backend":
        return f"{good} of its {window} backends are healthy"
    if not _is_probed(row):
        return "no probe"
    needed = "" if health == "healthy" else f", {row['probe_details']['threshold']} are needed"
    return f"{good} of the last {window} probes were good{needed}"


def _refused(client: DaemonClient, pattern: str, answer: Answer) -> int:
    if answer.status != _NO_SUCH:
        return print_answer(answer)
    listed = ask(client, *_LIST, "*.*")
    names = [backend.name for backend in _parsed(listed)] if listed.ok else []
    short = [name.partition(".")[2] for name in names]
    hint = suggestion(pattern, names if "." in pattern else short) or "; `vernis backends` lists them"
    return print_answer(Answer(answer.status, f"{answer.body.partition(chr(10))[0].strip()} {pattern}{hint}"))


def _table(found: list[Backend], now: float) -> Iterator[str]:
    rows = [(b.name, b.kind, b.health, f"for {duration(now - b.since)}") for b in found]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row, backend in zip(rows, found, strict=True):
        cells = [f"{text:<{width}}" for text, width in zip(row, widths, strict=True)]
        yield "  ".join([*cells, backend.why])
