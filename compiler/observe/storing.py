"""Tells whether a fetch stored its response, and the reason if it did not.

Only a notice about a full storage has the reason. Otherwise it follows from the lifetimes (TTL), the fields
(BerespHeader) and the actions of the hooks. The order of the reasons is that of vcl_builtin_backend_response
in grammar/builtin.vcl.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from vernis.observe import tags
from vernis.observe.reason_texts import is_unwanted
from vernis.observe.records import Record
from vernis.observe.summary import Place, decode
from vernis.observe.transactions import Transaction

HIT_FOR_MISS, HIT_FOR_PASS = "hit-for-miss", "hit-for-pass"
MARKERS = {HIT_FOR_MISS: "requests do not wait for each other", HIT_FOR_PASS: "requests are passed"}

_TRANSIENT = "malloc Transient"
_BUILTIN_TTL_S = 120  # of vcl_beresp_hitmiss
_SHORTLIVED_S = 10  # default of the parameter: a shorter life is spent in Transient
_NOT_STORED = "vsl: Not stored: "  # notices of runtime/proxy/fetch_*.c that have the reason
_TOO_LARGE = "larger than its storage"
_FRESHNESS_FIELDS = ("cdn-cache-control", "surrogate-control", "cache-control", "expires", "age")
_UNSHARED = re.compile("no-cache|no-store|private", re.IGNORECASE)


@dataclass(slots=True)
class Storing:
    """``reason``: why the response was not stored, "" if it was. ``decided``: the statement behind the
    reason. ``by_policy``: the reason to give if that statement is not one of the built-in policy."""

    reason: str
    decided: Place | None = None
    by_policy: str = ""
    marker: str = ""  # HIT_FOR_MISS, HIT_FOR_PASS or ""
    marker_s: float = 0.0


@dataclass(slots=True)
class _Lifetime:
    """A TTL record. ``ttl_s`` counts from the response."""

    source: str  # RFC, VCL, HFP
    ttl_s: float
    rest_s: float  # grace and keep
    uncacheable: bool
    place: Place | None


def refusing_field(fields: Mapping[str, str]) -> str:
    """The field because of which the built-in policy does not store a response with a ttl, or ""."""
    surrogate, control = fields.get("surrogate-control"), fields.get("cache-control", "")
    if "set-cookie" in fields:
        return "Set-Cookie"
    if surrogate is not None and "no-store" in surrogate.lower():
        return f"Surrogate-Control: {surrogate}"
    if surrogate is None and _UNSHARED.search(control):
        return f"Cache-Control: {control}"
    return "Vary: *" if fields.get("vary") == "*" else ""


def storing(transaction: Transaction) -> Storing | None:
    """None if the fetch got no response that could be stored."""
    return _Reader(transaction).answer()


class _Reader:
    def __init__(self, transaction: Transaction) -> None:
        self.passed = transaction.reason == "pass"
        self.fields: dict[str, str] = {}
        self.status = ""
        self.storage = ""
        self.hook = ""
        self.lifetimes: list[_Lifetime] = []
        self.age_s = 0.0
        self.place: Place | None = None
        self.decided: Place | None = None
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
                self._enter(text)
            case "VCL_trace":
                words = text.split()
                self.place = (words[0], words[2]) if len(words) == 3 else None
            case "VCL_return":
                self.decided, self.place = self.place, None
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

    def _enter(self, hook: str) -> None:
        self.hook, self.place = hook, None
        if hook == "BACKEND_ERROR":  # makes a response of its own
            self.fields.clear()
            self.lifetimes.clear()

    def _live(self, words: list[str]) -> None:
        try:
            ttl_s, grace_s, keep_s, reference_s = map(float, words[1:5])
            if words[0] == "RFC":
                self.age_s = reference_s - float(words[5])
        except (ValueError, IndexError):
            return
        left_s = ttl_s if words[0] == "HFP" else ttl_s - self.age_s
        rest_s = max(grace_s, 0) + max(keep_s, 0)
        self.lifetimes.append(_Lifetime(words[0], left_s, rest_s, words[-1] == "uncacheable", self.place))

    # ---- the answer ----

    def answer(self) -> Storing | None:
        if not self.storage:
            return None
        if self.failed:
            return Storing("the fetch failed")
        if self.passed:
            return Storing("the request was passed" if self.storage == _TRANSIENT else "")
        if not self.lifetimes:
            made = self.hook == "BACKEND_ERROR"
            return Storing("vcl_backend_error made it and set no ttl" if made else "")
        last = self.lifetimes[-1]
        if last.source == "HFP":
            return Storing("the policy returned pass", self.decided, "", HIT_FOR_PASS, last.ttl_s)
        return self._uncacheable(last) if last.uncacheable else self._lost(last)

    def _uncacheable(self, last: _Lifetime) -> Storing:
        marker = HIT_FOR_MISS if last.ttl_s > 0 else ""
        before = self._before_builtin()
        if before is not None and before.ttl_s <= 0:
            origin = self._ttl_from(before)
            reason = f"{_not_above_0(before.ttl_s)} ({self._cause(origin)})"
            return Storing(reason, origin.place or self.decided, "", marker, last.ttl_s)
        by_policy = "the policy set beresp.uncacheable"
        field = refusing_field(self.fields) if before is not None else ""
        if field:
            return Storing(field, self.decided, by_policy, marker, last.ttl_s)
        setter = next(one for one in self.lifetimes if one.uncacheable)
        return Storing(by_policy, setter.place, "", marker, last.ttl_s)

    def _before_builtin(self) -> _Lifetime | None:
        """The lifetime before vcl_beresp_hitmiss set the ttl and then beresp.uncacheable, or None."""
        if len(self.lifetimes) < 3:
            return None
        before, shortened, refused = self.lifetimes[-3:]
        hitmiss = not shortened.uncacheable and round(shortened.ttl_s) == _BUILTIN_TTL_S == round(
            refused.ttl_s
        )
        return before if hitmiss else None

    def _ttl_from(self, lifetime: _Lifetime) -> _Lifetime:
        """The record that brought the ttl. Later ones may have set only grace, keep or beresp.uncacheable."""
        before = self.lifetimes[: self.lifetimes.index(lifetime)]
        for earlier in reversed(before):
            if round(earlier.ttl_s) != round(lifetime.ttl_s):
                break
            lifetime = earlier
        return lifetime

    def _cause(self, lifetime: _Lifetime) -> str:
        if lifetime.source == "VCL":
            return "set by the policy"
        found = [f"{name.title()}: {self.fields[name]}" for name in _FRESHNESS_FIELDS if name in self.fields]
        return ", ".join(found) or f"status {self.status}" + ", Set-Cookie" * ("set-cookie" in self.fields)

    def _lost(self, last: _Lifetime) -> Storing:
        """The policy did not refuse to store the response. One that was not stored was in Transient."""
        if self.storage != _TRANSIENT:
            return Storing(self.refused)
        if self.illegal_vary:
            return Storing("Vary is not a list of field names")
        if "*" in re.split(r"[\s,]+", self.fields.get("vary", "")):
            return Storing("Vary: *")
        if last.ttl_s <= 0 and not 0 < last.rest_s < _SHORTLIVED_S:
            origin = self._ttl_from(last)
            return Storing(f"{_not_above_0(last.ttl_s)} ({self._cause(origin)})", origin.place)
        if self.refused == _TOO_LARGE:
            return Storing(self.refused, marker=HIT_FOR_MISS, marker_s=last.ttl_s)
        return Storing(self.refused)


def _not_above_0(ttl_s: float) -> str:
    return f"ttl {ttl_s:.0f} s is not above 0"
