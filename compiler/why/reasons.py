"""Names the reason of a decision. Each reason has an id, which programs may rely on, and a sentence.

``judge`` asks the rows of ``_JUDGES`` in their order: the first that knows the reason has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vernis.ir.ir import VOCABULARY
from vernis.observe.reason_texts import REASONS, is_unwanted
from vernis.observe.reasons import of_storing
from vernis.observe.storing import storing
from vernis.observe.tags import NUMBERS
from vernis.record import record
from vernis.trial.failures import fetch_failure
from vernis.why.freshness import lifetime_of
from vernis.why.inquiry import value_of
from vernis.why.play import Played, hit_left_s
from vernis.why.story import HookRun, Place, Statement, Story, Teller

_REQ_HEADER, _REQ_UNSET = NUMBERS["ReqHeader"], NUMBERS["ReqUnset"]


@record(frozen=True)
class Verdict:
    """``decision`` is hit, stale hit, miss, hit-for-miss, hit-for-pass, pass, pipe, synth, purge or failure.
    ``reason`` is a key of REASONS, ``about`` its details. ``deciders`` are the statements that caused it."""

    decision: str
    reason: str
    about: str = ""
    deciders: tuple[Statement, ...] = ()
    restarts: int = 0

    @property
    def sentence(self) -> str:
        return REASONS[self.reason].format(about=self.about)


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

    def place(self, statement: Statement | None, otherwise: str) -> str:
        return otherwise if statement is None else self.teller.name_of(statement.place)

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


Judge = Callable[[Case], Verdict | None]


def judge(case: Case) -> Verdict:
    found = next((verdict for ask in _JUDGES if (verdict := ask(case)) is not None), None)
    return found or case.verdict("miss", "not-stored")


# ---- responses without a look-up ---------------------------------------------------------------------------


def _decider(case: Case, hooks: tuple[str, ...], action: str) -> tuple[HookRun, Statement | None] | None:
    """The hook that returned the action, and its statement."""
    for run in case.last.runs:
        if run.hook in hooks and run.action.split()[:1] == [action]:
            return run, run.decider
    return None


def _builtin_sub(case: Case, run: HookRun, decider: Statement | None) -> str:
    """The built-in sub that decided: ``vcl_req_cookie``; "" if the author's policy did."""
    if decider is None or not case.teller.is_builtin(decider.place):
        return ""
    return next((name for name in reversed(run.calls) if name.startswith("vcl_")), "")


def _failed(case: Case) -> Verdict | None:
    errors = [text for leg in case.played.legs for text in leg.texts("VCL_Error")]
    if not errors:
        return None
    restart = next((run.decider for run in case.last.runs if run.action == "restart"), None)
    if "Too many restarts" in errors[-1]:
        return case.verdict("failure", "too-many-restarts", case.place(restart, "a hook"), restart)
    failed = next((run for leg in case.played.legs for run in leg.runs if run.action == "fail"), None)
    at = failed.statements[-1] if failed is not None and failed.statements else None
    return case.verdict("failure", "policy-failed", errors[-1], at)


_RESTARTING = tuple(row.name for row in VOCABULARY.hooks.values() if "restart" in row.actions)


def _restarted_too_often(case: Case) -> Verdict | None:
    found = _decider(case, _RESTARTING, "restart")
    if found is None or case.played.response.status != 503:
        return None
    return case.verdict("failure", "too-many-restarts", case.place(found[1], "a hook"), found[1])


def _purged(case: Case) -> Verdict | None:
    found = _decider(case, ("vcl_recv",), "purge")
    return found and case.verdict("purge", "purge", case.place(found[1], "vcl_recv"), found[1])


def _piped(case: Case) -> Verdict | None:
    found = _decider(case, ("vcl_recv",), "pipe")
    if found is None:
        return None
    if _builtin_sub(case, *found) == "vcl_req_method":
        return case.verdict("pipe", "pipe-method", case.played.sent.method, found[1])
    return case.verdict("pipe", "pipe-policy", case.place(found[1], "vcl_recv"), found[1])


_SYNTHS = {"vcl_req_host": "synth-host", "vcl_req_method": "synth-method"}


def _synthetic(case: Case) -> Verdict | None:
    found = _decider(case, ("vcl_recv", "vcl_hit", "vcl_miss", "vcl_pass", "vcl_deliver"), "synth")
    if found is None:
        return None
    sub = _builtin_sub(case, *found)
    about = case.played.sent.method if sub == "vcl_req_method" else case.place(found[1], found[0].hook)
    causes = _unsets(case, "req.http.host") if sub == "vcl_req_host" else []
    return case.verdict("synth", _SYNTHS.get(sub, "synth-policy"), about, found[1], *causes)


def _unsets(case: Case, name: str) -> list[Statement]:
    """The statements that removed a field of the request."""
    values = (
        (statement, value)
        for run in case.last.runs
        for statement in run.statements
        for value in statement.values
    )
    return [statement for statement, value in values if value.kind == "unset" and value.name.lower() == name]


