"""Tells whether a fetch stored its response, and the reason if it did not.

The reason is the daemon's (reasons.py), where the log has it. Otherwise the records tell what became of the
response, and what it had that may be the reason.
"""

from __future__ import annotations

from dataclasses import dataclass

from vernis.observe import tags
from vernis.observe.reason_texts import LOG_REASONS, REASONS, is_unwanted
from vernis.observe.reasons import logged_reason
from vernis.observe.records import Record
from vernis.observe.summary import Place, decode
from vernis.observe.transactions import Transaction

HIT_FOR_MISS, HIT_FOR_PASS = "hit-for-miss", "hit-for-pass"
MARKERS = {HIT_FOR_MISS: "requests do not wait for each other", HIT_FOR_PASS: "requests are passed"}

_TRANSIENT = "malloc Transient"
_SHORTLIVED_S = 10  # default of the parameter: a shorter life is spent in Transient
_NOT_STORED = "vsl: Not stored: "  # notices of runtime/proxy/fetch_*.c that have the reason
_TOO_LARGE = "larger than its storage"
_FIELDS = ("set-cookie", "cdn-cache-control", "surrogate-control", "cache-control", "expires", "age", "vary")


@dataclass(slots=True)
class Storing:
    """``reason``: why the response was not stored, "" if it was; ``id`` is its key in REASONS or LOG_REASONS,
    "" if the log does not hold it. ``place``: the statement behind the reason."""

    reason: str
    marker: str = ""  # HIT_FOR_MISS, HIT_FOR_PASS or ""
    marker_s: float = 0.0
    id: str = ""
    place: Place | None = None


@dataclass(slots=True)
class _Lifetime:
    """A TTL record. ``ttl_s`` counts from the response."""

    source: str  # RFC, VCL, HFP
    ttl_s: float
    rest_s: float  # grace and keep
    uncacheable: bool


def storing(transaction: Transaction) -> Storing | None:
    """None if the fetch got no response that could be stored, and the log has no reason."""
    reader = _Reader(transaction)
    told = logged_reason(transaction)
    if told is None:
        return reader.answer()
    if told.decision == "stored":
        return Storing("")
    marker = told.decision if told.decision in MARKERS else ""
    marker_s = reader.lifetimes[-1].ttl_s if marker and reader.lifetimes else 0.0
    return Storing(told.sentence, marker, marker_s, told.id, told.place)


class _Reader:
    def __init__(self, transaction: Transaction) -> None:
        self.passed = transaction.reason == "pass"
        self.fields: dict[str, str] = {}
        self.status = ""
        self.storage = ""
        self.hook = ""
        self.lifetimes: list[_Lifetime] = []
        self.age_s = 0.0
        self.refused = ""  # the reason of a notice
        self.illegal_vary = self.failed = False
        for record in transaction.records:
            self._take(record)

    def _take(self, record: Record) -> None:
        text = decode(record.text)
        match tags.name_of(record.tag):
            case "BerespHeader":
                name, _, value = text.partition(":")
                before = self.fields.get(name.lower())
                self.fields[name.lower()] = value.strip() if before is None else f"{before}, {value.strip()}"
            case "BerespUnset":
                self.fields.pop(text.partition(":")[0].lower(), None)
            case "BerespStatus":
                self.status = text
            case "VCL_call":
                self.hook = text
                if text == "BACKEND_ERROR":  # makes a response of its own
                    self.fields.clear()
                    self.lifetimes.clear()
            case "TTL":
                self._live(text.split())
            case "Storage":
                self.storage = text
            case "Error":
                self.illegal_vary |= "Illegal 'Vary'" in text
            case "Notice":
                if text.startswith(_NOT_STORED):
                    self.refused = text.removeprefix(_NOT_STORED)
            case "FetchError":
                self.failed |= bool(self.storage) and not is_unwanted(text)

    def _live(self, words: list[str]) -> None:
        try:
            ttl_s, grace_s, keep_s, reference_s = map(float, words[1:5])
            if words[0] == "RFC":
                self.age_s = reference_s - float(words[5])
        except (ValueError, IndexError):
            return
        left_s = ttl_s if words[0] == "HFP" else ttl_s - self.age_s
        rest_s = max(grace_s, 0) + max(keep_s, 0)
        self.lifetimes.append(_Lifetime(words[0], left_s, rest_s, words[-1] == "uncacheable"))

    # ---- the answer ----

    def answer(self) -> Storing | None:
        if not self.storage:
            return None
        if self.failed:
            return Storing("the fetch failed")
        if self.passed:
            return Storing(LOG_REASONS["passed"] if self.storage == _TRANSIENT else "")
        if not self.lifetimes:
            return Storing(LOG_REASONS["error-made"] if self.hook == "BACKEND_ERROR" else "")
        last = self.lifetimes[-1]
        if last.source == "HFP":
            return Storing(REASONS["policy-hit-for-pass"], HIT_FOR_PASS, last.ttl_s)
        if last.uncacheable:
            return Storing(
                f"uncacheable: {self._facts()}", HIT_FOR_MISS if last.ttl_s > 0 else "", last.ttl_s
            )
        if self.storage != _TRANSIENT or (self.refused and self.refused != _TOO_LARGE):
            return Storing(self.refused)
        if self.refused == _TOO_LARGE:
            return Storing(self.refused, HIT_FOR_MISS, last.ttl_s)
        is_star = "*" in self.fields.get("vary", "").replace(",", " ").split()
        is_dead = last.ttl_s <= 0 and not 0 < last.rest_s < _SHORTLIVED_S
        return Storing(self._facts() if self.illegal_vary or is_star or is_dead else "")

    def _facts(self) -> str:
        """The facts that may be the reason. The value of Set-Cookie is left out: it may be a secret."""
        ended = [f"ttl {one.ttl_s:.0f} s" for one in self.lifetimes if one.ttl_s <= 0][-1:]
        fields = [
            name.title() if name == "set-cookie" else f"{name.title()}: {self.fields[name]}"
            for name in _FIELDS
            if name in self.fields
        ]
        return ", ".join([*ended, *fields]) or f"status {self.status}"
