"""Plays a request of a daemon's log again, with more and more of what came before it, until what happens is
what the log has; and tells the difference if nothing helps.

Compared are what each look-up found, in which response, the hooks that followed, the status for the client,
and what became of each fetch.
"""

from __future__ import annotations

from collections.abc import Iterable

from vernis.observe import tags
from vernis.observe.storing import storing
from vernis.observe.records import Record
from vernis.observe.reasons import Reasons
from vernis.observe.transactions import Group, Kind, Transaction
from vernis.record import record, replace
from vernis.trial.world import Host, LogRecord
from vernis.syntax import nodes
from vernis.why.inquiry import Inquiry
from vernis.why.observed import Event, Observed, began, exchanges, fetches_of
from vernis.why.play import Played, Policy, play

_WEIGHTS = 3  # of events
_SHORT = 20  # events that are not tried to leave out
_CALL, _RETURN = tags.NUMBERS["VCL_call"], tags.NUMBERS["VCL_return"]
_HIT, _STATUS, _STORAGE = (tags.NUMBERS[name] for name in ("Hit", "RespStatus", "Storage"))
_MARKERS = {
    tags.NUMBERS["HitMiss"]: ("MISS", "hit-for-miss"),
    tags.NUMBERS["HitPass"]: ("PASS", "hit-for-pass"),
}
# Modules whose functions give the same values in a play.
_WITHOUT_STATE = frozenset(
    ("std", "cookie", "header", "str", "blob", "digest", "re2", "querystring", "purge", "xkey")
)
_STEPS = ("HIT", "MISS", "PASS", "PIPE", "SYNTH", "PURGE")


@record(frozen=True)
class Outcome:
    """``steps``: what happened in order, such as "stale hit". ``found``: fetches whose responses the look-ups
    found. ``stored``: what became of each fetch."""

    steps: tuple[str, ...]
    found: tuple[int, ...]
    status: int
    stored: tuple[str, ...]


@record(frozen=True)
class Served:
    """What the daemon did with a request, and how a play of it differs: not at all, if ``differences`` is
    empty. ``reason``: that of the daemon, as far as its log has one."""

    vxid: int
    policy: str
    steps: tuple[str, ...]
    reason: str
    differences: tuple[str, ...]
    lacks: tuple[str, ...]

    @property
    def is_reproduced(self) -> bool:
        return not self.differences


@record(frozen=True)
class Reproduction:
    inquiry: Inquiry
    history: list[Played]
    differences: tuple[str, ...]


def reproduce(
    host: Host, policy: Policy, seen: Observed, like: Inquiry
) -> tuple[Inquiry, list[Played], Served]:
    """``like`` has the policy. Gives the play that is most like the log. WorldError: none can be played."""
    logged = _logged(seen.group)
    best = tried = None
    taken: tuple[Event, ...] | None = None
    for weight in range(_WEIGHTS):
        events = seen.events_of(weight)
        if events == taken:
            continue
        taken = events
        tried = _tried(host, policy, seen, events, like, logged)
        if best is None or len(tried.differences) < len(best.differences):
            best = tried
        if not tried.differences:
            best = _shortened(host, policy, seen, events, like, logged, tried)
            break
    assert best is not None
    reason = _reason(seen.group)
    differences = (*_of_an_include(seen), *best.differences)
    lacks = (*seen.lacks, *_unlogged(policy, seen.group))
    served = Served(seen.vxid, seen.policy, logged.steps, reason, differences, lacks)
    return best.inquiry, best.history, served


def _of_an_include(seen: Observed) -> list[str]:
    """A play has pages without their includes, so it cannot explain one of them."""
    asked = next(one for one in seen.group if one.vxid == seen.vxid)
    page = next(one for one in seen.group if one.kind is Kind.REQUEST)
    return (
        [f"request {seen.vxid} is an include of page {page.vxid}, which was played"]
        if asked.reason == "esi"
        else []
    )


def _unlogged(policy: Policy, group: Group) -> list[str]:
    """What a decision of the policy may depend on and the log does not have."""
    program, checked = policy.run.program, policy.run.checked
    assert program is not None and checked is not None
    imported = [one.module.lower() for one in program.declarations if isinstance(one, nodes.Import)]
    found = [f"values of module {name} in the daemon" for name in imported if name not in _WITHOUT_STATE]
    found += [
        f"changes of the file of table {one.name} since" for one in checked.tables if one.file is not None
    ]
    if any(one.kind is Kind.REQUEST and one.reason == "esi" for one in group):
        found.append("the includes of the page")
    return found


