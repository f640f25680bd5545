"""Why the cache answered with an error: the reason of a 503, in the words of the daemon's log.

Tests append it to a failed expectation, and `vernis why` names a failed fetch with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vernis.observe.reason_texts import REASONS, is_unwanted
from vernis.observe.tags import NUMBERS
from vernis.record import record
from vernis.semantics.phrases import FAILED
from vernis.trial.facts import Facts, text_of
from vernis.trial.world import LogRecord

#: The place of a statement for people, from the numbers of its file, line and column: "site.vcl:12:5".
PlaceOf = Callable[[int, int, int], str]

_CALL, _RETURN, _TRACE = NUMBERS["VCL_call"], NUMBERS["VCL_return"], NUMBERS["VCL_trace"]
_ERROR, _POLICY, _FETCH = NUMBERS["Error"], NUMBERS["VCL_Error"], NUMBERS["FetchError"]
_REASON, _STATUS, _OPEN = NUMBERS["RespReason"], NUMBERS["BerespStatus"], NUMBERS["BackendOpen"]
TAGS = frozenset((_CALL, _RETURN, _TRACE, _ERROR, _POLICY, _FETCH, _REASON, _STATUS, _OPEN))

_NO_ANSWER = "the test has no answer for this request"  # runtime/trial/origin.c
_LIKE_FAILURES = 500


@record(frozen=True)
class _Return:
    """A hook that ended, and its place; "" if it is not known."""

    hook: str
    action: str
    place: str

    @property
    def is_response(self) -> bool:
        return self.hook == "vcl_backend_response" and self.action.startswith(("deliver", "pass"))

    @property
    def shown(self) -> str:
        return f"{self.hook} returned {self.action}" + (f" at {self.place}" if self.place else "")


def failure_of(facts: Facts, place_of: PlaceOf, sick: Callable[[], list[str]] = list) -> str:
    """The reason of a response with a status of 500 or more, and of one that never came; "" for others.
    ``sick`` names the backends that are sick now."""
    status = facts.response.status
    if facts.response.was_tunnel or 0 < status < _LIKE_FAILURES:
        return ""
    return (
        _of_client(facts, place_of)
        or _of_fetch(facts, place_of, sick, REASONS["fetch-failed"])
        or _without_reason(facts)
    )


def fetch_failure(facts: Facts, place_of: PlaceOf) -> str:
    """Why the fetch of a request failed, also if the client got a stored response; "" if it did not."""
    return _of_fetch(facts, place_of, list, "{about}")


def returned_of(facts: Facts, hook: str, place_of: PlaceOf) -> str | None:
    """The action of a hook, unless it comes from a statement that is not the author's."""
    found = [
        one for one in _returns(facts.records_of([*facts.legs, *facts.fetches]), place_of) if one.hook == hook
    ]
    return found[-1].action if found and found[-1].place else None


def _of_client(facts: Facts, place_of: PlaceOf) -> str:
    """The policy failed or answered by itself, or the runtime refused to go on."""
    records = facts.records_of(facts.legs[-1:])
    returns = list(_returns(records, place_of))
    errors = [one for one in records if one.tag in (_POLICY, _ERROR)]
    if errors and errors[-1].tag == _POLICY:
        ended = _last(returns, "fail") or _last(returns, "restart")
        return _policy_failed(_text(errors[-1]), ended)
    if errors:
        return _text(errors[-1])
    synthetic = _last(returns, "synth")
    return synthetic.shown if synthetic is not None else ""


def _of_fetch(facts: Facts, place_of: PlaceOf, sick: Callable[[], list[str]], failed: str) -> str:
    """``failed``: the sentence of a failure that is not the policy's."""
    records = facts.records_of(facts.fetch)
    returns = list(_returns(records, place_of))
    # a response that the policy accepted may have an Error: an invalid Vary keeps it from the cache
    is_accepted = bool(returns) and returns[-1].is_response
    for one in reversed(records):
        if one.tag == _POLICY:
            return _policy_failed(_text(one), _last(returns, "fail"))
        if one.tag == _FETCH and not is_unwanted(_text(one)):
            return failed.format(about=_fetch_error(_text(one), facts, sick))
        if one.tag == _ERROR and not is_accepted:
            return failed.format(about=_text(one))
    ended = next(filter(None, (_last(returns, action) for action in ("error", "abandon", "fail"))), None)
    return "" if ended is None else ended.shown


def _policy_failed(text: str, ended: _Return | None) -> str:
    if ended is None:
        return REASONS["policy-failed"].format(about=text)
    return ended.shown if text == FAILED else f"{ended.shown}: {text}"


def _fetch_error(text: str, facts: Facts, sick: Callable[[], list[str]]) -> str:
    asked = facts.origin()
    if asked is not None and (text == _NO_ANSWER or not asked.is_answered):
        method, url, backend = map(text_of, (asked.method, asked.url, asked.backend))
        return f"the test has no answer for {method} {url} of backend {backend}"
    if text == "No backend":
        return "No backend: the policy chose none"
    names = sick() if text.endswith("returned no backend") else []
    return f"{text} (sick: {', '.join(names)})" if names else text


def _without_reason(facts: Facts) -> str:
    """Nothing failed: another one sent this status."""
    status = facts.response.status
    if not status:
        return "the client got no response"
    records = facts.records_of(facts.fetch)
    if _first(records, _STATUS) == str(status):
        backend = _first(records, _OPEN).split(" ")[1:2]
        asked = facts.origin()
        name = backend[0] if backend else text_of(asked.backend) if asked else ""
        return f"origin {name} answered {status}".replace("  ", " ")
    if facts.step("HIT"):
        return f"the stored response has status {status}"
    reason = _first(facts.records_of(facts.legs[-1:]), _REASON)
    return f"the cache answered {status} {reason}".rstrip()


def _returns(records: list[LogRecord], place_of: PlaceOf) -> Iterator[_Return]:
    hook = place = ""
    for one in records:
        if one.tag == _CALL:
            hook, place = f"vcl_{_text(one).lower()}", ""
        elif one.tag == _TRACE:
            place = _place(_text(one), place_of)
        elif one.tag == _RETURN:
            yield _Return(hook, _text(one), place)


def _place(text: str, place_of: PlaceOf) -> str:
    """Of a record such as "boot 12 0.33.5"."""
    numbers = text.split(" ")[-1].split(".")
    if len(numbers) != 3 or not all(number.isdecimal() for number in numbers):
        return ""
    file, line, column = map(int, numbers)
    return place_of(file, line, column)


def _last(returns: list[_Return], action: str) -> _Return | None:
    return next((one for one in reversed(returns) if one.action == action), None)


def _first(records: list[LogRecord], tag: int) -> str:
    return next((_text(one) for one in records if one.tag == tag), "")


def _text(one: LogRecord) -> str:
    return text_of(one.text).rstrip("\0")