_PASSES = {
    "vcl_req_method": "pass-method",
    "vcl_req_authorization": "pass-authorization",
    "vcl_req_cookie": "pass-cookie",
}


def _passed(case: Case) -> Verdict | None:
    found = _decider(case, ("vcl_recv", "vcl_hit", "vcl_miss"), "pass")
    if found is None:
        return None
    reason = _PASSES.get(_builtin_sub(case, *found), "pass-policy")
    sent = case.played.sent
    about = {
        "pass-method": sent.method,
        "pass-cookie": value_of(sent.fields, "Cookie") or "set by the policy",
    }.get(reason, case.place(found[1], found[0].hook))
    return case.verdict("pass", reason, about, found[1])


# ---- look-ups ----------------------------------------------------------------------------------------------


def _hit(case: Case) -> Verdict | None:
    left = hit_left_s(case.played)
    if left is None or case.ran("vcl_hit") is None:
        return None
    if left > 0:
        return case.verdict("hit", "fresh", f", for {left:g} s more")
    return case.verdict("stale hit", "stale", f"; its freshness ended {-left:g} s ago", *_setters(case, _TTL))


def _marked(case: Case) -> Verdict | None:
    """A marker of an uncacheable response is stored under the key."""
    for tag, decision in (("HitMiss", "hit-for-miss"), ("HitPass", "hit-for-pass")):
        texts = case.last.texts(tag)
        if texts:
            fetch = _fetch_of(case, int(texts[-1].split()[0]))
            return _uncacheable(case, fetch, decision)
    return None


def _fetch_of(case: Case, object: int) -> Story | None:
    """The fetch that stored an object, by the number in the records of its hits."""
    fetches = [fetch for one in case.history[:-1] for fetch in one.fetches]
    found = [fetch for fetch in fetches if fetch.id == object] or fetches
    return found[-1] if found else None


_UNCACHEABLE = {
    "vcl_beresp_stale": "no-lifetime",
    "vcl_beresp_cookie": "set-cookie",
    "vcl_beresp_control": "cache-control",
    "vcl_beresp_vary": "vary-star",
}


def _uncacheable(case: Case, fetch: Story | None, decision: str) -> Verdict:
    """The reason why an answer is not shared."""
    run = None if fetch is None else fetch.run_of("vcl_backend_response")
    if fetch is None or run is None:
        return case.verdict(decision, "policy-uncacheable")
    if run.action == "pass":
        return case.verdict(decision, "policy-hit-for-pass", "", run.decider)
    setter = next((one for one in run.statements if _sets(one, "beresp.uncacheable", "true")), None)
    if setter is not None and not case.teller.is_builtin(setter.place):
        return case.verdict(
            decision, "policy-uncacheable", f" at {case.teller.name_of(setter.place)}", setter
        )
    sub = next((name for name in reversed(run.calls) if name in _UNCACHEABLE), "")
    reason = _UNCACHEABLE.get(sub, "policy-uncacheable")
    names = ("beresp.ttl",) if reason == "no-lifetime" else _TTL
    return case.verdict(decision, reason, _about(case, reason, fetch), *_ttl_setters(run, case.teller, names))


def _about(case: Case, reason: str, fetch: Story) -> str:
    if reason == "set-cookie":
        return _header(fetch, "Set-Cookie") or "by the policy"
    if reason == "cache-control":
        names = ("Surrogate-Control", "Cache-Control")
        return next((f"{name}: {text}" for name in names if (text := _header(fetch, name))), "by the policy")
    if reason == "no-lifetime":
        return _why_no_lifetime(case, fetch)
    return ""


def _why_no_lifetime(case: Case, fetch: Story) -> str:
    run = fetch.run_of("vcl_backend_response")
    setter = next(iter(_ttl_setters(run, case.teller, ("beresp.ttl",))), None) if run else None
    lifetime = lifetime_of(fetch, case.teller)
    if setter is not None:
        return f"{case.teller.name_of(setter.place)} sets its lifetime"
    if lifetime is not None and lifetime.age_s >= lifetime.max_age_s > 0:
        return f"its Age is {lifetime.age_s:g} s, and max-age {lifetime.max_age_s:g} s"
    for name in ("Cache-Control", "Expires"):
        if text := _header(fetch, name):
            return f"{name}: {text}"
    return f"status {' '.join(fetch.texts('BerespStatus')[-1:])} has none by default"


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


def _told_set(case: Case, name: str) -> Statement | None:
    """The last statement that set a variable of the request to true. A restart keeps it."""
    runs = (run for leg in case.played.legs for run in leg.runs)
    found = [one for run in runs for one in run.statements if _sets(one, name, "true")]
    return found[-1] if found else None


def _forced(case: Case) -> Verdict | None:
    if case.ran("vcl_miss") is None:
        return None
    setter = _told_set(case, "req.hash_always_miss")
    return None if setter is None else case.verdict("miss", "always-miss", "", setter)


