"""Finds the smallest change of the request, of the answer or of the policy that makes the request a hit.

Candidates come from the request, the answer and the verdict, the smaller before the larger. Each is tried in
a world of its own, so a change that is proposed is known to work. If no single change does, pairs are tried.
A change of the policy that lint calls an error yields to one that it does not; if there is none, its caution
has what lint says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from pathlib import Path

from vernis.pipeline import text_of
from vernis.record import record, replace
from vernis.syntax.generated.token_types import T
from vernis.trial.world import Host, WorldError
from vernis.why.additions import NO_COOKIE, UNSHARED, additions, table_of
from vernis.why.inquiry import DEFAULT_HOST, Given, Inquiry, Sent, value_of, with_value, without
from vernis.why.objections import Objections
from vernis.why.play import Policy, PolicyTrouble, compiled, is_fresh_hit, play
from vernis.why.reasons import Verdict
from vernis.why.story import Place, Statement

LIFETIME_S = 3600  # proposed where a response has none
POLICIES_MAX = 40  # compiled to find a change of the policy
PAIRS_MAX = 300  # pairs of changes tried

Apply = Callable[[Inquiry], Inquiry]


@record(frozen=True)
class Change:
    """``kind`` is request, answer, policy or time. ``caution``: a danger of the change; "" if there is
    none."""

    kind: str
    what: str
    apply: Apply
    caution: str = ""


class Search:
    """The search for one inquiry."""

    def __init__(self, host: Host, inquiry: Inquiry, policy: Policy, verdict: Verdict, folder: Path) -> None:
        self.host, self.inquiry, self.policy = host, inquiry, policy
        self.verdict, self.folder = verdict, folder
        self.objections = Objections(policy)
        self.compiles = 0

    def run(self) -> list[Change]:
        """The smallest change of each kind, the request's first."""
        if self.verdict.decision == "hit":
            return []
        kinds = {
            "time": [*self._sooner(), *_times(self.inquiry)],
            "request": list(_requests(self.inquiry, self.verdict)),
            "answer": list(_answers(self.inquiry, self.verdict)),
        }
        found = [change for changes in kinds.values() for change in self._first(changes)]
        policies = list(_policies(self.inquiry, self.policy, self.verdict))
        found += self._first(policies)
        if not found:
            found += self._first(_pairs([*kinds["request"], *kinds["answer"]], PAIRS_MAX))
        if not found:
            found += self._first(_pairs([*kinds["answer"], *policies], PAIRS_MAX))
        if not found:
            found += self._first(_pairs([*kinds["answer"], *policies, *kinds["time"]], PAIRS_MAX))
        return found

    def _sooner(self) -> list[Change]:
        """The longest wait, in whole seconds, after which the request is a hit."""
        longest = int(self.inquiry.sent.wait_s)
        if not self.inquiry.earlier or longest == 0 or not self._is_hit(_sooner(0)(self.inquiry)):
            return []
        good, bad = 0, longest + 1
        while bad - good > 1:
            middle = (good + bad) // 2
            good, bad = (middle, bad) if self._is_hit(_sooner(middle)(self.inquiry)) else (good, middle)
        return [Change("time", f"ask at most {good} s after the request before", _sooner(good))]

    def _first(self, changes: Iterable[Change]) -> list[Change]:
        """The first that works and to which lint does not object; else the first that works."""
        doubtful: list[Change] = []
        for change in changes:
            policy = self._hits_with(change.apply(self.inquiry))
            if policy is None:
                continue
            objections = [] if policy is self.policy else self.objections.to(policy)
            if not objections:
                return [change]
            if not doubtful:
                told = f"lint calls it an error: {'; '.join(objections)}."
                doubtful = [replace(change, caution=" ".join(filter(None, (change.caution, told))))]
        return doubtful

    def _is_hit(self, changed: Inquiry) -> bool:
        return self._hits_with(changed) is not None

    def _hits_with(self, changed: Inquiry) -> Policy | None:
        """The policy with which the request is a hit; None if it is none."""
        policy = self.policy
        try:
            if changed.text != self.inquiry.text or changed.changed != self.inquiry.changed:
                if self.compiles == POLICIES_MAX:
                    return None
                self.compiles += 1
                policy = compiled(changed, self.folder / f"changed{self.compiles}.so")
            return policy if is_fresh_hit(play(self.host, policy, changed)[-1]) else None
        except (PolicyTrouble, WorldError):
            return None


