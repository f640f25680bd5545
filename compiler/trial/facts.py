"""The facts that a test may expect: the names of ``expect(...)``, and how each follows from a response, its
log records and the requests that origins got. docs/test.md has the table of the names.

A value is a text (Latin-1, one character a byte), a number, a truth value, or None: unset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TypeAlias

from vernis.observe.tags import NUMBERS
from vernis.record import record
from vernis.trial.world import Asked, LogRecord, Response

Value: TypeAlias = str | float | bool | None

CLIENT, BACKEND = 0x40000000, 0x80000000  # bits of transactions: LOG_CLIENT and LOG_BACKEND of log/txn.h
_STEPS = ("HIT", "MISS", "PASS", "PIPE", "SYNTH", "PURGE")
_TAG = {name: NUMBERS[name] for name in ("Begin", "VCL_call", "VCL_Log", "TTL", "Hash", "HitMiss", "HitPass")}
_REQUEST = {name: NUMBERS[name] for name in ("ReqMethod", "ReqURL", "ReqProtocol", "ReqHeader", "ReqUnset")}
_ERRORS = (NUMBERS["FetchError"], NUMBERS["VCL_Error"], NUMBERS["Error"])
TAGS = frozenset((*_TAG.values(), *_REQUEST.values(), *_ERRORS))  # of the records that facts need


def text_of(value: bytes) -> str:
    return value.decode("latin-1")


class Facts:
    """The facts about one request. ``records`` are those of its client side, its includes and its fetches,
    and are read when a fact needs them: many tests look only at the response."""

    def __init__(self, response: Response, records: Iterable[LogRecord], asked: list[Asked]) -> None:
        self.response, self.asked, self._records = response, asked, records
        self.returned: str | None = None  # by the sub that a test called

    @cached_property
    def _by_transaction(self) -> dict[int, list[LogRecord]]:
        found: dict[int, list[LogRecord]] = {}
        for one in self._records:
            found.setdefault(one.transaction, []).append(one)
        return found

    # ---- transactions ----

    def _kind(self, transaction: int) -> list[str]:
        """The words of its Begin record: "req 1001 rxreq"."""
        found = self._texts(_TAG["Begin"], (transaction,))
        return found[0].split() if found else ["", "", ""]

    @cached_property
    def legs(self) -> list[int]:
        """The client's request and its restarts, in their order; not includes."""
        return sorted(
            id_
            for id_ in self._by_transaction
            if id_ & CLIENT and self._kind(id_)[0] == "req" and self._kind(id_)[2] in ("rxreq", "restart")
        )

    @cached_property
    def fetches(self) -> list[int]:
        return sorted(id_ for id_ in self._by_transaction if id_ & BACKEND and self._kind(id_)[0] == "bereq")

    @cached_property
    def fetch(self) -> list[int]:
        """The last try of the fetch for which the client waited; else that of a background fetch. Empty or
        one."""
        waited = [id_ for id_ in self.fetches if self._kind(id_)[2] != "bgfetch"]
        return (waited or self.fetches)[-1:]

    def records_of(self, transactions: Iterable[int]) -> list[LogRecord]:
        return [one for id_ in transactions for one in self._by_transaction.get(id_, ())]

    def _texts(self, tag: int, transactions: Iterable[int]) -> list[str]:
        return [text_of(one.text) for one in self.records_of(transactions) if one.tag == tag]

    # ---- values ----

    @cached_property
    def steps(self) -> list[str]:
        """The hooks that the last leg called: "RECV", "HASH", "HIT", ..."""
        return self._texts(_TAG["VCL_call"], self.legs[-1:])

    def step(self, name: str) -> bool:
        return name in self.steps

    def has(self, tag: str) -> bool:
        return bool(self._texts(_TAG[tag], self.legs))

    def lines(self, tag: str) -> str:
        return "\n".join(self._texts(_TAG[tag], [*self.legs, *self.fetches]))

    def errors(self) -> str:
        everything = [*self.legs, *self.fetches]
        return "\n".join(text for tag in _ERRORS for text in self._texts(tag, everything))

    def request_line(self, tag: str) -> str | None:
        """ReqMethod or ReqURL, as the policy left it."""
        found = self._texts(_REQUEST[tag], self.legs[-1:])
        return found[-1].rstrip("\0") if found else None

    @cached_property
    def request_fields(self) -> dict[str, list[str]]:
        """Fields of the request as the policy left them, by their names in lower case."""
        found: dict[str, list[str]] = {}
        for one in self.records_of(self.legs[-1:]):
            if one.tag in (_REQUEST["ReqHeader"], _REQUEST["ReqUnset"]):
                name, _, value = text_of(one.text).rstrip("\0").partition(":")
                values = found.setdefault(name.lower(), [])
                if one.tag == _REQUEST["ReqHeader"]:
                    values.append(value.strip())
                elif value.strip() in values:
                    values.remove(value.strip())
        return found

    def key(self) -> str:
        return "\n".join(text.rstrip("\0") for text in self._texts(_TAG["Hash"], self.legs[-1:]))

    def lifetime(self, column: int) -> float | None:
        """A number of the last TTL record of the fetch: 1 ttl, 2 grace, 3 keep."""
        rows = self._texts(_TAG["TTL"], self.fetch)
        return float(rows[-1].split()[column]) if rows else None

    def ttl(self) -> float | None:
        """As beresp.ttl has it. In a TTL record it counts from the origin's time, without the field Age."""
        rows = [row.split() for row in self._texts(_TAG["TTL"], self.fetch)]
        first = next((row for row in rows if row[0] == "RFC"), None)
        if first is None or rows[-1][0] == "HFP":
            return self.lifetime(1)
        ttl_s = max(float(first[1]), 0.0) if rows[-1] is first else float(rows[-1][1])
        return ttl_s - (float(first[4]) - float(first[5]))

    def uncacheable(self) -> bool | None:
        rows = self._texts(_TAG["TTL"], self.fetch)
        return rows[-1].endswith("uncacheable") if rows else None

    def origin(self) -> Asked | None:
        """The request of that fetch, as its origin got it."""
        numbers = {str(id_ & ~(CLIENT | BACKEND)) for id_ in self.fetch}
        found = [asked for asked in self.asked if field_of(asked.fields, "X-Varnish") in numbers]
        found = found or self.asked
        return found[-1] if found else None

    def decision(self) -> str:
        """For messages: "a miss"."""
        steps = [name for name in self.steps if name in _STEPS]
        return " and ".join(f"a {name.lower()}" for name in steps) or "nothing"


