"""Reads the reason of a decision from the records of a transaction.

The daemon decides, and logs the reason by id while something wants reasons (commands/log_reasons.py, the
dashboard); runtime/proxy/reason/reason.h has the form of the record. Of a log without it, such as one of
Varnish, ``_from_records`` takes what its records say for certain; all else is "unknown".
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from vernis.observe import tags
from vernis.observe.reason_texts import LOG_REASONS, REASONS
from vernis.observe.summary import Place, decode, summarise
from vernis.observe.transactions import Group, Kind, Transaction

FETCHES_KEPT_MAX = 10_000  # whose responses were not stored; the oldest is forgotten first
_ASK = ", because nothing asked for reasons when the request came: start `vernis log --why` before it"
_NATURAL = frozenset((("pipe", "pipe"), ("purge", "synth")))  # what these hooks return anyway


@dataclass(slots=True, frozen=True)
class Reason:
    """``decision``: of a request hit, stale hit, miss, hit-for-miss, hit-for-pass, pass, pipe, synth, purge,
    restart or failure; of a fetch stored, not-stored, hit-for-miss or hit-for-pass. ``id`` is a key of
    REASONS or LOG_REASONS, or "-" for a response that is stored. ``since`` is about the marker that a request
    found."""

    decision: str
    id: str
    about: str = ""
    place: Place | None = None
    since: str = ""

    @property
    def sentence(self) -> str:
        text = (REASONS.get(self.id) or LOG_REASONS.get(self.id, "")).format(about=self.about)
        return f"{self.since}: {text}" if self.since else text


def logged_reason(transaction: Transaction) -> Reason | None:
    """The reason that the daemon logged last; None if it logged none."""
    policy, since, found = "", "", None
    for record in transaction.records:
        match tags.name_of(record.tag):
            case "VCL_use":
                policy = decode(record.text).partition(" ")[0]
            case "Debug":
                text = decode(record.text).rstrip("\0")
                word, _, rest = text.partition(" ")
                if word == "marker":
                    since = rest
                elif word == "why" and rest.count(" ") >= 3:
                    decision, id, point, about = rest.split(" ", 3)
                    place = None if point == "-" else (policy, point)
                    found = Reason(decision.replace("stale-", "stale "), id, about, place, since)
    known = found is not None and (found.id == "-" or found.id in REASONS or found.id in LOG_REASONS)
    return found if known else None


class Reasons:
    """Tells the reasons of the requests of a log in their order. Remembers why responses were not stored, for
    later requests that find their markers."""

    def __init__(self) -> None:
        self._fetches: dict[int, Reason] = {}

    def learn(self, group: Group) -> None:
        """Call once for each group, before its requests are judged."""
        for transaction in group:
            found = logged_reason(transaction) if transaction.kind is Kind.FETCH else None
            if found is not None and found.decision.startswith("hit-for-"):
                self._fetches[transaction.vxid] = found
                if len(self._fetches) > FETCHES_KEPT_MAX:
                    del self._fetches[next(iter(self._fetches))]

    def of(self, transaction: Transaction) -> Reason | None:
        """None if the transaction is not a request, or got no answer."""
        if transaction.kind is not Kind.REQUEST:
            return None
        found = logged_reason(transaction) or _from_records(transaction)
        if found is None or not found.decision.startswith("hit-for-"):
            return found
        fetch, left_s = _found(transaction)
        told = self._fetches.get(fetch)
        if told is not None and told.id == found.id:
            found = replace(found, about=told.about, place=told.place)
        return replace(found, since=f"{found.since or 'a marker'}, {seconds(left_s)} more (fetch {fetch})")


def _found(transaction: Transaction) -> tuple[int, float]:
    """The fetch whose response or marker the look-up found, and the seconds of ttl left."""
    for record in transaction.records:
        words = decode(record.text).split()
        if tags.name_of(record.tag) in ("Hit", "HitMiss", "HitPass") and len(words) >= 2:
            return int(words[0]) if words[0].isdecimal() else 0, number(words[1])
    return 0, 0.0


def _from_records(transaction: Transaction) -> Reason | None:
    """The reason by the records that every log has."""
    summary, (_, left_s) = summarise(transaction), _found(transaction)
    actions = [(one, one.action.partition(" ")[0]) for one in summary.decisions]
    for one, action in reversed(actions):
        if action == "fail":
            text = next((text for text in reversed(summary.errors) if text.startswith("VCL_Error: ")), "")
            return Reason("failure", "policy-failed", text.partition(": ")[2], one.place)
        if action in ("pass", "pipe", "synth", "restart", "purge") and (one.hook, action) not in _NATURAL:
            id = "purge" if action == "purge" else f"{action}-policy"
            return Reason(action, id, f"vcl_{one.hook}", one.place)
    match summary.handling:
        case "hit":
            if left_s > 0:
                return Reason("hit", "fresh", f", for {seconds(left_s)} more")
            return Reason("stale hit", "stale", f"; its freshness ended {seconds(-left_s)} ago")
        case "hitpass":
            return Reason("hit-for-pass", "policy-hit-for-pass")
        case "hitmiss":
            return Reason("hit-for-miss", "unknown", _ASK)
        case "miss":
            return Reason("miss", "unknown", _ASK)
    return None


def number(word: str) -> float:
    """The number of a record, which may be damaged; then 0."""
    try:
        return float(word)
    except ValueError:
        return 0.0


def seconds(value: float) -> str:
    """``3 s``, ``0.4 s``, ``97 s``."""
    return f"{value:.1f}".removesuffix(".0") + " s" if abs(value) < 10 else f"{value:.0f} s"
