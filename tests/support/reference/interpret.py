"""The reference semantics: runs a hook of the IR, op by op, on a :class:`World`. Native code must give the
same results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from vernis.ir import ir, values
from vernis.ir.ir import Action, Msg, Type
from vernis.ir.values import Failed
from support.reference.world import World
from support.reference.values import Blob, Ip, Reference, Value, zero_value

#: A hook that exceeds this limit has a loop. The language has no loops, so this is a bug of the compiler.
STEPS_MAX = 10_000_000


@dataclass(slots=True)
class Outcome:
    """``why`` is the error text of a failed hook; ``site`` is the last statement that ran."""

    action: Action
    why: str | None
    site: int


@dataclass(slots=True)
class _State:
    module: ir.Module
    world: World
    visit: Callable[[int], None] | None
    site: int = 0
    steps: int = 0


def run_hook(
    module: ir.Module, hook: str, world: World, visit: Callable[[int], None] | None = None
) -> Outcome:
    """Runs one hook. Calls ``visit`` with each site it reaches (coverage, explain)."""
    state = _State(module, world, visit)
    world.hook, world.subs, world.running, world.allowed = hook, module.subs, set(), 0
    world.follows_rfc9111 = module.follows_rfc9111
    world.tables, world.backends, world.counters = module.tables, module.backends, module.counters
    try:
        return Outcome(_run(state, module.functions[hook]), None, state.site)
    except Failed as failed:
        return Outcome(Action["FAIL"], str(failed), state.site)


def _run(state: _State, function: ir.Function) -> Action:
    known: dict[ir.Value, Value] = {}
    slots = [zero_value(type) for type in function.slots]
    block = function.blocks[0]
    while True:
        for op in block.ops[:-1]:
            _step(state, function, op, known, slots)
        state.steps += len(block.ops)
        assert state.steps < STEPS_MAX, f"{function.name} does not end"
        last = block.ops[-1]
        match last:
            case ir.Jump():
                block = function.blocks[last.target]
            case ir.Branch():
                block = function.blocks[last.then if known[last.cond] else last.other]
            case ir.Switch():
                at = known[last.value]
                assert isinstance(at, int)
                block = function.blocks[last.targets[at] if 0 <= at < len(last.targets) else last.other]
            case ir.ReturnAction():
                return last.action
            case ir.ReturnValue():
                return Action(known[last.a])
            case _:
                raise AssertionError(f"{function.name}: a block without a terminator")


def _step(
    state: _State, function: ir.Function, op: ir.Op, known: dict[ir.Value, Value], slots: list[Value]
) -> None:
    module, world = state.module, state.world
    match op:
        case ir.Count():
            world.rule_hits[op.rule] += 1
        case ir.SiteMark():
            state.site = world.site = op.site
            if state.visit is not None:
                state.visit(op.site)
        case ir.Const():
            known[op.dst] = _constant(op)
        case ir.Ref():
            known[op.dst] = reference(module, world, op.type, op.index)
        case ir.Arith():
            a, b = _number(known[op.a]), _number(known[op.b])
            known[op.dst] = values.arith(op.type, op.op, a, b, op.checked)
        case ir.Convert():
            known[op.dst] = convert(function.types[op.a], op.type, known[op.a])
        case ir.CompareOp():
            known[op.dst] = _compare(function.types[op.a], op.op, known[op.a], known[op.b])
        case ir.NotOp():
            known[op.dst] = not known[op.a]
        case ir.Concat():
            known[op.dst] = values.join([_text(known[part]) for part in op.parts])
        case ir.HeaderGet():
            known[op.dst] = world.messages[op.msg].get(_name(module, op.name))
        case ir.HeaderSet():
            world.messages[op.msg].set(_name(module, op.name), _text(known[op.value]))
        case ir.HeaderUnset():
            world.messages[op.msg].unset(_name(module, op.name))
        case ir.Match():
            known[op.dst] = world.matches(module.regexes[op.regex], _text(known[op.subject]))
        case ir.PatternTest():
            known[op.dst] = _passes(module, world, op.pattern, _text(known[op.subject]))
        case ir.NextMatch():
            start = known[op.start]
            assert isinstance(start, int)
            known[op.dst] = _next_match(state, op.chain, start, [_text(known[s]) for s in op.subjects])
        case ir.AclMatch():
            known[op.dst] = world.in_acl(module.acls[op.acl], known[op.ip])
        case ir.Call():
            result = world.call(op.extern, tuple(known[a] for a in op.args), op.given)
            if op.dst is not None:
                known[op.dst] = result
        case ir.NewInstance():
            made = world.call(op.extern, tuple(known[a] for a in op.args), op.given)
            name = module.instances[op.instance].name.encode()
            world.instances[op.instance] = (
                made if made is not None else Reference(Type.INSTANCE, op.instance, name)
            )
        case ir.CallSub():
            known[op.dst] = _run(state, module.functions[op.sub]).value
        case ir.Load():
            known[op.dst] = slots[op.slot]
        case ir.Store():
            slots[op.slot] = known[op.a]
        case ir.Jump() | ir.Branch() | ir.Switch() | ir.ReturnAction() | ir.ReturnValue():
            raise AssertionError("a terminator before the end of its block")
        case _:
            assert_never(op)


# ---- pattern sets ------------------------------------------------------------------------------------------


def _passes(module: ir.Module, world: World, number: int, subject: bytes | None) -> bool:
    pattern = module.patterns[number]
    if pattern.regex is None:
        return subject == pattern.text
    return world.matches(module.regexes[pattern.regex], subject)


def _next_match(state: _State, number: int, start: int, subjects: list[bytes | None]) -> int:
    """Tries one test after the other, as the policy says."""
    chain = state.module.chains[number]
    test = start
    while test < len(chain.sites):
        state.site = chain.sites[test]
        if not _test_passes(state, chain, test, subjects):
            test += 1
            continue
        body = chain.bodies[test]
        if isinstance(body, int):
            return body
        _run_row(state, body)
        if body.next is None:
            assert body.exit is not None
            return body.exit
        test = body.next
    return chain.n_exits


def _test_passes(state: _State, chain: ir.Chain, test: int, subjects: list[bytes | None]) -> bool:
    for found, subject in zip(chain.subjects, subjects, strict=True):
        if test in found.tests:
            pattern = found.first + found.tests.index(test)
            return _passes(state.module, state.world, pattern, subject)
    raise AssertionError(f"test {test} has no subject")


def _run_row(state: _State, row: ir.Row) -> None:
    if row.rule is not None:
        state.world.rule_hits[row.rule] += 1
    for change in row.changes:
        state.site = state.world.site = change.site
        message, name = state.world.messages[change.msg], _name(state.module, change.name)
        if change.kind == "remove":
            message.unset(name)
        else:
            message.set(name, change.text if change.kind == "set" else None)
    state.site = state.world.site = row.site


# ---- values ------------------------------------------------------------------------------------------------


def _text(value: Value) -> bytes | None:
    assert value is None or isinstance(value, bytes)
    return value


def _number(value: Value) -> int | float:
    assert isinstance(value, (int, float))
    return value


def _name(module: ir.Module, index: int) -> bytes:
    return module.names[index].encode()


def _constant(op: ir.Const) -> Value:
    match op.type:
        case Type.IP:
            return (
                Ip(op.value[1:5] if op.value[0] == 4 else op.value[1:17])
                if isinstance(op.value, bytes)
                else None
            )
        case Type.BLOB:
            return Blob(op.value) if isinstance(op.value, bytes) else None
        case Type.REAL | Type.DURATION | Type.TIME:
            return float(_number(op.value))
        case _:
            return op.value


def reference(module: ir.Module, world: World, type: Type, index: int) -> Value:
    match type:
        case Type.BACKEND:
            backend = module.backends[index]
            return None if backend.none else Reference(type, index, backend.name.encode())
        case Type.ACL:
            return Reference(type, index, module.acls[index].name.encode())
        case Type.PROBE:
            return Reference(type, index, module.probes[index].name.encode())
        case Type.REGEX:
            return Reference(type, index, module.regexes[index])
        case Type.STEVEDORE:
            return Reference(type, index, b"storage." + module.storages[index].encode())
        case Type.INSTANCE:
            return world.instances.get(index) or Reference(type, index, module.instances[index].name.encode())
        case Type.HTTP:
            return Reference(type, index, Msg(index).name.lower().encode())
        case _:
            raise AssertionError(f"no table of {type.value}")


def convert(source: Type, to: Type, value: Value) -> Value:
    if to is Type.STRING and source not in values.PLAIN_TEXT_TYPES:
        match value:
            case Ip() | Blob():
                return value.text()
            case Reference():
                return value.what
            case _ if source is Type.BLOB:
                return Blob(b"").text()
            case _:
                return None
    if to is Type.BOOL and source is Type.BACKEND:
        return value is not None
    assert not isinstance(value, (Ip, Blob, Reference))
    return values.convert_plain(source, to, value)


def _compare(type: Type, op: str, a: Value, b: Value) -> bool:
    match type:
        case Type.STRING:
            return values.compare_texts(op, _text(a), _text(b))
        case Type.IP:
            equal = a is not None and a == b
            return equal if op == "==" else not equal
        case Type.BACKEND | Type.PROBE | Type.ACL | Type.STEVEDORE:
            return (a == b) if op == "==" else (a != b)
        case _:
            return values.ordered(op, _number(a), _number(b))
