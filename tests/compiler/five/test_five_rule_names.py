"""Names of @rule: which counter of a policy has which name, and when it counts."""

from __future__ import annotations

import pytest
from five_helpers import check, recv

from support.reference.interpret import run_hook
from vernis.ir.ir import Module
from vernis.ir.lower import lower
from support.reference.verify import check_module
from support.reference.world import World


def counting(body: str) -> Module:
    """A policy with rule counters."""
    read = check(recv(body))
    assert read.findings == [], [f"{item.code} {item.message}" for item in read.findings]
    module = lower(read.checked, count_rules=True)
    check_module(module)
    return module


def hits(body: str, url: str = "/") -> dict[str, int]:
    """How often each named rule was taken."""
    module = counting(body)
    world = World(variables={"req_url": url.encode()})
    run_hook(module, "vcl_recv", world)
    return {rule.name: world.rule_hits[number] for number, rule in enumerate(module.rules) if rule.name}


@pytest.mark.parametrize(("body", "url", "counted"), [
    ('@rule("a") if (req.url == "/") { set req.http.x = "1"; } else { set req.http.x = "2"; }', "/", {"a": 1}),
    ('@rule("a") if (req.url == "/") { set req.http.x = "1"; } else { set req.http.x = "2"; }', "/b", {"a": 0}),
    ('@rule("a") if (req.url == "/b") { set req.http.x = "1"; } @rule("b") set req.http.y = "1";', "/b", {"a": 1, "b": 1}),
    ('if (req.url == "/b") { @rule("in") set req.http.x = "1"; }', "/", {"in": 0}),
    ('if (req.url == "/b") { @rule("in") set req.http.x = "1"; }', "/b", {"in": 1}),
    ('@rule("s") switch (req.url) { case "/b": { set req.http.x = "1"; } default: { set req.http.x = "2"; } }', "/b", {"s": 1}),
    ('@rule("f") for (n in ["a", "b"]) { set req.http.x = n; }', "/b", {"f": 1}),
    ('for (n in ["a", "b"]) { @rule("f") set req.http.x = n; }', "/b", {"f": 2}),
    ('@rule("r") return (pass);', "/", {"r": 1}),
    ('@rule("outer") if (req.url ~ ".") { @rule("inner") if (req.url == "/b") { return (pass); } }', "/", {"outer": 1, "inner": 0}),
])
def test_a_name_counts_where_its_statement_runs(body: str, url: str, counted: dict[str, int]) -> None:
    assert hits(body, url) == counted


def test_the_arm_of_a_name_has_one_counter() -> None:
    module = counting('@rule("a") if (req.url == "/") { set req.http.x = "1"; }')
    assert [rule.name for rule in module.rules] == ["", "a"]  # the sub, the arm


@pytest.mark.parametrize("body", ['@rule("a") { set req.http.x = "1"; }', '@rule("a") builtin;', '@rule("a") allow(cookie);'])
def test_a_name_needs_a_statement_that_can_count(body: str) -> None:
    assert check(recv(body)).codes == ["V761"]