def _tried(host: Host, policy: Policy, seen: Observed, events: tuple[Event, ...], like: Inquiry,
           logged: Outcome) -> Reproduction:  # fmt: skip
    *earlier, sent = exchanges(seen, events)
    inquiry = replace(like, sent=sent, earlier=tuple(earlier), began=began(seen, events))
    history = play(host, policy, inquiry)
    return Reproduction(inquiry, history, tuple(_differences(logged, _played(history), inquiry, history)))


def _shortened(host: Host, policy: Policy, seen: Observed, events: tuple[Event, ...], like: Inquiry,
               logged: Outcome, found: Reproduction) -> Reproduction:  # fmt: skip
    """Without events of other keys that change nothing: later plays take less time, and readers see what
    matters."""
    size = sum(1 for one in events if one.weight > 0)
    while size > 0:
        size = (size + 1) // 2 if size > 1 else 0
        at = 0
        while 0 < size <= len(events) - at:
            part = events[at : at + size]
            left = (*events[:at], *(one for one in part if one.weight == 0), *events[at + size :])
            if (
                len(left) < len(events)
                and not (tried := _tried(host, policy, seen, left, like, logged)).differences
            ):
                events, found = left, tried
            else:
                at += size
        if size <= _SHORT and len(events) <= _SHORT:
            break
    return found


# ---- outcomes ----------------------------------------------------------------------------------------------


def _logged(group: Group) -> Outcome:
    legs = [one.records for one in group if one.kind is Kind.REQUEST and one.reason != "esi"]
    return _outcome(legs, [one for one in fetches_of(group) if one.reason != "pipe"])


def _played(history: list[Played]) -> Outcome:
    played = history[-1]
    fetches = [one.logged() for one in played.fetches]
    return _outcome([story.records for story in played.legs], fetches)


def _outcome(legs: Iterable[Iterable[Record | LogRecord]], fetches: list[Transaction]) -> Outcome:
    steps: list[str] = []
    found: list[int] = []
    status = 0
    for records in legs:
        marker = ("", "")
        for one in records:
            words = one.text.rstrip(b"\0").decode("latin-1").split()
            if one.tag == _HIT and len(words) > 1:
                found.append(int(words[0]))
                marker = ("HIT", "hit" if float(words[1]) > 0 else "stale hit")
            elif one.tag in _MARKERS and words:
                found.append(int(words[0]))
                marker = _MARKERS[one.tag]
            elif one.tag == _CALL and words[:1] and words[0] in _STEPS:
                steps.append(marker[1] if words[0] == marker[0] else words[0].lower())
            elif one.tag == _RETURN and words == ["restart"]:
                steps.append("restart")
            elif one.tag == _STATUS and words:
                status = int(words[0])
    return Outcome(tuple(steps), tuple(found), status, tuple(_became(one) for one in fetches))


def _became(fetch: Transaction) -> str:
    """The same whether or not the log has reasons."""
    stored = storing(fetch)
    if stored is None or not any(one.tag == _STORAGE for one in fetch.records):
        return "no response"
    return "stored" if not stored.reason else stored.marker or "not stored"


def _differences(logged: Outcome, played: Outcome, inquiry: Inquiry, history: list[Played]) -> Iterable[str]:
    if logged.steps != played.steps:
        yield f"the daemon: {_shown(logged.steps)}; played: {_shown(played.steps)}"
    elif not _same_responses(logged.found, played.found, inquiry, history):
        yield "the daemon found the response of another fetch"
    if logged.status != played.status:
        yield f"status {logged.status} of the daemon; {played.status} played"
    if logged.stored != played.stored:
        yield f"its fetches: {_shown(logged.stored)}; played: {_shown(played.stored)}"


def _shown(words: tuple[str, ...]) -> str:
    return ", ".join(words) or "none"


def _same_responses(
    logged: tuple[int, ...], played: tuple[int, ...], inquiry: Inquiry, history: list[Played]
) -> bool:
    """Numbers of fetches differ; the requests that began them must not."""
    if len(logged) != len(played):
        return False
    origins = {
        fetch.id: sent for sent, one in zip(inquiry.exchanges, history, strict=True) for fetch in one.fetches
    }
    return all(
        now in origins and before in origins[now].fetched for before, now in zip(logged, played, strict=True)
    )


def _reason(group: Group) -> str:
    reasons = Reasons()
    reasons.learn(group)
    legs = [one for one in group if one.kind is Kind.REQUEST and one.reason != "esi"]
    found = reasons.of(legs[-1])
    return "unknown" if found is None else f"{found.decision}: {found.sentence}"
