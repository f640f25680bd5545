"""Takes a request from the log of a running daemon: its head, the answers of the origin, and what came before
it: requests, and commands that changed the cache."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import partial

from vernis.observe import tags
from vernis.observe.reason_texts import is_unwanted
from vernis.observe.records import Record
from vernis.observe.transactions import Group, Kind, Transaction
from vernis.record import field, record, replace
from vernis.trial.world import HTTP1, HTTP2
from vernis.why.inquiry import Fields, Given, Sent, value_of, without

RELATED_MAX = 100  # earlier requests of the key that changed the cache
EARLIER_MAX = 2000  # earlier requests of all keys
BODY_BYTES_MAX = 4 << 20  # of an answer; the log has only its length
_REMOVALS = ("ban", "purge", "purge_key", "purge_all")
_HEALTH = ("backend.set_health", "backend_health")  # the second is for what a probe found
PLAYED_COMMANDS = (*_REMOVALS, *_HEALTH)
_MADE_HERE = frozenset(("x-varnish", "via", "age", "accept-ranges", "content-length", "connection",
                        "content-encoding"))  # fmt: skip
_FAILURES = ("FetchError", "VCL_Error", "Error")
_DECISIONS = ("HIT", "MISS", "PASS", "PIPE", "SYNTH", "PURGE")
_RESULTS = ("Hit", "HitMiss", "HitPass")


class NotLogged(Exception):
    """The log does not have the transaction."""


@record(frozen=True)
class Command:
    """A command of the daemon, or what a probe found: its words and its time. The log has no time of probes:
    theirs is the end of the latest request before."""

    text: str
    at: float

    @property
    def name(self) -> str:
        return self.text.partition(" ")[0]


@record(frozen=True)
class Event:
    """A request or a command of the log. ``weight`` 0: has a key or a URL in common with the request to
    explain; 1: is no plain look-up, so it may remove responses of any key; 2: anything else."""

    at: float
    what: Group | Command | Sent
    weight: int


@record(frozen=True)
class Observed:
    """``decision`` is that of the daemon: the hooks that it called, such as MISS. ``policy`` is the name of
    the policy that served the request. ``events`` are before it, in order. ``lacks`` are what a play of them
    lacks."""

    vxid: int
    group: Group
    events: tuple[Event, ...]
    decision: str
    policy: str
    lacks: tuple[str, ...] = ()

    @property
    def sent(self) -> Sent:
        return exchanges(self, self.events_of(0))[-1]

    @property
    def earlier(self) -> tuple[Sent, ...]:
        return exchanges(self, self.events_of(0))[:-1]

    def events_of(self, weight: int) -> tuple[Event, ...]:
        """The events up to a weight, and all commands."""
        return tuple(one for one in self.events if one.weight <= weight)


@record
class Log:
    """The groups and the commands of a log, in their order."""

    groups: list[Group] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    _latest: float = 0.0  # end of a request
    _health: dict[str, str] = field(default_factory=dict)  # of backends, as their probes have found it

    def read(self, groups: Iterable[Group | None]) -> Log:
        """``groups`` have None between them. Give ``untied`` to their reader."""
        for group in groups:
            if group is not None and _client(group) is not None:
                self.groups.append(group)
                self._latest = max(self._latest, _ended(group))
        return self

    def untied(self, one: Record) -> None:
        text = one.text.rstrip(b"\0").decode("latin-1")
        if one.tag == tags.NUMBERS["Backend_health"]:
            self._probed(text.split(" "))
        if one.tag == tags.NUMBERS["Timestamp"] and self.commands:
            self.commands[-1] = replace(self.commands[-1], at=float(text.split(" ")[1]))
        if one.tag != tags.NUMBERS["CLI"] or not text.startswith("Rd "):
            return
        words = text[3:].split(" ")
        if words[0] == "ban_counted" and "-n" not in words[1:3]:
            words = ["ban", *(word for at, word in enumerate(words[1:]) if at > 1 or word != "-j")]
        self.commands.append(Command(" ".join(words), self._latest))

    def _probed(self, words: list[str]) -> None:
        """A poll of a probe: "boot.b Went sick ..."."""
        if len(words) > 2 and words[1] in ("Went", "Still") and self._health.get(words[0]) != words[2]:
            self._health[words[0]] = words[2]
            text = f"backend_health {words[0]} {words[2]}"
            self.commands.append(Command(text, self._latest))

    def find(self, vxid: int) -> Observed:
        """NotLogged."""
        group = next((one for one in self.groups if any(part.vxid == vxid for part in one)), None)
        if group is None:
            raise NotLogged(f"the log has no request {vxid}: it is too old, or still running")
        return _observed(vxid, group, self)


def find(groups: Iterable[Group | None], vxid: int) -> Observed:
    """Reads groups until they end. NotLogged."""
    return Log().read(groups).find(vxid)


def _client(group: Group) -> Transaction | None:
    """The request; the first of its restarts."""
    return next((one for one in group if one.kind is Kind.REQUEST), None)


def _legs(group: Group) -> list[Transaction]:
    """The request and its restarts, without includes."""
    return [one for one in group if one.kind is Kind.REQUEST and one.reason != "esi"]


def fetches_of(group: Group) -> list[Transaction]:
    """The fetches of the request and its restarts, in order, without those of includes."""
    legs = {one.vxid for one in _legs(group)}
    known = set(legs)
    for one in group:  # a retry belongs to a fetch
        if one.kind is Kind.FETCH and one.parent_vxid in known:
            known.add(one.vxid)
    found = [one for one in group if one.kind is Kind.FETCH and (one.vxid in known or not one.parent_vxid)]
    return sorted(found, key=lambda one: one.vxid)


# ---- what came before --------------------------------------------------------------------------------------


def _observed(vxid: int, group: Group, log: Log) -> Observed:
    client = _client(group)
    assert client is not None
    at = _began(group)
    before = sorted((one for one in log.groups if one is not group and _began(one) < at), key=_began)
    events = [*_events(group, before)]
    policy = _policy(client)
    commands = [one for one in log.commands if one.at <= at]
    events += [
        Event(one.at, one, 0) for one in map(partial(_for_policy, policy), commands) if one is not None
    ]
    events = sorted((*events, *_lost_fetches(group, at, log)), key=lambda event: event.at)
    lacks = [
        *_left_out(before, events),
        *_other_policies(events, policy),
        *_replaced_tables(commands, policy),
        *(f"the fetch {number} that stored the response" for number in _found(group) - _fetched(log.groups)),
        *_meanwhile(group, log),
        *(["the content of requests"] if _has_content(group) else []),
    ]
    return Observed(vxid, group, tuple(events), _decision(group), policy, tuple(lacks))


def _for_policy(policy: str, command: Command) -> Command | None:
    """A command as a play of a policy runs it; None: it means another policy, or is not played."""
    if command.name not in _HEALTH:
        return command if command.name in _REMOVALS else None
    name, pattern, state = [*command.text.split(" "), "", ""][:3]
    of, _, backend = pattern.rpartition(".")
    if not fnmatchcase(policy, of or "*"):
        return None
    return replace(command, text=f"{name} {backend or '*'} {state}")


def _events(group: Group, before: list[Group]) -> Iterator[Event]:
    """The newest of each weight. A plain hit changes nothing, so only the last one of the key counts."""
    keys, url = _keys(group), _url(group)
    related = [one for one in before if _keys(one) & keys or _url(one) == url]
    changing = [one for one in related[:-1] if _may_change(one)][-RELATED_MAX:] + related[-1:]
    of_key = {id(one) for one in related}
    for one in changing:
        yield Event(_began(one), one, 0)
    for one in [one for one in before if id(one) not in of_key][-EARLIER_MAX:]:
        yield Event(_began(one), one, 1 if _is_special(one) else 2)


def _lost_fetches(group: Group, at: float, log: Log) -> Iterator[Event]:
    """A request in place of one that is no longer in the log: a look-up found the response that it stored."""
    numbers = _found(group) - _fetched(log.groups)
    if not numbers:
        return
    client = _client(group)
    assert client is not None
    age = value_of(_fields(_until(client, "DELIVER"), "RespHeader"), "Age") or "0"
    began = at - (float(age) if age.isdecimal() else 0.0)
    stored = _answer_of_hit(client)
    given = replace(stored, fields=without(stored.fields, "Age"))
    yield Event(began, replace(_sent(group), answer=given, answers_before=(), fetched=frozenset(numbers)), 0)


def _may_change(group: Group) -> bool:
    return _is_special(group) or any(one.kind is Kind.FETCH for one in group)


def _is_special(group: Group) -> bool:
    """Whether it is no plain look-up or pass of a GET or HEAD."""
    client = _client(group)
    assert client is not None
    calls = _texts(_legs(group)[-1], "VCL_call")
    plain = any(call in ("HIT", "MISS", "PASS") for call in calls)
    return not plain or _first(client, "ReqMethod", "GET") not in ("GET", "HEAD")


def _keys(group: Group) -> set[tuple[str, ...]]:
    return {key for one in group if one.kind is Kind.REQUEST and (key := tuple(_texts(one, "Hash")))}


def _url(group: Group) -> str:
    client = _client(group)
    return "" if client is None else _first(client, "ReqURL", "")


def _found(group: Group) -> set[int]:
    """The fetches whose responses or markers the look-ups found."""
    texts = [text for one in _legs(group) for tag in _RESULTS for text in _texts(one, tag)]
    return {int(number) for text in texts if (number := text.partition(" ")[0]).isdecimal()}


def _fetched(groups: Iterable[Group]) -> set[int]:
    return {one.vxid for group in groups for one in group if one.kind is Kind.FETCH}


# ---- what a play lacks -------------------------------------------------------------------------------------


def _left_out(before: list[Group], events: list[Event]) -> list[str]:
    taken = {id(one.what) for one in events}
    n = sum(1 for one in before if id(one) not in taken and _may_change(one))
    return [f"{n} earlier requests, which were left out"] if n else []


def _other_policies(events: list[Event], policy: str) -> list[str]:
    used = Counter(_policy(one.what[0]) for one in events if isinstance(one.what, list))
    return [
        f"policy {name}, which served {n} of the requests before"
        for name, n in used.items()
        if name != policy
    ]


def _replaced_tables(commands: list[Command], policy: str) -> list[str]:
    """The log has no rows."""
    found = []
    for one in commands:
        name, *words = one.text.split(" ")
        words = [word for word in words if word != "-j"]
        if name == "table_replace" and words[:1] == [policy]:
            found.append(f"the rows that a command or the file gave table {words[1]}")
    return list(dict.fromkeys(found))


def _meanwhile(group: Group, log: Log) -> list[str]:
    """What may have met the request while it was under way: a play has one after the other."""
    keys, began, ended = _keys(group), _began(group), _ended(group)
    others = [one for one in log.groups if one is not group and _began(one) < ended and _ended(one) > began]
    n = sum(1 for one in others if _keys(one) & keys or _is_special(one))
    n += sum(1 for one in log.commands if one.name in _REMOVALS and began < one.at < ended)
    return [f"the order of {n} requests or commands that were under way at the same time"] if n else []


def _has_content(group: Group) -> bool:
    client = _client(group)
    assert client is not None
    fields = _fields(_until(client, "RECV"), "ReqHeader")
    return value_of(fields, "Transfer-Encoding") is not None or value_of(fields, "Content-Length") not in (
        None,
        "0",
    )


# ---- as requests -------------------------------------------------------------------------------------------


def exchanges(seen: Observed, events: Iterable[Event]) -> tuple[Sent, ...]:
    """The requests of some events, and at last the one to explain. Removals before the first have no effect
    on an empty cache."""
    found: list[Sent] = []
    commands: list[str] = []
    last = None
    for event in (*events, Event(_began(seen.group), seen.group, 0)):
        if isinstance(event.what, Command):
            commands.append(event.what.text)
            continue
        sent = event.what if isinstance(event.what, Sent) else _sent(event.what)
        wait = 0.0 if last is None else max(event.at - last, 0.0)
        last = event.at
        found.append(
            replace(
                sent,
                wait_s=wait,
                commands=tuple(one for one in commands if found or one.startswith(_HEALTH)),
                is_related=event.weight == 0,
            )
        )
        commands = []
    return tuple(found)


def began(seen: Observed, events: tuple[Event, ...]) -> float:
    """The time of the first request."""
    first = next((one.at for one in events if not isinstance(one.what, Command)), None)
    return _began(seen.group) if first is None else first


def _policy(client: Transaction) -> str:
    return "".join(_texts(client, "VCL_use")[-1:]).split(" ")[0]


def _decision(group: Group) -> str:
    calls = [text for one in group if one.kind is Kind.REQUEST for text in _texts(one, "VCL_call")]
    return " and ".join(call for call in dict.fromkeys(calls) if call in _DECISIONS) or "none"


def _texts(one: Transaction, tag: str) -> list[str]:
    number = tags.NUMBERS[tag]
    return [record.text.decode("latin-1") for record in one.records if record.tag == number]


def _first(one: Transaction, tag: str, otherwise: str) -> str:
    return next(iter(_texts(one, tag)), otherwise)


def _times(group: Group, label: str) -> list[float]:
    return [
        float(text.split()[1]) for one in group for text in _texts(one, "Timestamp") if text.startswith(label)
    ]


def _began(group: Group) -> float:
    return next(iter(_times(group[:1], "Start:")), 0.0)


def _ended(group: Group) -> float:
    return max(_times(group, ""), default=0.0)


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
    protocol = HTTP2 if _first(head, "ReqProtocol", HTTP1) == HTTP2 else HTTP1
    fetches = fetches_of(group)
    answers = [_answer(one) for one in fetches] or [_answer_of_hit(client)]
    return Sent(url, method, fields, client=address, answer=answers[-1], answers_before=tuple(answers[:-1]),
                fetched=frozenset(one.vxid for one in fetches), protocol=protocol)  # fmt: skip


def _without_own_forward(fields: Fields, address: str) -> Fields:
    """X-Forwarded-For without the client that the daemon added."""
    name = "x-forwarded-for"
    value = next((text for key, text in fields if key.lower() == name), None)
    if value is None or not value.endswith(address):
        return fields
    left = value[: -len(address)].rstrip(", ")
    return (*without(fields, name), *([("X-Forwarded-For", left)] if left else []))


def _answer_of_hit(client: Transaction) -> Given:
    """The stored answer as the client got it."""
    fields = _fields(_until(client, "DELIVER"), "RespHeader")
    return Given(int(_first(client, "RespStatus", "200")), _kept(fields), _content(fields, 0))


def _answer(fetch: Transaction) -> Given:
    """The origin's answer to a fetch."""
    head = _until(fetch, "BACKEND_RESPONSE")
    failure = [text for tag in _FAILURES for text in _texts(fetch, tag) if not is_unwanted(text)]
    status, fields = _first(head, "BerespStatus", ""), _fields(head, "BerespHeader")
    is_broken = any(not is_unwanted(text) for text in _texts(fetch, "FetchError"))
    if not status:
        return Given(fails="closes", failure=failure[-1].rstrip("\0") if failure else "")
    sizes = [text.split() for text in _texts(fetch, "BereqAcct")]
    given = Given(int(status), _kept(fields), _content(fields, int(sizes[-1][4]) if sizes else 0))
    if is_broken:
        return replace(given, fails="cuts off" if given.body else "closes", failure=failure[-1].rstrip("\0"))
    return given


def _content(fields: Fields, received: int) -> bytes:
    """As many bytes as the origin said, or sent."""
    length = value_of(fields, "Content-Length")
    n = int(length) if length is not None and length.isdecimal() and len(length) < 12 else received
    return b"x" * min(n, BODY_BYTES_MAX)


def _kept(fields: Fields) -> Fields:
    return tuple(pair for pair in fields if pair[0].lower() not in _MADE_HERE or pair[0].lower() == "age")
