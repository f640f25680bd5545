"""Counters as Prometheus metrics. The daemon's own endpoint (runtime/admin/metrics.c) follows the same rules, and a test compares
the two:

* the name is ``vernis_<group>_<counter>``; group and labels come from the counter's ident by the table below;
* a duration ends in ``_seconds``, a number of bytes in ``_bytes``, and then a counter in ``_total``, as Prometheus wants it;
* the bitmap ``happy`` of a backend is 1 when the last probe was good (as without a probe), else 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vernis.observe.vsc import Counter, CounterKind

if TYPE_CHECKING:
    from prometheus_client import Metric

#: First part of an ident -> group, labels for the rest; the last label takes all that is left.
GROUPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "MAIN": ("main", ()),
    "MGT": ("mgt", ()),
    "VBE": ("backend", ("vcl", "backend")),
    "SMA": ("storage", ("storage",)),
    "SMU": ("storage", ("storage",)),
    "SMF": ("storage", ("storage",)),
    "MEMPOOL": ("mempool", ("pool",)),
    "LCK": ("lock", ("lock",)),
    "XKEY": ("xkey", ()),
}


def name_and_labels(ident: str) -> tuple[str, dict[str, str]]:
    first, *rest = ident.split(".")
    group, labels = GROUPS.get(first, (first.lower(), ("ident",) if rest else ()))
    if len(labels) < 2 or len(rest) < len(labels):
        return group, {labels[0]: ".".join(rest)} if labels else {}
    return group, dict(zip(labels, (*rest[:len(labels) - 1], ".".join(rest[len(labels) - 1:])), strict=True))


def metric_name(group: str, kind: CounterKind) -> str:
    """Without ``_total``, which the exposition adds to counters."""
    name = "".join(character if character.isascii() and character.isalnum() else "_" for character in f"{group}_{kind.name}")
    unit = {"d": "_seconds", "B": "_bytes"}.get(kind.format, "")
    if unit == "_bytes" and "bytes" in name:
        unit = ""
    return f"vernis_{name}{unit}"


@dataclass(slots=True)
class _Family:
    kind: CounterKind
    samples: list[tuple[dict[str, str], int]] = field(default_factory=list)


def families(counters: Iterable[Counter]) -> dict[str, _Family]:
    found: dict[str, _Family] = {}
    for counter in counters:
        group, labels = name_and_labels(counter.ident)
        family = found.setdefault(metric_name(group, counter.kind), _Family(counter.kind))
        value = counter.value & 1 if counter.kind.semantics == "b" else counter.value
        family.samples.append((labels, value))
    return found


class _Collector:
    """What prometheus_client asks of a registry's member."""

    def __init__(self, counters: Iterable[Counter]) -> None:
        self._families = families(counters)

    def collect(self) -> Iterator[Metric]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        for name, family in self._families.items():
            labels = list(family.samples[0][0])
            counts = family.kind.semantics == "c"
            metric = (CounterMetricFamily if counts else GaugeMetricFamily)(name, family.kind.oneliner, labels=labels)
            for values, value in family.samples:
                metric.add_metric([values.get(label, "") for label in labels], value)
            yield metric


def exposition(counters: Iterable[Counter]) -> bytes:
    """The text format, version 0.0.4."""
    from prometheus_client import generate_latest

    return generate_latest(_Collector(counters))