def _pairs(changes: list[Change], most: int) -> Iterator[Change]:
    for number, (one, other) in enumerate(combinations(changes, 2)):
        if number == most:
            return
        kind = one.kind if one.kind == other.kind else f"{one.kind} and {other.kind}"
        caution = " ".join(filter(None, (one.caution, other.caution)))
        yield Change(kind, f"{one.what}; {other.what}", _both(one.apply, other.apply), caution)


def _both(one: Apply, other: Apply) -> Apply:
    return lambda inquiry: other(one(inquiry))


# ---- the request -------------------------------------------------------------------------------------------


def _to_request(change: Callable[[Sent], Sent]) -> Apply:
    """Changes the request, and the earlier ones that are the same."""

    def apply(inquiry: Inquiry) -> Inquiry:
        earlier = tuple(change(one) if one.same_request(inquiry.sent) else one for one in inquiry.earlier)
        return replace(inquiry, sent=change(inquiry.sent), earlier=earlier)

    return apply


def _times(inquiry: Inquiry) -> Iterator[Change]:
    """The same request again, or sooner."""
    if not inquiry.earlier:
        yield Change("time", "ask again: this answer is stored now", _again)
        return
    yield Change("time", "ask again: this answer is stored now", _again)


def _again(inquiry: Inquiry) -> Inquiry:
    return replace(inquiry, earlier=inquiry.exchanges, sent=replace(inquiry.sent, wait_s=0.0, commands=()))


def _sooner(wait_s: float) -> Apply:
    return lambda inquiry: replace(inquiry, sent=replace(inquiry.sent, wait_s=wait_s))


def _requests(inquiry: Inquiry, verdict: Verdict) -> Iterator[Change]:
    sent = inquiry.sent
    yield from _as_before(inquiry)
    yield from _cookies(sent)
    for name in _by_suspicion((name for name, _ in sent.fields if name.lower() != "host"), verdict):
        yield Change("request", f"without the field {name}", _to_request(_drop_field(name)))
    if sent.method != "GET":
        yield Change("request", f"GET instead of {sent.method}", _to_request(_get))
    path, mark, query = sent.url.partition("?")
    parts = query.split("&") if mark else []
    if len(parts) > 1:
        for part in parts:
            url = path + "?" + "&".join(one for one in parts if one != part)
            yield Change("request", f"without the parameter {part}", _to_request(_at(url)))
    if mark:
        yield Change("request", "without the query string", _to_request(_at(path)))


def _as_before(inquiry: Inquiry) -> Iterator[Change]:
    """Parts of the request as the one before had them. Only this request changes."""
    sent = inquiry.sent
    for one in reversed(inquiry.earlier):
        if one.same_request(sent):
            continue
        for name in dict.fromkeys(name for name, _ in (*sent.fields, *one.fields)):
            before = value_of(one.fields, name)
            if before != value_of(sent.fields, name):
                what = f"without the field {name}" if before is None else f"with {name}: {before}"
                yield Change("request", f"{what}, as before", _this(_field_as(name, before)))
        host = value_of(one.fields, "Host") or DEFAULT_HOST
        if host != (value_of(sent.fields, "Host") or DEFAULT_HOST):
            yield Change("request", f"with Host: {host}, as before", _this(_field_as("Host", host)))
        if one.url != sent.url:
            yield Change("request", f"to {one.url}, as before", _this(_at(one.url)))
        yield Change("request", "the same as the request before", _this(_like(one)))


