"""Takes a request from the log of a running daemon: its head, the answer of the origin, and the requests for
the same key that came before it."""

from __future__ import annotations

from collections.abc import Iterable

from vernis.observe import tags
from vernis.observe.transactions import Group, Kind, Transaction
from vernis.record import record, replace
from vernis.why.inquiry import Fields, Given, Sent, without

EARLIER_MAX = 5
_MADE_HERE = frozenset(("x-varnish", "via", "age", "accept-ranges", "content-length", "transfer-encoding",
                        "connection", "content-encoding"))  # fmt: skip
_FAILURES = ("FetchError", "VCL_Error", "Error")
_DECISIONS = ("HIT", "MISS", "PASS", "PIPE", "SYNTH", "PURGE")


class NotLogged(Exception):
    """The log does not have the transaction."""


@record(frozen=True)
class Observed:
    """``decision`` is that of the daemon: the hooks that it called, such as MISS. ``policy`` is the name of
    the policy that served the request."""

    sent: Sent
    earlier: tuple[Sent, ...]
    decision: str
    policy: str


def find(groups: Iterable[Group | None], vxid: int) -> Observed:
    """Reads groups until they end or have the transaction; None stands between them. NotLogged."""
    before: list[Group] = []
    for group in groups:
        if group is None or _client(group) is None:
            continue
        if any(one.vxid == vxid for one in group):
            return _observed(group, before)
        before.append(group)
    raise NotLogged(f"the log has no request {vxid}: it is too old, or still running")


def _client(group: Group) -> Transaction | None:
    """The request; the first of its restarts."""
    return next((one for one in group if one.kind is Kind.REQUEST), None)


def _observed(group: Group, before: list[Group]) -> Observed:
    client = _client(group)
    assert client is not None
    same = [one for one in before if _is_related(one, group)][-EARLIER_MAX:]
    sent = _sent(group)
    times = [_began(one) for one in (*same, group)]
    all_sent = [_sent(one) for one in (*same, group)]
    waits = [0.0, *(max(later - sooner, 0.0) for sooner, later in zip(times, times[1:], strict=False))]
    *earlier, last = [replace(one, wait_s=wait) for one, wait in zip(all_sent, waits, strict=True)]
    if not earlier and any(_texts(one, "Hit") or _texts(one, "HitMiss") for one in group):
        earlier = [replace(sent, wait_s=0.0)]  # its fetch is no longer in the log
    return Observed(
        last, tuple(earlier), _decision(group), "".join(_texts(client, "VCL_use")[-1:]).split(" ")[0]
    )


def _is_related(one: Group, other: Group) -> bool:
    """Whether two requests have a key or a URL in common."""
    keys = [[_texts(part, "Hash") for part in group if part.kind is Kind.REQUEST] for group in (one, other)]
    if any(key and key in keys[1] for key in keys[0]):
        return True
    urls = [_texts(client, "ReqURL")[:1] for group in (one, other) if (client := _client(group)) is not None]
    return len(urls) == 2 and urls[0] == urls[1] != []


def _decision(group: Group) -> str:
    calls = [text for one in group if one.kind is Kind.REQUEST for text in _texts(one, "VCL_call")]
    return " and ".join(call for call in dict.fromkeys(calls) if call in _DECISIONS) or "none"


def _texts(one: Transaction, tag: str) -> list[str]:
    number = tags.NUMBERS[tag]
    return [record.text.decode("latin-1") for record in one.records if record.tag == number]


def _first(one: Transaction, tag: str, otherwise: str) -> str:
    return next(iter(_texts(one, tag)), otherwise)


def _began(group: Group) -> float:
    client = _client(group)
    assert client is not None
    start = next((text for text in _texts(client, "Timestamp") if text.startswith("Start:")), "Start: 0")
    return float(start.split()[1])


def _until(one: Transaction, hook: str) -> Transaction:
    """The records before a hook: fields as they were received."""
    call = tags.NUMBERS["VCL_call"]
    at = next((at for at, r in enumerate(one.records) if r.tag == call and r.text.decode() == hook), None)
    return Transaction(one.vxid, one.kind, one.reason, records=one.records[:at])


def _fields(one: Transaction, tag: str) -> Fields:
    pairs = (text.partition(":") for text in _texts(one, tag))
    return tuple((name, value.strip()) for name, _, value in pairs)


def _sent(group: Group) -> Sent:
    client = _client(group)
    assert client is not None
    head = _until(client, "RECV")
    address = _first(head, "ReqStart", "192.0.2.1").split()[0]
    fields = _without_own_forward(_fields(head, "ReqHeader"), address)
    url, method = _first(head, "ReqURL", "/"), _first(head, "ReqMethod", "GET")
    return Sent(url, method, fields, client=address, answer=_answer(group, client))


def _without_own_forward(fields: Fields, address: str) -> Fields:
    """X-Forwarded-For without the client that the daemon added."""
    name = "x-forwarded-for"
    value = next((text for key, text in fields if key.lower() == name), None)
    if value is None or not value.endswith(address):
        return fields
    left = value[: -len(address)].rstrip(", ")
    return (*without(fields, name), *([("X-Forwarded-For", left)] if left else []))


def _answer(group: Group, client: Transaction) -> Given:
    """The origin's last answer; for a hit, the stored one as the client got it."""
    fetches = [one for one in group if one.kind is Kind.FETCH]
    if not fetches:
        fields = _fields(_until(client, "DELIVER"), "RespHeader")
        return Given(int(_first(client, "RespStatus", "200")), _kept(fields))
    fetch = _until(fetches[-1], "BACKEND_RESPONSE")
    if not _texts(fetch, "BerespStatus") or _texts(fetch, "FetchError"):
        failure = next((texts[-1] for tag in _FAILURES if (texts := _texts(fetches[-1], tag))), "")
        return Given(fails="closes", failure=failure.rstrip("\0"))
    return Given(int(_first(fetch, "BerespStatus", "200")), _kept(_fields(fetch, "BerespHeader")))


def _kept(fields: Fields) -> Fields:
    return tuple(pair for pair in fields if pair[0].lower() not in _MADE_HERE or pair[0].lower() == "age")
