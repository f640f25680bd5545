"""Names the reason of a played request. The runtime decided it and logged it by id (observe/reasons.py).

Here it gets the statements that caused it; and if nothing was stored, what the requests before lacked.
"""

from __future__ import annotations

from collections.abc import Iterator

from vernis.observe.reason_texts import LOG_REASONS, REASONS
from vernis.observe.reasons import Reason, Reasons, logged_reason
from vernis.observe.tags import NUMBERS
from vernis.record import record
from vernis.trial.failures import fetch_failure
from vernis.why.play import Played
from vernis.why.story import HookRun, Place, Statement, Story, Teller

_REQ_HEADER, _REQ_UNSET = NUMBERS["ReqHeader"], NUMBERS["ReqUnset"]
_FAILED = ("fetch-failed", "policy-failed", "error-made", "abandoned")  # of a fetch
_OF_POLICY = ("pass-policy", "pipe-policy", "synth-policy", "purge", "too-many-restarts")
_PURGES = frozenset(("xkey.purge", "xkey.softpurge"))


@record(frozen=True)
class Verdict:
    """``decision`` is that of a request in observe/reasons.py, ``reason`` its id, ``about`` its details.
    ``deciders`` are the statements that caused it."""

    decision: str
    reason: str
    about: str = ""
    deciders: tuple[Statement, ...] = ()
    restarts: int = 0

    @property
    def sentence(self) -> str:
        return (REASONS.get(self.reason) or LOG_REASONS[self.reason]).format(about=self.about)


@record(frozen=True)
class Case:
    """A history whose last request is to be judged."""

    history: list[Played]
    teller: Teller

    @property
    def played(self) -> Played:
        return self.history[-1]

    @property
    def last(self) -> Story:
        return self.played.last

    def ran(self, hook: str) -> HookRun | None:
        return self.last.run_of(hook)

    @property
    def restarts(self) -> int:
        return len(self.played.legs) - 1

    def verdict(self, decision: str, reason: str, about: str = "", *deciders: Statement | None) -> Verdict:
        found = tuple(one for one in deciders if one is not None)
        return Verdict(decision, reason, about, found, self.restarts)

    def statement(self, told: Reason | None, stories: list[Story]) -> Statement | None:
        """The statement at the place of a reason."""
        if told is None or told.place is None:
            return None
        place = Place(*map(int, told.place[1].split(".")))
        ran = (one for story in stories for run in story.runs for one in run.statements)
        return next((one for one in ran if one.place == place), None)

    def failure_of(self, played: Played) -> str:
        """Why the fetch of a request failed; "" if it did not. A daemon's own words come first: a
        trial plays any failure as a connection that closes."""
        failed = fetch_failure(played.facts, self._place_of)
        return failed and (played.sent.answer.failure or failed)

    def _place_of(self, file: int, line: int, column: int) -> str:
        return self.teller.name_of(Place(file, line, column))

    @property
    def earlier_of_key(self) -> Played | None:
        """The last request before with the same cache key."""
        key = self.played.key
        same = [one for one in self.history[:-1] if key and any(leg.texts("Hash") == key for leg in one.legs)]
        return same[-1] if same else None


def judge(case: Case) -> Verdict:
    told = Reasons().of(case.last.logged())
    if told is None:
        return case.verdict("miss", "unknown")
    if told.decision == "miss":
        return _missed(case, told)
    if told.decision.startswith("hit-for-"):
        return _marked(case, told)
    at = case.statement(told, case.played.legs)
    about = case.teller.name_of(at.place) if at is not None and told.id in _OF_POLICY else told.about
    causes = _unsets(case, "req.http.host") if told.id == "synth-host" else []
    causes += _setters(case, _TTL) if told.id == "stale" else []
    return case.verdict(told.decision, told.id, about, at, *causes)


def _marked(case: Case, told: Reason) -> Verdict:
    """The fetch that left the marker knows more than the marker."""
    fetches = [fetch for one in case.history[:-1] for fetch in one.fetches]
    same = [
        fetch for fetch in fetches if (r := logged_reason(fetch.logged())) is not None and r.id == told.id
    ]
    kept = logged_reason(same[-1].logged()) if same else None
    return case.verdict(
        told.decision, told.id, kept.about if kept else told.about, case.statement(kept, same[-1:])
    )


def _missed(case: Case, told: Reason) -> Verdict:
    at = case.statement(told, case.played.legs)
    fetch = case.played.fetch
    ended = None if fetch is None else logged_reason(fetch.logged())
    if ended is not None and ended.id in _FAILED:
        return case.verdict("failure", "fetch-failed", case.failure_of(case.played) or ended.about)
    match told.id:
        case "absent":
            return _nothing_of_key(case) or _earlier_went_wrong(case) or case.verdict("miss", "absent")
        case "other-variant":
            return case.verdict("miss", told.id, _difference_of_variants(case) or told.about)
        case "expired" | "over-req-grace":
            return case.verdict("miss", told.id, told.about, at, *_setters(case, _TTL))
        case "purged":
            return case.verdict("miss", told.id, told.about, *_purgers(case))
    return case.verdict("miss", told.id, told.about, at)


def _purgers(case: Case) -> list[Statement]:
    """The statements of later requests that purged by surrogate keys."""
    earlier = case.earlier_of_key
    at = next((at for at, one in enumerate(case.history) if one is earlier), len(case.history))
    ran = (
        one
        for played in case.history[at + 1 :]
        for leg in played.legs
        for run in leg.runs
        for one in run.statements
    )
    return [one for one in ran if any(value.name.partition("(")[0] in _PURGES for value in one.values)][:1]