def field_of(fields: Iterable[tuple[bytes, bytes]], name: str) -> str | None:
    """All values of a field, as one list."""
    wanted = name.lower().encode("latin-1")
    found = [text_of(value) for key, value in fields if key.lower() == wanted]
    return ", ".join(found) if found else None


@record(frozen=True)
class Fact:
    what: str
    value: Callable[[Facts], Value]


def _of_origin(part: Callable[[Asked], bytes]) -> Callable[[Facts], Value]:
    def value(f: Facts) -> Value:
        asked = f.origin()
        return None if asked is None else text_of(part(asked))

    return value


FACTS: dict[str, Fact] = {
    "hit": Fact("vcl_hit ran", lambda f: f.step("HIT")),
    "miss": Fact("vcl_miss ran", lambda f: f.step("MISS")),
    "pass": Fact("vcl_pass ran", lambda f: f.step("PASS")),
    "pipe": Fact("vcl_pipe ran", lambda f: f.step("PIPE")),
    "synth": Fact("vcl_synth ran", lambda f: f.step("SYNTH")),
    "purge": Fact("vcl_purge ran", lambda f: f.step("PURGE")),
    "hit_for_miss": Fact("the cache knew that the response is not shared", lambda f: f.has("HitMiss")),
    "hit_for_pass": Fact("the cache knew that the request must be passed", lambda f: f.has("HitPass")),
    "returned": Fact(
        "the action of the sub that `call` ran; unset if it returned none", lambda f: f.returned
    ),
    "restarts": Fact("how often the request was restarted", lambda f: float(max(len(f.legs) - 1, 0))),
    "resp.status": Fact("the status that the client got", lambda f: float(f.response.status)),
    "resp.body": Fact("the content that the client got", lambda f: text_of(f.response.body)),
    "resp.cut_off": Fact("the response ended before its end", lambda f: f.response.was_reset),
    "beresp.ttl": Fact("seconds, after vcl_backend_response", lambda f: f.ttl()),
    "beresp.grace": Fact("seconds, after vcl_backend_response", lambda f: f.lifetime(2)),
    "beresp.keep": Fact("seconds, after vcl_backend_response", lambda f: f.lifetime(3)),
    "beresp.uncacheable": Fact("the response is for this client alone", lambda f: f.uncacheable()),
    "req.method": Fact("of the request, as the policy left it", lambda f: f.request_line("ReqMethod")),
    "req.url": Fact("of the request, as the policy left it", lambda f: f.request_line("ReqURL")),
    "req.proto": Fact("of the request, as the policy left it", lambda f: f.request_line("ReqProtocol")),
    "bereq.method": Fact(
        "of the last request to an origin for this response", _of_origin(lambda a: a.method)
    ),
    "bereq.url": Fact("of the last request to an origin for this response", _of_origin(lambda a: a.url)),
    "backend": Fact("the name of the backend that got it", _of_origin(lambda a: a.backend)),
    "fetches": Fact("requests to origins, in the background too", lambda f: float(len(f.asked))),
    "key": Fact("what hash_data() added to the key, a line each", lambda f: f.key()),
    "log": Fact("what std.log() wrote, a line each", lambda f: f.lines("VCL_Log")),
    "errors": Fact("failures of fetches and of the policy, a line each", lambda f: f.errors()),
}
FAMILIES = {
    "req.http.": Fact("a field of the request, as the policy left it; unset without it", lambda f: None),
    "resp.http.": Fact("a field that the client got; unset without it", lambda f: None),
    "bereq.http.": Fact("a field of that request; unset without it", lambda f: None),
}


def fact(facts: Facts, name: str) -> Value:
    """The value of a name. KeyError: there is no such name."""
    lower = name.lower()
    if lower.startswith("resp.http."):
        return field_of(facts.response.fields, name[len("resp.http.") :])
    if lower.startswith("req.http."):
        values = facts.request_fields.get(lower[len("req.http.") :])
        return ", ".join(values) if values else None
    if lower.startswith("bereq.http."):
        asked = facts.origin()
        return None if asked is None else field_of(asked.fields, name[len("bereq.http.") :])
    return FACTS[lower].value(facts)


def is_fact(name: str) -> bool:
    return name.lower() in FACTS or any(name.lower().startswith(family) for family in FAMILIES)
