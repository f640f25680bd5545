"""`vernis why --transaction` does what the daemon did, or says that it does not. why_load.py has more requests."""

from __future__ import annotations

from proxy.why_load import run

REQUESTS = 120


def test_requests_of_a_mixed_load_are_reproduced() -> None:
    result = run(REQUESTS, seed=7)
    assert result.asked == REQUESTS
    assert result.reproduced >= 0.99 * REQUESTS - 1, [(one.vxid, one.differences, one.lacks) for one in result.unlike]
