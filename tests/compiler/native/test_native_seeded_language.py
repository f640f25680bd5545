"""The comparison of random policies finds mistakes: each one seeded into compiled code is found within a few
hundred policies.

With test_native_seeded.py (mistakes in the code generator), there are more than forty.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest

import test_native_seeded
from both_ways import Start, random_start
from language_run import Runner
from random_goals import Steering
from random_language import Policy, random_policy
from vernis.ir import ir
from vernis.ir.ir import Action, Msg, Type
from vernis.ir.passes import run_passes
from vernis.native import Options

POLICIES = 800        # made when needed; most mistakes need few

#: The first policy: random addresses rarely match those of a request, and random patterns rarely match twice.
LOCAL = """vcl 4.1;
backend b none;
sub vcl_recv {
    if (client.ip == "10.9.9.9" || client.ip == "10.1.1.1" || client.ip == "::1") { set req.http.X-Foo = "known"; }
    set req.http.X-Bar = regsuball(req.url, ".", "x");
}
"""
STARTS, STARTS_LOCAL = 3, 20

Rewrite = Callable[[ir.Op], ir.Op]


def arithmetic(wrong: str, right: str) -> Rewrite:
    return lambda op: replace(op, op=wrong) if isinstance(op, ir.Arith) and op.op == right else op


def comparison(wrong: str, right: str) -> Rewrite:
    return lambda op: replace(op, op=wrong) if isinstance(op, ir.CompareOp) and op.op == right else op


def constant(types: tuple[Type, ...], wrong: Callable) -> Rewrite:
    return lambda op: replace(op, value=wrong(op.value)) if isinstance(op, ir.Const) and op.type in types and op.value is not None else op


def lost(is_it: Callable[[ir.Op], bool]) -> Rewrite:
    return lambda op: ir.SiteMark(op.site) if is_it(op) else op


def function(wrong: str, right: str) -> Rewrite:
    return lambda op: (replace(op, extern=replace(op.extern, symbol=wrong)) if isinstance(op, ir.Call) and op.extern.symbol == right
        else op)


def on(kind: type, **changes: Callable) -> Rewrite:
    return lambda op: replace(op, **{name: change(op) for name, change in changes.items()}) if isinstance(op, kind) else op


def is_call(prefix: str) -> Callable[[ir.Op], bool]:
    return lambda op: isinstance(op, ir.Call) and op.dst is None and op.extern.symbol.startswith(prefix)


MISTAKES: dict[str, Rewrite] = {
    "remainder is quotient": arithmetic("/", "%"), "not is true": lambda op: ir.Const(op.dst, Type.BOOL, True, op.site) if isinstance(op,
        ir.NotOp) else op,
    "plus is minus": arithmetic("-", "+"), "minus is plus": arithmetic("+", "-"), "times is plus": arithmetic("+", "*"),
    "quotient turned round": lambda op: replace(op, a=op.b, b=op.a) if isinstance(op, ir.Arith) and op.op == "/" else op,
    "equal is unequal": comparison("!=", "=="), "unequal is less": comparison("<", "!="), "less takes equal": comparison("<=", "<"),
    "greater is less": comparison("<", ">"), "at least is greater": comparison(">", ">="), "at most is less": comparison("<", "<="),
    "first part lost": on(ir.Concat, parts=lambda op: op.parts[1:]), "parts turned round": on(ir.Concat, parts=lambda op: op.parts[::-1]),
    "another field read": on(ir.HeaderGet, name=lambda op: 0), "another field set": on(ir.HeaderSet, name=lambda op: 0),
    "top request read": on(ir.HeaderGet, msg=lambda op: Msg.REQ_TOP if op.msg is Msg.REQ else op.msg),
    "set is unset": lambda op: ir.HeaderUnset(op.msg, op.name, op.site) if isinstance(op, ir.HeaderSet) else op,
    "unset is lost": lost(lambda op: isinstance(op, ir.HeaderUnset)),
    "first pattern": on(ir.Match, regex=lambda op: 0), "the other acl": on(ir.AclMatch, acl=lambda op: 1 - op.acl),
    "whole numbers off by one": constant((Type.INT,), lambda value: value + 1),
    "times off": constant((Type.DURATION, Type.REAL), lambda value: value + 1.0),
    "texts cut": constant((Type.STRING,), lambda value: value[:-1]), "truth turned round": constant((Type.BOOL,), lambda value: not value),
    "another address": constant((Type.IP,), lambda value: value[:1] + bytes([value[1] ^ 1]) + value[2:]),
    "first backend": lambda op: replace(op, index=0) if isinstance(op, ir.Ref) and op.type is Type.BACKEND else op,
    "first regex": lambda op: replace(op, index=0) if isinstance(op, ir.Ref) and op.type is Type.REGEX else op,
    "another action": on(ir.ReturnAction, action=lambda op: Action.FAIL if op.action is Action.SYNTH else op.action),
    "assignments lost": lost(is_call("set_")), "log lost": lost(is_call("std_log")), "return value lost": lost(is_call("return_")),
    "upper is lower": function("string_lower", "string_upper"), "all is the first": function("regsub", "regsuball"),
    "always then": on(ir.Branch, other=lambda op: op.then), "always else": on(ir.Branch, then=lambda op: op.other)}


@dataclass(slots=True)
class Sample:
    hook: str
    module: ir.Module
    passed: ir.Module
    starts: list[Start]


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    made = Runner(tmp_path_factory.mktemp("seeded"))
    made.steering = Steering(("operator", "comparison", "assignment", "function", "method"))
    yield made
    made.close()


_samples: dict[int, Sample] = {}


def sample_of(runner: Runner, number: int) -> Sample:
    if number not in _samples:
        rng = random.Random(number)
        policy = random_policy(rng, runner.steering) if number else Policy("vcl_recv", (4, 1), LOCAL)
        module = runner.lowered(policy)
        assert module is not None
        starts = [random_start(rng) for _ in range(STARTS if number else STARTS_LOCAL)]
        _samples[number] = Sample(policy.hook, module, run_passes(module), starts)
    return _samples[number]


def rewritten(module: ir.Module, rewrite: Rewrite) -> ir.Module:
    return replace(module, functions={
        name: replace(function, blocks=[ir.Block([rewrite(op) for op in block.ops]) for block in function.blocks])
        for name, function in module.functions.items()})


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_is_found(name: str, runner: Runner) -> None:
    for number in range(POLICIES):
        sample = sample_of(runner, number)
        wrong = rewritten(sample.passed, MISTAKES[name])
        reached = any(a.ops != b.ops for f, g in zip(sample.passed.functions.values(), wrong.functions.values()) for a, b in zip(f.blocks,
            g.blocks))
        if reached and runner.compared(sample.module, wrong, sample.hook, sample.starts, Options(level=0)):
            return
    pytest.fail(f"{name}: not found in {POLICIES} policies")


def test_there_are_forty() -> None:
    assert len(MISTAKES) + len(test_native_seeded.OPS) + len(test_native_seeded.PATCHES) >= 40