def _unsets(case: Case, name: str) -> list[Statement]:
    """The statements that removed a field of the request."""
    values = (
        (statement, value)
        for run in case.last.runs
        for statement in run.statements
        for value in statement.values
    )
    return [statement for statement, value in values if value.kind == "unset" and value.name.lower() == name]


def _header(fetch: Story, name: str) -> str | None:
    found = [text.partition(":")[2].strip() for text in fetch.texts("BerespHeader")
             if text.partition(":")[0].lower() == name.lower()]  # fmt: skip
    return ", ".join(found) if found else None


_TTL = ("beresp.ttl", "beresp.grace")


def _sets(statement: Statement, name: str, text: str | None = None) -> bool:
    return any(
        value.kind == "set" and value.name == name and text in (None, value.text)
        for value in statement.values
    )


def _ttl_setters(run: HookRun, teller: Teller, names: tuple[str, ...] = _TTL) -> Iterator[Statement]:
    """The author's statements that set a lifetime."""
    for statement in run.statements:
        if any(_sets(statement, name) for name in names) and not teller.is_builtin(statement.place):
            yield statement


def _setters(case: Case, names: tuple[str, ...]) -> list[Statement]:
    """The author's statements of the earlier fetch of this key that set these."""
    earlier = case.earlier_of_key
    fetch = None if earlier is None else earlier.fetch
    run = None if fetch is None else fetch.run_of("vcl_backend_response")
    return [] if run is None else list(_ttl_setters(run, case.teller, names))


def _nothing_of_key(case: Case) -> Verdict | None:
    if case.earlier_of_key is not None:
        return None
    if len(case.history) == 1 or not any(one.key for one in case.history[:-1]):
        before = case.history[-2] if len(case.history) > 1 else None
        if before is None:
            return case.verdict("miss", "first-request")
        return _of_keyless(case, before)
    others = [one for one in case.history[:-1] if one.key and one.sent.is_related]
    if not others:
        return case.verdict("miss", "first-request")
    other = others[-1]
    setter = _key_makers(case)
    return case.verdict("miss", "other-key", _difference(other.key, case.played.key), *setter)


def _of_keyless(case: Case, before: Played) -> Verdict:
    """The request before made no look-up."""
    decided = judge(Case([before], case.teller))
    reason = "earlier-passed" if decided.decision in ("pass", "pipe") else "earlier-synthetic"
    return case.verdict("miss", reason, decided.sentence, *decided.deciders)


def _key_makers(case: Case) -> list[Statement]:
    run = case.ran("vcl_hash")
    return [
        one
        for one in (run.statements if run else [])
        if any(value.kind == "argument" and value.name == "hash_data" for value in one.values)
        and not case.teller.is_builtin(one.place)
    ]


def _difference(before: list[str], now: list[str]) -> str:
    for old, new in zip(before, now, strict=False):
        if old != new:
            return f"{new!r} is now where {old!r} was"
    return f"it has {len(now)} parts, and {len(before)} before"


def _earlier_went_wrong(case: Case) -> Verdict | None:
    """The request of this key before stored nothing."""
    earlier = case.earlier_of_key
    assert earlier is not None
    decided = judge(Case([earlier], case.teller))
    if decided.decision in ("pass", "pipe"):
        return case.verdict("miss", "earlier-passed", "", *decided.deciders)
    if decided.decision in ("synth", "failure", "purge") and decided.reason != "fetch-failed":
        return case.verdict("miss", "earlier-synthetic", decided.sentence, *decided.deciders)
    fetch = earlier.fetch
    kept = None if fetch is None else logged_reason(fetch.logged())
    if fetch is None or kept is None or kept.id == "-":
        return None
    at = case.statement(kept, [fetch])
    if kept.id == "abandoned":
        return case.verdict("miss", "earlier-abandoned", "", at)
    if kept.id in _FAILED:
        return case.verdict("miss", "earlier-failed", case.failure_of(earlier))
    return case.verdict("miss", kept.id, kept.about, at)


def _difference_of_variants(case: Case) -> str:
    earlier = case.earlier_of_key
    fetch = None if earlier is None else earlier.fetch
    vary = None if fetch is None else _stored_vary(fetch)
    if earlier is None or not vary:
        return ""
    for name in (name.strip() for name in vary.split(",")):
        old, new = (_requested(one, name) for one in (earlier, case.played))
        if old != new:
            return f"{name} is {_shown(new)}, and {_shown(old)} before"
    return ""


def _stored_vary(fetch: Story) -> str | None:
    run = fetch.run_of("vcl_backend_response")
    changed = [
        value
        for statement in (run.statements if run else [])
        for value in statement.values
        if value.name.lower() == "beresp.http.vary" and value.kind in ("set", "unset")
    ]
    if changed:
        return changed[-1].text if changed[-1].kind == "set" else None
    return _header(fetch, "Vary")


def _requested(played: Played, name: str) -> str | None:
    """A field of the request as it was at the look-up: the log has each value that the policy set."""
    value: str | None = None
    for story in played.legs:
        for one in story.records:
            tag_text = one.text.rstrip(b"\0").decode("latin-1")
            key, colon, text = tag_text.partition(":")
            if colon and key.lower() == name.lower():
                if one.tag == _REQ_HEADER:
                    value = text.strip()
                elif one.tag == _REQ_UNSET:
                    value = None
    return value


def _shown(text: str | None) -> str:
    return "absent" if text is None else repr(text)
