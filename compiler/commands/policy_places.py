"""Translates the positions in VCL_trace records to file and line, and to the rule around them, if the daemon
still has the policy."""

from __future__ import annotations

import argparse
import re
import time
from typing import NamedTuple

from vernis.commands.outcome import Trouble
from vernis.observe import rules
from vernis.observe.screen import plain_place

_ASK_S = 2.0
_RULES_KEPT_S = 1.0  # counts may be so old


class _Source(NamedTuple):
    name: str
    text: str


class Places:
    """Asks the daemon when a policy is needed first. Knows nothing when a dump is read."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._sources: dict[str, dict[str, _Source]] = {}
        self._rules: dict[str, tuple[float, rules.Report | None]] = {}

    def locate(self, policy: str, point: str) -> str:
        number, line, position = _split(point)
        source = self._source(policy, number)
        return plain_place(policy, point) if source is None else f"{source.name}:{line}:{position}"

    def _source(self, policy: str, number: str) -> _Source | None:
        if policy not in self._sources:
            self._sources[policy] = dict(_parts(self._answer("vcl.show", "-v", policy)))
        return self._sources[policy].get(number)

    def note_rule(self, policy: str, point: str) -> str:
        report = self._report(policy)
        source, line, position = _split(point)
        if report is None or not (line.isdigit() and position.isdigit()):
            return ""
        known = self._source(policy, source)
        rule = report.innermost(known.name if known else "", (int(line), int(position)))
        if rule is None:
            return ""
        time_text = "" if rule.ns is None else f", about {rule.ns} ns"
        return f"{rule.title}: {rule.hits} hits, {rules.share_text(report.share(rule))}{time_text}"

    def _report(self, policy: str) -> rules.Report | None:
        asked, report = self._rules.get(policy, (0.0, None))
        if time.monotonic() - asked > _RULES_KEPT_S:
            from vernis.service.client import STATUS_OK, Answer

            answer = self._answer("vernis.rules", "-j", policy)
            report = rules.parse(Answer(STATUS_OK, answer).told()) if answer else None
            self._rules[policy] = time.monotonic(), report
        return report

    def _answer(self, *words: str) -> str:
        """Empty if the daemon does not answer, or refuses the command."""
        from vernis.commands.admin import connect_anyhow
        from vernis.commands.places import daemon_workdir
        from vernis.service.client import DaemonError

        if self._options.read is not None:
            return ""
        try:
            with connect_anyhow(daemon_workdir(self._options.workdir), _ASK_S) as client:
                answer = client.command(*words)
        except (DaemonError, Trouble):
            return ""
        return answer.body if answer.ok else ""


def _split(point: str) -> tuple[str, str, str]:
    source, _, place = point.partition(".")
    line, _, position = place.partition(".")
    return source, line, position


def _parts(text: str) -> list[tuple[str, _Source]]:
    """Splits the answer by the lengths in its headings, because a source may contain a line like a
    heading."""
    found = []
    data = text.encode("utf-8", "surrogateescape")
    at = 0
    while match := re.compile(rb"// VCL\.SHOW (\d+) (\d+) ([^\n]*)\n").search(data, at):
        end = match.end() + int(match[2])
        content = data[match.end() : end].decode("utf-8", "replace")
        found.append((match[1].decode(), _Source(match[3].decode("utf-8", "replace"), content)))
        at = end
    return found
