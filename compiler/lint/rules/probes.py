"""BE: probes whose result is decided before they ask, or long after."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.rule import Finding, Rule
from vernis.lint.rules.backends import number_of, probes_of, properties_of
from vernis.lint.rules.storing import seconds
from vernis.lint.view import View
from vernis.regex import later
from vernis.semantics.backends import PROBE_DEFAULTS, ZERO_IS_DEFAULT
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_NOTICED_MAX_S = 180  # from the last good result to a backend that is sick
_SHARE_MIN = 5  # so many results to one good one hide an origin that fails nearly always
_ANSWER_MIN_S = 0.01  # a connection and an answer take longer in most networks
_BROKEN = (404, 410)  # what an origin answers for a page that it does not have
_LINE = later(r"[A-Z]+ \S+ HTTP/1\.[0-9]")
_CONDITION = ("if-none-match:", "if-modified-since:")
_CONTENT = ("content-length:", "transfer-encoding:")
_Faults = Iterator[tuple[nodes.Property, str]]


class ProbeDecided(Rule):
    id = "BE009"
    name = "probe-decided"
    severity = Severity.WARNING
    what = "A probe cannot fail, cannot succeed, or finds an origin that is away only after minutes."
    why = (
        "A backend whose probe cannot fail stays in use while its origin answers with errors; one "
        "whose probe cannot succeed gets no request."
    )
    remedy = (
        "ask for a page that the origin answers with 200 only while it works, and let a backend be sick "
        "after some failed polls: .interval = 5s; .window = 5; .threshold = 3;"
    )
    source = "https://varnish-cache.org/docs/trunk/reference/vcl-probe.html"
    bad = (
        'probe alive { .url = "/health"; .expected_response = 503; } '
        'backend shop { .host = "192.0.2.2"; .probe = alive; }'
    )
    good = (
        'probe alive { .url = "/health"; .expected_response = 200; } '
        'backend shop { .host = "192.0.2.2"; .probe = alive; }'
    )

    def check(self, view: View) -> Iterator[Finding]:
        for body in probes_of(view):
            given = properties_of(body)
            for one, message in (*_of_status(given), *_of_request(given), *_of_counts(given)):
                yield Finding(view.span(one), message)


def _of_status(given: dict[str, nodes.Property]) -> _Faults:
    expected = given.get("expected_response")
    status = number_of(expected)
    if expected is None or status is None:
        return
    if status >= 500:
        yield expected, f"the backend counts as healthy while its origin fails with {status}"
    elif status in _BROKEN:
        yield expected, f"an origin without any page answers {status}, so this probe cannot fail"
    elif status < 200:
        yield expected, f"{status} is no answer: this probe cannot succeed"
    elif status == 304 and not any(line.startswith(_CONDITION) for line in _lines(given)):
        yield expected, "304 only answers a request with a condition: this probe cannot succeed"
    elif status == 206 and not any(line.startswith("range:") for line in _lines(given)):
        yield expected, "206 only answers a request with Range: this probe cannot succeed"


def _lines(given: dict[str, nodes.Property]) -> list[str]:
    """The lines of a request in lower case, without the first."""
    return [line.lower() for line in _request(given)[1:]]


def _request(given: dict[str, nodes.Property]) -> list[str]:
    value = given["request"].value if "request" in given else ()
    if isinstance(value, nodes.StringLit):
        return [value.value]
    return [line.value for line in value] if isinstance(value, tuple) else []


def _of_request(given: dict[str, nodes.Property]) -> _Faults:
    lines = _request(given)
    if lines and not _LINE.match(lines[0]):
        yield given["request"], "an origin refuses this first line: it is METHOD PATH HTTP/1.1"
    elif any(line.startswith(_CONTENT) for line in _lines(given)):
        yield given["request"], "the origin waits for content that a probe does not send"


def _of_counts(given: dict[str, nodes.Property]) -> _Faults:
    threshold_at = given.get("threshold")
    if threshold_at is not None and number_of(threshold_at) == 0:
        default = PROBE_DEFAULTS.threshold
        yield threshold_at, f"0 is not zero results: it stands for the default, {default} good ones"
        return
    timeout, interval = _duration(given, "timeout"), _duration(given, "interval")
    threshold, window = _count(given, "threshold"), _count(given, "window")
    if "window" not in given and threshold_at is not None and threshold is not None:
        window = threshold + 1
    if None in (timeout, interval, threshold, window):
        return
    assert timeout is not None and interval is not None and threshold is not None and window is not None
    if timeout < _ANSWER_MIN_S:
        yield given["timeout"], "no origin answers in this time: this probe cannot succeed"
        return
    # A poll begins when the one before has ended, and an origin that hangs takes the whole timeout.
    noticed = (window - threshold + 1) * max(timeout, interval)
    where = given.get("window" if window > PROBE_DEFAULTS.window else "interval") or given.get("timeout")
    if noticed > _NOTICED_MAX_S and where is not None:
        yield where, f"an origin that is away gets requests for {noticed / 60:.0f} minutes more"
    elif threshold_at is not None and threshold == 1 and window >= _SHARE_MIN:
        yield threshold_at, f"an origin that fails {window - 1} of {window} times counts as healthy"


def _count(given: dict[str, nodes.Property], name: str) -> int | None:
    default: int = getattr(PROBE_DEFAULTS, name)
    return (number_of(given[name]) or None) if name in given else default


def _duration(given: dict[str, nodes.Property], name: str) -> float | None:
    """The duration of a property; None if it is no literal. Zero stands for the default."""
    default: float = getattr(PROBE_DEFAULTS, name)
    if name not in given:
        return default
    value = given[name].value
    length = seconds(value) if isinstance(value, nodes.NumberLit) else None
    return default if length == 0 and name in ZERO_IS_DEFAULT else length
