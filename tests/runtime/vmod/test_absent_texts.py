"""Functions of modules for which an absent text is the same as an empty one. A migration to vcl 5.0 gives them an
empty text without a note."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.language import Harness

from vernis.ir.ir import Msg
from vernis.semantics.moves import ALIKE

#: By symbol: statements that leave a result in R, with the text in place of {}.
STATEMENTS = {
    "cookie_get": 'cookie.parse("=1; a=2"); set req.http.R = "<" + cookie.get({}) + ">";',
    "cookie_isset": 'cookie.parse("=1; a=2"); set req.http.R = cookie.isset({});',
    "cookie_parse": 'cookie.parse("a=2"); cookie.parse({}); set req.http.R = cookie.get("a");',
    "std_bytes": "set req.http.R = std.bytes({}, 7B);",
    "std_duration": "set req.http.R = std.duration({}, 7s);",
    "std_integer": "set req.http.R = std.integer({}, 7);",
    "std_ip": 'set req.http.R = std.ip({}, "192.0.2.7");',
    "std_real": "set req.http.R = std.real({}, 7.5);",
    "std_time": "set req.http.R = std.time({}, std.real2time(1000000000.0, now));",
}
RESULTS = {
    "cookie_get": "<>", "cookie_isset": "false", "cookie_parse": "2", "std_bytes": "7", "std_duration": "7.000", "std_integer": "7",
    "std_ip": "192.0.2.7", "std_real": "7.500", "std_time": "Sun, 09 Sep 2001 01:46:40 GMT",
}


@pytest.mark.parametrize("symbol", sorted(ALIKE))
@pytest.mark.parametrize("text", ["req.http.none", '""'])
def test_an_absent_text_counts_as_empty(run: Callable[..., Harness], symbol: str, text: str) -> None:
    harness = run(recv=STATEMENTS[symbol].format(text) + " return (hash);")
    assert harness.field(Msg.REQ, "R") == RESULTS[symbol]


@pytest.mark.parametrize("text", ["req.http.none", '""'])
def test_a_conversion_without_a_fallback_fails_for_both(run: Callable[..., Harness], text: str) -> None:
    assert run(expected="fail", recv=f"set req.http.R = std.integer({text}); return (hash);").field(Msg.REQ, "R") is None
