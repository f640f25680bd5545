"""The example policies in 5.0 do what those in 4.1 do, and are shorter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from example_pairs import PAIRS, ROOT, compare, module_of, world_of
from example_requests import ADDRESSES, Request, query_sorted
from support.reference.interpret import run_hook
from vernis.ir.ir import Msg
from vernis.pipeline import Options
from vernis.syntax.engine import default_engine
from vernis.syntax.tokens import lex_bytes
from vernis.trial import suite as suites

SEED = 5


@pytest.mark.parametrize("name", PAIRS)
def test_both_versions_behave_the_same_on_random_requests(name: str) -> None:
    assert compare(PAIRS[name], 500, SEED) == []        # the 10,000: make compare-examples


@pytest.mark.parametrize(("old", "new"), [
    ("return (pass);", "return (hash);"), ('"X-Device", "X-Lang"', '"X-Device"'), ('"session", "cart"', '"session"'), ("beresp.ttl = 5m", "beresp.ttl = 6m"),
    ('"utm_*", ', ""), ("case 404, 410:", "case 404:"), ("case 301, 308: { set beresp.ttl = 1h; }", ""), ('starts "/admin" &&', 'starts "/admin/" &&')])
def test_a_changed_policy_is_noticed(old: str, new: str) -> None:
    pair = PAIRS["site"]
    text = pair.new.read_text()
    assert old in text
    assert compare(pair, 1000, SEED, text.replace(old, new, 1).encode()) != []


#: What 5.0 does otherwise, as the heads of the policies say: the text of a request, and what becomes of it in 4.1 and 5.0.
URL, LANGUAGE, GRACE, MISS = "req_url", "X-Lang", "beresp_grace", "req_hash_always_miss"
DIFFERENCES = [
    ("quickstart", URL, "/a?b=2&b=1", "/a?b=1&b=2", "/a?b=2&b=1"),
    ("quickstart", URL, "/a?", "/a?", "/a"),
    ("site", URL, "/a?b=2&b=1", "/a?b=1&b=2", "/a?b=2&b=1"),
    ("site", URL, "/a?gclid", "/a?gclid", "/a"),
    ("site", URL, "/a?utm_A=1", "/a?utm_A=1", "/a"),
    ("site", URL, "/a?xgclid=1&gclid=2", "/a?x", "/a?xgclid=1"),
    ("site", LANGUAGE, "lang=de; lang=fr", "fr", "de"),
    ("site", GRACE, "max-age=60, x-private", "None", "86400"),
    ("site", MISS, "No-Cache", "None", "1"),
    ("site", MISS, "x-no-cache", "1", "None"),
]


@pytest.mark.parametrize(("name", "what", "given", "old", "new"), DIFFERENCES)
def test_a_difference_that_is_meant(name: str, what: str, given: str, old: str, new: str) -> None:
    assert (after(PAIRS[name].old, what, given), after(PAIRS[name].new, what, given)) == (old, new)


def after(path: Path, what: str, given: str) -> str:
    """The URL, a field, or the grace of a response, behind the hook."""
    request = Request(variables={"req_method": b"GET", "req_url": b"/", "beresp_status": 200, "beresp_ttl": 60.0, "bereq_method": b"GET", "bereq_url": b"/",
                                 "client_ip": ADDRESSES[0]})
    request.set(Msg.REQ, "Host", b"a")
    if what == URL:
        request.variables[URL] = given.encode()
    else:
        message = Msg.BERESP if what == GRACE else Msg.REQ
        request.set(message, "Cookie" if what == LANGUAGE else "Cache-Control", given.encode())
        request.set(Msg.REQ, "X-Refresh", b"yes")
    request.answers["std_querysort"] = query_sorted
    world = world_of(request)
    run_hook(module_of(path), "vcl_backend_response" if what == GRACE else "vcl_recv", world)
    if what == LANGUAGE:
        return (world.messages[Msg.REQ].get(b"X-Lang") or b"").decode()
    value = world.variables.get(what)
    return value.decode() if isinstance(value, bytes) else str(value if value is None else int(value))  # type: ignore[call-overload]


LINE = re.compile(r"^\s*[^#\s]", re.M)


def size(path: Path) -> tuple[int, int]:
    """Lines with more than a comment, and tokens."""
    tokens = lex_bytes(default_engine(), path.read_bytes(), 1 << 20)
    return len(LINE.findall(path.read_text())), len(tokens.types) - sum(tokens.hidden)


@pytest.mark.parametrize("name", PAIRS)
def test_the_new_version_is_at_least_a_quarter_shorter(name: str) -> None:
    """In lines with more than a comment. Another test holds that both are formatted."""
    old, new = size(PAIRS[name].old), size(PAIRS[name].new)
    assert new[0] <= 0.75 * old[0], (old, new)
    row = f"| {name} | {old[0]:,} | {new[0]:,} | {old[1]:,} | {new[1]:,} |"
    assert row in (ROOT / "examples/README.md").read_text()


@pytest.mark.parametrize("name", ["quickstart", "site"])
def test_the_suite_passes_on_both_versions(name: str) -> None:
    """That of canary, which needs its module: tests/proxy/test_foreign_modules.py."""
    for policy in (PAIRS[name].old, PAIRS[name].new):
        suite = suites.load(ROOT / f"examples/{name}/{name}.test.vcl", policy)
        verdicts = suites.run_suite(suite, suite.cases, Options(), jobs=2)
        assert [v.name for v in verdicts if v.finding is not None or v.skipped] == [], policy
        assert len(verdicts) >= 10
