"""vernisd gives the same HTTP responses as Varnish 7.1.1 for a sample of the cases in http_cases.py, and the
intended different ones for other cases.

The responses of Varnish are in tests/data/http_as_varnish.txt, written by ``make compare-http
ARGS=--update``.
"""

from __future__ import annotations

import pytest

from proxy.daemon import VERNISD
from proxy.http_cases import all_cases
from proxy.http_compare import GOLDEN_CASES, differing_lines, read_golden, run

GOLDEN = read_golden()

#: Cases for which docs/differences.md states another response than Varnish's, with a line of our response.
INTENDED_ANSWERS = {
    "hit POST inm-same": "HTTP/1.1 200 OK",
    "hit POST range-first": "HTTP/1.1 200 OK",
    "hit HEAD range-first": "HTTP/1.1 200 OK",
    "hit GET range-two": "[20] 0123456789abcdefghij",
    "hit GET range-lines": "[20] 0123456789abcdefghij",
    "hit GET range-huge": "Content-Range: bytes 0-19/20",
    "pass GET range-wrong": "HTTP/1.1 416 Requested Range Not Satisfiable",
    "hit GET inm-any": "HTTP/1.1 304 Not Modified",
    "hit GET inm-list": "HTTP/1.1 304 Not Modified",
    "reply date hit ims-same": "HTTP/1.1 304 Not Modified",
    "reply expires-zero": "X-Uncacheable: true",
    "reply cc-quoted": "X-Hits: 1",
    "hit GET status-100": "HTTP/1.1 503 Service Unavailable",
    "reply early": "HTTP/1.1 200 OK",
    "reply chunked-trailer": "[5] hello",
    "reply content-range": "HTTP/1.1 200 OK",
    "reply http2": "HTTP/1.1 503 Backend fetch failed",
    "pipe GET te": "TE: trailers",
}
INTENDED_ABSENCES = {"pass GET proxy-connection": "Proxy-Connection: keep-alive", "pass GET proxy-auth": "Proxy-Authorization: Basic eDp5"}


@pytest.fixture(scope="module")
def answers() -> dict[str, str]:
    """Responses to all cases of this file, by one daemon."""
    wanted = {*GOLDEN, *INTENDED_ANSWERS, *INTENDED_ABSENCES}
    cases = [case for case in all_cases() if case.name in wanted]
    return dict(zip([case.name for case in cases], run(VERNISD, cases), strict=True))


def test_the_sample_is_large() -> None:
    assert len(GOLDEN) > GOLDEN_CASES * 0.9


def test_responses_are_those_of_varnish(answers: dict[str, str]) -> None:
    by_name = {case.name: case for case in all_cases()}
    differ = {name: lines for name, stock in GOLDEN.items() if (lines := differing_lines(by_name[name], stock, answers[name]))}
    assert differ == {}


@pytest.mark.parametrize("name", INTENDED_ANSWERS)
def test_intended_differences(answers: dict[str, str], name: str) -> None:
    assert INTENDED_ANSWERS[name] in answers[name].splitlines()


@pytest.mark.parametrize("name", INTENDED_ABSENCES)
def test_intended_absences(answers: dict[str, str], name: str) -> None:
    assert INTENDED_ABSENCES[name] not in answers[name].splitlines()
