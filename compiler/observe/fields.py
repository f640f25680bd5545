"""Writes chosen fields of requests and fetches as JSON, one flat object per line (`vernis log --fields`).
docs/tools.md documents the names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fnmatch import translate
from typing import Any

from vernis.observe import tags
from vernis.observe.jsonlines import Explain, json_line
from vernis.observe.select import Selection
from vernis.observe.summary import Summary, decode, summarise
from vernis.observe.transactions import Group, Kind, Transaction
from vernis.similar import similar

_Value = Callable[[Transaction, Summary], Any]

#: Names and values. Those of an HTTP field, of a step and of a log line begin with a word of PREFIXES.
NAMES: dict[str, _Value] = {
    "vxid": lambda t, s: t.vxid,
    "parent": lambda t, s: t.parent_vxid,
    "level": lambda t, s: t.level,
    "type": lambda t, s: t.kind.value,
    "reason": lambda t, s: t.reason,
    "start": lambda t, s: s.steps[0].at if s.steps else None,
    "duration_s": lambda t, s: s.duration_s,
    "client": lambda t, s: s.client,
    "method": lambda t, s: s.method,
    "host": lambda t, s: s.host,
    "url": lambda t, s: s.url,
    "protocol": lambda t, s: s.protocol,
    "status": lambda t, s: s.status,
    "handling": lambda t, s: s.handling,
    "backend": lambda t, s: s.backend,
    "policy": lambda t, s: s.policy,
    "bytes_in": lambda t, s: s.bytes_in,
    "bytes_out": lambda t, s: s.bytes_out,
    "steps": lambda t, s: {step.label: step.since_start_s for step in s.steps},
    "errors": lambda t, s: s.errors,
    "log": lambda t, s: _logged(t),
}
WHY = "why"  # with --why
#: A list of names that stands for itself in --fields.
SHORT = ("start", "client", "method", "host", "url", "status", "handling", "bytes_out", "duration_s")
PREFIXES = ("req.http.", "resp.http.", "bereq.http.", "beresp.http.", "steps.", "log.")
_SETS = {"short": SHORT}
_FAMILIES = {
    f"{family.lower()}.http.": (tags.NUMBERS[f"{family}Header"], tags.NUMBERS[f"{family}Unset"])
    for family in ("Req", "Resp", "Bereq", "Beresp")
}
_SIDES = {
    "req.http.": Kind.REQUEST,
    "resp.http.": Kind.REQUEST,
    "bereq.http.": Kind.FETCH,
    "beresp.http.": Kind.FETCH,
}
_LOG = tags.NUMBERS["VCL_Log"]


class FieldError(ValueError):
    """A name that is no field."""


class Fields:
    """The fields of a comma-separated list, in its order."""

    def __init__(self, text: str) -> None:
        words = [word.strip() for word in text.split(",") if word.strip()]
        names = dict.fromkeys(name for word in words for name in _SETS.get(word, (word,)))
        if not names:
            raise FieldError(f"--fields needs names; {_known()}")
        self.wants_why = WHY in names
        self._fields = [_field(name) for name in names]

    def lines(self, group: Group, selection: Selection, explain: Explain | None) -> bytes:
        return b"".join(
            json_line(self._object(transaction, explain))
            for transaction in group
            if transaction.kind in (Kind.REQUEST, Kind.FETCH) and selection.sides.wants(transaction)
        )

    def _object(self, transaction: Transaction, explain: Explain | None) -> dict[str, Any]:
        summary = summarise(transaction)
        found: dict[str, Any] = {}
        for field in self._fields:
            found.update(field(transaction, summary, explain))
        return found


_Field = Callable[[Transaction, Summary, "Explain | None"], dict[str, Any]]


def _field(name: str) -> _Field:
    if name == WHY:
        return lambda t, s, explain: {WHY: explain(t) if explain is not None else None}
    if name in NAMES:
        value = NAMES[name]
        return lambda t, s, explain: {name: value(t, s)}
    prefix = next((one for one in PREFIXES if name.lower().startswith(one) and len(name) > len(one)), "")
    rest = name[len(prefix) :]
    if prefix in _FAMILIES and re.fullmatch(r"[\w!#$%&'*+.^`|~-]+", rest):
        return _http(prefix, rest)
    if prefix == "steps.":
        return lambda t, s, explain: {
            name: next((step.since_start_s for step in s.steps if step.label == rest), None)
        }
    if prefix == "log.":
        return lambda t, s, explain: {name: _logged_as(t, rest)}
    raise FieldError(f"--fields: {name} is no field{_near(name)}; {_known()}")


def _http(prefix: str, name: str) -> _Field:
    """An HTTP field, or all whose name matches a pattern. A request has no bereq, a fetch has no req."""
    set_, unset = _FAMILIES[prefix]
    pattern = re.compile(translate(name), re.IGNORECASE) if "*" in name else None

    def value(transaction: Transaction, summary: Summary, explain: Explain | None) -> dict[str, Any]:
        if transaction.kind is not _SIDES[prefix]:
            return {}
        fields = _http_fields(transaction, set_, unset)
        if pattern is None:
            found = fields.get(name.lower())
            return {prefix + name: None if found is None else found[1]}
        return {prefix + known: text for known, text in fields.values() if pattern.match(known)}

    return value


def _http_fields(transaction: Transaction, set_: int, unset: int) -> dict[str, tuple[str, str]]:
    """Name and value by the name in small letters, as the policy left them. Several fields of a name are
    joined (RFC 9110, 5.3)."""
    found: dict[str, tuple[str, str]] = {}
    for record in transaction.records:
        if record.tag == set_:
            name, _, value = decode(record.text).partition(":")
            before = found.get(name.lower())
            value = value.strip()
            found[name.lower()] = name, value if before is None else f"{before[1]}, {value}"
        elif record.tag == unset:
            found.pop(decode(record.text).partition(":")[0].lower(), None)
    return found


def _logged(transaction: Transaction) -> list[str]:
    return [decode(record.text) for record in transaction.records if record.tag == _LOG]


def _logged_as(transaction: Transaction, name: str) -> str | None:
    """The value of the last ``std.log("NAME: value")`` or ``NAME:value``."""
    values = [text.partition(":")[2].strip() for text in _logged(transaction) if text.startswith(f"{name}:")]
    return values[-1] if values else None


def _near(name: str) -> str:
    family, dot, rest = name.partition(".")
    if dot and f"{family.lower()}.http." in PREFIXES:
        return f" (did you mean {family.lower()}.http.{rest.removeprefix('http').lstrip('.') or 'NAME'}?)"
    near = similar(name, (*NAMES, WHY, *_SETS))
    return f" (did you mean {near[0]}?)" if near else ""


def _known() -> str:
    http = ", ".join(f"{prefix}NAME" for prefix in PREFIXES)
    return f"the fields are {', '.join((*_SETS, *NAMES, WHY))}, {http}; NAME may have *"


def documented() -> Iterator[str]:
    """All names, for the test of the page."""
    yield from (*NAMES, WHY, *_SETS, *(f"{prefix}NAME" for prefix in PREFIXES))