def _like(one: Sent) -> Callable[[Sent], Sent]:
    return lambda sent: replace(
        sent, url=one.url, method=one.method, fields=one.fields, body=one.body, client=one.client
    )


def _this(change: Callable[[Sent], Sent]) -> Apply:
    return lambda inquiry: replace(inquiry, sent=change(inquiry.sent))


def _field_as(name: str, value: str | None) -> Callable[[Sent], Sent]:
    def change(sent: Sent) -> Sent:
        fields = without(sent.fields, name) if value is None else with_value(sent.fields, name, value)
        return replace(sent, fields=fields)

    return change


def _drop_field(name: str) -> Callable[[Sent], Sent]:
    return _field_as(name, None)


def _at(url: str) -> Callable[[Sent], Sent]:
    return lambda sent: replace(sent, url=url)


def _get(sent: Sent) -> Sent:
    return replace(sent, method="GET", body=b"")


def _cookies(sent: Sent) -> Iterator[Change]:
    """Without one of several cookies."""
    text = value_of(sent.fields, "Cookie") or ""
    cookies = [cookie.strip() for cookie in text.split(";") if cookie.strip()]
    for cookie in cookies if len(cookies) > 1 else ():
        left = "; ".join(one for one in cookies if one != cookie)
        name = cookie.partition("=")[0]
        yield Change("request", f"without the cookie {name}", _to_request(_field_as("Cookie", left)))


def _by_suspicion(names: Iterable[str], verdict: Verdict) -> list[str]:
    """Names that the verdict mentions first."""
    said = verdict.sentence.lower()
    return sorted(dict.fromkeys(names), key=lambda name: name.lower() not in said)


# ---- the answer --------------------------------------------------------------------------------------------

_CAUTIONS = {
    "set-cookie": NO_COOKIE,
    "cache-control": UNSHARED,
    "surrogate-control": UNSHARED,
    "vary": "All requests share one answer.",
}


def _to_answer(change: Callable[[Given], Given]) -> Apply:
    """Changes the answers to the request, and to the earlier ones of its URL."""

    def apply(inquiry: Inquiry) -> Inquiry:
        def changed(one: Sent) -> Sent:
            if one.url != inquiry.sent.url:
                return one
            before = tuple(change(answer) for answer in one.answers_before)
            return replace(one, answer=change(one.answer), answers_before=before)

        return replace(
            inquiry, sent=changed(inquiry.sent), earlier=tuple(changed(one) for one in inquiry.earlier)
        )

    return apply


def _answers(inquiry: Inquiry, verdict: Verdict) -> Iterator[Change]:
    answers = [one.answer for one in inquiry.exchanges if one.url == inquiry.sent.url]
    fields = dict.fromkeys(name for answer in answers for name, _ in answer.fields)
    waited = sum(one.wait_s for one in inquiry.exchanges)
    seconds = max(LIFETIME_S, 2 * int(waited))
    for name in ("Cache-Control", "Surrogate-Control"):
        yield from _directives(answers, name)
    for name in _by_suspicion(fields, verdict):
        caution = _CAUTIONS.get(name.lower(), "") if name.lower() in verdict.sentence.lower() else ""
        yield Change("answer", f"without the field {name}", _to_answer(_drop(name)), caution)
    fresh = f"max-age={seconds}"
    yield Change("answer", f"with Cache-Control: {fresh}", _to_answer(_with("Cache-Control", fresh)))
    if any(answer.status != 200 for answer in answers):
        yield Change("answer", "with status 200", _to_answer(lambda answer: replace(answer, status=200)))
    if any(answer.fails for answer in answers):
        yield Change(
            "answer",
            "from an origin that works",
            _to_answer(lambda answer: replace(answer, fails="", failure="")),
        )


