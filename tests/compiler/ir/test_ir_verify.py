"""The verifier names each error; every case breaks one thing in a valid module."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from vernis.ir import ir
from vernis.ir.builder import FunctionBuilder, fill_hooks
from vernis.ir.facts import use_counts
from vernis.ir.ir import Action, Extern, Msg, Type
from support.reference.verify import VerifyError, check_module, verify_module
from vernis.ir.flow import immediate_dominators

T = Type
TO_INT = Extern("x_int", (T.STRING,), T.INT)
OPTIONAL = Extern("x_opt", (T.INT,), T.VOID, optional=(0,))


def valid_module() -> tuple[ir.Module, FunctionBuilder]:
    """A valid module: b0 branches to b1 and b2, which join in b3. v0 is a text, v1 its truth, v2 (in b1) an
    INT."""
    b = FunctionBuilder("vcl_recv")
    text = b.text(b"a")
    truth = b.convert(T.BOOL, text)
    then, other, join = b.block(), b.block(), b.block()
    b.slot(T.INT)
    b.branch(truth, then, other)
    b.at = then
    b.store(0, b.const(T.INT, 1))
    b.jump(join)
    b.at = other
    b.jump(join)
    b.at = join
    b.ret(Action.HASH)
    module = ir.Module("m", sites=[ir.Site(0, 1, 1)], names=["host"], regexes=[b"x"], functions={"vcl_recv": b.function})
    fill_hooks(module)
    return module, b


def test_a_valid_module_has_no_problems() -> None:
    module, _ = valid_module()
    assert verify_module(module) == []


def put(b: FunctionBuilder, op: ir.Op) -> None:
    """Inserts an operation before the end of the last block."""
    b.function.blocks[3].ops.insert(0, op)


def value(b: FunctionBuilder, type: Type) -> int:
    b.function.types.append(type)
    return len(b.function.types) - 1


BROKEN: dict[str, tuple[Callable[[FunctionBuilder], None], str]] = {
    "no end": (lambda b: b.function.blocks[3].ops.clear(), "does not end with a terminator"),
    "end in the middle": (lambda b: put(b, ir.ReturnAction(Action.HASH, 0)), "a terminator before the end"),
    "no such block": (lambda b: b.function.blocks[1].ops.__setitem__(-1, ir.Jump(9, 0)), "block 9 of 4"),
    "no such value": (lambda b: put(b, ir.NotOp(99, 1, 0)), "value 99 of 3"),
    "used, not defined": (lambda b: put(b, ir.Store(0, value(b, T.INT), 0)), "used and never defined"),
    "defined twice": (lambda b: put(b, ir.Const(0, T.STRING, b"", 0)), "v0 defined twice"),
    "not dominated": (lambda b: put(b, ir.Store(0, 2, 0)), "definition in b1 does not dominate"),
    "wrong type of result": (lambda b: put(b, ir.Const(value(b, T.BOOL), T.INT, 1, 0)), "is BOOL, not INT"),
    "constant of another type": (lambda b: put(b, ir.Const(value(b, T.INT), T.INT, 1 << 63, 0)), "is not of type INT"),
    "constant not finite": (lambda b: put(b, ir.Const(value(b, T.REAL), T.REAL, float("inf"), 0)), "is not of type REAL"),
    "no such conversion": (lambda b: put(b, ir.Convert(value(b, T.IP), T.IP, 0, 0)), "no IP of STRING"),
    "types of an operator": (lambda b: put(b, ir.Arith(value(b, T.INT), T.INT, "+", 0, 0, 0)), "is STRING, not BYTES or INT"),
    "remainder of REAL": (lambda b: put(b, ir.Arith(value(b, T.REAL), T.REAL, "%", 0, 0, 0)), "no REAL %"),
    "comparison of two types": (lambda b: put(b, ir.CompareOp(value(b, T.BOOL), "==", 0, 1, 0)), "STRING == BOOL"),
    "order of BOOL": (lambda b: put(b, ir.CompareOp(value(b, T.BOOL), "<", 1, 1, 0)), "no < of BOOL"),
    "no such name": (lambda b: put(b, ir.HeaderUnset(Msg.REQ, 1, 0)), "name 1 of 1"),
    "no such regex": (lambda b: put(b, ir.Match(value(b, T.BOOL), 7, 0, 0)), "regex 7 of 1"),
    "no such acl": (lambda b: put(b, ir.Ref(value(b, T.ACL), T.ACL, 0, 0)), "ACL 0 of 0"),
    "no such slot": (lambda b: put(b, ir.Load(value(b, T.INT), 3, 0)), "slot 3 of 1"),
    "slot of another type": (lambda b: put(b, ir.Store(0, 0, 0)), "v0 is STRING, not INT"),
    "no such sub": (lambda b: put(b, ir.CallSub(value(b, T.ACTION), "gone", 0)), "no sub gone"),
    "number of arguments": (lambda b: put(b, ir.Call(value(b, T.INT), TO_INT, (), 0)), "takes 1 arguments, not 0"),
    "type of an argument": (lambda b: put(b, ir.Call(value(b, T.INT), TO_INT, (1,), 0)), "v1 is BOOL, not STRING"),
    "result not taken": (lambda b: put(b, ir.Call(None, TO_INT, (0,), 0)), "x_int gives INT"),
    "no mask": (lambda b: b.function.blocks[1].ops.insert(1, ir.Call(None, OPTIONAL, (2,), 0)), "mask None for 1 optional"),
    "mask too wide": (lambda b: b.function.blocks[1].ops.insert(1, ir.Call(None, OPTIONAL, (2,), 0, given=2)), "mask 2"),
    "no such site": (lambda b: put(b, ir.SiteMark(5)), "site 5 of 1"),
    "return of no action": (lambda b: b.function.blocks[3].ops.__setitem__(-1, ir.ReturnValue(0, 0)), "is STRING, not ACTION"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_an_invalid_function_is_named(case: str) -> None:
    module, b = valid_module()
    change, message = BROKEN[case]
    change(b)
    problems = verify_module(module)
    assert any(message in problem and problem.startswith("vcl_recv") for problem in problems), problems
    with pytest.raises(VerifyError):
        check_module(module)


def test_ops_that_change_after_their_facts_were_found_are_named() -> None:
    module, b = valid_module()
    assert use_counts(b.function)[0] == 1
    assert verify_module(module) == []
    put(b, ir.Convert(value(b, T.BOOL), T.BOOL, 0, 0))
    assert any("its ops changed" in problem for problem in verify_module(module))


def test_an_unreachable_block_may_use_any_value() -> None:
    module, b = valid_module()
    b.function.blocks.append(ir.Block([ir.Store(0, 2, 0), ir.ReturnAction(Action.HASH, 0)]))
    assert verify_module(module) == []


@pytest.mark.parametrize(("backend", "message"), [
    (ir.Backend("b", host="h", path="/p"), "not exactly one of"), (ir.Backend("b"), "not exactly one of"),
    (ir.Backend("b", host="h", probe=0), "probe 0 of 0")])
def test_an_invalid_backend_is_named(backend: ir.Backend, message: str) -> None:
    module, _ = valid_module()
    module.backends.append(backend)
    assert any(message in problem for problem in verify_module(module))


def test_dominators_of_a_loop() -> None:
    b = FunctionBuilder("f")
    truth = b.const(T.BOOL, True)
    head, body, after = b.block(), b.block(), b.block()
    b.jump(head)
    b.at = head
    b.branch(truth, body, after)
    b.at = body
    b.jump(head)
    b.at = after
    b.ret(Action.NONE)
    assert immediate_dominators(b.function) == {0: 0, head: 0, body: head, after: head}
