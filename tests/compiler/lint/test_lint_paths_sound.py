"""Walks along paths contain what happens: for random policies and requests, the return at which the interpreter
ends is among the exits of the walk, with facts that hold for the messages at that moment."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.reference.interpret import run_hook
from vernis.ir.ir import Action, Msg, Site
from vernis.ir.lower import lower
from support.reference.world import World
from vernis.lint.facts import ABSENT, EXPIRED, POSITIVE, PRESENT, Facts, Knowledge
from vernis.lint.paths import STATES_MAX, Exit, Paths
from vernis.lint.view import View
from vernis.pipeline import BUILTIN_NAME, CHECK, Compilation, Options, run_stages

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "native"))
from random_policies import FIELDS, LITERALS, NAMES, policies

MESSAGES = {"vcl_recv": Msg.REQ, "vcl_backend_response": Msg.BERESP, "vcl_deliver": Msg.RESP}
TTL = "beresp.ttl"


def holds(fact: str, value: bytes | None) -> bool:
    """Whether a fact about a field is true of its value."""
    if fact == ABSENT:
        return value is None
    if fact == PRESENT:
        return value is not None
    return value == fact.removeprefix("=").encode("latin-1")


def ends_like(end: Exit[Facts], world: World, hook: str) -> bool:
    prefix = FIELDS[hook] + "."
    for name, fact in end.state.known:
        if name == TTL:
            seconds = world.variables["beresp_ttl"]
            assert isinstance(seconds, float)
            if fact != (POSITIVE if seconds > 0 else EXPIRED):
                return False
        elif not holds(fact, world.messages[MESSAGES[hook]].get(name.removeprefix(prefix).encode())):
            return False
    return True


def is_at(end: Exit[Facts], view: View, site: Site, action: Action) -> bool:
    """Whether the walk ends where the run did. In the built-in policy the site may be that of a call, so the
    actions are compared there."""
    span = view.span(end.at)
    if view.sources.files[site.file].name == BUILTIN_NAME:
        return view.is_builtin(end.at) and Action[end.action.upper()] == action
    return (span.file, *view.sources.files[span.file].position(span.start)) == (site.file, site.line, site.column)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(policies(), st.dictionaries(st.sampled_from(NAMES), st.sampled_from(LITERALS)), st.sampled_from([-1.0, 0.0, 60.0]))
def test_what_happens_is_among_the_exits(drawn: tuple[str, str], fields: dict[str, str], ttl: float) -> None:
    hook, text = drawn
    run = run_stages(Compilation("t", "t.vcl", text.encode(), Options(err_unref=False)), CHECK)
    assert run.checked is not None and not run.failed
    world = World()
    for name, value in fields.items():
        world.messages[MESSAGES[hook]].set(name.encode(), value.encode())
    world.variables["beresp_ttl"] = ttl
    module = lower(run.checked)
    outcome = run_hook(module, hook, world)
    if outcome.action == Action["FAIL"]:
        return
    view = View(run.checked)
    names = {f"{FIELDS[hook]}.{name.lower()}" for name in NAMES} | {TTL}
    ends = Paths(view, Knowledge(view, names)).of_hook(hook, Facts())
    if len(ends) >= STATES_MAX:
        return
    here = [end for end in ends if is_at(end, view, module.sites[outcome.site], outcome.action)]
    assert any(ends_like(end, world, hook) for end in here)