def _banned(case: Case) -> Verdict | None:
    return case.verdict("miss", "banned") if case.last.texts("ExpBan") else None


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
    if decided.decision == "purge":
        return case.verdict("miss", "purged", "", *decided.deciders)
    if decided.decision in ("synth", "failure") and decided.reason != "fetch-failed":
        return case.verdict("miss", "earlier-synthetic", decided.sentence, *decided.deciders)
    fetch = earlier.fetch
    if fetch is None:
        return None
    abandoned = next((run for run in fetch.runs if run.action == "abandon"), None)
    if abandoned is not None and abandoned.hook != "vcl_backend_error":
        return case.verdict("miss", "earlier-abandoned", "", abandoned.decider)
    if any(not is_unwanted(text) for text in fetch.texts("FetchError")):
        return case.verdict("miss", "earlier-failed", case.failure_of(earlier))
    return None


_PURGES = frozenset(("xkey.purge", "xkey.softpurge"))


def _removed(case: Case) -> Verdict | None:
    """A purge by surrogate keys came after the request of this key before; of a command, or of a policy."""
    earlier = case.earlier_of_key
    if earlier is None:
        return None
    at = next(at for at, one in enumerate(case.history) if one is earlier)
    later = case.history[at + 1 :]
    if any(command.startswith("purge") for one in later for command in one.sent.commands):
        return case.verdict("miss", "purged", " (by a command)")
    for statement in (
        one for played in later for leg in played.legs for run in leg.runs for one in run.statements
    ):
        if any(value.name.partition("(")[0] in _PURGES for value in statement.values):
            return case.verdict("miss", "purged", "", statement)
    return None


def _variant(case: Case) -> Verdict | None:
    """The stored response has a Vary whose fields differ."""
    earlier = case.earlier_of_key
    fetch = None if earlier is None else earlier.fetch
    vary = None if fetch is None else _stored_vary(fetch)
    if earlier is None or not vary:
        return None
    if case.ran("vcl_miss") is None:
        return None
    for name in (name.strip() for name in vary.split(",")):
        old, new = (_requested(one, name) for one in (earlier, case.played))
        if old != new:
            return case.verdict("miss", "other-variant", f"{name} is {_shown(new)}, and {_shown(old)} before")
    return None


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


def _expired(case: Case) -> Verdict | None:
    earlier = case.earlier_of_key
    fetch = None if earlier is None else earlier.fetch
    lifetime = None if fetch is None else lifetime_of(fetch, case.teller)
    if earlier is None or fetch is None or lifetime is None:
        return None
    since = case.played.at_s - earlier.at_s
    setters = _setters(case, _TTL)
    if lifetime.ttl_s - lifetime.age_s <= 0:
        return case.verdict(
            "miss", "no-lifetime", _why_no_lifetime(case, fetch), *_setters(case, ("beresp.ttl",))
        )
    left = -lifetime.left_s(since)
    oldest = _limit(case, "req.ttl")
    age = lifetime.age_s + since
    if oldest is not None and oldest[1] < age and left < 0:
        return case.verdict("miss", "over-req-ttl", f"{age:g} s, and req.ttl is {oldest[1]:g} s", oldest[0])
    limit = _limit(case, "req.grace")
    if limit is not None and 0 <= limit[1] < left < lifetime.grace_s:
        about = f"{left:g} s, and req.grace is {limit[1]:g} s"
        return case.verdict("miss", "over-req-grace", about, limit[0], *setters)
    if left >= lifetime.grace_s:
        return case.verdict(
            "miss", "expired", f"its freshness ended {left:g} s ago, and grace is over", *setters
        )
    return None


def _refused(case: Case) -> Verdict | None:
    """The answer to the request of this key before was not stored."""
    earlier = case.earlier_of_key
    kept = None if earlier is None or earlier.fetch is None else storing(earlier.fetch.logged())
    if kept is None or not kept.reason:
        return None
    return case.verdict("miss", *of_storing(kept.reason))


def _limit(case: Case, name: str) -> tuple[Statement, float] | None:
    """The last statement that set req.grace or req.ttl, and its seconds."""
    found = None
    for run in case.last.runs:
        for statement in run.statements:
            for value in statement.values:
                if value.kind == "set" and value.name == name and value.text is not None:
                    found = statement, float(value.text.removesuffix("s"))
    return found


def _fetch_failed(case: Case) -> Verdict | None:
    failed = case.failure_of(case.played)
    return case.verdict("failure", "fetch-failed", failed) if failed else None


_JUDGES: tuple[Judge, ...] = (
    _restarted_too_often,
    _failed,
    _purged,
    _piped,
    _synthetic,
    _passed,
    _hit,
    _marked,
    _forced,
    _banned,
    _fetch_failed,
    _nothing_of_key,
    _earlier_went_wrong,
    _variant,
    _expired,
    _removed,
    _refused,
)
