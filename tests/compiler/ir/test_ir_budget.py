"""Calls are charged in the hooks that could exceed their budget, and in no others (ir/budget.py)."""

import random

import pytest

from vernis import pipeline
from vernis.ir import budget, ir
from vernis.ir.budget import bound_work, work_of_op
from vernis.pipeline import Compilation

STATEMENTS = ['set req.http.X = "a";', "unset req.http.Y;", 'if (req.url ~ "^/a(b|c)*d") { set req.http.Z = "z"; }']


def lowered(text: str) -> ir.Module:
    run = pipeline.run_stages(Compilation("", "<text>", text.encode()), pipeline.LOWER)
    assert run.module is not None, pipeline.rendered_diagnostics(run)
    return run.module


def random_calls(rng: random.Random) -> str:
    """Subs that call earlier ones, and hooks that call those without a caller and some others."""
    subs = []
    for number in range(rng.randint(4, 12)):
        body = rng.choices(STATEMENTS, k=rng.randint(0, 4))
        for _ in range(rng.randint(1, 3) if number else 0):
            body.append(f"call s{number - 1 if rng.random() < 0.7 else rng.randrange(number)};")
        rng.shuffle(body)
        subs.append(f"sub s{number} {{ {' '.join(body)} }}\n")
    calls = [f"call s{number};" for number in range(len(subs))]
    uncalled = [call for call in calls if call not in "".join(subs)]
    hook = f"sub vcl_hash {{ {' '.join(rng.choices(calls, k=rng.randint(0, 2)))} }}\n"
    return f"vcl 4.1;\nbackend default none;\n{''.join(subs)}sub vcl_recv {{ {' '.join(uncalled)} }}\n{hook}"


def callees(function: ir.Function) -> list[str]:
    return [op.sub for block in function.blocks for op in block.ops if isinstance(op, ir.CallSub)]


def wanted(module: ir.Module) -> set[str]:
    """The functions with calls that a hook over its budget reaches, from the lengths of all runs."""
    own = {name: sum(work_of_op(op) for block in function.blocks for op in block.ops)
           for name, function in module.functions.items()}
    cost: dict[str, int] = {}

    def cost_of(name: str) -> int:
        if name not in cost:
            cost[name] = own[name] + sum(map(cost_of, callees(module.functions[name])))
        return cost[name]

    stack = [hook for hook in ir.HOOKS if cost_of(hook) > budget.WORK_MAX + sum(own.values())]
    reached: set[str] = set()
    while stack:
        name = stack.pop()
        if name not in reached:
            reached.add(name)
            stack += callees(module.functions[name])
    return {name for name in reached if callees(module.functions[name])}


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_the_charged_subs_are_those_of_hooks_over_their_budget(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = dict.fromkeys((0, 100, 1_000, 10_000, 100_000), 0)
    for seed in range(first, first + 10):
        text = random_calls(random.Random(seed))
        for most in found:
            module = lowered(text)
            with monkeypatch.context() as patch:
                patch.setattr(budget, "WORK_MAX", most)
                expected = wanted(module)
                assert bound_work(module) is bool(expected)
            charged = {name for name, function in module.functions.items() for block in function.blocks
                       for op in block.ops if isinstance(op, ir.Call) and op.extern == budget.WORK}
            assert charged == expected
            found[most] += bool(charged)
    assert found[0] > 5 and found[100_000] == 0                   # policies of both kinds
