"""Writes counters as Prometheus metrics. The daemon's own endpoint (runtime/manager/metrics.c) follows the
same rules, and a test compares the two. Both take prefix, groups, labels and suffixes from
``runtime/log/metrics.toml``. Of a bitmap they show the newest bit.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from vernis.observe.vsc import FORMATS, Counter, CounterKind

if TYPE_CHECKING:
    from prometheus_client import Metric

_FORMAT_OF = {letter: name for name, letter in FORMATS.items()}


@cache
def names() -> dict[str, Any]:
    """Reads metrics.toml, which is beside the package in a checkout and inside it when installed."""
    here = os.path.dirname(os.path.realpath(__file__))
    installed = os.path.join(here, "metrics.toml")
    path = (
        installed
        if os.path.exists(installed)
        else os.path.join(here, "..", "..", "runtime", "log", "metrics.toml")
    )
    with open(path, "rb") as file:
        return tomllib.load(file)


def name_and_labels(ident: str) -> tuple[str, dict[str, str]]:
    first, *rest = ident.split(".")
    row = names()["group"].get(first)
    group: str = row["name"] if row else first.lower()
    labels: list[str] = row["labels"] if row else [names()["other_label"]] if rest else []
    if len(labels) < 2 or len(rest) < len(labels):
        return group, {labels[0]: ".".join(rest)} if labels else {}
    return group, dict(
        zip(labels, (*rest[: len(labels) - 1], ".".join(rest[len(labels) - 1 :])), strict=True)
    )


def _renamed(ident: str, kind: CounterKind) -> dict[str, str]:
    """The name and the help that the metric has instead of those of the counter; empty for most."""
    rows: dict[str, dict[str, dict[str, str]]] = names()["renamed"]
    return rows.get(ident.partition(".")[0], {}).get(kind.name, {})


def metric_name(group: str, counter: str, kind: CounterKind) -> str:
    """Without ``_total``, which the exposition adds to counters."""
    name = "".join(
        character if character.isascii() and character.isalnum() else "_"
        for character in f"{group}_{counter}"
    )
    suffix = names()["suffix"].get(_FORMAT_OF.get(kind.format), {})
    added = "" if suffix.get("unless", "\0") in kind.name else suffix.get("add", "")
    return f"{names()['prefix']}_{name}{added}"


_LABEL = re.compile(r'[{,](\w+)="((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")


def declared_by_policy(ident: str) -> tuple[str, dict[str, str]] | None:
    """Metric and labels of a counter that a policy declares, such as ``POLICY.logins{status="200"}``. None
    for other counters."""
    declared = names()["declared"]
    if not ident.startswith(f"{declared['ident']}."):
        return None
    name, _, labels = ident.partition(".")[2].partition("{")
    found = {label: _ESCAPED.sub(r"\1", value) for label, value in _LABEL.findall("{" + labels)}
    return f"{names()['prefix']}_{declared['name']}_{name.lower()}", found


@dataclass(slots=True)
class _Family:
    kind: CounterKind
    doc: str
    samples: list[tuple[dict[str, str], int]] = field(default_factory=list)


def families(counters: Iterable[Counter]) -> dict[str, _Family]:
    found: dict[str, _Family] = {}
    for counter in counters:
        declared = declared_by_policy(counter.ident)
        if declared is None:
            group, labels = name_and_labels(counter.ident)
            renamed = _renamed(counter.ident, counter.kind)
            name = metric_name(group, renamed.get("name", counter.kind.name), counter.kind)
            doc = renamed.get("doc", counter.kind.oneliner)
        else:
            name, labels = declared
            doc = counter.kind.oneliner
        family = found.setdefault(name, _Family(counter.kind, doc))
        value = counter.value & 1 if counter.kind.semantics == "b" else counter.value
        family.samples.append((labels, value))
    return found


class _Collector:
    """The interface that prometheus_client expects of a collector."""

    def __init__(self, counters: Iterable[Counter]) -> None:
        self._families = families(counters)

    def collect(self) -> Iterator[Metric]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        for name, family in self._families.items():
            counts = family.kind.semantics == "c"
            metric = (CounterMetricFamily if counts else GaugeMetricFamily)(name, family.doc)
            for labels, value in family.samples:  # two policies may give a counter other labels
                metric.add_sample(f"{metric.name}_total" if counts else metric.name, labels, value)
            yield metric


def exposition(counters: Iterable[Counter]) -> bytes:
    """The counters in the text format, version 0.0.4."""
    from prometheus_client import generate_latest

    return generate_latest(_Collector(counters))
