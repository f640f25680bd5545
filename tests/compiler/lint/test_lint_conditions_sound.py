"""A test with only one answer has that answer: for random policies and requests, a policy with the constant in
its place ends in the same way, with the same messages."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from support.reference.interpret import run_hook
from vernis.ir.ir import Action, Msg
from vernis.ir.lower import lower
from support.reference.world import World
from vernis.lint.conditions import answers_of
from vernis.lint.view import View
from vernis.pipeline import CHECK, Compilation, Options, run_stages
from vernis.semantics.typed import Checked

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "native"))
from random_policies import NAMES

MESSAGES = {"vcl_recv": Msg.REQ, "vcl_deliver": Msg.RESP}
FIELD = {"vcl_recv": "req.http.", "vcl_deliver": "resp.http."}


def checked(text: str) -> Checked:
    run = run_stages(Compilation("t", "t.vcl", text.encode(), Options(err_unref=False)), CHECK)
    assert run.checked is not None and not run.failed
    return run.checked


PATTERNS = ["", "a", "^a", "^a$", "a$", "^(a|b)", "^[ab]c", ".", ".*", "b|c", "^ab?$", "(?i)A"]
HOOKS = st.sampled_from(sorted(MESSAGES))


@st.composite
def conditions(draw: st.DrawFn, hook: str, depth: int = 2) -> str:
    name = FIELD[hook] + draw(st.sampled_from(NAMES[:2]))
    kind = draw(st.sampled_from(["match", "text", "present", "not", "and", "or"] if depth else ["match", "text", "present"]))
    if kind == "match":
        return f'{name} {draw(st.sampled_from(["~", "!~"]))} "{draw(st.sampled_from(PATTERNS))}"'
    if kind == "text":
        return f'{name} {draw(st.sampled_from(["==", "!="]))} "{draw(st.sampled_from(["a", "ab", "b", ""]))}"'
    if kind == "present":
        return name
    if kind == "not":
        return f"!({draw(conditions(hook, depth - 1))})"
    joined = {"and": " && ", "or": " || "}[kind].join(draw(conditions(hook, depth - 1)) for _ in range(2))
    return f"({joined})"


@st.composite
def blocks(draw: st.DrawFn, hook: str, depth: int = 2) -> str:
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["if", "if", "set", "unset", "call", "return"] if depth else ["set", "unset", "return"]))
        name = FIELD[hook] + draw(st.sampled_from(NAMES[:2]))
        if kind == "if":
            arms = [f"if ({draw(conditions(hook))}) {{ {draw(blocks(hook, depth - 1))} }}" for _ in range(draw(st.integers(1, 3)))]
            end = draw(st.sampled_from(["", f" else {{ {draw(blocks(hook, depth - 1))} }}"]))
            parts.append(" else ".join(arms) + end)
        elif kind == "set":
            parts.append(f'set {name} = "{draw(st.sampled_from(["a", "ab", "c"]))}";')
        elif kind == "unset":
            parts.append(f"unset {name};")
        elif kind == "call":
            parts.append("call helper;")
        else:
            parts.append("return (restart);")
            break
    return " ".join(parts)


@st.composite
def policies(draw: st.DrawFn) -> tuple[str, str]:
    hook = draw(HOOKS)
    name = FIELD[hook] + NAMES[0]
    helper = draw(st.sampled_from([f'set {name} = "b";', "", f'if ({name} ~ "a") {{ return (restart); }}']))
    return hook, ('vcl 4.1; backend b { .host = "192.0.2.1"; } sub helper { %s } sub %s { %s call helper; }'
                  % (helper, hook, draw(blocks(hook))))


def with_constants(text: str) -> str:
    """The policy with the answer of each test that has only one."""
    view = View(checked(text))
    found = sorted(((view.span(answer.node), answer.holds) for answer in answers_of(view)), key=lambda one: (one[0].start, -one[0].end))
    data, end = b"", 0
    for span, holds in found:
        if span.start >= end:           # not inside of a test that has an answer itself
            data += text.encode()[end:span.start] + str(holds).lower().encode()
            end = span.end
    return (data + text.encode()[end:]).decode()


@settings(max_examples=100, deadline=None)
@given(policies(), st.lists(st.dictionaries(st.sampled_from(NAMES[:2]), st.sampled_from(["", "a", "ab", "b", "bc", "A", "xa", "c"])), min_size=4, max_size=4))
def test_a_constant_in_place_of_the_test_changes_nothing(drawn: tuple[str, str], requests: list[dict[str, str]]) -> None:
    hook, text = drawn
    other = with_constants(text)
    if other == text:
        return
    modules = lower(checked(text)), lower(checked(other))
    for fields in requests:
        ends = []
        for module in modules:
            world = World()
            for name, value in fields.items():
                world.messages[MESSAGES[hook]].set(name.encode(), value.encode())
            outcome = run_hook(module, hook, world)
            ends.append((outcome.action, [world.messages[MESSAGES[hook]].get(name.encode()) for name in NAMES[:2]]))
        assert ends[0] == ends[1] or Action["FAIL"] in (ends[0][0], ends[1][0]), (other, fields)