def _directives(answers: list[Given], name: str) -> Iterator[Change]:
    """Without one of several directives."""
    texts = [text for answer in answers if (text := value_of(answer.fields, name)) is not None]
    directives = [part.strip() for part in texts[0].split(",")] if texts else []
    for directive in directives if len(directives) > 1 else ():
        caution = "" if "=" in directive else UNSHARED
        left = ", ".join(one for one in directives if one != directive)
        yield Change("answer", f"with {name}: {left}", _to_answer(_with(name, left)), caution)


def _drop(name: str) -> Callable[[Given], Given]:
    return lambda answer: replace(answer, fields=without(answer.fields, name))


def _with(name: str, value: str) -> Callable[[Given], Given]:
    return lambda answer: replace(answer, fields=with_value(answer.fields, name, value))


# ---- the policy --------------------------------------------------------------------------------------------


def _policies(inquiry: Inquiry, policy: Policy, verdict: Verdict) -> Iterator[Change]:
    text = inquiry.text if inquiry.text is not None else text_of(policy.run)
    for statement in _suspects(policy, verdict):
        yield from _edits(policy, text, statement)
    waited = sum(one.wait_s for one in inquiry.exchanges)
    seconds = max(LIFETIME_S, 2 * int(waited))
    for one in additions(policy, text, verdict.reason, seconds):
        yield _edit(one.what, text, one.at, one.at, one.code, one.caution)


def _suspects(policy: Policy, verdict: Verdict) -> list[Statement]:
    """Statements of the policy's own file that decided, without repetition."""
    found: dict[Place, Statement] = {}
    for statement in verdict.deciders:
        if statement.place.file == 0:
            found.setdefault(statement.place, statement)
    return list(found.values())


# What a statement of the author does on purpose, by its action or by what it sets to true.
_ON_PURPOSE = {
    "return pass": "The policy passes these requests: then they share one stored answer.",
    "return pipe": "The policy connects these requests to the origin: then they share one stored answer.",
    "return synth": "The policy answers these requests itself: then they get what is stored.",
    "return fail": "The policy refuses these requests: then they get what is stored.",
    "return purge": "Then the request purges nothing.",
    "return abandon": "The policy discards these answers: then they are stored.",
    "return error": "The policy replaces these answers: then they are stored.",
    "beresp.uncacheable": "The policy keeps these answers out of the cache: then all requests share one.",
    "req.hash_always_miss": "The policy demands a new answer here: then requests get what is stored.",
}


def _edits(policy: Policy, text: bytes, statement: Statement) -> Iterator[Change]:
    """Without a statement, or with another action."""
    span = _span(policy, statement.place)
    if span is None:
        return
    old = text[span[0] : span[1]].decode("latin-1")
    where = policy.teller.name_of(statement.place)
    caution = _purpose_of(statement)
    if statement.does.startswith("return "):
        for action in ("hash", "deliver"):
            what = f"{where}: return ({action}); instead of {' '.join(old.split())}"
            yield _edit(what, text, *span, f"return ({action});", caution)
    yield _edit(f"{where}: without {' '.join(old.split())}", text, *span, "", caution)


def _purpose_of(statement: Statement) -> str:
    done = [
        statement.does,
        *(one.name for one in statement.values if one.kind == "set" and one.text == "true"),
    ]
    return next((_ON_PURPOSE[one] for one in done if one in _ON_PURPOSE), "")


def _edit(what: str, text: bytes, start: int, end: int, new: str, caution: str = "") -> Change:
    changed = text[:start] + new.encode("latin-1") + text[end:]
    return Change("policy", what, lambda inquiry: replace(inquiry, text=changed), caution)


def _span(policy: Policy, place: Place) -> tuple[int, int] | None:
    """The bytes of a statement, up to its semicolon. None: it is no plain statement."""
    table = table_of(policy)
    for token, (file, start) in enumerate(zip(table.files, table.starts, strict=True)):
        if file == place.file and table.sources.files[file].position(start) == (place.line, place.column):
            if table.types[token] == T.IF:
                return None
            return start, table.ends[table.types.index(T.SEMI, token)]
    return None
