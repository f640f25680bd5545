"""Shows each request on a line with its decision and the reason, and what became of the response that was
fetched for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from vernis.observe.reason_texts import FETCH_ADVICE, UNWANTED_TEXT, is_unwanted
from vernis.observe.reasons import Reason, Reasons
from vernis.observe.screen import Locate, plain_place, printable
from vernis.observe.storing import MARKERS, Storing, storing
from vernis.observe.summary import Place, Summary, summarise
from vernis.observe.transactions import Group, Kind, Sides, Transaction

_INDENT = " " * 10  # the width of the time and a blank, and one more


class ReasonLines:
    """``write`` gets each group's lines, with newlines."""

    def __init__(
        self, write: Callable[[str], object], sides: Sides, reasons: Reasons, locate: Locate = plain_place
    ) -> None:
        self._write, self._sides, self._reasons, self._locate = write, sides, reasons, locate

    def show(self, group: Group) -> None:
        self._reasons.learn(group)
        lines: list[str] = []
        for transaction in group:
            if not self._sides.wants(transaction):
                continue
            summary = summarise(transaction)
            indent = "  " * max(transaction.level - 1, 0)
            reason = self._reasons.of(transaction)
            if reason is not None:
                lines.append(indent + self._request(summary, reason))
            elif transaction.kind is Kind.FETCH:
                lines += [indent + line for line in self._fetch(summary, storing(transaction))]
        self._write("".join(f"{line}\n" for line in lines))

    def _request(self, summary: Summary, reason: Reason) -> str:
        began = summary.steps[0].at if summary.steps else 0.0
        clock = time.strftime("%H:%M:%S", time.localtime(began)) if began else "--:--:--"
        what = printable(f"{summary.method or '-'} {summary.host}{summary.url}")
        head = f"{clock}  {what}  {summary.status or '---'}  {summary.vxid}"
        return self._placed(f"{head}  {reason.decision}: {printable(reason.sentence)}", reason.place)

    def _fetch(self, summary: Summary, stored: Storing | None) -> list[str]:
        errors = [text.partition(": ")[2] for text in summary.errors if text.startswith("FetchError")]
        failures = [text for text in errors if not is_unwanted(text)]
        unwanted = [_INDENT + UNWANTED_TEXT] if len(errors) > len(failures) else []
        if failures:
            why = failures[-1]
            advice = next((f"; {step}" for words, step in FETCH_ADVICE if words in why), "")
            return [_INDENT + printable(f"fetch failed: {why}") + advice]
        if stored is None:
            return unwanted
        if not stored.reason:
            return [_INDENT + printable(f"stored: {summary.lifetime}"), *unwanted]
        lines = [self._placed(_INDENT + printable(f"not stored: {stored.reason}"), stored.place)]
        if stored.marker:
            told = f"marker: {stored.marker} for {stored.marker_s:.0f} s: {MARKERS[stored.marker]}"
            lines.append(_INDENT + told)
        return [*lines, *unwanted]

    def _placed(self, line: str, place: Place | None) -> str:
        return line if place is None else f"{line}   {printable(self._locate(*place))}"


class WhyJson:
    """The member ``why`` of a request or fetch; docs/tools.md documents its keys."""

    def __init__(self, reasons: Reasons, locate: Locate = plain_place) -> None:
        self._reasons, self._locate = reasons, locate
        self.learn = reasons.learn

    def of(self, transaction: Transaction) -> dict[str, Any] | None:
        if transaction.kind is Kind.FETCH:
            return self._fetch(storing(transaction))
        reason = self._reasons.of(transaction)
        if reason is None:
            return None
        return {
            "decision": reason.decision,
            "reason": reason.id,
            "text": reason.sentence,
            "at": self._at(reason.place),
        }

    def _fetch(self, stored: Storing | None) -> dict[str, Any] | None:
        if stored is None:
            return None
        return {
            "stored": not stored.reason,
            "reason": stored.id or None,
            "text": stored.reason,
            "at": self._at(stored.place),
            "marker": stored.marker or None,
            "marker_s": stored.marker_s if stored.marker else None,
        }

    def _at(self, place: Place | None) -> str | None:
        return None if place is None else self._locate(*place)
