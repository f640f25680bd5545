"""Names the reason of a decision of the daemon, from the records of the request: why it was a hit, a miss or
a pass. `vernis why` (compiler/why/reasons.py) names the same reasons for a request that it plays again.

The records VCL_trace and Debug have the places of statements and the causes of misses. The daemon writes them
while a command wants reasons (compiler/commands/log_reasons.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from vernis.observe import tags
from vernis.observe.reason_texts import LOG_REASONS, REASONS
from vernis.observe.storing import HIT_FOR_MISS, HIT_FOR_PASS, Storing, refusing_field, storing
from vernis.observe.summary import Decision, Place, Summary, decode, summarise
from vernis.observe.transactions import Group, Kind, Transaction

MARKERS_KEPT_MAX = 10_000  # fetches that left a marker; the oldest is forgotten first

#: The sub of the built-in policy that has a statement; "" for a statement of the author's policy, None if the
#: source is not known.
BuiltinSub = Callable[[Place], str | None]


@dataclass(slots=True, frozen=True)
class Reason:
    """``decision``: hit, stale hit, miss, hit-for-miss, hit-for-pass, pass, pipe, synth, purge, restart or
    failure. ``id`` is a key of REASONS or LOG_REASONS. ``since`` is about the marker of a hit-for-miss or
    hit-for-pass."""

    decision: str
    id: str
    about: str = ""
    place: Place | None = None
    since: str = ""

    @property
    def sentence(self) -> str:
        text = (REASONS.get(self.id) or LOG_REASONS[self.id]).format(about=self.about)
        return f"{self.since}: {text}" if self.since else text


class Reasons:
    """Judges the requests of a log in their order. Remembers fetches that left a marker, for later requests
    that find it."""

    def __init__(self, builtin_sub: BuiltinSub = lambda place: None) -> None:
        self._builtin_sub = builtin_sub
        self._markers: dict[int, Storing] = {}

    def learn(self, group: Group) -> None:
        """Call once for each group, before its requests are judged."""
        for transaction in group:
            if transaction.kind is Kind.FETCH and (stored := storing(transaction)) and stored.marker:
                self._markers[transaction.vxid] = stored
                if len(self._markers) > MARKERS_KEPT_MAX:
                    del self._markers[next(iter(self._markers))]

    def of(self, transaction: Transaction) -> Reason | None:
        """None if the transaction is not a request, or got no answer."""
        if transaction.kind is not Kind.REQUEST:
            return None
        case = _Case(transaction)
        for judge in (self._failed, self._returned, self._marked, self._looked_up):
            if (found := judge(case)) is not None:
                return found
        return None

    def refusal(self, stored: Storing) -> str:
        """Why a response was not stored, "" if it was."""
        by_author = stored.decided is not None and self._builtin_sub(stored.decided) == ""
        return stored.by_policy if stored.by_policy and by_author else stored.reason

    # ---- decisions of hooks ----

    def _failed(self, case: _Case) -> Reason | None:
        errors = [text for text in case.summary.errors if text.startswith("VCL_Error: ")]
        if not errors:
            return None
        text = errors[-1].removeprefix("VCL_Error: ")
        if "Too many restarts" in text:
            restarted = case.returned("restart")
            return Reason("failure", "too-many-restarts", _from(restarted), _place_of(restarted))
        return Reason("failure", "policy-failed", text, _place_of(case.returned("fail")))

    def _returned(self, case: _Case) -> Reason | None:
        """An action of a hook that made the look-up unnecessary, or its result."""
        for one in case.summary.decisions:
            action = one.action.partition(" ")[0]
            if action in _BY_POLICY and (one.hook, action) not in _NATURAL:
                return self._by_policy(case, one, action)
        return None

    def _by_policy(self, case: _Case, decided: Decision, action: str) -> Reason:
        sub = self._builtin_sub(decided.place) if decided.place is not None else None
        id = _OF_BUILTIN.get((sub or "", action), _BY_POLICY[action])
        about = {
            "pass-cookie": case.cookies,
            "synth-host": "",
            **dict.fromkeys(("pass-method", "pipe-method", "synth-method"), case.summary.method),
        }.get(id, _from(decided))
        return Reason(action, id, about, decided.place)

    # ---- look-ups ----

    def _marked(self, case: _Case) -> Reason | None:
        if not case.marker:
            return None
        fetch, left = case.marker_fetch, case.marker_left_s
        age = f"for {seconds(case.lookup_s)}" if case.lookup_s is not None else "since an earlier request"
        since = f"{age}, {seconds(left)} more (fetch {fetch})"
        stored = self._markers.get(fetch)
        if stored is None:
            return Reason(case.marker, *_of_marker(case), None, since)
        return Reason(case.marker, *of_storing(self.refusal(stored)), stored.decided, since)

    def _looked_up(self, case: _Case) -> Reason | None:
        if case.hit is not None:
            return _of_hit(case)
        if not any(one.hook == "miss" for one in case.summary.decisions):
            return None
        return _of_miss(case)


# ---- the records of a request ------------------------------------------------------------------------------


@dataclass(slots=True)
class _Case:
    transaction: Transaction
    summary: Summary = field(init=False)
    hit: list[float] | None = None  # seconds of ttl left, grace, keep
    marker: str = ""  # HIT_FOR_MISS, HIT_FOR_PASS or ""
    marker_fetch: int = 0
    marker_left_s: float = 0.0
    marker_fields: dict[str, str] = field(default_factory=dict)
    cause: str = ""  # of a miss, in the words of runtime/proxy/request_log.c
    lookup_s: float | None = None  # age of the response or marker; since when it is missing
    variants: int = 0
    demands: dict[str, Place | None] = field(
        default_factory=dict
    )  # settings of the look-up: their statements
    cookies: str = ""

    def __post_init__(self) -> None:
        self.summary = summarise(self.transaction)
        place: Place | None = None
        for record in self.transaction.records:
            text = decode(record.text)
            words = text.split()
            match tags.name_of(record.tag):
                case "VCL_trace":
                    place = (words[0], words[2]) if len(words) == 3 else None
                case "Debug":
                    self._explain(text, words, place)
                case "Hit" if len(words) >= 4:
                    self.hit = [number(word) for word in words[1:4]]
                case "HitMiss" if len(words) == 2:
                    self._mark(HIT_FOR_MISS, words)
                case "HitPass" if len(words) == 2:
                    self._mark(HIT_FOR_PASS, words)
                case "ReqHeader" if words[:1] and words[0].lower() == "cookie:":
                    self.cookies = ", ".join(re.findall(r"(?:^|;)\s*([^=;\s]+)", text.partition(":")[2]))

    def returned(self, action: str) -> Decision | None:
        return next((one for one in self.summary.decisions if one.action == action), None)

    def _mark(self, marker: str, words: list[str]) -> None:
        self.marker, self.marker_left_s = marker, number(words[1])
        self.marker_fetch = int(words[0]) if words[0].isdecimal() else 0

    def _explain(self, text: str, words: list[str], place: Place | None) -> None:
        match words:
            case ["lookup", "miss", cause, ago, variants]:
                self.cause, self.lookup_s = cause, number(ago)
                self.variants = int(variants) if variants.isdecimal() else 0
            case ["lookup", "hit" | "marker", age]:
                self.lookup_s = number(age)
            case ["marker", name, *_]:
                self.marker_fields[name.rstrip(":").lower()] = text.partition(":")[2].strip()
            case ["set", name]:
                self.demands[name] = place


def number(word: str) -> float:
    """The number of a record, which may be damaged; then 0."""
    try:
        return float(word)
    except ValueError:
        return 0.0


def seconds(value: float | None) -> str:
    """``3 s``, ``0.4 s``, ``97 s``."""
    value = value or 0.0
    return f"{value:.1f}".removesuffix(".0") + " s" if abs(value) < 10 else f"{value:.0f} s"


# ---- ids ---------------------------------------------------------------------------------------------------

_BY_POLICY = {
    "pass": "pass-policy",
    "pipe": "pipe-policy",
    "synth": "synth-policy",
    "purge": "purge",
    "restart": "restart-policy",
}
_NATURAL = frozenset((("pipe", "pipe"), ("purge", "synth")))  # what these hooks return anyway
_OF_BUILTIN = {
    ("vcl_req_method", "pass"): "pass-method",
    ("vcl_req_authorization", "pass"): "pass-authorization",
    ("vcl_req_cookie", "pass"): "pass-cookie",
    ("vcl_req_method", "pipe"): "pipe-method",
    ("vcl_req_host", "synth"): "synth-host",
    ("vcl_req_method", "synth"): "synth-method",
}
_MISSES = {
    "absent": "absent",
    "expired": "expired",
    "evicted": "evicted",
    "purged": "purged",
    "banned": "banned",
    "marker-ended": "marker-ended",
    "variant": "other-variant",
    "always": "always-miss",
    "req.ttl": "over-req-ttl",
    "req.grace": "over-req-grace",
    "client": "client-demand",
}
_SETTINGS = {"always": "req.hash_always_miss", "req.ttl": "req.ttl", "req.grace": "req.grace"}


def _from(decided: Decision | None) -> str:
    return "a hook" if decided is None else f"vcl_{decided.hook}"


def _place_of(decided: Decision | None) -> Place | None:
    return None if decided is None else decided.place


def _of_hit(case: _Case) -> Reason:
    assert case.hit is not None
    left, grace, _ = case.hit
    age = "" if case.lookup_s is None else f"age {seconds(case.lookup_s)}, "
    if left > 0:
        return Reason("hit", "fresh", f": {age}ttl left {seconds(left)}, grace {seconds(grace)}")
    return Reason(
        "stale hit", "stale", f": {age}stale for {seconds(-left)}, grace left {seconds(grace + left)}"
    )


def _of_miss(case: _Case) -> Reason:
    id = _MISSES.get(case.cause, "not-logged")
    ago = f"{seconds(case.lookup_s)} ago"
    about = {
        "expired": ago,
        "over-req-grace": f"its freshness ended {ago}",
        "over-req-ttl": "req.ttl",
        "other-variant": f"{case.variants} stored",
        **dict.fromkeys(("evicted", "purged", "banned", "marker-ended"), f" {ago}"),
    }.get(id, "")
    return Reason("miss", id, about, case.demands.get(_SETTINGS.get(case.cause, "")))


def _of_marker(case: _Case) -> tuple[str, str]:
    """Id and details, from the marker itself: its fetch is not in the log. The fields of its head are there
    only if somebody wanted reasons. They do not tell what the policy did."""
    if case.marker == HIT_FOR_PASS:
        return "policy-hit-for-pass", ""
    if case.lookup_s is None:
        return "unknown", ", nor the fetch of the marker"
    field = refusing_field(case.marker_fields)
    return of_storing(field) if field else ("uncacheable", "")


_OF_STORING = (
    ("Set-Cookie", "set-cookie"),
    ("Cache-Control", "cache-control"),
    ("Surrogate-Control", "cache-control"),
    ("Vary: ", "vary-star"),
    ("ttl ", "no-lifetime"),
    ("the policy returned pass", "policy-hit-for-pass"),
    ("the policy set beresp.uncacheable", "policy-uncacheable"),
)


def of_storing(reason: str) -> tuple[str, str]:
    """Id and details, from a reason of storing.py."""
    id = next((id for begin, id in _OF_STORING if reason.startswith(begin)), "not-stored")
    return id, {"policy-uncacheable": "", "not-stored": f": {reason}"}.get(id, reason)
