"""Shows a request and its fetches on one screen: request and response, the time of each step, the decisions
of the policy with their lines, and the changed fields."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import IO

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from vernis.observe.reasons import Reason, Reasons
from vernis.observe.select import Selection
from vernis.observe.storing import MARKERS, Storing, storing
from vernis.observe.summary import Change, Decision, Place, Step, Summary, summarise
from vernis.observe.transactions import Group, Kind
from vernis.shown import visible
from vernis.terminal import console

#: File and line of a point of a policy: (policy, "source.line.position") -> text.
Locate = Callable[[str, str], str]

#: The rule around a point and its counts, as text; empty if unknown.
NoteRule = Callable[[str, str], str]

_BAR = 24
_TEXT_MAX = 120
_HANDLING_STYLES = {
    "hit": "green",
    "miss": "yellow",
    "pass": "magenta",
    "hitpass": "magenta",
    "hitmiss": "magenta",
    "synth": "cyan",
    "pipe": "cyan",
}
_NAMES = {"resp": "response", "req": "request", "bereq": "fetch request", "beresp": "fetched response"}


def plain_place(policy: str, point: str) -> str:
    """Shows a point without the name of its source file."""
    source, _, place = point.partition(".")
    line, _, position = place.partition(".")
    return f"{policy} source {source}:{line}:{position}"


def no_rule(policy: str, point: str) -> str:
    return ""


class Screen:
    def __init__(
        self,
        file: IO[str],
        selection: Selection,
        locate: Locate = plain_place,
        note_rule: NoteRule = no_rule,
        width: int | None = None,
        reasons: Reasons | None = None,
    ) -> None:
        self._reasons = reasons
        self._console = console(file, width)
        self._selection, self._locate, self._note_rule = selection, locate, note_rule

    def show(self, group: Group) -> None:
        if self._reasons is not None:
            self._reasons.learn(group)
        shown = [transaction for transaction in group if self._selection.sides.wants(transaction)]
        summaries = [summarise(transaction) for transaction in shown]
        if not summaries:
            return
        span_s = max(1e-6, *(summary.duration_s for summary in summaries))
        began = min((summary.steps[0].at for summary in summaries if summary.steps), default=0.0)
        for transaction, summary in zip(shown, summaries, strict=True):
            if summary.kind not in (Kind.REQUEST, Kind.FETCH):
                continue
            indent = "  " * max(transaction.level - 1, 0)
            stored = storing(transaction) if summary.kind is Kind.FETCH else None
            reason = self._reasons.of(transaction) if self._reasons is not None else None
            for line in self._transaction(summary, stored, reason, began, span_s):
                self._console.print(_indented(indent, line), soft_wrap=isinstance(line, Text))
        self._console.print()

    def _transaction(
        self, summary: Summary, stored: Storing | None, reason: Reason | None, began: float, span_s: float
    ) -> Iterator[RenderableType]:
        yield _title(summary)
        yield Text(_origin(summary, began), "dim")
        if reason is not None:
            line = Text(f"why      {reason.decision}: {printable(reason.sentence)}")
            yield self._placed(line, reason.place)
        for error in summary.errors:
            yield Text(f"! {printable(error)}", "bold red")
        if summary.steps:
            yield _times(summary.steps, began, span_s)
        for decision in summary.decisions:
            yield from self._decision(decision, summary.changes)
        for change in summary.changes:
            if not change.hook:
                yield _change(change)
        for note in summary.logged:
            yield Text(printable(note.text))
        if summary.met:
            yield Text(f"found    {printable(summary.met)}", "dim")
        if stored is not None:
            yield from self._stored(stored, summary)

    def _stored(self, stored: Storing, summary: Summary) -> Iterator[Text]:
        if not stored.reason:
            where = ", ".join(filter(None, (summary.lifetime, summary.storage)))
            yield Text(printable(f"stored {where}"), "dim")
            return
        yield self._placed(Text(f"not stored: {printable(stored.reason)}", "yellow"), stored.place)
        if stored.marker:
            yield Text(
                f"marker: {stored.marker} for {stored.marker_s:.0f} s: {MARKERS[stored.marker]}", "dim"
            )

    def _decision(self, decision: Decision, changes: list[Change]) -> Iterator[Text]:
        line = Text(f"{decision.hook:<16} ")
        line.append(f"-> {decision.action or '?'}", "bold")
        yield self._placed(line, decision.place)
        if decision.place is not None and (rule := self._note_rule(*decision.place)):
            yield Text(f"    rule {printable(rule)}", "dim")
        for note in decision.notes:
            yield self._placed(Text(f"    {printable(note.text)}"), note.place)
        for change in changes:
            if change.hook == decision.hook:
                yield self._placed(Text("    ").append_text(_change(change)), change.place)

    def _placed(self, line: Text, place: Place | None) -> Text:
        return line if place is None else line.append(f"   {printable(self._locate(*place))}", "blue")


def _title(summary: Summary) -> Text:
    line = Text()
    line.append("fetch  " if summary.kind is Kind.FETCH else "")
    line.append(f"{printable(summary.method or '-')} ", "bold")
    line.append(printable(f"{summary.host}{summary.url}" if summary.host else summary.url or "-"), "bold")
    line.append("  ")
    status_style = "green" if summary.status < 400 else "yellow" if summary.status < 500 else "bold red"
    line.append(printable(f"{summary.status or '---'} {summary.reason}".strip()), status_style)
    if summary.kind is Kind.REQUEST:
        line.append(f"  {summary.handling or '-'}", _HANDLING_STYLES.get(summary.handling, ""))
    elif summary.fetched_as != "fetch":
        line.append(f"  {summary.fetched_as}", "magenta")
    line.append(f"  {_duration(summary.duration_s)}")
    return line


def _origin(summary: Summary, began: float) -> str:
    parts = [f"vxid {summary.vxid}"]
    if summary.kind is Kind.REQUEST:
        parts.append(f"from {summary.client or '?'}")
        if began:
            parts.append(
                time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(began)) + f".{int(began * 1000) % 1000:03d}"
            )
    elif summary.backend:
        parts.append(f"to {summary.backend}")
    if summary.policy:
        parts.append(f"policy {summary.policy}")
    parts.append(f"{summary.bytes_in} bytes in, {summary.bytes_out} out")
    return "  ".join(parts)


def _times(steps: list[Step], began: float, span_s: float) -> Table:
    """One bar per step. All bars share the time line of the group."""
    table = Table.grid(padding=(0, 1))
    for step in steps:
        if step.label == "Start" or step.since_start_s == 0:
            continue
        end_s = step.at - began
        table.add_row(
            Text(f"  {printable(step.label)}"),
            Text(_duration(step.since_last_s), justify="right"),
            Text(_bar(end_s - step.since_last_s, end_s, span_s), "cyan"),
        )
    return table


def _bar(start_s: float, end_s: float, span_s: float) -> str:
    first = min(max(int(start_s / span_s * _BAR), 0), _BAR - 1)
    last = min(max(round(end_s / span_s * _BAR), first + 1), _BAR)
    return "·" * first + "━" * (last - first) + "·" * (_BAR - last)


def _change(change: Change) -> Text:
    where = f"{_NAMES[change.message]} {change.name}: "
    if change.value is None:
        return Text.assemble(where, (f"- {printable(change.before or '')}", "red"))
    if change.before is None:
        return Text.assemble(where, (f"+ {printable(change.value)}", "green"))
    return Text.assemble(where, (printable(change.before), "red"), " => ", (printable(change.value), "green"))


def _indented(indent: str, line: RenderableType) -> RenderableType:
    if isinstance(line, Text):
        return Text(indent).append_text(line)
    grid = Table.grid()
    grid.add_row(indent, line)
    return grid


def _duration(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def printable(text: str) -> str:
    """Replaces control characters, because clients send them and they must not reach the terminal."""
    safe = visible(text, "�").replace("\t", "�")
    return safe if len(safe) <= _TEXT_MAX else safe[: _TEXT_MAX - 1] + "…"
